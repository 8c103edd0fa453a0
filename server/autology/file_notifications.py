"""Changes of files and folders as the system reports them: inotify on Linux, nothing elsewhere.

A caller that uses these reports must know when they are complete: :meth:`Notices.is_complete` says whether everything
that happened since the last :meth:`Notices.begin` is reported. Elsewhere, and on file systems that other machines write
to, it never is, and callers check the files themselves.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
import weakref
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final

_MODIFY: Final = 0x2
_CLOSE_WRITE: Final = 0x8
_NAMED: Final = 0x40 | 0x80 | 0x100 | 0x200
"""A name moved away or here, was created or deleted."""
_UNMOUNT: Final = 0x2000
_OVERFLOW: Final = 0x4000
_IGNORED: Final = 0x8000
_ONLY_FOLDERS: Final = 0x0100_0000
_ADD: Final = 0x2000_0000
_IS_FOLDER: Final = 0x4000_0000
_WRITTEN: Final = _MODIFY | _CLOSE_WRITE
"""The second reports what was written through a memory map, which the first does not."""
_EVENT: Final = struct.Struct("iIII")  # watch, mask, cookie, length of the name that follows
_BUFFER: Final = 1 << 16
_MOST: Final = 10_000
"""Maximum paths kept; beyond that, checking all files is cheaper."""
_REPORTING: Final = frozenset(
    (0xEF53, 0x9123683E, 0x58465342, 0x01021994, 0x794C7630, 0xF2F52010, 0x2FC12FC1, 0xCA451A4E, 0x52654973, 0x858458F6)
)
"""File systems that report it all: ext2 to ext4, btrfs, XFS, tmpfs, overlayfs, F2FS, ZFS, bcachefs, ReiserFS, ramfs.

Not NFS, SMB, 9P (Windows' disks in WSL) or FUSE (containers' folders on macOS): others write there unreported. Not FAT:
its times tick every two seconds."""


class Watches:
    """The system's queue of reports, one for a project: a user may have 128 of them. Thread-safe."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._folders: dict[int, dict[Notices, str]] = {}
        self._linked: dict[int, dict[Notices, set[str]]] = {}
        self._system = _system()
        self._queue = -1
        if sys.platform == "linux" and self._system is not None:
            self._queue = self._system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._queue >= 0:
            weakref.finalize(self, os.close, self._queue)

    @property
    def works(self) -> bool:
        """Whether the system reports anything."""
        return self._queue >= 0

    def add_folder(self, view: Notices, full: str, folder: str) -> bool:
        """Report changes in the folder at *full* to *view*, as in *folder*; return whether it gets all of them.

        It does not if the folder is gone or unreadable, the user's limit of watches is reached, or others may write to
        the file system.
        """
        with self.lock:  # nobody reads an event of the new watch before it is known
            watch = self._add(full, _WRITTEN | _NAMED | _ONLY_FOLDERS)
            if watch >= 0:
                self._folders.setdefault(watch, {})[view] = folder
        return watch >= 0 and self._is_local(full)

    def add_linked(self, view: Notices, full: str, path: str) -> bool:
        """Report to *view* what is written to the file at *full*, under any of its names, as written to *path*."""
        with self.lock:
            watch = self._add(full, _WRITTEN)
            if watch >= 0:
                self._linked.setdefault(watch, {}).setdefault(view, set()).add(path)
        return watch >= 0

    def drain(self) -> None:
        """Pass pending reports on to the views; the lock is held."""
        while self.works:
            try:
                data = os.read(self._queue, _BUFFER)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                watch, mask, _, length = _EVENT.unpack_from(data, at)
                name = data[at + _EVENT.size : at + _EVENT.size + length].rstrip(b"\0")
                at += _EVENT.size + length
                self._pass_on(watch, mask, os.fsdecode(name))

    def _add(self, full: str, mask: int) -> int:
        if not self.works:
            return -1
        return int(self._system.inotify_add_watch(self._queue, os.fsencode(full), mask | _ADD))

    def _pass_on(self, watch: int, mask: int, name: str) -> None:
        if mask & _OVERFLOW:
            for view in {view for views in self._folders.values() for view in views}:
                view.lose()
        elif mask & (_IGNORED | _UNMOUNT):
            self._linked.pop(watch, None)
            for view in self._folders.pop(watch, {}):
                view.lose()  # a folder of the same name, even of the same number, may be there now
        else:
            for view, folder in self._folders.get(watch, {}).items():
                view.take(f"{folder}/{name}" if folder else name, mask)
            for view, paths in self._linked.get(watch, {}).items():
                for path in paths:
                    view.take(path, mask)

    def _is_local(self, full: str) -> bool:
        import ctypes

        facts = ctypes.create_string_buffer(256)  # `struct statfs`, of 120 bytes or fewer; it begins with the type
        if self._system.statfs(os.fsencode(full), facts) != 0:
            return False
        return ctypes.c_ulong.from_buffer(facts).value & 0xFFFF_FFFF in _REPORTING


