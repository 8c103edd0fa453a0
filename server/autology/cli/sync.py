"""``autology sync``: bring the index and the list of relations up to date with the files."""

from __future__ import annotations

import argparse

from autology.cli import project
from autology.cli.screen import Screen
from autology.core import projection
from autology.text.counted import counted

EXAMPLES = """\
autology sync
autology sync --json"""
JSON = "{read, nodes, relations, unreadable}: files read or forgotten now, and what the index holds"


def arguments(parser: argparse.ArgumentParser) -> None:
    """It takes nothing of its own."""
    del parser


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Read what changed, write what is generated."""
    graph = project.graph(asked)
    if not graph.files.exists():
        if screen.json:
            screen.data({"read": 0, "nodes": 0, "relations": 0, "unreadable": 0})
        else:
            screen.line("There is no .autology here yet, so there is nothing to bring up to date.")
        return 0
    with screen.progress("reading notes") as progress:
        read = graph.refresh(walk=True, progress=progress)
    relations = projection.write(graph)
    counts = graph.index.counts()
    nodes = sum(counts.nodes.values())
    if screen.json:
        screen.data({"read": read, "nodes": nodes, "relations": relations, "unreadable": counts.faults})
        return 0
    done = f"{counted(read, 'file')} read or forgotten" if read else "nothing had changed"
    screen.line(f"✓ {done}; the index holds {counted(nodes, 'node')} and {counted(relations, 'relation')}.")
    if counts.faults:
        screen.line(f"{counted(counts.faults, 'file')} cannot be read: `autology doctor` tells which and why.")
    return 0
