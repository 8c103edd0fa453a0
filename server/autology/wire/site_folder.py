"""The folder of an exported site: its file is replaced atomically, and others' folders are never written."""

from __future__ import annotations

import os

from autology.files import atomic
from autology.model.errors import StorageError

FILE = "index.html"
HEAD = 4_096
"""Bytes of the file in which its generator is named."""


def check(folder: str, generator: str) -> None:
    """Check that a site may be written to *folder*: new, empty but for hidden files, or with one of that *generator*.

    Raises:
        StorageError: it may not.
    """
    path = os.path.join(folder, FILE)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _refusal(folder, error.strerror or str(error)) from None
    if not (_is_generated(path, generator) if FILE in names else all(name.startswith(".") for name in names)):
        raise _refusal(folder, "holds other files than an exported site")


def write(folder: str, data: bytes, generator: str) -> str:
    """Write the site to *folder*, which is created if necessary; return the file's path.

    Raises:
        StorageError: the folder is another's, or cannot be written: then an earlier site is unchanged.
    """
    check(folder, generator)
    path = os.path.join(folder, FILE)
    try:
        os.makedirs(folder, exist_ok=True)
        atomic.write(path, data)
    except OSError as error:
        raise _refusal(folder, error.strerror or str(error)) from None
    return path


def _is_generated(path: str, generator: str) -> bool:
    try:
        with open(path, "rb") as file:
            return generator.encode() in file.read(HEAD)
    except OSError:
        return False


def _refusal(folder: str, problem: str) -> StorageError:
    return StorageError(folder, problem, "Give a new or empty folder, or that of an earlier export.")
