"""Sign-bit codes cached in a file beside the index: reading them takes a hundredth of the time of reading rows.

The file is only a copy: it is ignored if it is missing, damaged or belongs to another index.
"""

from __future__ import annotations

import json
import os
import zlib
from array import array
from collections.abc import Mapping

from autology.index.vectors.code_scan import CodeScan

WORTH = 4_000
"""Minimum newly read codes to rewrite the file: rewriting takes 10 ms, reading that many at least as long."""
MAGIC = b"autology-codes 1\n"
CHECK = 4
WIDEST = 4_096
"""Maximum bytes of a code; a model with 1,024 dimensions needs 128."""


def read(path: str, generation: str) -> tuple[int, dict[str, CodeScan]]:
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


def write(path: str, generation: str, last: int, kinds: Mapping[str, CodeScan]) -> None:
    """Save the codes of each *kind*, read up to row *last*; failures are ignored."""
    layout = {name: [scan.width, len(scan.passages), scan.sliced] for name, scan in kinds.items()}
    head = json.dumps({"generation": generation, "last": last, "kinds": layout}).encode()
    parts = [MAGIC, head, b"\n"]
    for scan in kinds.values():
        parts += [scan.passages.tobytes(), *(plane.to_bytes(_bytes(scan.sliced), "big") for plane in scan.slices)]
        parts.append(bytes(scan.latest))
    data = b"".join(parts)
    staged = f"{path}.new"
    try:
        # Concurrent writers may garble the file, which the checksum detects.
        with open(staged, "wb") as file:
            file.write(data + zlib.crc32(data).to_bytes(CHECK, "little"))
        os.replace(staged, path)
    except OSError:
        return


def _size(width: int, many: int, sliced: int) -> int:
    return 8 * many + (8 * width * _bytes(sliced) if sliced else 0) + width * (many - sliced)


def _bytes(codes: int) -> int:
    return (codes + 7) // 8


def _unpacked(layout: Mapping[str, tuple[int, int, int]], data: memoryview) -> dict[str, CodeScan]:
    scans: dict[str, CodeScan] = {}
    at = 0

    def taken(size: int) -> memoryview:
        nonlocal at
        at += size
        return data[at - size : at]

    for name, (width, many, sliced) in layout.items():
        # A forged file may claim any size: check that it fits before allocating anything.
        whole = all(isinstance(number, int) for number in (width, many, sliced))
        if not (whole and 0 < width <= WIDEST and 0 <= sliced <= many and _size(width, many, sliced) <= len(data) - at):
            raise ValueError(name)
        passages = array("q", bytes(taken(8 * many)))
        cuts = [int.from_bytes(taken(_bytes(sliced)), "big") for _ in range(8 * width)] if sliced else []
        scans[name] = CodeScan(width, passages, cuts, sliced, bytearray(taken(width * (many - sliced))))
    return scans
