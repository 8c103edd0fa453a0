"""What changed between two versions of a text, for people: by section, with the words that were added and removed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from autology.text.documents import reading
from autology.text.notes.sequence_diff import Budget, Hunk, TooDifferentError, hunks

SAME, GONE, NEW = "same", "gone", "new"
FIELDS = "Fields"
"""The name of a text's metadata as a section."""
STEPS, SECONDS = 1_000_000, 1.5
"""The bounds of a comparison: a reader waits for it."""
CHANGES = 200
"""Maximum changes listed."""
PART = 4_000
"""Maximum characters of a part that is shown."""
ALIKE = 0.35
"""Share of the shorter text's letters that both must have for their words to be compared: below it, single words in
common hide more than they show."""

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_RELATED = re.compile(r"\n*<!-- autology:related -->.*?<!-- /autology:related -->\n*", re.DOTALL)
_NOISE = re.compile(r"modified:")
"""Fields that change with every change."""

Part = tuple[str, str]
"""Whether a part of a text is in both versions, the earlier or the later one; and the part."""


@dataclass(frozen=True, slots=True)
class Change:
    """A changed place: the heading that it stands under, and its text with what was added and removed."""

    section: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes in order; *cut* if there are more; *too_different* if the versions cannot be compared in time."""

    changes: tuple[Change, ...]
    cut: bool = False
    too_different: bool = False


def compare(before: str, after: str, path: str) -> Comparison:
    """Return the changes from *before* to *after*, texts of the file at *path*.

    The time of the last change and generated lists of relations are not compared.
    """
    earlier, later = _Lines(before, path), _Lines(after, path)
    budget = Budget(STEPS, SECONDS)
    changes: list[Change] = []
    try:
        for hunk in hunks(earlier.lines, later.lines, budget):
            if len(changes) >= CHANGES:
                return Comparison(tuple(changes), cut=True)
            if not _is_noise(hunk, earlier, later):
                changes.append(_change(hunk, earlier, later, budget))
    except TooDifferentError:
        return Comparison(tuple(changes), too_different=True)
    return Comparison(tuple(_joined(changes)))


class _Lines:
    """The lines of a text, and the section of each."""

    def __init__(self, text: str, path: str) -> None:
        text = _RELATED.sub("\n", text.replace("\r\n", "\n")).rstrip() + "\n"
        self.lines = text.split("\n") if text.strip() else []
        document = reading.read(text, path)
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._body = document.body
        self._sections = [(section.start, section.title) for section in document.sections]

    def section(self, line: int) -> str:
        """Return the heading of a line."""
        start = self._starts[line]
        if start < self._body:
            return FIELDS
        at = bisect_right(self._sections, start, key=lambda section: section[0])
        return self._sections[at - 1][1] if at else ""


def _is_noise(hunk: Hunk, earlier: _Lines, later: _Lines) -> bool:
    """Whether a change is one of blank lines, or of a field that changes with every change."""
    a, b, c, d = hunk
    lines = [*earlier.lines[a:b], *later.lines[c:d]]
    if not any(line.strip() for line in lines):
        return True
    is_field = (earlier.section(a) if a < b else later.section(c)) == FIELDS
    return is_field and all(_NOISE.match(line) for line in lines)


def _change(hunk: Hunk, earlier: _Lines, later: _Lines, budget: Budget) -> Change:
    a, b, c, d = hunk
    # A section that is added or removed is named by its own heading.
    section = later.section(_first(later.lines, c, d)) if c < d else earlier.section(_first(earlier.lines, a, b))
    gone = "\n".join(line for line in earlier.lines[a:b] if not (section == FIELDS and _NOISE.match(line)))
    new = "\n".join(line for line in later.lines[c:d] if not (section == FIELDS and _NOISE.match(line)))
    parts = _words(gone.strip("\n"), new.strip("\n"), budget)
    return Change(section, tuple((kind, _short(text)) for kind, text in parts if text))


def _first(lines: Sequence[str], start: int, stop: int) -> int:
    """Return the first line that is not blank."""
    return next((at for at in range(start, stop) if lines[at].strip()), start)


def _words(gone: str, new: str, budget: Budget) -> list[Part]:
    """Return two texts as one, word by word if they are alike, else one after the other."""
    if not gone.strip() or not new.strip() or len(gone) + len(new) > PART * 10:
        return [(GONE, gone), (NEW, new)]
    before, after = _WORD.findall(gone), _WORD.findall(new)
    parts: list[Part] = []
    b = 0
    for start, stop, first, last in hunks(before, after, budget):
        parts += [
            (SAME, "".join(before[b:start])),
            (GONE, "".join(before[start:stop])),
            (NEW, "".join(after[first:last])),
        ]
        b = stop
    parts.append((SAME, "".join(before[b:])))
    common = sum(len(text.replace(" ", "")) for kind, text in parts if kind == SAME)
    shorter = min(len(gone.replace(" ", "")), len(new.replace(" ", "")))
    if common < ALIKE * shorter:
        return [(GONE, gone), (NEW, new)]
    return list(_whole_phrases([part for part in parts if part[1]]))


def _whole_phrases(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield *parts* with a lone space between two changes taken as changed, so that phrases are not shown in shreds."""
    for is_shred, run in groupby(enumerate(parts), key=lambda pair: _is_changed(parts, pair[0])):
        some = [part for _, part in run]
        if not is_shred:
            yield from some
            continue
        for kind in (GONE, NEW):
            if text := "".join(text for part_kind, text in some if part_kind in (kind, SAME)):
                yield kind, text


def _is_changed(parts: Sequence[Part], at: int) -> bool:
    kind, text = parts[at]
    if kind != SAME:
        return True
    return text.isspace() and "\n" not in text and 0 < at < len(parts) - 1


def _joined(changes: Sequence[Change]) -> Iterator[Change]:
    """Yield *changes*, those of one section together."""
    for section, run in groupby(changes, key=lambda change: change.section):
        parts: list[Part] = []
        for change in run:
            parts += [(SAME, "\n"), *change.parts] if parts else change.parts
        yield Change(section, tuple(parts))


def _short(text: str) -> str:
    return text if len(text) <= PART else f"{text[:PART]}…"
