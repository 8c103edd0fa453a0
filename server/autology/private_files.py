"""Private folders and files for conversations: readable by their owner only, also those that exist already."""

from __future__ import annotations

import os
import stat
import sys

FOLDER, FILE = 0o700, 0o600
_OTHERS = 0o077


def folder(path: str, top: str = "") -> None:
    """Create the private folder *path* and missing parents; restrict existing ones from *top* on.

    ``os.makedirs`` applies its mode to the last folder only. Raises OSError.
    """
    missing, parent_folder = [], path
    while not os.path.isdir(parent_folder):
        missing.append(parent_folder)
        above = os.path.dirname(parent_folder)
        if above == parent_folder:
            break
        parent_folder = above
    for parent in reversed(missing):
        try:
            os.mkdir(parent, FOLDER)
        except FileExistsError:
            if not os.path.isdir(parent):
                raise
    if path not in missing:
        restrict(top or path)
    if top and top != path:
        restrict(path)


def restrict(path: str) -> None:
    """Remove others' access to *path*, a file or a folder with its contents.

    Other users' files and the targets of links are left alone.
    """
    if os.name == "nt" or not _is_open(path):
        return  # a profile's files are its user's own on Windows
    if not os.path.isdir(path):
        _close(path)
        return
    for parent, folders, files in os.walk(path):
        for name in (*files, *folders):
            _close(os.path.join(parent, name))
    _close(path)


def create_like_parent(path: str) -> int:
    """Create the folder *path*, as private as its parent; return the mode of files in it. Raises OSError.

    In a folder that the user shares, new folders are shared too.
    """
    if not os.path.isdir(path):
        parent_folder = os.path.dirname(path)
        while not os.path.isdir(parent_folder) and os.path.dirname(parent_folder) != parent_folder:
            parent_folder = os.path.dirname(parent_folder)
        if _is_private(parent_folder):
            folder(path)
        else:
            os.makedirs(path, exist_ok=True)
    return FILE if _is_private(path) else 0o644


def opener(path: str, flags: int) -> int:
    """An opener for ``open`` that creates private files and follows no links."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), FILE)


def append(path: str, text: str, limit: int) -> None:
    """Append *text* to the private file *path*; one of more than *limit* bytes becomes ``.1`` first. Raises OSError."""
    folder(os.path.dirname(path))
    if os.path.exists(path) and os.path.getsize(path) > limit:
        os.replace(path, f"{path}.1")
    # A single write: lines of several processes do not mix.
    with open(path, "ab", opener=opener) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


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
    """Remove others' permissions on *path*; the owner's stay as they are, such as read-only."""
    if _is_open(path):
        try:
            os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & ~_OTHERS)
        except OSError:
            return  # a file system that knows no modes
