"""The folder of an exported site: its file is replaced atomically, and others' folders are never written."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from autology.core.nodes.site_images import FOLDER
from autology.files import atomic
from autology.model.errors import StorageError

FILE = "index.html"
_IMAGE = re.compile(r"(?:.{1,40}-)?[0-9a-f]{12}\.(?:png|jpe?g|gif|webp|avif)\Z")
"""The name of an image that an export wrote."""
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


def write(folder: str, data: bytes, generator: str, images: Mapping[str, bytes]) -> str:
    """Write the site to *folder*, which is created if necessary, with its *images* by name; return the file's path.

    Images of an earlier export that are not shown any longer are removed, other files are not.

    Raises:
        StorageError: the folder is another's, or cannot be written: then an earlier site is unchanged.
    """
    check(folder, generator)
    path = os.path.join(folder, FILE)
    try:
        os.makedirs(folder, exist_ok=True)
        _write_images(os.path.join(folder, FOLDER), images)
        atomic.write(path, data)
        _remove_others(os.path.join(folder, FOLDER), images)
    except OSError as error:
        raise _refusal(folder, error.strerror or str(error)) from None
    return path


def _write_images(folder: str, images: Mapping[str, bytes]) -> None:
    if not images:
        return
    if os.path.islink(folder):
        raise OSError(0, f"its folder {FOLDER} is a link, which is not followed")
    os.makedirs(folder, exist_ok=True)
    for name, data in images.items():
        path = os.path.join(folder, name)
        if not (os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) == len(data)):
            atomic.write(path, data)  # otherwise it is there: its name is that of its content


def _remove_others(folder: str, images: Mapping[str, bytes]) -> None:
    if not os.path.isdir(folder) or os.path.islink(folder):
        return
    for name in os.listdir(folder):
        if _IMAGE.match(name) and name not in images:
            os.remove(os.path.join(folder, name))
    if not os.listdir(folder):
        os.rmdir(folder)


def _is_generated(path: str, generator: str) -> bool:
    try:
        with open(path, "rb") as file:
            return generator.encode() in file.read(HEAD)
    except OSError:
        return False


def _refusal(folder: str, problem: str) -> StorageError:
    return StorageError(folder, problem, "Give a new or empty folder, or that of an earlier export.")
