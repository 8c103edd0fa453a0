"""Three-way merge of a text: paragraph by paragraph, and line by line where both sides changed one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from autology.text.notes.sequence_diff import Budget, Chain, Hunk, TooDifferentError, hunks, shared, unrolled

T = TypeVar("T")
MARKER = 7
"""Characters of a conflict marker, as in git."""

_GAP = re.compile(r"\r?\n(?:[ \t]*\r?\n)+")


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged text, and its number of conflicts.

    A *coarse* one is a single conflict, from the first line that differs to the last.
    """

    text: str
    conflicts: int = 0
    coarse: bool = False


def pick(base: T, ours: T, theirs: T) -> T | None:
    """Return the changed side if at most one of two changes *base*; None if both do."""
    if ours == theirs or theirs == base:
        return ours
    return theirs if ours == base else None


def merge_text(base: str, ours: str, theirs: str, marker: int = MARKER) -> Merged:
    """Return *base* with both sides' changes; a change on one side is taken from there.

    Changes of neighbouring paragraphs are combined. If both changed the same paragraph, or added something at the same
    place, they are merged line by line, with ordinary conflict markers. Versions that would take too long to compare
    are one conflict.
    """
    picked = pick(base, ours, theirs)
    if picked is not None:
        return Merged(picked)
    newline = "\r\n" if "\r\n" in ours else "\n"
    try:
        return _merged(base, ours, theirs, marker, newline, Budget())
    except TooDifferentError:
        out = _conflict(_split(ours, newline), _split(theirs, newline), marker, newline)
        return Merged("".join(out), 1, coarse=True)


def _merged(base: str, ours: str, theirs: str, marker: int, newline: str, budget: Budget) -> Merged:
    paragraphs, ends = zip(*map(_split_paragraphs, (base, ours, theirs)), strict=True)
    written: list[str] = []
    conflicts = 0

    def add(text: str, gap: str) -> None:
        written.extend((gap or newline * 2, text) if written else (text,))

    b, o, t = ([p.text for p in version] for version in paragraphs)
    for region in _regions(b, o, t, budget, touching=False):
        before, mine, other = (version[stretch] for version, stretch in zip(paragraphs, region, strict=True))
        b, o, t = ([p.text for p in stretch] for stretch in (before, mine, other))
        if b == o == t:
            for versions in zip(before, mine, other, strict=True):
                add(versions[1].text, _gap(*versions))
        elif (side := pick(b, o, t)) is not None:
            for paragraph in mine if side == o else other:
                add(paragraph.text, paragraph.gap)
        else:
            merged = _lines(_joined(before), _joined(mine), _joined(other), marker, newline, budget)
            conflicts += merged.conflicts
            add(merged.text, next((p.gap for p in (*mine, *other) if p.gap), ""))
    end = pick(*ends)
    return Merged("".join(written) + (ends[1] if end is None else end), conflicts)


# ---- paragraphs --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Paragraph:
    text: str
    gap: str  # the blank lines above it, "" at the top


def _split_paragraphs(text: str) -> tuple[list[_Paragraph], str]:
    """Return the paragraphs of *text*, and the newlines after the last one."""
    end = _end_of(text)
    paragraphs, at, gap = [], 0, ""
    for separator in _GAP.finditer(text, 0, end):
        paragraphs.append(_Paragraph(text[at : separator.start()], gap))
        at, gap = separator.end(), separator[0]
    if text[at:end] or paragraphs:
        paragraphs.append(_Paragraph(text[at:end], gap))
    return paragraphs, text[end:]


def _end_of(text: str) -> int:
    """The beginning of the final newlines of *text*, with the blanks before each."""
    # Not a regular expression: that restarts at each newline of a long run inside the text.
    at = len(text)
    while at and text[at - 1] == "\n":
        at -= 2 if text[at - 2 : at - 1] == "\r" else 1
        while at and text[at - 1] in " \t":
            at -= 1
    return at


