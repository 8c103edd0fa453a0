"""Sign-bit codes of passages: scanned for those nearest to a query's, and cached in a file next to the index.

Reading the file takes a hundredth of the time of reading rows. It is only a copy: it is ignored if it is missing,
damaged or belongs to another index.
"""

from __future__ import annotations

import json
import os
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autology.ranking import bit_planes, quantized_vectors

SURVIVORS = 120
"""Candidates rescored exactly after the scan, in 0.5 ms (bench/quality: 250 are level and take twice that)."""
LATEST = 1_000
"""New codes compared one by one, in 0.2 ms, before they are converted to bit planes, in 2 ms."""
MIN_NEW = 4_000
"""Minimum newly read codes to rewrite the file: rewriting takes 10 ms, reading that many at least as long."""
MAGIC = b"autology-codes 1\n"
CHECK = 4
WIDEST = 4_096
"""Maximum bytes of a code; a model with 1,024 dimensions needs 128."""


@dataclass(slots=True)
class SignCodes:
    """The codes of one kind's passages, *width* bytes each, as bit planes; the latest ones not yet converted."""

    width: int
    passages: array[int] = field(default_factory=lambda: array("q"))
    planes: list[int] = field(default_factory=list)
    converted: int = 0
    latest: bytearray = field(default_factory=bytearray)

    def add(self, passages: Sequence[int], blobs: Sequence[bytes]) -> None:
        """Add codes of passages; a code of another width is from an outdated encoder and skipped."""
        if set(map(len, blobs)) != {self.width}:
            valid = [(passage, code) for passage, code in zip(passages, blobs, strict=True) if len(code) == self.width]
            passages, blobs = [passage for passage, _ in valid], [code for _, code in valid]
        self.passages.extend(passages)
        self.latest += b"".join(blobs)

    def settle(self) -> None:
        """Convert the latest codes to bit planes once there are many."""
        count = len(self.latest) // self.width
        if count < LATEST:
            return
        planes = bit_planes.sliced(bytes(self.latest), self.width)
        if self.planes:
            planes = [plane << count | added for plane, added in zip(self.planes, planes, strict=True)]
        self.planes = planes
        self.converted += count
        self.latest.clear()

    def nearest(self, row: bytes, eligible: set[int] | None) -> list[int]:
        """Return the passages with the codes nearest to *row*'s: about SURVIVORS each of bit planes and latest."""
        if len(row) != 8 * self.width:
            return []
        passages, converted = self.passages, self.converted
        mask = None if eligible is None else bit_planes.marked(map(eligible.__contains__, passages[:converted]))
        new = [at for at in range(converted, len(passages)) if eligible is None or passages[at] in eligible]
        code = quantized_vectors.sign_code(row)
        near = bit_planes.nearest(code, self.planes, converted, SURVIVORS, mask) if converted else []
        latest = quantized_vectors.unpacked(self.latest, len(row))
        near_new = quantized_vectors.scan(row, [latest[at - converted] for at in new], SURVIVORS)
        return [passages[at] for at in near] + [passages[new[at]] for at in near_new]


def read(path: str, generation: str) -> tuple[int, dict[str, SignCodes]]:
    """Return the last row read and the codes of each kind; 0 and nothing if the file is unusable."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if data[: len(MAGIC)] != MAGIC or zlib.crc32(data[:-CHECK]).to_bytes(CHECK, "little") != data[-CHECK:]:
            return 0, {}
        start = data.index(b"\n", len(MAGIC)) + 1
        header = json.loads(data[len(MAGIC) : start])
        if header["generation"] != generation:
            return 0, {}
        last = header["last"]
        if not (isinstance(last, int) and 0 <= last < 1 << 63):
            return 0, {}
        return last, _unpacked(header["kinds"], memoryview(data)[start:-CHECK])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return 0, {}


def write(path: str, generation: str, last: int, kinds: Mapping[str, SignCodes]) -> None:
    """Save the codes of each *kind*, read up to row *last*; failures are ignored."""
    layout = {name: [codes.width, len(codes.passages), codes.converted] for name, codes in kinds.items()}
    head = json.dumps({"generation": generation, "last": last, "kinds": layout}).encode()
    parts = [MAGIC, head, b"\n"]
    for codes in kinds.values():
        parts += [codes.passages.tobytes(), *(plane.to_bytes(_bytes(codes.converted), "big") for plane in codes.planes)]
        parts.append(bytes(codes.latest))
    data = b"".join(parts)
    staged = f"{path}.new"
    try:
        # Concurrent writers may garble the file, which the checksum detects.
        with open(staged, "wb") as file:
            file.write(data + zlib.crc32(data).to_bytes(CHECK, "little"))
        os.replace(staged, path)
    except OSError:
        return


def _size(width: int, count: int, converted: int) -> int:
    return 8 * count + (8 * width * _bytes(converted) if converted else 0) + width * (count - converted)


def _bytes(codes: int) -> int:
    return (codes + 7) // 8


def _unpacked(layout: Mapping[str, tuple[int, int, int]], data: memoryview) -> dict[str, SignCodes]:
    by_kind: dict[str, SignCodes] = {}
    at = 0

    def take(size: int) -> memoryview:
        nonlocal at
        at += size
        return data[at - size : at]

    for name, (width, count, converted) in layout.items():
        # A forged file may claim any size: check that it fits before allocating anything.
        valid = all(isinstance(number, int) for number in (width, count, converted))
        if not (
            valid
            and 0 < width <= WIDEST
            and 0 <= converted <= count
            and _size(width, count, converted) <= len(data) - at
        ):
            raise ValueError(name)
        passages = array("q", bytes(take(8 * count)))
        planes = [int.from_bytes(take(_bytes(converted)), "big") for _ in range(8 * width)] if converted else []
        by_kind[name] = SignCodes(width, passages, planes, converted, bytearray(take(width * (count - converted))))
    return by_kind
