"""Codes kept in a file beside the index, as they were read last: a hundredth of the time that reading rows takes.

The file is only ever a copy: one that is missing, of another index, or not as it was written is not used.
"""

from __future__ import annotations

import json
import os
import zlib
from array import array
from collections.abc import Mapping

from autology.index.scanned import Scanned

WORTH = 4_000
"""Codes that were read for which the file is written anew, in 10 ms: reading them took 10 at least."""
MAGIC = b"autology-codes 1\n"
CHECK = 4
WIDEST = 4_096
"""Bytes of a code; those of a model of 1,024 numbers have 128."""


def read(path: str, generation: str) -> tuple[int, dict[str, Scanned]]:
    """Return the last row that was read, and the codes of each kind; 0 and none where the file is of no use."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if data[: len(MAGIC)] != MAGIC or zlib.crc32(data[:-CHECK]).to_bytes(CHECK, "little") != data[-CHECK:]:
            return 0, {}
        start = data.index(b"\n", len(MAGIC)) + 1
        told = json.loads(data[len(MAGIC) : start])
        if told["generation"] != generation:
            return 0, {}
        last = told["last"]
        if not (isinstance(last, int) and 0 <= last < 1 << 63):
            return 0, {}
        return last, _unpacked(told["kinds"], memoryview(data)[start:-CHECK])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return 0, {}


def write(path: str, generation: str, last: int, kinds: Mapping[str, Scanned]) -> None:
    """Keep the codes of each *kind*, read up to row *last*; where that cannot be done, they are not kept."""
    told = {name: [each.width, len(each.passages), each.sliced] for name, each in kinds.items()}
    head = json.dumps({"generation": generation, "last": last, "kinds": told}).encode()
    parts = [MAGIC, head, b"\n"]
    for each in kinds.values():
        parts += [each.passages.tobytes(), *(cut.to_bytes(_bytes(each.sliced), "big") for cut in each.slices)]
        parts.append(bytes(each.latest))
    data = b"".join(parts)
    staged = f"{path}.new"
    try:
        # Two that write at once spoil it for each other, which the checksum tells.
        with open(staged, "wb") as file:
            file.write(data + zlib.crc32(data).to_bytes(CHECK, "little"))
        os.replace(staged, path)
    except OSError:
        return


def _size(width: int, many: int, sliced: int) -> int:
    return 8 * many + (8 * width * _bytes(sliced) if sliced else 0) + width * (many - sliced)


def _bytes(codes: int) -> int:
    return (codes + 7) // 8


def _unpacked(told: Mapping[str, tuple[int, int, int]], data: memoryview) -> dict[str, Scanned]:
    found: dict[str, Scanned] = {}
    at = 0

    def taken(size: int) -> memoryview:
        nonlocal at
        at += size
        return data[at - size : at]

    for name, (width, many, sliced) in told.items():
        # A forged file may claim any size: what it claims must be there before anything is made of it.
        whole = all(isinstance(each, int) for each in (width, many, sliced))
        if not (whole and 0 < width <= WIDEST and 0 <= sliced <= many and _size(width, many, sliced) <= len(data) - at):
            raise ValueError(name)
        passages = array("q", bytes(taken(8 * many)))
        cuts = [int.from_bytes(taken(_bytes(sliced)), "big") for _ in range(8 * width)] if sliced else []
        found[name] = Scanned(width, passages, cuts, sliced, bytearray(taken(width * (many - sliced))))
    return found