def _gap(base: _Paragraph, ours: _Paragraph, theirs: _Paragraph) -> str:
    """The blank lines above a paragraph common to all: those of the side that changed them, if any."""
    gap = pick(base.gap, ours.gap, theirs.gap)
    return gap or ours.gap or theirs.gap or base.gap


def _joined(paragraphs: Sequence[_Paragraph]) -> str:
    return "".join(("" if at == 0 else p.gap) + p.text for at, p in enumerate(paragraphs))


# ---- lines -------------------------------------------------------------------------------------


def _lines(base: str, ours: str, theirs: str, marker: int, newline: str, budget: Budget) -> Merged:
    """Merge both sides' changes line by line; adjacent changes are a conflict, as in git."""
    b, o, t = (_split(text, newline) for text in (base, ours, theirs))
    out: list[str] = []
    conflicts = 0
    for region in _regions(b, o, t, budget, touching=True):
        mine, other = o[region[1]], t[region[2]]
        side = pick(b[region[0]], mine, other)
        out += _conflict(mine, other, marker, newline) if side is None else side
        conflicts += side is None
    return Merged("".join(out).removesuffix("\n").removesuffix("\r"), conflicts)


def _conflict(ours: Sequence[str], theirs: Sequence[str], marker: int, newline: str) -> list[str]:
    """The lines of both between markers, without a common beginning and end."""
    head = shared(ours, theirs)
    foot = min(shared(ours[::-1], theirs[::-1]), min(len(ours), len(theirs)) - head)
    return [
        *ours[:head],
        f"{'<' * marker} ours{newline}",
        *ours[head : len(ours) - foot],
        f"{'=' * marker}{newline}",
        *theirs[head : len(theirs) - foot],
        f"{'>' * marker} theirs{newline}",
        *ours[len(ours) - foot :],
    ]


def _split(text: str, newline: str) -> list[str]:
    # Not str.splitlines: it also splits at characters inside a line.
    return [f"{line}\n" for line in (text + newline).split("\n")[:-1]] if text else []


# ---- what changed where ------------------------------------------------------------------------

_Region: TypeAlias = tuple[slice, slice, slice]


def _hunks(base: Sequence[str], side: Sequence[str], budget: Budget, *, apart: bool) -> list[Hunk]:
    """Return the changes of *side*; with *apart*, a reworded item is a change of its own."""
    changes = hunks(base, side, budget)
    return [part for hunk in changes for part in _split_change(hunk, base, side, budget)] if apart else changes


ALIKE = 0.4
"""Share of common words from which a paragraph counts as a rewording of another."""
MOST_PAIRS = 10_000
"""Pairs of paragraphs that are compared; a stretch with more was rewritten."""
WORDS_A_STEP = 10
"""Words of two paragraphs that are compared in the time of one step."""


def _split_change(hunk: Hunk, base: Sequence[str], side: Sequence[str], budget: Budget) -> list[Hunk]:
    """Split a change of several paragraphs into rewordings of one each and what is between them."""
    b0, b1, s0, s1 = hunk
    cut: list[Hunk] = []
    for b, s in _reworded(base[b0:b1], side[s0:s1], budget):
        to, at = hunk[0] + b, hunk[2] + s
        cut += _one_by_one(b0, to, s0, at)
        cut.append((to, to + 1, at, at + 1))
        b0, s0 = to + 1, at + 1
    return cut + _one_by_one(b0, b1, s0, s1)


def _one_by_one(b0: int, b1: int, s0: int, s1: int) -> list[Hunk]:
    if s0 == s1:  # removed: each paragraph by itself
        return [(at, at + 1, s0, s0) for at in range(b0, b1)]
    if b1 - b0 == s1 - s0:
        return [(b0 + at, b0 + at + 1, s0 + at, s0 + at + 1) for at in range(b1 - b0)]
    return [(b0, b1, s0, s1)]


