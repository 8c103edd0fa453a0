"""The smallest units that a text is split into: sentences, headings, whole blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SENTENCE, HEADING, CODE = "sentence", "heading", "code"


@dataclass(frozen=True, slots=True)
class Unit:
    """Characters *start* to *stop* of a text, with the white space that follows; *closes* a paragraph or not."""

    start: int
    stop: int
    kind: str
    closes: bool = False

    @property
    def size(self) -> int:
        """Its number of characters."""
        return self.stop - self.start


_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|\r?$)")
_ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]|[ \t]*[|>]")
# After a full stop, any closing quotes or brackets, and white space; CJK needs none.
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*[ \t\r\n]+|(?<=[。！？｡])[”’」』）]*[ \t\r\n]*")
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|etc|al|approx|no|nr|vol|fig|eq|sec|ch|pp?|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|jan|feb|mar"
    r"|apr|jun|jul|aug|sept?|oct|nov|dec)|(?<![A-Za-z0-9])[A-Za-z]|(?<![^\s])\d{1,3})\.\Z",
    re.IGNORECASE,
)


def units(text: str) -> tuple[Unit, ...]:
    """Return *text* as units in order; their concatenation is *text* again."""
    return tuple(_units(text))


def _units(text: str) -> Iterator[Unit]:
    lines = [(match.start(), match.end()) for match in _LINE.finditer(text)]
    at = 0
    while at < len(lines):
        start = lines[at][0]
        kind, after = _block(text, lines, at)
        blank = after
        while blank < len(lines) and not text[slice(*lines[blank])].strip():
            blank += 1
        stop = lines[blank - 1][1]
        closes = blank > after or blank == len(lines)
        if kind is SENTENCE:
            yield from _sentences(text, start, stop, closes)
        else:
            yield Unit(start, stop, kind, closes or kind is CODE)
        at = blank


def _block(text: str, lines: list[tuple[int, int]], at: int) -> tuple[str, int]:
    """Return the block that begins at line *at*, and the line after it."""
    first = text[slice(*lines[at])]
    if fence := _FENCE.match(first):
        return CODE, _fence_end(text, lines, at, fence[1])
    if _HEADING.match(first):
        return HEADING, at + 1
    after = at + 1
    while after < len(lines):
        line = text[slice(*lines[after])]
        if not line.strip() or _FENCE.match(line) or _HEADING.match(line) or _ITEM.match(line):
            break
        after += 1
    return SENTENCE, after


def _fence_end(text: str, lines: list[tuple[int, int]], at: int, fence: str) -> int:
    """Return the line after a block of code; an unclosed one ends with the text."""
    for after in range(at + 1, len(lines)):
        line = text[slice(*lines[after])].strip()
        if len(line) >= len(fence) and not line.strip(fence[0]):
            return after + 1
    return len(lines)


def _sentences(text: str, start: int, stop: int, closes: bool) -> Iterator[Unit]:
    first = start
    for end in _END.finditer(text, start, stop):
        if first < end.end() < stop and not _NO_END.search(text, max(first, end.start() - 12), end.start()):
            yield Unit(first, end.end(), SENTENCE)
            first = end.end()
    yield Unit(first, stop, SENTENCE, closes)
