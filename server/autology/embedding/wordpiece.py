"""Splitting words into the pieces a table knows: whole, else at camel-case humps, else greedily longest first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

LONGEST = 48
"""Maximum characters of a word: longer ones are encoded data without meaning."""

_WORD = re.compile(r"[^\W_]+")
_APART = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_APART_IN_BYTES = _APART.encode("ascii") + bytes(range(128, 256))
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MARKS = re.compile("[\u0300-\u036f]+")


def words(text: str) -> list[str]:
    """Return the words of *text*, in order: runs of letters and digits of any script."""
    if text.isascii():
        return text.translate(_APART).split()  # three times as fast, and applies to most text
    # Most other text contains only a few non-ASCII characters.
    apart = text.encode("utf-8", "surrogatepass").translate(_APART_IN_BYTES).decode("utf-8", "surrogatepass")
    return [word for piece in apart.split() for word in ((piece,) if piece.isascii() else _WORD.findall(piece))]


def pieces(word: str, rows: Mapping[str, int]) -> list[int]:
    """Return the rows whose sum represents *word*; empty if none is known.

    *rows* maps whole words and prefixes as they are, continuations with a ``##`` prefix.
    """
    if len(word) > LONGEST:
        return []
    whole = _folded(word)
    if whole in rows:
        return [rows[whole]]
    if not word.islower() and len(parts := HUMP.split(word)) > 1:
        return [row for part in parts for row in pieces(part, rows)]
    return longest_first(whole, rows)


def longest_first(word: str, rows: Mapping[str, int]) -> list[int]:
    """Split *word* greedily into its longest known prefixes; return their rows, none if any part is unknown."""
    matched: list[int] = []
    start = 0
    while start < len(word):
        for stop in range(len(word), start, -1):
            piece = word[start:stop] if start == 0 else "##" + word[start:stop]
            if piece in rows:
                matched.append(rows[piece])
                break
        else:
            return []
        start = stop
    return matched


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    return _MARKS.sub("", unicodedata.normalize("NFD", word.lower()))
