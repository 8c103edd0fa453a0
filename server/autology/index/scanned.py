"""The codes of passages as a scan takes them: the ones nearest to a question's, of one kind."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from autology.ranking import codes, slices

SURVIVORS = 120
"""Passages multiplied out after the scan, in 0.5 ms (bench/quality: 250 are level, and take twice that)."""
LATEST = 1_000
"""Codes that are compared one by one before they are sliced, in 0.2 ms; slicing them takes 2."""


@dataclass(slots=True)
class Scanned:
    """The codes of one kind's passages, *width* bytes each, as the scan takes them: in slices, the latest not yet."""

    width: int
    passages: array[int] = field(default_factory=lambda: array("q"))
    slices: list[int] = field(default_factory=list)
    sliced: int = 0
    latest: bytearray = field(default_factory=bytearray)

    def add(self, passages: Sequence[int], found: Sequence[bytes]) -> None:
        """Take in codes of passages; one of another width belongs to no encoder that there is."""
        if set(map(len, found)) != {self.width}:
            fit = [(passage, code) for passage, code in zip(passages, found, strict=True) if len(code) == self.width]
            passages, found = [passage for passage, _ in fit], [code for _, code in fit]
        self.passages.extend(passages)
        self.latest += b"".join(found)

    def settle(self) -> None:
        """Slice the latest codes once they are many."""
        many = len(self.latest) // self.width
        if many < LATEST:
            return
        more = slices.sliced(bytes(self.latest), self.width)
        self.slices = [one << many | two for one, two in zip(self.slices, more, strict=True)] if self.slices else more
        self.sliced += many
        self.latest.clear()

    def nearest(self, row: bytes, among: set[int] | None) -> list[int]:
        """Return the passages whose codes are nearest to *row*'s: some SURVIVORS in slices, and of the latest."""
        if len(row) != 8 * self.width:
            return []
        passages, sliced = self.passages, self.sliced
        marks = None if among is None else slices.marked(map(among.__contains__, passages[:sliced]))
        new = [at for at in range(sliced, len(passages)) if among is None or passages[at] in among]
        found = slices.nearest(codes.sign_code(row), self.slices, sliced, SURVIVORS, marks) if sliced else []
        latest = codes.unpacked(self.latest, len(row))
        places = codes.scan(row, [latest[at - sliced] for at in new], SURVIVORS)
        return [passages[at] for at in found] + [passages[new[at]] for at in places]
