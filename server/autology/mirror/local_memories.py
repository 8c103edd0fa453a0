"""This machine's memory files, as the mirror reads and changes them: a file that changed meanwhile is not touched."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from autology.core.content.codec import Codec, Stored
from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT, RootFiles
from autology.core.content.trash import Trash
from autology.core.memory.chunks import Chunks
from autology.core.memory.codec import MemoryCodec
from autology.core.memory.trash import discard
from autology.model.errors import ConflictError, StorageError, UnreadableNodeError
from autology.model.memory import Memory
from autology.text.notes.memory_file import read_memory


class MemoryRoot:
    """The memory files of one root; a draft changes them."""

    def __init__(self, files: RootFiles) -> None:
        self.files = files
        self.codec: Codec[Memory] = MemoryCodec(Chunks(None))
        self.prefix = ""
        self.trash = Trash(files, self.codec)

    def inner(self, path: str) -> str:
        """Return *path*: there is no index with other paths."""
        return path


@dataclass(frozen=True, slots=True)
class LocalMemory:
    """A memory's file: its *path* in *root*, and its *text*."""

    root: MemoryRoot
    path: str
    memory: Memory
    text: str
    place: str = ""
    """The project that it lies in, "" for the user's own files."""


class LocalMemories:
    """The memories in the user's own files, and in the *others*: projects whose files no version control carries.

    *carried* are the folders of projects whose files it does carry. *unreadable* lists the files that could not be
    read.
    """

    def __init__(
        self,
        user: RootFiles,
        others: Callable[[], Iterable[RootFiles]],
        now: Callable[[], str],
        carried: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._user = MemoryRoot(user)
        self._others = others
        self._carried = carried
        self.now = now
        self.unreadable: list[str] = []
        self._places: set[str] = set()

    def read(self) -> dict[str, LocalMemory]:
        """Return every memory by id; of several with one id the user's own."""
        self.unreadable, self._places = [], set()
        by_id: dict[str, LocalMemory] = {}
        for root in (self._user, *map(MemoryRoot, self._others())):
            place = "" if root is self._user else root.files.root
            self._places.add(place)
            root.files.recover()
            for path in sorted(root.files.scan()):
                if (local := self._read(root, path, place)) is not None:
                    by_id.setdefault(local.memory.id, local)
        return by_id

    def is_read(self, place: str) -> bool:
        """Whether the last reading included that project, or the user's own files for ""."""
        return place in self._places

    def carrier(self, path: str) -> str:
        """Return the project whose version control brings the memory at *path* here; "" if none does."""
        roots = (root for root in self._carried() if os.path.lexists(os.path.join(root, *path.split("/"))))
        return next(roots, "")

    def trashed(self) -> set[str]:
        """Return the ids of the user's memories in the trash."""
        return {item.id for item in self._user.trash.items()}

    def _read(self, root: MemoryRoot, path: str, place: str) -> LocalMemory | None:
        try:
            data, _ = root.files.read(path)
            return LocalMemory(root, path, root.codec.parse(data, path), data.decode("utf-8"), place)
        except FileNotFoundError:
            return None
        except (StorageError, UnreadableNodeError) as error:
            self.unreadable.append(f"{path}: {error.reason}")
            return None

    def create(self, texts: Sequence[str]) -> bool:
        """Write new files of the user, all in one commit; return False if any of them exists. Raises StorageError."""
        draft: Draft[Memory] = Draft(self._user)
        for text in texts:
            memory = read_memory(text)
            if self._user.files.scan_one(memory.path) != ABSENT:
                return False
            draft.stage(memory.path, None, text.encode("utf-8"), memory)
        return _commit(self._user, draft)

    def write(self, local: LocalMemory | None, text: str, keeps_old: bool = False) -> bool:
        """Write *text* over the file *local*, or as a new file of the user; return False if it is not as it was read.

        With *keeps_old*, what the file held goes to the trash. Raises StorageError.
        """
        root = local.root if local else self._user
        memory = read_memory(text)
        draft: Draft[Memory] = Draft(root)
        if local is None:
            if root.files.scan_one(memory.path) != ABSENT:
                return False
            draft.stage(memory.path, None, text.encode("utf-8"), memory)
        else:
            path = local.path if memory.path == local.memory.path else memory.path
            before = local.text.encode("utf-8")
            if keeps_old:
                discard(draft, Stored(local.memory, local.path, before), self.now())
            if path != local.path:
                draft.stage(local.path, before, None)
            draft.stage(path, before if path == local.path else None, text.encode("utf-8"), memory)
        return _commit(root, draft)

    def remove(self, local: LocalMemory) -> bool:
        """Move a file to the trash; return False if it is not as it was read. Raises StorageError."""
        draft: Draft[Memory] = Draft(local.root)
        discard(draft, Stored(local.memory, local.path, local.text.encode("utf-8")), self.now())
        return _commit(local.root, draft)


def _commit(root: MemoryRoot, draft: Draft[Memory]) -> bool:
    try:
        with root.files.locked():
            root.files.commit(draft.pending)
    except ConflictError:
        return False
    return True