@dataclass(slots=True)
class Reported:
    """What was reported: files that were written or renamed, with a count, and folders that came, went or moved.

    A name that came or went counts 1, a writing 2.
    """

    files: dict[str, int] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)


class Notices:
    """What happens below *root* in the folders that are watched. Thread-safe."""

    def __init__(self, root: str, watches: Watches) -> None:
        self._root = root
        self._watches = watches
        self._reported = Reported()
        self._complete = False

    @property
    def lock(self) -> AbstractContextManager[bool]:
        """Held while reports are sorted, so that no thread misses what another has taken."""
        return self._watches.lock

    def begin(self) -> None:
        """Begin a walk over all files: they are reported completely from here on if each folder can be watched."""
        with self._watches.lock:
            self._watches.drain()
            self._complete = self._watches.works

    def watch(self, folder: str) -> None:
        """Watch the files directly in *folder*, before it is listed; idempotent."""
        full = self._full(folder)
        if not self._watches.add_folder(self, full, folder) and os.path.isdir(full):
            self._complete = False

    def watch_linked(self, path: str) -> None:
        """Watch a file that has several names: what is written through another one is not the folder's to report."""
        if not self._watches.add_linked(self, self._full(path), path):
            self._complete = False

    def is_complete(self) -> bool:
        """Whether everything since :meth:`begin` was reported, or is now."""
        with self._watches.lock:
            self._watches.drain()
            return self._complete

    def reported(self) -> Reported:
        """Return what was reported since the last call."""
        with self._watches.lock:
            self._watches.drain()
            reported, self._reported = self._reported, Reported()
            return reported

    def forgive(self, paths: Iterable[str]) -> None:
        """Drop the reports of the caller's own renaming to *paths*, which are one for each."""
        with self._watches.lock:
            self._watches.drain()
            for path in paths:
                if self._reported.files.get(path) == 1:
                    del self._reported.files[path]

    def take(self, path: str, mask: int) -> None:
        """Add a report; the lock is held."""
        if mask & _IS_FOLDER:
            self._reported.folders.add(path)
        elif mask & (_WRITTEN | _NAMED):
            files = self._reported.files
            files[path] = files.get(path, 0) + (2 if mask & _WRITTEN else 1)
            if len(files) > _MOST:
                self.lose()

    def lose(self) -> None:
        """Note that reports were lost; the lock is held."""
        self._complete = False
        self._reported = Reported()

    def _full(self, path: str) -> str:
        return os.path.join(self._root, *path.split("/")) if path else self._root


def _system() -> Any:
    """Return the C library if it supports inotify."""
    if sys.platform != "linux":
        return None
    import ctypes  # 3 ms, avoided in short-lived processes

    try:
        library = ctypes.CDLL(None)
        library.inotify_add_watch.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
        library.inotify_init1.argtypes = [ctypes.c_int]
        library.statfs.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    except (OSError, AttributeError):
        return None
    return library
