"""``autology export``: export the graph: GraphML, Cytoscape, DOT, Mermaid, JSON, CSV; or a web site."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from autology.cli import outfile
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.nodes.export import FORMATS, export
from autology.text.language.plural import counted

EXAMPLES = """\
autology export --format graphml --out graph.graphml
autology export --format mermaid
autology export --format json --all | jq '.nodes[].title'
autology export site public"""
JSON = "{format, nodes, relations, secrets: [kinds redacted], unreadable, file, text: without --out}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the format and the output."""
    parser.add_argument("--format", choices=list(FORMATS), help="the output format")
    parser.add_argument("--out", metavar="FILE", help="write to this file; default, and with -: standard output")
    outfile.force(parser)
    parser.add_argument("--all", action="store_true", help="include documents and their links")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Write the graph; the output is deterministic."""
    if args.format is None:
        choices = ", ".join(FORMATS)
        raise UsageError("--format", "is missing", f"Choose from {choices}, or run `autology export site DIR`.")
    project = project_of(args)
    file = None if args.out == outfile.STANDARD_OUTPUT else args.out
    if file:
        outfile.check(file, args.force)
    graph = project.graph
    screen.begin("reading the notes")
    exported = export(graph, args.format, project.library if args.all else None)
    data = exported.text.encode("utf-8", "replace")
    if file:
        outfile.write(file, data, args.force)
    if screen.json:
        summary = {"format": args.format, "nodes": exported.nodes, "relations": exported.relations, "file": file}
        details = {"secrets": list(exported.secrets), "unreadable": exported.unreadable}
        screen.data({**summary, **details, **({} if file else {"text": exported.text})})
        return 0
    if file:
        counts = f"{counted(exported.nodes, 'node')}, {counted(exported.relations, 'relation')}: {file}"
        screen.line(f"✓ {screen.safe(counts, 500)}", "green")
    else:
        screen.raw(data)
    report_left_out(exported.secrets, exported.unreadable, screen)
    return 0


def report_left_out(secrets: Sequence[str], unreadable: int, screen: Screen) -> None:
    """Say which kinds of secrets were redacted and how many files are missing."""
    if secrets:
        screen.say(f"secrets were redacted: {', '.join(secrets)}")
    if unreadable:
        files = counted(unreadable, "file")
        screen.say(f"{files} could not be read and are not included: run `autology doctor`")
