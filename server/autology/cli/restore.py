"""``autology restore``: restore a deleted note, document or memory, or list the trash."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.content.codec import Trashed
from autology.core.documents import delete_restore
from autology.core.documents.library import Library
from autology.core.memory.audited_memories import AuditedMemories
from autology.core.memory.index_entry import title_of
from autology.core.memory.memories import Memories
from autology.core.memory.trash import trash as trash_of_memories
from autology.core.nodes.delete_restore import restore
from autology.model.entry import DOCUMENT, MEMORY
from autology.model.errors import MemoryNotFoundError, NotFoundError
from autology.render import nodes

EXAMPLES = """\
autology restore
autology restore 3f2a91c0
autology restore docs/guide.md"""
JSON = """\
{restored: {id, title, type, path}, relations_restored}
without an id, last deleted first:
{trash: [{id, title, type, deleted}], documents: [{name, id, path, title, deleted}],
 memories: [{name, id, kind, title, path, deleted}]}"""
WRITES = True

FIELDS = {
    "trash": ("id", "title", "type", "deleted"),
    "documents": ("name", "id", "path", "title", "deleted"),
    "memories": ("name", "id", "kind", "title", "path", "deleted"),
}
"""The fields of each deleted entry in the JSON output."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the id."""
    about = "a deleted note's id or title, a memory's id, the first part of one, or a document's id or path"
    parser.add_argument("id", nargs="?", help=f"{about}; default: list the trash")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Restore the note, document or memory, or list the trash."""
    project = project_of(args)
    library, memories = project.library, project.memories
    if args.id is None:
        return _list(library, memories, screen)
    try:
        restored = restore(library.graph, args.id)
    except NotFoundError:
        if trash_of_memories(memories):
            with suppress(MemoryNotFoundError):
                return _restore_memory(project.audited_memories, args.id, screen)
        if not library.trash.items():
            raise
        return _restore_document(library, args.id, screen)
    if screen.json:
        node = {
            "id": restored.node.id,
            "title": restored.node.title,
            "type": restored.node.type.value,
            "path": restored.node.path,
        }
        screen.data({"restored": node, "relations_restored": restored.relations})
    else:
        screen.block(nodes.restored(restored))
    return 0


def _list(library: Library, memories: Memories, screen: Screen) -> int:
    nodes, documents, stored = library.graph.trash.items(), library.trash.items(), trash_of_memories(memories)
    if screen.json:
        trash = {"trash": nodes, "documents": documents, "memories": stored}
        screen.data({kind: [_as_json(item, FIELDS[kind]) for item in items] for kind, items in trash.items()})
        return 0
    shown = [(item.id[:8], item, item.type) for item in nodes]
    shown += [(item.path, item, DOCUMENT) for item in documents]
    shown += [(item.id, item, MEMORY) for item in stored]
    for name, item, kind in shown:
        screen.line("{}  {}  {} ({})".format(*map(screen.safe, (name, item.deleted, item.title, kind))))
    screen.line("`autology restore ID` restores an entry." if shown else "The trash is empty.")
    return 0


def _as_json(item: Trashed, fields: Sequence[str]) -> dict[str, str]:
    return {field: str(getattr(item, "type" if field == "kind" else field)) for field in fields}


def _restore_memory(audited: AuditedMemories, id: str, screen: Screen) -> int:
    memory = audited.restore(id)
    source, kind = audited.memories.source(memory.id), memory.kind.value
    return _report(screen, memory.id, title_of(memory), kind, source.path if source else "", f"{kind}, {memory.id}")


def _restore_document(library: Library, id: str, screen: Screen) -> int:
    restored = delete_restore.restore(library, id)
    return _report(screen, restored.id, restored.title, DOCUMENT, restored.path, restored.path)


def _report(screen: Screen, id: str, title: str, type: str, path: str, details: str) -> int:
    data = {"restored": {"id": id, "title": title, "type": type, "path": path}, "relations_restored": 0}
    return screen.report(data, f"✓ Restored: {screen.safe(title)} ({screen.safe(details)})")
