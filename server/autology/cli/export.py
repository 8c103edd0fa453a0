"""``autology export``: the graph for other tools."""

from __future__ import annotations

import argparse

from autology import wire
from autology.cli import outfile, project
from autology.cli.screen import Screen
from autology.core.export import FORMATS, export
from autology.text.counted import counted

EXAMPLES = """\
autology export --format graphml --out graph.graphml
autology export --format mermaid
autology export --format json --all | jq '.nodes[].title'"""
JSON = "{format, nodes, relations, secrets: [kinds left out], unreadable, file, text: without --out}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the format and where to."""
    parser.add_argument("--format", choices=list(FORMATS), required=True, help="what the other tool reads")
    parser.add_argument("--out", metavar="FILE", help="write there; else, and with -, it is printed")
    outfile.force(parser)
    parser.add_argument("--all", action="store_true", help="documents and their links too")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Write the graph; the same graph is the same text."""
    root = project.root(asked)
    file = None if asked.out == outfile.STANDARD_OUTPUT else asked.out
    if file:
        outfile.check(file, asked.force)
    graph = wire.graph(root)
    made = export(graph, asked.format, wire.library(graph, root) if asked.all else None)
    data = made.text.encode("utf-8", "replace")
    if file:
        outfile.write(file, data, asked.force)
    if screen.json:
        told = {"format": asked.format, "nodes": made.nodes, "relations": made.relations, "file": file}
        more = {"secrets": list(made.secrets), "unreadable": made.unreadable}
        screen.data({**told, **more, **({} if file else {"text": made.text})})
    elif not file:
        screen.raw(data)
    if not screen.json:
        if file:
            told_of = f"{counted(made.nodes, 'node')}, {counted(made.relations, 'relation')}: {file}"
            screen.line(screen.styled(f"✓ {screen.safe(told_of, 500)}", "green"))
        if made.secrets:
            screen.say(f"secrets were left out: {', '.join(made.secrets)}")
        if made.unreadable:
            screen.say(
                f"{counted(made.unreadable, 'file')} cannot be read and are not in it; `autology doctor` says why"
            )
    return 0
