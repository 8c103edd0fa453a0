"""Scan the sign-bit codes of passages for those nearest to a query's."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from autology.ranking import bit_planes, quantized_vectors

SURVIVORS = 120
"""Candidates rescored exactly after the scan, in 0.5 ms (bench/quality: 250 are level and take twice that)."""
LATEST = 1_000
"""New codes compared one by one, in 0.2 ms, before they are converted to bit planes, in 2 ms."""


@dataclass(slots=True)
class CodeScan:
    """The codes of one kind's passages, *width* bytes each, as bit planes; the latest ones not yet converted."""

    width: int
    passages: array[int] = field(default_factory=lambda: array("q"))
    slices: list[int] = field(default_factory=list)
    sliced: int = 0
    latest: bytearray = field(default_factory=bytearray)

    def add(self, passages: Sequence[int], blobs: Sequence[bytes]) -> None:
        """Add codes of passages; a code of another width is from an outdated encoder and skipped."""
        if set(map(len, blobs)) != {self.width}:
            fit = [(passage, code) for passage, code in zip(passages, blobs, strict=True) if len(code) == self.width]
            passages, blobs = [passage for passage, _ in fit], [code for _, code in fit]
        self.passages.extend(passages)
        self.latest += b"".join(blobs)

    def settle(self) -> None:
        """Convert the latest codes to bit planes once there are many."""
        many = len(self.latest) // self.width
        if many < LATEST:
            return
        more = bit_planes.sliced(bytes(self.latest), self.width)
        self.slices = (
            [plane << many | added for plane, added in zip(self.slices, more, strict=True)] if self.slices else more
        )
        self.sliced += many
        self.latest.clear()

    def nearest(self, row: bytes, eligible: set[int] | None) -> list[int]:
        """Return the passages with the codes nearest to *row*'s: about SURVIVORS each of bit planes and latest."""
        if len(row) != 8 * self.width:
            return []
        passages, sliced = self.passages, self.sliced
        marks = None if eligible is None else bit_planes.marked(map(eligible.__contains__, passages[:sliced]))
        new = [at for at in range(sliced, len(passages)) if eligible is None or passages[at] in eligible]
        positions = (
            bit_planes.nearest(quantized_vectors.sign_code(row), self.slices, sliced, SURVIVORS, marks)
            if sliced
            else []
        )
        latest = quantized_vectors.unpacked(self.latest, len(row))
        places = quantized_vectors.scan(row, [latest[at - sliced] for at in new], SURVIVORS)
        return [passages[at] for at in positions] + [passages[new[at]] for at in places]
