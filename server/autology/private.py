"""Folders and files that hold what people said: their user's alone, those that were made otherwise before too."""

from __future__ import annotations

import os
import stat
import sys

FOLDER, FILE = 0o700, 0o600
_OTHERS = 0o077


def folder(path: str, top: str = "") -> None:
    """Make the folder *path* and what is missing above it for their user alone; mend those from *top* on.

    ``os.makedirs`` gives its mode to the last folder only. Raises OSError.
    """
    missing, at = [], path
    while not os.path.isdir(at):
        missing.append(at)
        above = os.path.dirname(at)
        if above == at:
            break
        at = above
    for each in reversed(missing):
        try:
            os.mkdir(each, FOLDER)
        except FileExistsError:
            if not os.path.isdir(each):
                raise
    if path not in missing:
        restrict(top or path)
    if top and top != path:
        restrict(path)


def restrict(path: str) -> None:
    """Take from all others what lies at *path*, a folder with everything in it or a file, if they may look into it.

    What belongs to somebody else, and what a link leads to, is left as it is.
    """
    if os.name == "nt" or not _is_open(path):
        return  # a profile's files are its user's own on Windows
    if not os.path.isdir(path):
        _close(path)
        return
    for where, folders, files in os.walk(path):
        for name in files:
            _close(os.path.join(where, name))
        for name in folders:
            _close(os.path.join(where, name))
    _close(path)


def made_like(path: str) -> int:
    """Make the folder *path*, as private as the one that it is made in; return the mode of files in it. Raises OSError.

    What a person shares stays shared: only in a folder of one user's alone is everything theirs.
    """
    if not os.path.isdir(path):
        at = os.path.dirname(path)
        while not os.path.isdir(at) and os.path.dirname(at) != at:
            at = os.path.dirname(at)
        if _is_private(at):
            folder(path)
        else:
            os.makedirs(path, exist_ok=True)
    return FILE if _is_private(path) else 0o644


def opener(path: str, flags: int) -> int:
    """Open a file for its user alone, and no link to one, for ``open``."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), FILE)


def _is_private(path: str) -> bool:
    return os.name != "nt" and not os.stat(path).st_mode & _OTHERS


def _is_open(path: str) -> bool:
    if sys.platform == "win32":  # it has no modes
        return False
    try:
        facts = os.lstat(path)
    except OSError:
        return False
    return not os.path.islink(path) and bool(facts.st_mode & _OTHERS) and facts.st_uid == os.getuid()


def _close(path: str) -> None:
    """Take what others may do with *path* away; what its owner may not do, such as write, stays so."""
    if _is_open(path):
        try:
            os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & ~_OTHERS)
        except OSError:
            return  # a file system that knows no modes
