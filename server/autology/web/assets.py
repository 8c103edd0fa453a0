"""The files that the page is made of: a list of our own, whatever path is asked for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from autology.drawn import html

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent."""

    type: str
    data: bytes


@cache
def assets() -> dict[str, Asset]:
    """Return every file by the path that it is asked for by."""
    found = {"/": _read(os.path.join(PAGE, "index.html"))}
    for prefix, folder in (("/page/", PAGE), ("/picture/", html.PICTURE)):
        for name in sorted(os.listdir(folder)):
            if os.path.splitext(name)[1] in TYPES:
                found[prefix + name] = _read(os.path.join(folder, name))
    return found


def _read(path: str) -> Asset:
    with open(path, "rb") as file:
        return Asset(TYPES[os.path.splitext(path)[1]], file.read())
