"""Input text of a command: from an argument, a file, standard input, or the user's editor."""

from __future__ import annotations

import sys
from pathlib import Path

from autology.cli import spawn
from autology.cli.usage_error import UsageError
from autology.model.errors import StorageError

LIMIT = 8_000_000
"""Maximum number of bytes: the size of the largest note."""


def read(content: str | None, file: str | None, edit: bool, draft: str = "") -> str | None:
    """Return the input text, or None if there is none; with *edit*, after the user edited it.

    ``-`` means standard input, which is also read without other input if it is not a terminal.
    """
    if content is not None and file is not None:
        raise UsageError("content", "is given twice", "Give --content or --file.")
    text = content if content not in (None, "-") else None
    if file is not None:
        text = _from_stdin() if file == "-" else _from_file(file)
    elif text is None and not edit and (content == "-" or not sys.stdin.isatty()):
        text = _from_stdin() or None
    return spawn.edit(draft if text is None else text) if edit else text


def _from_file(file: str) -> str:
    try:
        with Path(file).open("rb") as opened:
            return _text(opened.read(LIMIT + 1), file)
    except OSError as error:
        raise StorageError(file, error.strerror or str(error), "Give a readable text file.") from None


def _from_stdin() -> str:
    return _text(sys.stdin.buffer.read(LIMIT + 1), "standard input")


def _text(data: bytes, name: str) -> str:
    if len(data) > LIMIT:
        raise UsageError("content", f"{name} has more than {LIMIT:,} bytes", "Split it, or reference the file.")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UsageError("content", f"{name} is not UTF-8 (byte {error.start})", "Save it as UTF-8.") from None
