"""Reads and writes the user's memory files for sync; a file that changed meanwhile is never overwritten."""

from __future__ import annotations

from contextlib import suppress

from autology.core.content.draft import Draft
from autology.core.memory import trash
from autology.core.memory.memories import USER, Memories, Root
from autology.hub.model import Space
from autology.model.errors import ConflictError, StorageError, UnreadableNodeError
from autology.model.memory import Memory, Scope, memory_path
from autology.text.notes.memory_file import read_memory


def space_of(scope: Scope, org: str) -> Space | None:
    """Return the space that a memory of *scope* belongs to; None if it is private to the user."""
    return Space(org, scope.project or "") if scope.org == org else None


def is_readable(text: str) -> bool:
    """Whether *text* is a valid memory file."""
    try:
        read_memory(text)
    except UnreadableNodeError:
        return False
    return True


def belongs_to(space: Space, text: str) -> bool:
    """Whether *text* is a memory of *space*; others would be private here, or be sent to another team."""
    return is_readable(text) and space_of(read_memory(text).scope, space.org) == space


def is_taken(memories: Memories, space: Space, id: str) -> bool:
    """Whether a local memory with this id belongs to another space, or to none."""
    source = memories.source(id)
    return source is not None and (source.org, source.scope_project or "") != (space.org, space.project)


def read(memories: Memories, path: str) -> tuple[Memory, str] | None:
    """Return the memory at *path* and its text; None if it is missing or unreadable."""
    root = memories.root_of(path)
    try:
        data, _ = root.files.read(root.inner(path))
        return root.codec.parse(data, path), data.decode("utf-8")
    except (FileNotFoundError, StorageError, UnreadableNodeError):
        return None


def text_of(memories: Memories, id: str, kind: str) -> str | None:
    """Return the text of the user's file of this memory, readable or not; None if there is none."""
    source = memories.source(id)
    if source is None and not kind:
        return None
    path = source.path if source is not None and source.path.startswith(USER) else f"{USER}{memory_path(kind, id)}"
    root = memories.root_of(path)
    try:
        return root.files.read(root.inner(path))[0].decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def write(memories: Memories, id: str, text: str, expected: str | None, keep_old: bool = False) -> bool:
    """Write the user's file of this memory, wherever it lies; return False unless its text is *expected*.

    With *keep_old*, the old text goes to the trash.
    """
    memory = read_memory(text)
    user_root, path = memories.roots[1], memory.path
    before = _before(memories, id, path)
    expected_data = [] if expected is None else [expected.encode("utf-8")]
    if memory.id != id or list(before.values()) != expected_data:
        return False
    data = text.encode("utf-8")
    if before.get(path) == data:
        return True
    draft = Draft(user_root)
    if keep_old and (stored := memories.stored(id)) is not None and stored.path.startswith(USER):
        trash.discard(draft, stored, memories.stamp())
    for other in before.keys() - {path}:
        draft.stage(other, before[other], None)
    draft.stage(path, before.get(path), data, memory)
    return _commit(user_root, draft)


def remove(memories: Memories, id: str, expected: str) -> bool:
    """Move the user's file of this memory to the trash; return False unless its text is *expected*."""
    stored = memories.stored(id)
    if stored is None or not stored.path.startswith(USER) or stored.data != expected.encode("utf-8"):
        return False
    user_root = memories.roots[1]
    draft = Draft(user_root)
    trash.discard(draft, stored, memories.stamp())
    return _commit(user_root, draft)


def _before(memories: Memories, id: str, path: str) -> dict[str, bytes]:
    """Return the bytes of the user's files that contain this memory, and of the file at *path*, by path."""
    user_root, source = memories.roots[1], memories.source(id)
    indexed = user_root.inner(source.path) if source is not None and source.path.startswith(USER) else path
    contents: dict[str, bytes] = {}
    for file_path in (indexed, path):
        with suppress(FileNotFoundError):
            contents[file_path] = user_root.files.read(file_path)[0]
    return contents


def _commit(root: Root, draft: Draft[Memory]) -> bool:
    try:
        with root.writer.locked():
            root.commit(draft)
    except ConflictError:
        return False
    return True
