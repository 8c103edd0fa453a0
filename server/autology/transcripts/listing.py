"""The regular files of one ending below a folder, with their stamps: listed once, then kept up to date by reports."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterable, Iterator

from autology.core.content.files import Stamp
from autology.file_notifications import Notices
from autology.walking import displayable, walk

_LEFT_OUT = "tool-results"
"""A folder of the client's beside transcripts."""


class Listing:
    """The files below *folder* with that *ending*, by ``/``-separated path. Links are not followed. Thread-safe.

    With *notices* of the folder, only what is reported is looked at again.
    """

    def __init__(self, folder: str, ending: str, notices: Notices | None = None) -> None:
        self._folder = folder
        self._ending = ending
        self._notices = notices
        self._stamps: dict[str, Stamp] = {}
        self._identity: tuple[int, int] | None = None
        self._lock = threading.Lock()

    def stamps(self) -> dict[str, Stamp]:
        """Return the stamp of every file."""
        if (notices := self._notices) is None:
            return dict(files(self._folder, self._ending))
        with self._lock:
            identity = _identity(self._folder)
            if not self._is_kept_up(notices) or identity != self._identity:
                notices.begin()
                notices.reported()  # what was reported before is found by looking
                self._stamps = dict(files(self._folder, self._ending, notices))
                self._identity = identity
            return dict(self._stamps)

    def _is_kept_up(self, notices: Notices) -> bool:
        """Take in what was reported; return whether that is everything."""
        if not notices.is_complete():
            return False
        reported = notices.reported()
        if any(os.path.basename(folder) != _LEFT_OUT for folder in reported.folders):
            return False
        for path in reported.files:
            if not path.endswith(self._ending) or displayable(path) != path:
                continue
            self._stamps.pop(path, None)
            if (facts := _facts(os.path.join(self._folder, *path.split("/")))) is not None:
                self._stamps[path] = Stamp(facts.st_size, facts.st_mtime_ns)
        return True


def files(folder: str, ending: str | tuple[str, ...], notices: Notices | None = None) -> Iterator[tuple[str, Stamp]]:
    """Yield the regular files below *folder* with that *ending*; links are not followed. *notices* watch it."""
    top = len(os.path.join(folder, ""))
    if notices:
        notices.watch("")
    for inner, folders, names in walk(folder):
        folders[:] = [name for name in folders if name != _LEFT_OUT]
        if notices:
            _watch(notices, inner, folders, top)  # before they are listed
        for name in names:
            path = os.path.join(inner, name)
            if not name.endswith(ending) or displayable(path) != path:
                continue  # the client never uses other names, and the index cannot store them
            if (facts := _facts(path)) is None:
                continue
            if notices and facts.st_nlink > 1:
                notices.watch_linked(_relative(path, top))
            yield _relative(path, top), Stamp(facts.st_size, facts.st_mtime_ns)


def _watch(notices: Notices, inner: str, folders: Iterable[str], top: int) -> None:
    for path in (os.path.join(inner, name) for name in folders):
        if not os.path.islink(path):
            notices.watch(_relative(path, top))


def _relative(path: str, top: int) -> str:
    return path[top:].replace(os.sep, "/")


def _facts(path: str) -> os.stat_result | None:
    """Return the metadata of a regular file; None if it is none, or was removed: its siblings may still exist."""
    try:
        facts = os.lstat(path)
    except OSError:
        return None
    return facts if stat.S_ISREG(facts.st_mode) else None


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        facts = os.stat(folder)
    except OSError:
        return None
    return facts.st_ino, facts.st_dev
