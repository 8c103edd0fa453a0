"""Words as the pieces a table knows: whole if it has them, else parted at humps, else longest piece first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

LONGEST = 48
"""Characters of the longest word looked at: anything longer is data in letters, and has no meaning to find."""

_WORD = re.compile(r"[^\W_]+")
_APART = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_APART_IN_BYTES = _APART.encode("ascii") + bytes(range(128, 256))
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MARKS = re.compile("[\u0300-\u036f]+")


def words(text: str) -> list[str]:
    """Return the words of *text*, in order: runs of letters and digits of any script."""
    if text.isascii():
        return text.translate(_APART).split()  # three times as fast, and most text
    # In most other text only a few signs are no ASCII.
    apart = text.encode("utf-8", "surrogatepass").translate(_APART_IN_BYTES).decode("utf-8", "surrogatepass")
    return [word for piece in apart.split() for word in ((piece,) if piece.isascii() else _WORD.findall(piece))]


def pieces(word: str, rows: Mapping[str, int]) -> list[int]:
    """Return the rows whose sum stands for *word*; none where no row knows it.

    *rows* holds whole words and beginnings as they are, continuations behind ``##``.
    """
    if len(word) > LONGEST:
        return []
    whole = _folded(word)
    if whole in rows:
        return [rows[whole]]
    if not word.islower() and len(parts := HUMP.split(word)) > 1:
        return [row for part in parts for row in pieces(part, rows)]
    return _longest_first(whole, rows)


def _longest_first(word: str, rows: Mapping[str, int]) -> list[int]:
    found: list[int] = []
    start = 0
    while start < len(word):
        for stop in range(len(word), start, -1):
            piece = word[start:stop] if start == 0 else "##" + word[start:stop]
            if piece in rows:
                found.append(rows[piece])
                break
        else:
            return []
        start = stop
    return found


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    return _MARKS.sub("", unicodedata.normalize("NFD", word.lower()))
