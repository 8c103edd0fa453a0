"""Split a text into passages of about 200 words at headings and paragraphs; no character is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autology.model.passage import Passage
from autology.text.language.sentences import sentence_ends
from autology.text.markdown.sections import Section, sections, with_parents

TARGET = 1_200
"""Characters of a full passage: about 200 words, the best recall on long notes (+5 to +9 points over whole ones)."""
LINES = 1_800
"""Characters past which separate lines, as in a list or a talk, are split without a blank line (bench/quality: +2 MRR
on conversations); splitting running text there costs 0.4 nDCG@10."""
LONGEST = 3_600
"""Characters past which a paragraph is split even without a blank line."""

_LINE = re.compile(r"""(?<=[.!?:;)\]"'`*。！？])[ \t]*\r?\n|\r?\n(?=[ \t]*(?:[-*+>|]|\d{1,9}[.)])[ \t])""")
_GAP = re.compile(r"\n[ \t]*\r?\n+")


def passages(text: str, divided: Sequence[Section] | None = None) -> tuple[Passage, ...]:
    """Return *text* as passages in order; their concatenation is *text* again.

    *divided* are its sections; without them, it is read as markdown.
    """
    return tuple(
        Passage(start, stop, heading, text[start:stop])
        for heading, first, last in _spans(text, sections(text) if divided is None else divided)
        for start, stop in _cut(text, first, last)
    )


def _spans(text: str, divided: Sequence[Section]) -> Iterator[tuple[str, int, int]]:
    """Yield (heading path, start, stop) of each section, short neighbours under one heading joined."""
    at = 0
    heading = ""
    for path in with_parents(divided):
        start = path[-1].start
        if start > at:
            yield heading, at, start
        heading = " > ".join(section.title for section in path)
        at = start
    if at < len(text):
        yield heading, at, len(text)


def _cut(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of one section: whole paragraphs until TARGET is reached."""
    start = first
    while last - start > TARGET:
        stop = _break(text, start, last)
        if stop >= last:
            break
        yield start, stop
        start = stop
    if start < last:
        yield start, last


def _break(text: str, start: int, last: int) -> int:
    """The end of the passage that begins at *start*: after a paragraph, else a line, a sentence or a word."""
    if gap := _GAP.search(text, start + TARGET // 2, min(start + LINES, last)):
        return gap.end()
    if last - start > LINES and (line := _LINE.search(text, start + TARGET * 3 // 4, start + LINES)):
        return line.end()
    if gap := _GAP.search(text, start + LINES, min(start + LONGEST, last)):
        return gap.end()
    if last - start <= LONGEST:
        return last
    if end := next(sentence_ends(text, start + TARGET, start + LONGEST, lines=True), None):
        return end
    space = text.rfind(" ", start, start + LONGEST)
    return space + 1 if space > start else start + LONGEST
