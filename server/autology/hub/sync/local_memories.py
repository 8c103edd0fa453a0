"""The user's own memory files as sync reads and writes them: never over a text that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autology.core.memory.memories import USER, Memories, decode
from autology.core.memory.trash import discarding
from autology.core.ports import Change
from autology.hub.model import Space
from autology.model.errors import ConflictError, StorageError, UnreadableNodeError
from autology.model.memory import Memory, Scope
from autology.text.memoryfile import read_memory


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
    """Whether *text* is a memory of *space*; any other would be private here, or be sent on to another team."""
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
        return decode(data, path), data.decode("utf-8")
    except (FileNotFoundError, StorageError, UnreadableNodeError):
        return None


def text_of(memories: Memories, id: str, kind: str) -> str | None:
    """Return the text of the user's file of this memory, readable or not; None if there is none."""
    source = memories.source(id)
    if source is None and not kind:
        return None
    path = source.path if source is not None and source.path.startswith(USER) else f"{USER}{_path(kind, id)}"
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
    path = _path(memory.kind.value, memory.id)
    before = list(_before(memories, id, path))
    expected_data = [] if expected is None else [expected.encode("utf-8")]
    if memory.id != id or [change.before for change in before] != expected_data:
        return False
    data = text.encode("utf-8")
    current = next((change.before for change in before if change.path == path), None)
    if current == data:
        return True
    trashed: list[Change] = []
    if keep_old and (stored := memories.stored(id)) is not None:
        trashed = discarding(memories.roots[1], stored, memories.stamp())[:-1]
    moved = [Change(change.path, change.before, None) for change in before if change.path != path]
    return _commit(memories, [*trashed, *moved, Change(path, current, data)], {f"{USER}{path}": memory})


def remove(memories: Memories, id: str, expected: str) -> bool:
    """Move the user's file of this memory to the trash; return False unless its text is *expected*."""
    root, stored = memories.roots[1], memories.stored(id)
    if stored is None or not stored.path.startswith(USER) or stored.data != expected.encode("utf-8"):
        return False
    return _commit(memories, discarding(root, stored, memories.stamp()), {})


def _path(kind: str, id: str) -> str:
    return f".autology/memory/{kind}/{id}.md"


def _before(memories: Memories, id: str, path: str) -> Iterator[Change]:
    """Yield the present state of the user's files that hold this memory, and of the one at *path*."""
    root = memories.roots[1]
    source = memories.source(id)
    own = [root.inner(source.path)] if source is not None and source.path.startswith(USER) else []
    for file_path in dict.fromkeys([*own, *([path] if path else [])]):
        try:
            yield Change(file_path, root.files.read(file_path)[0], None)
        except FileNotFoundError:
            continue


def _commit(memories: Memories, changes: Sequence[Change], memory_files: dict[str, Memory]) -> bool:
    root = memories.roots[1]
    try:
        with root.files.locked():
            memories.commit(root, changes, memory_files)
    except ConflictError:
        return False
    return True
