"""Another program's configuration file: read, and replaced as a whole."""

from __future__ import annotations

import os
from contextlib import suppress

from autology.files import atomic
from autology.model.errors import StorageError

LARGEST = 10_000_000
"""Maximum bytes of a configuration file."""


def read(path: str) -> str:
    """Return the text at *path*, "" if there is none. Raises StorageError."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise StorageError(path, "it is too long for a configuration file")
        return data.decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(path, getattr(error, "strerror", None) or "it is not UTF-8 text") from None


def replace(path: str, before: str, after: str) -> None:
    """Replace the text *before* by *after*; one that is empty then is removed, with two folders around it if empty.

    A link stays one: its target is replaced.

    Raises:
        StorageError: it changed meanwhile, or cannot be written.
    """
    path = os.path.realpath(path)
    try:
        if read(path) != before:
            raise StorageError(path, "it was changed meanwhile", "Nothing was changed; run the command again.")
        if after:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            atomic.write(path, after.encode())
            return
        os.unlink(path)
        folder, home = os.path.dirname(path), os.path.realpath(os.path.expanduser("~"))
        with suppress(OSError):
            for left in (folder, os.path.dirname(folder)):
                if left != home:
                    os.rmdir(left)
    except OSError as error:
        step = "Nothing was changed. Make the file and its folder writable."
        raise StorageError(path, error.strerror or str(error), step) from None
