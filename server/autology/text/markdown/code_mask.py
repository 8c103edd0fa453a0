"""Blank out code and comments in markdown so that only prose is left; offsets stay."""

from __future__ import annotations

import re

LINE_START = r"(?<![^\r\n\ufeff])"
r"""The beginning of a line; \r alone ends one too, and a byte order mark is not part of the first."""
LINE_END = r"(?![^\r\n])"
SPAN_REACH = 1_000
"""Characters within which inline code must close. Without a bound, lone backticks would take quadratic time."""

_SPECIAL = re.compile(
    LINE_START + r"(?P<prefix>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*)(?P<fence>`{3,}+(?![^\r\n]*`)|~{3,}+)[^\r\n]*+"
    r"|(?P<comment><!--)"
    r"|(?<![\\`])(?P<ticks>`++)"
)
_CLOSING = LINE_START + r"[ \t>]*+(?P<fence>`{3,}+|~{3,}+)[ \t]*" + LINE_END
_FENCE_END = re.compile(_CLOSING)
# A fence inside a list or a quotation ends with it, closed or not.
_LISTED_FENCE_END = re.compile(_CLOSING + "|" + LINE_START + r"(?=[^\s])")
_QUOTED_FENCE_END = re.compile(_CLOSING + "|" + LINE_START + r"(?=[ \t]*+[^\s>])")
_TICKS = re.compile(r"`++")
_PARAGRAPH_END = re.compile(r"(?:\r\n?|\n)[ \t]*[\r\n]")
_VISIBLE = re.compile(r"[^\r\n]+")


def without_blocks(text: str) -> str:
    """Return *text* with fenced code and comments blanked, of the same length and with the same lines."""
    return _blanked(text, inline=False)


def without_code(text: str) -> str:
    """Return *text* like :func:`without_blocks`, with inline code blanked too."""
    return _blanked(text, inline=True)


def _blanked(text: str, *, inline: bool) -> str:
    if ("`" if inline else "```") not in text and "~~~" not in text and "<!--" not in text:
        return text
    parts: list[str] = []
    at = done = 0
    signs = _Signs(text)
    comments = True  # whether a comment can still close: checked once, not from every opening
    while special := signs.special(at):
        at = special.end()
        if special["fence"]:
            start, stop = special.start("fence"), _fence_end(text, special)
        elif special["comment"]:
            start = special.start()
            stop = text.find("-->", at) + 3 if comments else 2
            if stop == 2:
                comments = False
                continue
        else:
            start, stop = special.start(), _ticks_end(text, at, len(special["ticks"]))
            if stop < 0:
                continue
            if not inline:
                at = stop
                continue
        parts += (text[done:start], _VISIBLE.sub(_blanks, text[start:stop]))
        at = done = stop
    parts.append(text[done:])
    return "".join(parts)


class _Signs:
    """The possible beginnings of code or a comment in a text, searched only in lines with a sign of it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next = dict.fromkeys(("`", "~~~", "<!--"), -1)

    def special(self, at: int) -> re.Match[str] | None:
        """Return the first of these from *at* on."""
        text = self._text
        for sign, next_at in self._next.items():
            if next_at < at:
                position = text.find(sign, at)
                self._next[sign] = position if position >= 0 else len(text)
        first = min(self._next.values())
        # The line of a fence begins before it.
        return _SPECIAL.search(text, max(at, text.rfind("\n", at, first))) if first < len(text) else None


def _fence_end(text: str, opening: re.Match[str]) -> int:
    """The end of the fenced code that *opening* begins: after its closing fence, or with the text."""
    prefix, fence = opening["prefix"], opening["fence"]
    if ">" in prefix:
        ending = _QUOTED_FENCE_END
    elif prefix.strip() or len(prefix.expandtabs(4)) > 3:
        ending = _LISTED_FENCE_END
    else:
        ending = _FENCE_END
    for end in ending.finditer(text, opening.end()):
        closing = end["fence"]
        if closing is None:
            return end.start()
        if closing[0] == fence[0] and len(closing) >= len(fence):
            return end.end()
    return len(text)


def _ticks_end(text: str, at: int, length: int) -> int:
    """The end of the inline code whose *length* opening backticks end at *at*; -1 if it never closes."""
    for ticks in _TICKS.finditer(text, at, at + SPAN_REACH):
        if len(ticks[0]) == length:
            return -1 if _PARAGRAPH_END.search(text, at, ticks.start()) else ticks.end()
    return -1


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])
