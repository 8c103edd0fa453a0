"""The images of a project, for showing them beside the text that names them."""

from __future__ import annotations

import os

from autology.files import safe_read

LIMIT = 5_000_000
"""Bytes of an image: a screenshot of a large screen has one or two million."""
TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}


class ProjectImages:
    """Reads images below *root*, and nothing else: no link leads outside, no other kind of file is read."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)

    def read(self, path: str) -> tuple[str, bytes] | None:
        """Return the content type and the bytes of the image at *path*, relative to the root; None if there is none."""
        type = TYPES.get(os.path.splitext(path)[1].lower())
        parts = path.split("/")
        if type is None or "\0" in path or "\\" in path or ":" in path or not all(parts) or {".", ".."} & set(parts):
            return None
        full = os.path.join(self._root, *parts)
        if os.path.realpath(full) != full and not _is_same_in_case(full):
            return None
        try:
            return type, safe_read.read(full, LIMIT)[0]
        except OSError:
            return None


def _is_same_in_case(full: str) -> bool:
    """Whether *full* leads to itself but for upper and lower case, which some file systems do not tell apart."""
    return os.path.normcase(os.path.realpath(full)).casefold() == os.path.normcase(full).casefold()
