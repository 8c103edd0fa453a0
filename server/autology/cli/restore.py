"""``autology restore``: restore a deleted note, document or memory, or list the trash."""

from __future__ import annotations

import argparse
from contextlib import suppress
from dataclasses import asdict

from autology import render, wire
from autology.cli import project
from autology.cli.screen import Screen
from autology.core.documents import restore as restoring
from autology.core.documents.library import Library
from autology.core.memory.ledger import Ledger
from autology.core.memory.memories import Memories
from autology.core.memory.projecting import title_of
from autology.core.memory.trash import trash as trash_of_memories
from autology.core.remove import restore, trash
from autology.model.entry import DOCUMENT
from autology.model.errors import MemoryNotFoundError, NotFoundError

EXAMPLES = """\
autology restore
autology restore 3f2a91c0
autology restore docs/guide.md"""
JSON = """\
{restored: {id, title, type, path}, relations_restored}
without an id, last deleted first:
{trash: [{id, title, type, deleted}], documents: [{name, id, path, title, deleted}],
 memories: [{name, id, kind, title, path, deleted}]}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to restore."""
    about = "the id of a deleted note or memory or its prefix, or a document's id or path; default: list the trash"
    parser.add_argument("id", nargs="?", help=about)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Restore the note, document or memory, or list the trash."""
    root = project.root(args)
    graph = wire.graph(root)
    library, memories = wire.library(graph, root), wire.memories(graph, root)
    if args.id is None:
        return _list(library, memories, screen)
    try:
        done = restore(library.graph, args.id)
    except NotFoundError:
        if trash_of_memories(memories):
            with suppress(MemoryNotFoundError):
                return _restore_memory(wire.ledger(memories, root, "command_line"), args.id, screen)
        if not restoring.trash(library):
            raise
        return _restore_document(library, args.id, screen)
    if screen.json:
        node = {"id": done.node.id, "title": done.node.title, "type": done.node.type.value, "path": done.node.path}
        screen.data({"restored": node, "relations_restored": done.relations})
    else:
        screen.block(render.restored(done))
    return 0


def _list(library: Library, memories: Memories, screen: Screen) -> int:
    nodes, documents, stored = trash(library.graph), restoring.trash(library), trash_of_memories(memories)
    if screen.json:
        listed = [{"id": t.id, "title": t.title, "type": t.type, "deleted": t.deleted} for t in nodes]
        fields = ("name", "id", "kind", "title", "path", "deleted")
        items = [{field: getattr(item, field) for field in fields} for item in stored]
        screen.data({"trash": listed, "documents": [asdict(item) for item in documents], "memories": items})
        return 0
    for node in nodes:
        screen.line(f"{node.id[:8]}  {node.deleted}  {screen.safe(node.title)} ({screen.safe(node.type)})")
    for item in documents:
        screen.line(f"{screen.safe(item.path)}  {screen.safe(item.deleted)}  {screen.safe(item.title)} (document)")
    for memory in stored:
        screen.line(f"{screen.safe(memory.id)}  {screen.safe(memory.deleted)}  {screen.safe(memory.title)} (memory)")
    screen.line("`autology restore ID` restores one." if nodes or documents or stored else "The trash is empty.")
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
