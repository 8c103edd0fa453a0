"""``autology restore``: bring a deleted node, document or memory back, or list the trash."""

from __future__ import annotations

import argparse
from contextlib import suppress

from autology import render, wire
from autology.cli import project
from autology.cli.screen import Screen
from autology.core.documents import restore as restoring
from autology.core.documents.library import Library
from autology.core.memory.ledger import Ledger
from autology.core.memory.memories import Memories
from autology.core.memory.projecting import title_of
from autology.core.memory.trash import trash as trash_of_memories
from autology.core.remove import restore
from autology.model.entry import DOCUMENT
from autology.model.errors import MemoryNotFoundError, NotFoundError

EXAMPLES = """\
autology restore
autology restore 3f2a91c0
autology restore docs/guide.md"""
JSON = """\
{restored: {id, title, type, path}, relations_restored}
without an id, deleted last first:
{trash: [{id, title, type, deleted}], documents: [{name, id, path, title, deleted}],
 memories: [{name, id, kind, title, path, deleted}]}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is to come back."""
    told = "the deleted node's or memory's id or its beginning, or a document's id or path; without: what there is"
    parser.add_argument("id", nargs="?", help=told)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Restore the node, document or memory, or list what could be."""
    root = project.root(asked)
    graph = wire.graph(root)
    library, memories = wire.library(graph, root), wire.memories(graph, root)
    if asked.id is None:
        return _list(library, memories, screen)
    try:
        done = restore(library.graph, asked.id)
    except NotFoundError:
        if trash_of_memories(memories):
            with suppress(MemoryNotFoundError):
                return _restore_memory(wire.ledger(memories, root, "command_line"), asked.id, screen)
        if not library.trash.items():
            raise
        return _restore_document(library, asked.id, screen)
    if screen.json:
        node = {"id": done.node.id, "title": done.node.title, "type": done.node.type.value, "path": done.node.path}
        screen.data({"restored": node, "relations_restored": done.relations})
    else:
        screen.block(render.restored(done))
    return 0


def _list(library: Library, memories: Memories, screen: Screen) -> int:
    nodes, documents, kept = library.graph.trash.items(), library.trash.items(), trash_of_memories(memories)
    if screen.json:
        listed = [{"id": t.id, "title": t.title, "type": t.type, "deleted": t.deleted} for t in nodes]
        fields = ("name", "id", "path", "title", "deleted")
        pages = [{field: getattr(item, field) for field in fields} for item in documents]
        items = [
            {"name": t.name, "id": t.id, "kind": t.type, "title": t.title, "path": t.path, "deleted": t.deleted}
            for t in kept
        ]
        screen.data({"trash": listed, "documents": pages, "memories": items})
        return 0
    for node in nodes:
        screen.line(f"{node.id[:8]}  {node.deleted}  {screen.safe(node.title)} ({screen.safe(node.type)})")
    for item in documents:
        screen.line(f"{screen.safe(item.path)}  {screen.safe(item.deleted)}  {screen.safe(item.title)} (document)")
    for memory in kept:
        screen.line(f"{screen.safe(memory.id)}  {screen.safe(memory.deleted)}  {screen.safe(memory.title)} (memory)")
    screen.line("`autology restore ID` brings one back." if nodes or documents or kept else "The trash is empty.")
    return 0


def _restore_memory(ledger: Ledger, id: str, screen: Screen) -> int:
    memory = ledger.restore(id)
    title = title_of(memory)
    if screen.json:
        source = ledger.memories.source(memory.id)
        restored = {"id": memory.id, "title": title, "type": memory.kind.value, "path": source.path if source else ""}
        screen.data({"restored": restored, "relations_restored": 0})
    else:
        screen.line(f"✓ Restored: {screen.safe(title)} ({memory.kind.value}, {screen.safe(memory.id)})")
    return 0


def _restore_document(library: Library, id: str, screen: Screen) -> int:
    done = restoring.restore(library, id)
    if screen.json:
        restored = {"id": done.id, "title": done.title, "type": DOCUMENT, "path": done.path}
        screen.data({"restored": restored, "relations_restored": 0})
    else:
        screen.line(f"✓ Restored: {screen.safe(done.title)} ({screen.safe(done.path)})")
    return 0
