"""``autology restore``: bring a deleted node or document back, or list the trash."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from autology import render
from autology.cli import project
from autology.cli.screen import Screen
from autology.core.documents import Library
from autology.core.documents import restore as restoring
from autology.core.remove import restore, trash
from autology.model.entry import DOCUMENT
from autology.model.errors import NotFoundError

EXAMPLES = """\
autology restore
autology restore 3f2a91c0
autology restore docs/guide.md"""
JSON = """\
{restored: {id, title, type, path}, relations_restored}
without an id, deleted last first:
{trash: [{id, title, type, deleted}], documents: [{name, id, path, title, deleted}]}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the node or document."""
    told = "the deleted node's id or its beginning, or a deleted document's id or path; without: what can be restored"
    parser.add_argument("id", nargs="?", help=told)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Restore the node or document, or list what could be."""
    library = project.library(asked)
    if asked.id is None:
        return _list(library, screen)
    try:
        done = restore(library.graph, asked.id)
    except NotFoundError:
        if not restoring.trash(library):
            raise
        return _restore_document(library, asked.id, screen)
    if screen.json:
        node = {"id": done.node.id, "title": done.node.title, "type": done.node.type.value, "path": done.node.path}
        screen.data({"restored": node, "relations_restored": done.relations})
    else:
        screen.block(render.restored(done))
    return 0


def _list(library: Library, screen: Screen) -> int:
    nodes, documents = trash(library.graph), restoring.trash(library)
    if screen.json:
        listed = [{"id": t.id, "title": t.title, "type": t.type, "deleted": t.deleted} for t in nodes]
        screen.data({"trash": listed, "documents": [asdict(item) for item in documents]})
        return 0
    for node in nodes:
        screen.line(f"{node.id[:8]}  {node.deleted}  {screen.safe(node.title)} ({screen.safe(node.type)})")
    for item in documents:
        screen.line(f"{screen.safe(item.path)}  {screen.safe(item.deleted)}  {screen.safe(item.title)} (document)")
    screen.line("`autology restore ID` brings one back." if nodes or documents else "The trash is empty.")
    return 0


def _restore_document(library: Library, id: str, screen: Screen) -> int:
    done = restoring.restore(library, id)
    if screen.json:
        restored = {"id": done.id, "title": done.title, "type": DOCUMENT, "path": done.path}
        screen.data({"restored": restored, "relations_restored": 0})
    else:
        screen.line(f"✓ Restored: {screen.safe(done.title)} ({screen.safe(done.path)})")
    return 0
