"""The project's own markdown files, and those of folders that somebody names: read, never written."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime

from autology.core.importing.originals import Original, Refused
from autology.model.errors import StorageError
from autology.text.charset import UnreadableTextError, decode
from autology.text.times import stamp
from autology.walking import walk

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
FILE_LIMIT = 4_000_000
"""Bytes of the largest file read: a million characters, the most that a node holds, each at its longest."""
WALK_LIMIT = 50_000
"""Files that a walk of a project without version control looks at; it takes half a second."""
_PASSED_OVER = frozenset(
    (".git", ".hg", ".svn", ".jj", ".autology", "node_modules", "bower_components", "site-packages", ".venv", "venv")
)


class ProjectOriginals:
    """The :class:`~autology.core.importing.originals.Originals` of the project at *root*."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)

    def markdown(self, folder: str, notes: bool = False) -> tuple[list[Original], list[Refused]]:
        """Return every markdown file below *folder*, sorted, and those that cannot be read as text."""
        top = os.path.realpath(folder)
        if not os.path.exists(top):
            where = "" if os.path.isabs(folder) else f" in {os.getcwd()}"
            raise StorageError(folder, f"there is no such folder{where}", self._meant(folder))
        inside = top == self._root or top.startswith(os.path.join(self._root, ""))
        # Only below the project: it may lie in a folder of that name itself.
        named = os.path.relpath(top, self._root) if inside else top
        if ".autology" in named.casefold().split(os.sep) and (inside or not notes):
            step = "Give the folder that the records themselves lie in."
            raise StorageError(folder, "lies in .autology, whose notes are nodes already and no records", step)
        if os.path.isfile(top) and not top.lower().endswith(MARKDOWN):
            raise StorageError(folder, "is no markdown file", f"Give one that ends in {' or '.join(MARKDOWN)}.")
        base = self._root if inside else os.path.dirname(top)
        found: list[Original] = []
        refused: list[Refused] = []
        for full in sorted([top] if os.path.isfile(top) else _markdown_below(top)):
            path = _slashed(os.path.relpath(full, base))
            read = _read(full) if _is_text(path) else "has a name that is not UTF-8; rename it"
            if isinstance(read, str):
                refused.append(Refused(path.encode("utf-8", "backslashreplace").decode(), read))
            else:
                found.append(Original(path, read[0], read[1], inside))
        return found, refused

    def _meant(self, folder: str) -> str:
        """Return the next step for a *folder* that does not exist where the user stands."""
        inside = os.path.normpath(os.path.join(self._root, folder))
        if os.path.exists(inside):
            return f"Paths are relative to where you stand, not to --project. Did you mean {inside}?"
        return "Give the folder that holds the records, relative to where you stand."

    def text(self, path: str) -> Original | Refused:
        """Return one text file of any kind, from anywhere."""
        full = os.path.realpath(path)
        if not os.path.isfile(full):
            raise StorageError(path, "there is no such file", "Give the file itself.")
        read = _read(full)
        name = os.path.basename(full)
        if isinstance(read, str):
            return Refused(name, read)
        return Original(name, read[0], read[1], full.startswith(os.path.join(self._root, "")))

    def has(self, path: str) -> bool:
        """Whether the project holds a file or folder at *path*, links out of it not counted."""
        full = os.path.realpath(os.path.join(self._root, *path.split("/")))
        return full.startswith(os.path.join(self._root, "")) and os.path.exists(full)

    def files(self) -> list[str]:
        """Return the project's files as a bounded walk finds them."""
        found: list[str] = []
        for full in _walk(self._root):
            found.append(_slashed(os.path.relpath(full, self._root)))
            if len(found) >= WALK_LIMIT:
                break
        return found


def _markdown_below(top: str) -> list[str]:
    return [full for full in _walk(top) if full.lower().endswith(MARKDOWN)]


def _walk(top: str) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        if error.filename == top:
            raise StorageError(top, error.strerror or str(error), "Make the folder readable.") from None

    for folder, inner, names in walk(top, onerror=refuse):
        inner[:] = sorted(name for name in inner if name not in _PASSED_OVER)
        for name in names:
            yield os.path.join(folder, name)


def _read(full: str) -> tuple[str, str] | str:
    """Return a file's text and when it changed, or why it cannot be had."""
    try:
        before = os.lstat(full)
        if stat.S_ISLNK(before.st_mode):
            return "is a link, which is not followed"
        if not stat.S_ISREG(before.st_mode):
            return "is no regular file"
        if before.st_size > FILE_LIMIT:
            return f"has {before.st_size:,} bytes; {FILE_LIMIT:,} is the limit"
        with open(full, "rb") as file:
            data = file.read(FILE_LIMIT + 1)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    try:
        return _text(data), stamp(datetime.fromtimestamp(before.st_mtime, UTC))
    except UnreadableTextError as error:
        told = str(error)
        return f"{told} and import again" if told.endswith("UTF-8") else told


def _text(data: bytes) -> str:
    # What is UTF-8 keeps the mark at its beginning, by which it is known from the last import.
    mark = "\ufeff" if data.startswith(codecs.BOM_UTF8) else ""
    return mark + decode(data).text


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _slashed(path: str) -> str:
    return path.replace(os.sep, "/")
