"""In-place edits reported by the system, which do not change a folder's modification time.

Linux reports them through inotify. Elsewhere, and for edits made on another machine, nothing is reported, and callers
must check the files from time to time anyway.
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
"""Maximum paths kept; beyond that rescanning all files is cheaper."""


class Notices:
    """Files below *root* edited in place in watched folders; thread-safe."""

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
        """Watch the files directly in *folder* from now on; idempotent."""
        if self._queue < 0 or self._system is None:
            return
        full = os.fsencode(os.path.join(self._root, *folder.split("/")))
        watch = self._system.inotify_add_watch(self._queue, full, _MODIFY | _ONLY_FOLDERS)
        if watch >= 0:  # otherwise the folder is gone, or the user's watch limit is reached
            with self._lock:
                self._folders[watch] = folder

    def lost(self) -> int:
        """Read pending events; return how often events were lost, after which all files must be checked."""
        if self._queue >= 0:
            with self._lock:
                self._drain()
        return self._lost

    def edited(self) -> frozenset[str]:
        """Return the paths edited in place since the last call."""
        self.lost()
        with self._lock:
            edited = frozenset(self._edited)
            self._edited.clear()
        return edited

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
    """Return the C library if it supports inotify."""
    if sys.platform != "linux":
        return None
    import ctypes  # 3 ms, avoided in short-lived processes

    try:
        library = ctypes.CDLL(None)
        library.inotify_add_watch.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
        library.inotify_init1.argtypes = [ctypes.c_int]
    except (OSError, AttributeError):
        return None
    return library
