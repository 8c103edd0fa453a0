"""Static files of the page, from a fixed list: request paths never reach the file system."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from autology.render import self_contained_html

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file with its content type."""

    type: str
    data: bytes


@cache
def assets() -> dict[str, Asset]:
    """Return every static file by its URL path."""
    by_path = {"/": _read(os.path.join(PAGE, "index.html"))}
    for prefix, folder in (
        ("/page/", PAGE),
        ("/picture/", self_contained_html.PICTURE),
        ("/site/", self_contained_html.SITE),
    ):
        for name in sorted(os.listdir(folder)):
            if os.path.splitext(name)[1] in TYPES:
                by_path[prefix + name] = _read(os.path.join(folder, name))
    return by_path


def _read(path: str) -> Asset:
    with open(path, "rb") as file:
        return Asset(TYPES[os.path.splitext(path)[1]], file.read())
