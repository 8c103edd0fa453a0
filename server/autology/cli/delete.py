"""``autology delete``: move a node to the trash, with its relations."""

from __future__ import annotations

import argparse

from autology import render
from autology.cli import project
from autology.cli.screen import Screen
from autology.core.remove import delete
from autology.model.errors import ValidationError

EXAMPLES = """\
autology delete 3f2a91c0
autology delete 3f2a91c0 --yes"""
JSON = "{deleted: {id, title, type}, relations_removed}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the node, and whether to ask first."""
    parser.add_argument("id", help="the node's id, its first eight characters or more, or its title")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Delete the node, on a terminal after asking."""
    graph = project.graph(asked)
    source = graph.source(project.meant(graph, asked.id))
    if not asked.yes:
        title = screen.safe(source.title)
        if not screen.asks():
            raise ValidationError("--yes", f"is missing, and nobody is here to be asked about '{title}'", "Add it.")
        if not screen.yes(f"Move '{title}' ({source.type}) and its relations to the trash?", usual=False):
            screen.line("Nothing was changed.")
            return 1
    done = delete(graph, source.id)
    if screen.json:
        gone = {"id": done.node.id, "title": done.node.title, "type": done.node.type.value}
        screen.data({"deleted": gone, "relations_removed": done.relations})
    else:
        screen.block(render.deleted(done))
        screen.line(f"`autology restore {done.node.id[:8]}` brings it back.")
    return 0