def _reworded(base: Sequence[str], side: Sequence[str], budget: Budget) -> list[tuple[int, int]]:
    """Return the longest sequence of pairs, in order in both, that are one paragraph before and after.

    Empty if that would cost more than the merge has left: the stretch is one change then.
    """
    if not base or not side or len(base) * len(side) > MOST_PAIRS:
        return []
    words = [[set(text.split()) for text in texts] for texts in (base, side)]
    compared = len(side) * sum(map(len, words[0])) + len(base) * sum(map(len, words[1]))
    if not budget.can_spend(len(base) * len(side) + compared // WORDS_A_STEP):
        return []
    best: list[list[tuple[int, Chain]]] = [[(0, None)] * (len(side) + 1)]
    for at, mine in enumerate(words[0]):
        row: list[tuple[int, Chain]] = [(0, None)]
        for to, other in enumerate(words[1]):
            options = [best[at][to + 1], row[to]]
            if len(mine & other) >= ALIKE * len(mine | other):
                count, chain = best[at][to]
                options.append((count + 1, (at, to, 1, chain)))
            row.append(max(options, key=lambda option: option[0]))
        best.append(row)
    return unrolled(best[-1][-1][1])


def _regions(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], budget: Budget, *, touching: bool
) -> list[_Region]:
    """Return the versions split into corresponding regions: unchanged, changed by one side, changed by both.

    With *touching*, adjacent changes count as one.
    """
    sides = [_hunks(base, side, budget, apart=not touching) for side in (ours, theirs)]
    at, shifts = 0, [0, 0]
    waiting = [changes[::-1] for changes in sides]  # the next one last
    regions: list[_Region] = []

    def cut(to: int, lengths: Sequence[int]) -> None:
        nonlocal at
        starts = [at + shift for shift in shifts]
        stretch = tuple(slice(start, start + length) for start, length in zip(starts, lengths, strict=True))
        regions.append((slice(at, to), stretch[0], stretch[1]))
        for side in (0, 1):
            shifts[side] += lengths[side] - (to - at)
        at = to

    meets = _touch if touching else _overlap
    while waiting[0] or waiting[1]:
        group = _next_group(waiting, meets)
        start = min(hunk[0] for changes in group for hunk in changes)
        end = max(hunk[1] for changes in group for hunk in changes)
        if start > at:
            cut(start, (start - at, start - at))
        cut(end, [end - start + sum((h[3] - h[2]) - (h[1] - h[0]) for h in changes) for changes in group])
    if at < len(base):
        cut(len(base), (len(base) - at,) * 2)
    return regions


def _next_group(waiting: list[list[Hunk]], meets: Callable[[Hunk, Hunk], bool]) -> tuple[list[Hunk], list[Hunk]]:
    """Take the first change, and every change that meets one of those taken."""
    first = min((side for side in (0, 1) if waiting[side]), key=lambda side: waiting[side][-1][:2])
    group: tuple[list[Hunk], list[Hunk]] = ([], [])
    group[first].append(waiting[first].pop())
    grew = True
    while grew:
        grew = False
        for side in (0, 1):
            while waiting[side] and _meets_any(waiting[side][-1], group[1 - side], meets):
                group[side].append(waiting[side].pop())
                grew = True
    return group


def _meets_any(hunk: Hunk, taken: Sequence[Hunk], meets: Callable[[Hunk, Hunk], bool]) -> bool:
    # The last first, as far back as they reach: all others come before it.
    for other in reversed(taken):
        if other[1] < hunk[0]:
            return False
        if meets(hunk, other):
            return True
    return False


def _overlap(one: Hunk, other: Hunk) -> bool:
    """Whether two changes overlap, or insert at the same place."""
    if one[0] == one[1] or other[0] == other[1]:
        within = one[0] < other[1] and other[0] < one[1]
        return within or (one[:2] == other[:2])
    return max(one[0], other[0]) < min(one[1], other[1])


def _touch(one: Hunk, other: Hunk) -> bool:
    return max(one[0], other[0]) <= min(one[1], other[1])
