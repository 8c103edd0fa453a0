"""``autology delete``: move a note to the trash, with its relations."""

from __future__ import annotations

import argparse

from autology.cli.note_names import node_called
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.nodes.delete_restore import delete
from autology.model.errors import ValidationError
from autology.render import nodes

EXAMPLES = """\
autology delete 3f2a91c0
autology delete 3f2a91c0 --yes"""
JSON = "{deleted: {id, title, type}, relations_removed}"
WRITES = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the note, and whether to ask for confirmation."""
    parser.add_argument("id", help="the note's id, its first eight characters or more, or its title")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Delete the note, on a terminal after confirmation."""
    graph = project_of(args).graph
    source = graph.source(node_called(graph, args.id))
    if not args.yes:
        title = screen.safe(source.title)
        if not screen.can_ask():
            raise ValidationError("delete", f"refusing to delete '{title}' without confirmation", "Pass --yes.")
        if not screen.confirm(f"Move '{title}' ({source.type}) and its relations to the trash?", default=False):
            screen.line("Nothing was changed.")
            return 1
    deletion = delete(graph, source.id)
    if screen.json:
        deleted = {"id": deletion.node.id, "title": deletion.node.title, "type": deletion.node.type.value}
        screen.data({"deleted": deleted, "relations_removed": deletion.relations})
    else:
        screen.block(nodes.deleted(deletion))
        screen.line(f"`autology restore {deletion.node.id[:8]}` restores it.")
    return 0
