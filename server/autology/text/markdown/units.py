"""The smallest units that a text is split into: sentences, headings, whole blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from autology.text.language.sentences import sentence_ends
from autology.text.markdown.blocks import HEADING_LINE, fences

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
_ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]|[ \t]*[|>]")


def units(text: str) -> tuple[Unit, ...]:
    """Return *text* as units in order; their concatenation is *text* again."""
    return tuple(_units(text))


def _units(text: str) -> Iterator[Unit]:
    lines = [(match.start(), match.end()) for match in _LINE.finditer(text)]
    code = {fence.line: fence.stop for fence in fences(text)}
    at = 0
    while at < len(lines):
        start = lines[at][0]
        kind, after = _block(text, lines, at, code)
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


def _block(text: str, lines: list[tuple[int, int]], at: int, code: Mapping[int, int]) -> tuple[str, int]:
    """Return the block that begins at line *at*, and the line after it; *code* ends by the lines that begin it."""
    begin = lines[at][0]
    after = at + 1
    if begin in code:
        while after < len(lines) and lines[after][0] < code[begin]:
            after += 1
        return CODE, after
    if HEADING_LINE.match(text, begin):
        return HEADING, after
    while after < len(lines):
        begin, end = lines[after]
        if not text[begin:end].strip() or begin in code or HEADING_LINE.match(text, begin) or _ITEM.match(text, begin):
            break
        after += 1
    return SENTENCE, after


def _sentences(text: str, start: int, stop: int, closes: bool) -> Iterator[Unit]:
    first = start
    for end in sentence_ends(text, start, stop):
        if end < stop:
            yield Unit(first, end, SENTENCE)
            first = end
    yield Unit(first, stop, SENTENCE, closes)
