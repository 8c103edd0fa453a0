"""Paths that a repository may have had a hand in: what we read and write stays in its ``.autology``."""

from __future__ import annotations

import os

from autology.model.errors import StorageError

TOP = ".autology"


def check(root: str, folder: str) -> None:
    """Let *folder*, ``/``-separated and relative to *root*, pass.

    Raises:
        StorageError: it is not ``.autology`` or below, or a link in it leads out of the project.
    """
    parts = folder.split("/")
    if parts[0] != TOP or any(_is_odd(part) for part in parts):
        raise StorageError(folder, "is no path in the project's .autology", "Give the path of a note.")
    at = root
    for depth, part in enumerate(parts, 1):
        at = os.path.join(at, part)
        if os.path.islink(at):
            real, inside = os.path.realpath(at), os.path.realpath(root)
            if not real.startswith(os.path.join(inside, "")):
                link = "/".join(parts[:depth])
                raise StorageError(link, "leads out of the project through a link", "Replace it by a folder.")


def _is_odd(part: str) -> bool:
    return part in ("", ".", "..") or "\0" in part or (os.sep != "/" and any(sign in part for sign in "\\:"))
