"""A command's output file: never overwritten, except with --force."""

from __future__ import annotations

import argparse
import stat
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

from autology.model.errors import StorageError

STANDARD_OUTPUT = "-"


def force(parser: argparse.ArgumentParser) -> None:
    """Add the option to overwrite."""
    parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")


def check(name: str, overwrite: bool) -> None:
    """Check that the file *name* may be written. Raises StorageError if it exists."""
    if not overwrite and name != STANDARD_OUTPUT and _exists(Path(name)):
        raise _refusal(name)


def opened(name: str, overwrite: bool) -> AbstractContextManager[BinaryIO]:
    """Return the new file *name*, open for writing, or standard output for ``-``.

    Raises:
        StorageError: it exists and *overwrite* is false, or it cannot be written.
    """
    if name == STANDARD_OUTPUT:
        return nullcontext(sys.stdout.buffer)
    path = Path(name)
    check(name, overwrite)
    try:
        # An existing device or pipe is meant to be written.
        return path.open("wb" if overwrite or path.exists() else "xb")
    except FileExistsError:
        raise _refusal(name) from None
    except OSError as error:
        raise StorageError(name, error.strerror or str(error), "Give a file that can be written.") from None


def write(name: str, data: bytes, overwrite: bool) -> None:
    """Write *data* to the file *name*. Raises StorageError as *opened* does."""
    try:
        with opened(name, overwrite) as file:
            file.write(data)
    except OSError as error:
        raise StorageError(name, error.strerror or str(error), "Give a file that can be written.") from None


def _exists(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return path.is_symlink()  # a dangling symbolic link is in the way too


def _refusal(name: str) -> StorageError:
    return StorageError(name, "exists", "Give another file, or pass --force to overwrite it.")
