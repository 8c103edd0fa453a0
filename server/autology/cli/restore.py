"""``autology restore``: bring a deleted node back, or list the trash."""

from __future__ import annotations

import argparse

from autology import render
from autology.cli import project
from autology.cli.screen import Screen
from autology.core.remove import restore, trash

EXAMPLES = """\
autology restore
autology restore 3f2a91c0"""
JSON = """\
{restored: {id, title, type, path}, relations_restored}
without an id: {trash: [{id, title, type, deleted}]}, deleted last first"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the node."""
    parser.add_argument("id", nargs="?", help="the deleted node's id or its beginning; without: what can be restored")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Restore the node, or list what could be."""
    graph = project.graph(asked)
    if asked.id is None:
        found = trash(graph)
        if screen.json:
            listed = [{"id": t.id, "title": t.title, "type": t.type, "deleted": t.deleted} for t in found]
            screen.data({"trash": listed})
            return 0
        for item in found:
            screen.line(f"{item.id[:8]}  {item.deleted}  {screen.safe(item.title)} ({screen.safe(item.type)})")
        screen.line("`autology restore ID` brings one back." if found else "The trash is empty.")
        return 0
    done = restore(graph, asked.id)
    if screen.json:
        node = {"id": done.node.id, "title": done.node.title, "type": done.node.type.value, "path": done.node.path}
        screen.data({"restored": node, "relations_restored": done.relations})
    else:
        screen.block(render.restored(done))
    return 0
