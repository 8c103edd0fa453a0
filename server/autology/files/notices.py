"""What the system tells of files that are edited in place: a folder's time says nothing of them.

Linux tells it through inotify; elsewhere, and for files that another machine edits, nothing is told, and whoever
asks has to look at the files from time to time all the same.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
import weakref
from typing import Any, Final

_MODIFY: Final = 0x2
_IGNORED: Final = 0x8000
_OVERFLOW: Final = 0x4000
_ONLY_FOLDERS: Final = 0x0100_0000
_EVENT: Final = struct.Struct("iIII")  # watch, mask, cookie, length of the name that follows
_BUFFER: Final = 1 << 16
_MOST: Final = 10_000
"""Paths kept for whoever asks; beyond that all files are to be looked at, which then costs less."""


class Notices:
    """The files below *root* edited in place in watched folders; safe to be used by several threads."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._folders: dict[int, str] = {}
        self._edited: set[str] = set()
        self._lost = 0
        self._system = _system()
        self._queue = -1
        if sys.platform == "linux" and self._system is not None:
            self._queue = self._system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._queue >= 0:
            weakref.finalize(self, os.close, self._queue)

    def watch(self, folder: str) -> None:
        """Be told of the files in *folder* (not those of folders in it) from now on; again does no harm."""
        if self._queue < 0 or self._system is None:
            return
        full = os.fsencode(os.path.join(self._root, *folder.split("/")))
        watch = self._system.inotify_add_watch(self._queue, full, _MODIFY | _ONLY_FOLDERS)
        if watch >= 0:  # otherwise it is gone, or the user watches as much as is allowed
            with self._lock:
                self._folders[watch] = folder

    def lost(self) -> int:
        """Take in what was told meanwhile; return how often some was lost: then all files are to be looked at."""
        if self._queue >= 0:
            with self._lock:
                self._drain()
        return self._lost

    def edited(self) -> frozenset[str]:
        """Return the paths that were edited in place since this was last asked."""
        self.lost()
        with self._lock:
            told = frozenset(self._edited)
            self._edited.clear()
        return told

    def _drain(self) -> None:
        while True:
            try:
                data = os.read(self._queue, _BUFFER)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                watch, mask, _, length = _EVENT.unpack_from(data, at)
                name = data[at + _EVENT.size : at + _EVENT.size + length].rstrip(b"\0")
                at += _EVENT.size + length
                self._take(watch, mask, os.fsdecode(name))

    def _take(self, watch: int, mask: int, name: str) -> None:
        if mask & _OVERFLOW or len(self._edited) >= _MOST:
            self._lost += 1
            self._edited.clear()
        elif mask & _IGNORED:
            self._folders.pop(watch, None)
        elif mask & _MODIFY and watch in self._folders:
            folder = self._folders[watch]
            self._edited.add(f"{folder}/{name}" if folder else name)


def _system() -> Any:
    """Return the C library, where it can tell of edits."""
    if sys.platform != "linux":
        return None
    import ctypes  # 3 ms that nobody who asks only once need wait for

    try:
        library = ctypes.CDLL(None)
        library.inotify_add_watch.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
        library.inotify_init1.argtypes = [ctypes.c_int]
    except (OSError, AttributeError):
        return None
    return library
