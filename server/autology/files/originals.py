"""The project's own markdown files, and those of other folders the user names: read-only."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from datetime import UTC, datetime

from autology.core.importing.originals import Original, Refused
from autology.files import safe_read
from autology.model.errors import StorageError
from autology.text.language.timestamps import stamp
from autology.text.notes.charset import UnreadableTextError, decode
from autology.walking import displayable, walk

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
FILE_LIMIT = 4_000_000
"""Maximum bytes of a file: the million characters that a node may have, at the longest encoding."""
_PASSED_OVER = frozenset(
    (".git", ".hg", ".svn", ".jj", ".autology", "node_modules", "bower_components", "site-packages", ".venv", "venv")
)


class ProjectOriginals:
    """The :class:`~autology.core.importing.originals.Originals` of the project at *root*."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)

    def markdown(self, folder: str, notes: bool = False) -> tuple[list[Original], list[Refused]]:
        """Return all markdown files below *folder*, sorted, and those that are not readable text."""
        top = os.path.realpath(folder)
        if not os.path.exists(top):
            place = "" if os.path.isabs(folder) else f" in {os.getcwd()}"
            raise StorageError(folder, f"there is no such folder{place}", self._hint(folder))
        inside = top == self._root or top.startswith(os.path.join(self._root, ""))
        # Relative to the project, which may itself lie in a folder of that name.
        named = os.path.relpath(top, self._root) if inside else top
        if ".autology" in named.casefold().split(os.sep) and (inside or not notes):
            step = "Give the folder that contains the records."
            raise StorageError(folder, "lies in .autology, whose notes are nodes already, not records", step)
        if os.path.isfile(top) and not top.lower().endswith(MARKDOWN):
            raise StorageError(folder, "is not a markdown file", f"Give one that ends in {' or '.join(MARKDOWN)}.")
        base = self._root if inside else os.path.dirname(top)
        originals: list[Original] = []
        refused: list[Refused] = []
        files = [top] if os.path.isfile(top) else [file for file in _walk(top) if file.lower().endswith(MARKDOWN)]
        for full in sorted(files):
            path = _slashed(os.path.relpath(full, base))
            shown = displayable(path)
            read = _read(full) if shown == path else "has a name that is not UTF-8; rename it"
            if isinstance(read, str):
                refused.append(Refused(shown, read))
            else:
                originals.append(Original(path, read[0], read[1], inside))
        return originals, refused

    def _hint(self, folder: str) -> str:
        """Return the next step for a *folder* that does not exist relative to the current folder."""
        inside = os.path.normpath(os.path.join(self._root, folder))
        if os.path.exists(inside):
            return f"Paths are relative to the current folder, not to --project. Did you mean {inside}?"
        return "Give the folder that contains the records, relative to the current folder."

    def text(self, path: str) -> Original | Refused:
        """Return any text file, inside or outside the project."""
        full = os.path.realpath(path)
        if not os.path.isfile(full):
            raise StorageError(path, "there is no such file", "Give the file itself.")
        read = _read(full)
        name = os.path.basename(full)
        if isinstance(read, str):
            return Refused(name, read)
        return Original(name, read[0], read[1], full.startswith(os.path.join(self._root, "")))

    def has(self, path: str) -> bool:
        """Whether the project contains a file or folder at *path*, ignoring links that leave it."""
        full = os.path.realpath(os.path.join(self._root, *path.split("/")))
        return full.startswith(os.path.join(self._root, "")) and os.path.exists(full)


def _walk(top: str) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        if error.filename == top:
            raise StorageError(top, error.strerror or str(error), "Make the folder readable.") from None

    for folder, inner, names in walk(top, onerror=refuse):
        inner[:] = sorted(name for name in inner if name not in _PASSED_OVER)
        for name in names:
            yield os.path.join(folder, name)


def _read(full: str) -> tuple[str, str] | str:
    """Return a file's text and modification time, or why it cannot be read."""
    try:
        data, facts = safe_read.read(full, FILE_LIMIT)
    except safe_read.RefusedError as error:
        return str(error.strerror)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    try:
        # UTF-8 text keeps its byte order mark, so that it compares equal to the last import.
        mark = "\ufeff" if data.startswith(codecs.BOM_UTF8) else ""
        return mark + decode(data).text, stamp(datetime.fromtimestamp(facts.st_mtime, UTC))
    except UnreadableTextError as error:
        reason = str(error)
        return f"{reason} and import again" if reason.endswith("UTF-8") else reason


def _slashed(path: str) -> str:
    return path.replace(os.sep, "/")
