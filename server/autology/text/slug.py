"""Paths and names as ids: lower case, words joined by hyphens, part by part."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from autology.text.tokens import fold

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
"""The extensions of markdown files."""
TEXTS = (*MARKDOWN, ".rst", ".adoc", ".asciidoc", ".org", ".txt")
"""The extensions of documents of all forms."""

_ASCII_GAP = re.compile(r"[^a-z0-9]+")


def slug(text: str) -> str:
    """Return *text*, a path without extension or a name, as an id; ``/`` stays between its parts."""
    return "/".join(_part(part) for part in text.split("/") if part)


def without_ending(path: str) -> str:
    """Return *path* without the extension of a document."""
    lowered = path.lower()
    if lowered.endswith(".md"):  # most files, in a tenth of the time
        return path[:-3]
    ending = next((ending for ending in TEXTS if lowered.endswith(ending)), "")
    return path[: len(path) - len(ending)]


def without_fragment(link: str) -> str:
    """Return the path or address in *link*, without its fragment and query."""
    return link.partition("#")[0].partition("?")[0]


@lru_cache(maxsize=4096)  # many notes lead to a few
def last_part(name: str) -> str:
    """Return a key that is equal for two names or paths that may mean one file, whatever their folders."""
    plain = key(without_ending(name.replace("\\", "/").strip("/"))).rpartition("/")[2]
    return slug(plain) or plain


def key(name: str) -> str:
    """Return a key that is equal for two names that differ in case, accents or spacing only."""
    if name.isascii():
        return " ".join(name.lower().split())
    storable = name.encode("utf-8", "replace").decode()
    return " ".join(fold(storable).split())


def _part(part: str) -> str:
    if part.isascii():
        lowered = part.lower()
        plain = lowered if lowered.isalnum() else _ASCII_GAP.sub("-", lowered).strip("-")
    elif (lowered := unicodedata.normalize("NFC", part).lower()).isascii():
        plain = _ASCII_GAP.sub("-", lowered).strip("-")
    else:
        plain = re.sub("-+", "-", "".join(ch if _belongs(ch) else "-" for ch in lowered)).strip("-")
    return plain or "-".join(f"{ord(ch):x}" for ch in lowered[:8])


def _belongs(ch: str) -> bool:
    # Marks belong to their letters: vowels, in Indic and Thai words.
    return ch.isalnum() or unicodedata.category(ch).startswith("M")
