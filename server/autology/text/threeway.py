"""Three versions of a text made one: paragraph by paragraph, and line by line where both sides changed one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

T = TypeVar("T")
MARKER = 7
"""Characters of a conflict marker, as git has them."""

_GAP = re.compile(r"\r?\n(?:[ \t]*\r?\n)+")
_END = re.compile(r"(?:[ \t]*\r?\n)*\Z")


@dataclass(frozen=True, slots=True)
class Merged:
    """The text that three versions make, and in how many places somebody has to choose."""

    text: str
    conflicts: int = 0


def pick(base: T, ours: T, theirs: T) -> T | None:
    """Return what two changes of *base* come to where at most one of them is a change; None where both are."""
    if ours == theirs or theirs == base:
        return ours
    return theirs if ours == base else None


def merge_text(base: str, ours: str, theirs: str, marker: int = MARKER) -> Merged:
    """Return *base* with both sides' changes; what only one side touched is taken as that side has it.

    Changes of neighbouring paragraphs stand side by side. Where both changed the same paragraph, or
    added something at the same place, lines decide, and ordinary conflict markers hold what they cannot.
    """
    picked = pick(base, ours, theirs)
    if picked is not None:
        return Merged(picked)
    parts = [_taken_apart(text) for text in (base, ours, theirs)]
    newline = "\r\n" if "\r\n" in ours else "\n"
    written = _Written(newline)
    conflicts = 0
    for region in _regions(*([p.text for p in part.paragraphs] for part in parts), touching=False):
        b, o, t = (part.paragraphs[s] for part, s in zip(parts, region, strict=True))
        if [p.text for p in b] == [p.text for p in o] == [p.text for p in t]:
            for each in zip(b, o, t, strict=True):
                written.add(each[1].text, _gap(*each))
        elif (side := pick([p.text for p in b], [p.text for p in o], [p.text for p in t])) is not None:
            for paragraph in o if side == [p.text for p in o] else t:
                written.add(paragraph.text, paragraph.gap)
        else:
            merged = _lines(_joined(b), _joined(o), _joined(t), marker, newline)
            conflicts += merged.conflicts
            written.add(merged.text, next((p.gap for p in (*o, *t) if p.gap), ""))
    end = pick(*(part.end for part in parts))
    return Merged(written.text + (parts[1].end if end is None else end), conflicts)


# ---- paragraphs --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Paragraph:
    text: str
    gap: str  # the blank lines above it, "" at the top


@dataclass(frozen=True, slots=True)
class _Parts:
    paragraphs: list[_Paragraph]
    end: str  # the newlines behind the last paragraph


def _taken_apart(text: str) -> _Parts:
    end = _END.search(text)
    assert end is not None  # it matches the empty end, too
    found, at, gap = [], 0, ""
    for each in _GAP.finditer(text, 0, end.start()):
        found.append(_Paragraph(text[at : each.start()], gap))
        at, gap = each.end(), each[0]
    if text[at : end.start()] or found:
        found.append(_Paragraph(text[at : end.start()], gap))
    return _Parts(found, end[0])


def _gap(base: _Paragraph, ours: _Paragraph, theirs: _Paragraph) -> str:
    """The blank lines above a paragraph that all have: those of whoever changed them, if they are any."""
    gap = pick(base.gap, ours.gap, theirs.gap)
    return gap or ours.gap or theirs.gap or base.gap


def _joined(paragraphs: Sequence[_Paragraph]) -> str:
    return "".join(("" if at == 0 else p.gap) + p.text for at, p in enumerate(paragraphs))


class _Written:
    """Paragraphs put one below the other, never two glued into one."""

    def __init__(self, newline: str) -> None:
        self._parts: list[str] = []
        self._newline = newline

    def add(self, text: str, gap: str) -> None:
        if self._parts:
            self._parts.append(gap or self._newline * 2)
        self._parts.append(text)

    @property
    def text(self) -> str:
        return "".join(self._parts)


# ---- lines -------------------------------------------------------------------------------------


def _lines(base: str, ours: str, theirs: str, marker: int, newline: str) -> Merged:
    """Merge what both sides changed, line by line; changes of lines that touch are a conflict, as git has it."""
    versions = [_split(text, newline) for text in (base, ours, theirs)]
    out: list[str] = []
    conflicts = 0
    for region in _regions(*versions, touching=True):
        b, o, t = (version[s] for version, s in zip(versions, region, strict=True))
        side = pick(b, o, t)
        if side is not None:
            out += side
            continue
        head, foot = _common(o, t), _common(o[::-1], t[::-1])
        foot = min(foot, min(len(o), len(t)) - head)
        out += o[:head]
        out += [f"{'<' * marker} ours{newline}", *o[head : len(o) - foot], f"{'=' * marker}{newline}"]
        out += [*t[head : len(t) - foot], f"{'>' * marker} theirs{newline}"]
        out += o[len(o) - foot :]
        conflicts += 1
    return Merged("".join(out).removesuffix("\n").removesuffix("\r"), conflicts)


def _split(text: str, newline: str) -> list[str]:
    # Not str.splitlines: it also cuts at characters that stand within a line.
    return [f"{line}\n" for line in (text + newline).split("\n")[:-1]] if text else []


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# ---- what changed where ------------------------------------------------------------------------

_Hunk = tuple[int, int, int, int]  # [from, to) in the base, [from, to) in the side
_Region = tuple[slice, slice, slice]


def _hunks(base: Sequence[str], side: Sequence[str], *, apart: bool) -> list[_Hunk]:
    """Return what *side* changed; with *apart*, an item that was reworded is a change of its own."""
    codes = SequenceMatcher(None, base, side, autojunk=False).get_opcodes()
    hunks = [(b0, b1, s0, s1) for tag, b0, b1, s0, s1 in codes if tag != "equal"]
    return [each for hunk in hunks for each in _apart(hunk, base, side)] if apart else hunks


ALIKE = 0.4
"""Share of words, of those in either, from which a paragraph counts as another one reworded."""
MOST_PAIRS = 10_000
"""Pairs of paragraphs that are compared; a stretch of more was written anew."""


def _apart(hunk: _Hunk, base: Sequence[str], side: Sequence[str]) -> list[_Hunk]:
    """Cut a change of several paragraphs into rewordings of one each and what is between them."""
    b0, b1, s0, s1 = hunk
    cut: list[_Hunk] = []
    for b, s in _reworded(base[b0:b1], side[s0:s1]):
        to, at = hunk[0] + b, hunk[2] + s
        cut += _one_by_one(b0, to, s0, at)
        cut.append((to, to + 1, at, at + 1))
        b0, s0 = to + 1, at + 1
    return cut + _one_by_one(b0, b1, s0, s1)


def _one_by_one(b0: int, b1: int, s0: int, s1: int) -> list[_Hunk]:
    if s0 == s1:  # taken away: each paragraph by itself
        return [(at, at + 1, s0, s0) for at in range(b0, b1)]
    if b1 - b0 == s1 - s0:
        return [(b0 + at, b0 + at + 1, s0 + at, s0 + at + 1) for at in range(b1 - b0)]
    return [(b0, b1, s0, s1)]


def _reworded(base: Sequence[str], side: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest run of pairs, in order in both, that are one paragraph before and after."""
    if len(base) * len(side) > MOST_PAIRS:
        return []
    words = [[set(text.split()) for text in texts] for texts in (base, side)]
    best: list[list[tuple[int, tuple[tuple[int, int], ...]]]] = [[(0, ())] * (len(side) + 1)]
    for at, mine in enumerate(words[0]):
        row: list[tuple[int, tuple[tuple[int, int], ...]]] = [(0, ())]
        for to, other in enumerate(words[1]):
            options = [best[at][to + 1], row[to]]
            if len(mine & other) >= ALIKE * len(mine | other):
                count, pairs = best[at][to]
                options.append((count + 1, (*pairs, (at, to))))
            row.append(max(options, key=lambda option: option[0]))
        best.append(row)
    return list(best[-1][-1][1])


