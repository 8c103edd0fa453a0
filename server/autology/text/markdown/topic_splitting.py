"""Split a long item into chunks at headings, paragraphs and sentences, and where its subject changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import add, mul

from autology.text.markdown.units import CODE, HEADING, Unit, units

WHOLE = 2_400
"""Characters up to which a text stays one chunk."""
BY_MEANING = 3_600
"""Characters above which a text is split where its topic changes."""
TARGET = 1_200
"""Characters of a full chunk."""
FULL = 0.6
"""The share of TARGET from which a chunk is ended and not overfilled."""
WINDOW = 3
"""Sentences on each side of a position that are compared there."""
LEAST, MOST = 2, 15
"""Sentences of a chunk that is split by topic."""
LONGEST = 3_600
"""Characters of a unit past which it is split: a longer sentence or block of code is data."""

Similarities = Callable[[Sequence[str]], Sequence[float]]
"""For sentences, the similarity of those before and after each position between two of them."""


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The similarity below which a position between two sentences is a strong, medium or weak boundary."""

    strong: float
    medium: float
    weak: float


BOUNDARIES = Boundaries(0.1, 0.2, 0.3)
"""Thresholds for the built-in encoder, for the specified 0.3, 0.5 and 0.7, whose encoder is not available.

Mapped by what their names mean (a definite, a likely, a possible change of topic): of the positions within texts 6, 15
and 29 in 100 lie below them, of those where another text begins 39, 70 and 91 (bench/boundaries.py, on 200 texts).
Taken literally, 66 in 100 positions within a text would lie below its 0.5.
"""


@dataclass(frozen=True, slots=True)
class TextChunk:
    """Characters *start* to *stop* of a text."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A text in chunks, and its topics: where they shift, and how coherent each chunk is."""

    chunks: tuple[TextChunk, ...]
    shifts: tuple[int, ...] = ()
    coherence: tuple[float, ...] = ()


def cut(text: str, similarities: Similarities | None = None, boundaries: Boundaries | None = None) -> Cut:
    """Return *text* in chunks; their concatenation is *text* again.

    With *similarities* and *boundaries* a text above BY_MEANING is also split where its topic changes.
    """
    if len(text) <= WHOLE:
        return Cut((TextChunk(0, len(text)),) if text else ())
    parts = tuple(_size_limited(text))
    if len(text) <= BY_MEANING or similarities is None or boundaries is None or len(parts) < 2 * LEAST:
        return Cut(_merged(parts, frozenset()))
    alike = similarities([text[part.start : part.stop] for part in parts])
    turns = frozenset(
        at + 1 for at, value in enumerate(alike) if value < boundaries.medium and parts[at].kind is not HEADING
    )
    chunks = _merged(parts, turns, MOST)
    shifts = tuple(parts[at + 1].start for at, value in enumerate(alike) if value < boundaries.strong)
    return Cut(chunks, shifts, tuple(_coherence(parts, alike, chunks)))


def windows(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return, for each position between two of *rows*, the cosine of the sums of WINDOW rows before and after it."""
    values: list[float] = []
    # The rows after one position precede another: each sum is computed once.
    sums: dict[tuple[int, int], tuple[list[float], float]] = {}
    for at in range(1, len(rows)):
        before, behind = (max(0, at - WINDOW), at), (at, min(len(rows), at + WINDOW))
        for start, stop in (before, behind):
            if (start, stop) not in sums:
                total = list(rows[start])
                for row in rows[start + 1 : stop]:
                    total = list(map(add, total, row))
                sums[start, stop] = total, math.sqrt(sum(map(mul, total, total)))
        (one, length), (other, more) = sums[before], sums[behind]
        product = sum(map(mul, one, other))
        values.append(product / (length * more) if length and more else 1.0)
        sums.pop((at - WINDOW, at), None)
    return values


def _size_limited(text: str) -> Iterator[Unit]:
    """Yield the units of *text*; one that is longer than LONGEST in pieces split at line ends or spaces."""
    for unit in units(text):
        start = unit.start
        while unit.stop - start > LONGEST:
            stop = _gap(text, start, start + LONGEST)
            yield Unit(start, stop, unit.kind)
            start = stop
        yield Unit(start, unit.stop, unit.kind, unit.closes)


def _gap(text: str, start: int, stop: int) -> int:
    """Return the best end of a piece that may reach to *stop*: after a line end, a space, else anywhere."""
    for gap in ("\n", " "):
        at = text.rfind(gap, start + LONGEST // 2, stop)
        if at >= 0:
            return at + 1
    return stop - 1 if text[stop - 1 : stop + 1] == "\r\n" else stop


def _merged(parts: Sequence[Unit], turns: frozenset[int], limit: int | None = None) -> tuple[TextChunk, ...]:
    """Return units merged into chunks: ended at *turns*, when full, and before a heading if half full."""
    chunks: list[TextChunk] = []
    first = 0
    for at in range(1, len(parts)):
        part, last = parts[at], parts[at - 1]
        size, count = last.stop - parts[first].start, at - first
        full = size > FULL * TARGET
        over = size + part.size > TARGET and full
        ends = (
            over and (part.stop - parts[first].start > TARGET or part.kind is not CODE),
            full and part.kind is HEADING,
            at in turns and count >= LEAST and size > FULL * TARGET / 2,
            limit is not None and count >= limit,
        )
        if any(ends) and last.kind is not HEADING:
            at_paragraph = _paragraph(parts, first, at) if over and at not in turns else at
            chunks.append(TextChunk(parts[first].start, parts[at_paragraph].start))
            first = at_paragraph
    if first < len(parts):
        chunks.append(TextChunk(parts[first].start, parts[-1].stop))
    return tuple(chunks)


def _paragraph(parts: Sequence[Unit], first: int, at: int) -> int:
    """Return the last end of a paragraph up to *at*, if that leaves the chunk full enough; else *at*."""
    for place in range(at, first, -1):
        before = parts[place - 1]
        if before.stop - parts[first].start <= FULL * TARGET:
            break
        if before.closes and before.kind is not HEADING:
            return place
    return at


def _coherence(parts: Sequence[Unit], alike: Sequence[float], chunks: Sequence[TextChunk]) -> Iterator[float]:
    """Yield for each chunk the mean similarity at the positions within it; 1.0 without any."""
    for chunk in chunks:
        inside = [value for at, value in enumerate(alike) if chunk.start < parts[at + 1].start < chunk.stop]
        yield sum(inside) / len(inside) if inside else 1.0
