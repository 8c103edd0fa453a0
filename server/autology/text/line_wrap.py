"""Lines for a terminal: wrapped between words, below the column where their text begins."""

from __future__ import annotations

import re
import unicodedata

NARROWEST = 40
"""The fewest columns that lines are wrapped for; the text of a table begins in the first half of its line."""
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_INDENT = re.compile(r"\s*(?:(?:[-•✓!]|\d+[.)])\s+)?")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_PIECE = re.compile(r"\s*(?:[^\s`]*`[^`\n]*`\S*|\S+)")
"""A word with the space before it, or a command in backticks: a line break in one would run its first half."""


def wrapped(text: str, columns: int) -> str:
    """Return the lines of *text*, each wrapped at *columns*; styles take no space."""
    return "\n".join(_wrapped_line(line, max(columns, NARROWEST)) for line in text.split("\n"))


def width(text: str) -> int:
    """Return the columns that *text* takes on a terminal."""
    plain = _STYLE.sub("", text)
    if plain.isascii():
        return len(plain)
    wide = sum(unicodedata.east_asian_width(ch) in "WF" for ch in plain)
    return len(plain) + wide - sum(1 for ch in plain if unicodedata.combining(ch))


def _wrapped_line(line: str, columns: int) -> str:
    if width(line) <= columns:
        return line
    margin = _margin(line, columns)
    lines, current = [], ""
    for piece in _PIECE.findall(line):
        if current.strip() and width(current) + width(piece) > columns:
            lines.append(current)
            current = " " * margin + piece.lstrip()
        else:
            current += piece
    return "\n".join([*lines, current])


def _margin(line: str, columns: int) -> int:
    """Return the column in which the text of *line* begins, after an indent, a bullet or a table's columns."""
    plain = _STYLE.sub("", line)
    gaps = [match.end() for match in _GAP.finditer(plain) if match.end() <= columns // 2]
    indent = _INDENT.match(plain)
    return width(plain[: gaps[-1]]) if gaps else indent.end() if indent else 0