def _regions(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], *, touching: bool) -> list[_Region]:
    """Return the versions cut into corresponding stretches: unchanged, changed by one side, changed by both.

    With *touching*, changes without anything between them count as one.
    """
    sides = (_hunks(base, ours, apart=not touching), _hunks(base, theirs, apart=not touching))
    at, shifts = 0, [0, 0]
    waiting = [list(hunks) for hunks in sides]
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
        start = min(hunk[0] for hunks in group for hunk in hunks)
        end = max(hunk[1] for hunks in group for hunk in hunks)
        if start > at:
            cut(start, (start - at, start - at))
        cut(end, [end - start + sum((h[3] - h[2]) - (h[1] - h[0]) for h in hunks) for hunks in group])
    if at < len(base):
        cut(len(base), (len(base) - at,) * 2)
    return regions


def _next_group(waiting: list[list[_Hunk]], meets: Callable[[_Hunk, _Hunk], bool]) -> tuple[list[_Hunk], list[_Hunk]]:
    """Take the first change, and every change that meets one of those taken."""
    first = min((side for side in (0, 1) if waiting[side]), key=lambda side: waiting[side][0][:2])
    group: tuple[list[_Hunk], list[_Hunk]] = ([], [])
    group[first].append(waiting[first].pop(0))
    grew = True
    while grew:
        grew = False
        for side in (0, 1):
            while waiting[side] and any(meets(waiting[side][0], taken) for taken in group[1 - side]):
                group[side].append(waiting[side].pop(0))
                grew = True
    return group


def _overlap(one: _Hunk, other: _Hunk) -> bool:
    """Whether two changes are of the same text, or add at the same place."""
    if one[0] == one[1] or other[0] == other[1]:
        within = one[0] < other[1] and other[0] < one[1]
        return within or (one[:2] == other[:2])
    return max(one[0], other[0]) < min(one[1], other[1])


def _touch(one: _Hunk, other: _Hunk) -> bool:
    return max(one[0], other[0]) <= min(one[1], other[1])
