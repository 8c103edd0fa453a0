"""The one scanner of markdown's blocks: fenced code, comments, inline code and headings, by CommonMark's rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

LINE_START = r"(?<![^\r\n\ufeff])"
r"""The beginning of a line; \r alone ends one too, and a byte order mark is not part of the first."""
LINE_END = r"(?![^\r\n])"
# Three spaces at most: with four, it is code. A hash without a space after it is a tag.
HEADING = rf"{LINE_START} {{0,3}}(?P<hashes>#{{1,6}})(?:[ \t]+(?P<title>[^\r\n]*))?{LINE_END}"
"""A heading's line, as part of other patterns; those that are underlined are found by `sections`."""
HEADING_LINE = re.compile(HEADING)
DEFINITION = rf"{LINE_START} {{0,3}}\[(?!\^)(?P<label>[^\[\]\r\n]{{1,500}})\]:[ \t]*+"
"""The beginning of a link's definition, up to its destination, as part of other patterns; a footnote is prose."""
SPAN_REACH = 1_000
"""Characters within which inline code must close. Without a bound, lone backticks would take quadratic time."""

_SPECIAL = re.compile(
    LINE_START
    + r"(?P<prefix>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*)(?P<fence>`{3,}+(?![^\r\n]*`)|~{3,}+)(?P<info>[^\r\n]*+)"
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
_CLOSING_HASHES = re.compile(r"(?:^|(?<=[ \t]))#+[ \t]*\Z")
_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Fence:
    """A block of fenced code: ``text[start:stop]``, from the fence to the end of the closing one; *code* is inside.

    *line* is the beginning of its first line, before the fence's indentation and any mark of a list or quotation.
    """

    line: int
    start: int
    stop: int
    info: str
    code: str


def fences(text: str) -> Iterator[Fence]:
    """Yield the blocks of fenced code in *text*; one that is never closed ends with the text."""
    if "```" not in text and "~~~" not in text:
        return
    for opening, start, stop, code_stop in _spans(text):
        if opening["fence"]:
            code = text[line_end(text, opening.end()) : code_stop]
            yield Fence(opening.start(), start, stop, opening["info"], code)


def with_fences_replaced(text: str, replacement: Callable[[Fence], str]) -> str:
    """Return *text* with each block of fenced code replaced."""
    parts: list[str] = []
    done = 0
    for fence in fences(text):
        parts += (text[done : fence.start], replacement(fence))
        done = fence.stop
    return "".join([*parts, text[done:]]) if done else text


def without_blocks(text: str) -> str:
    """Return *text* with fenced code and comments blanked, of the same length and with the same lines."""
    return _blanked(text, inline=False)


def without_code(text: str) -> str:
    """Return *text* like :func:`without_blocks`, with inline code blanked too."""
    return _blanked(text, inline=True)


def heading_title(title: str | None) -> str:
    """Return the *title* that `HEADING` matched without its closing hashes."""
    return _CLOSING_HASHES.sub("", title).strip() if title else ""


def line_end(text: str, at: int) -> int:
    """Return the position after the line end at *at*, if there is one."""
    newline = _NEWLINE.match(text, at)
    return newline.end() if newline else at


def _blanked(text: str, *, inline: bool) -> str:
    if ("`" if inline else "```") not in text and "~~~" not in text and "<!--" not in text:
        return text
    parts: list[str] = []
    done = 0
    for opening, start, stop, _ in _spans(text):
        if inline or not opening["ticks"]:
            parts += (text[done:start], _VISIBLE.sub(_blanks, text[start:stop]))
            done = stop
    return "".join([*parts, text[done:]]) if done else text


def _spans(text: str) -> Iterator[tuple[re.Match[str], int, int, int]]:
    """Yield what opens each stretch of code and each comment, its beginning and end, and the end of what is inside."""
    at = 0
    signs = _Signs(text)
    comments = True  # whether a comment can still close: checked once, not from every opening
    while special := signs.special(at):
        at = special.end()
        start = special.start()
        if special["fence"]:
            start = special.start("fence")
            code_stop, at = _fence_end(text, special)
            yield special, start, at, code_stop
        elif special["comment"]:
            stop = text.find("-->", at) if comments else -1
            comments = stop >= 0
            if comments:
                at = stop + 3
                yield special, start, at, stop
        elif (stop := _ticks_end(text, at, len(special["ticks"]))) >= 0:
            at = stop
            yield special, start, stop, stop


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


def _fence_end(text: str, opening: re.Match[str]) -> tuple[int, int]:
    """Return the ends of the fenced code that *opening* begins, without and with its closing fence."""
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
            return end.start(), end.start()
        if closing[0] == fence[0] and len(closing) >= len(fence):
            return end.start(), end.end()
    return len(text), len(text)


def _ticks_end(text: str, at: int, length: int) -> int:
    """The end of the inline code whose *length* opening backticks end at *at*; -1 if it never closes."""
    for ticks in _TICKS.finditer(text, at, at + SPAN_REACH):
        if len(ticks[0]) == length:
            return -1 if _PARAGRAPH_END.search(text, at, ticks.start()) else ticks.end()
    return -1


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])
