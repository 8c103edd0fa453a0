"""Write a text with the line endings that its file already has."""

from __future__ import annotations

import re

WINDOWS = "\r\n"
_BARE = re.compile(r"(?<!\r)\n")


def in_line_ends_of(text: str, content: str) -> str:
    """Return *content* with the line ends of *text*."""
    plain = content.replace(WINDOWS, "\n")
    return plain.replace("\n", WINDOWS) if WINDOWS in text else plain


def fitted(newline: str, before: str, after: str) -> str:
    """Return *after*, which replaces *before* in a file with that *newline*; *before* if only line ends differ."""
    if after == before or newline != WINDOWS:
        return after
    if _BARE.sub(WINDOWS, after) == _BARE.sub(WINDOWS, before):
        return before
    return _BARE.sub(WINDOWS, after)
