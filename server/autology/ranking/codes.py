"""Vectors as rows of signed bytes, their signs as codes, and the search over both: pure functions.

A search has two steps. Every code is compared with the query's (bits that differ, counted on whole
integers), and only the nearest several hundred rows are then multiplied out exactly.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from operator import mul

SCALE = 400
"""A row is the unit vector times this: one coordinate of 256 is rarely over 0.3, and 127 / 400 is 0.32."""
SURVIVORS = 1000
"""Rows multiplied out after a scan over many: what bench/distil/speed.py needs for recall@10 over 0.98."""

_SIGNED = bytes(value ^ 0x80 for value in range(256))
_SIGNS = b"1" * 128 + b"0" * 128  # a byte over 127 is a negative number
_NARROW = 512
"""Bytes of a row from which a product may need more than 23 bits and a sign: 512 times 128 times 128."""


def row(vector: Sequence[float]) -> bytes:
    """Return *vector* at length SCALE, a signed byte a coordinate; a vector of nothing stays nothing."""
    length = math.hypot(*vector)
    if not length:
        return bytes(len(vector))
    scale = SCALE / length
    try:
        return bytes([int(value * scale + 128.5) for value in vector]).translate(_SIGNED)
    except ValueError:  # a coordinate past what a byte holds
        return bytes([max(1, min(255, int(value * scale + 128.5))) for value in vector]).translate(_SIGNED)


def sign_code(row: bytes) -> bytes:
    """Return the signs of *row*, a bit a coordinate."""
    return int(row.translate(_SIGNS), 2).to_bytes(len(row) // 8, "big")


def unpacked(codes: bytes | bytearray, dims: int) -> list[int]:
    """Return the codes of many rows, joined in *codes*, as the integers that `scan` compares."""
    width = dims // 8
    return [int.from_bytes(codes[at : at + width], "big") for at in range(0, len(codes), width)]


def scan(query_row: bytes, codes: Sequence[int], k: int = SURVIVORS) -> list[int]:
    """Return the positions of about *k* codes nearest to the query's, in the order of *codes*.

    All codes at the distance of the last one kept are kept, so a few more than *k* may come back;
    fewer only where there are no more.
    """
    differing = _differing(int.from_bytes(sign_code(query_row), "big"), codes)
    if len(differing) <= k:
        return list(range(len(differing)))
    near = re.compile(b"[%s]" % re.escape(bytes(range(_limit(differing, k) + 1))), re.DOTALL)
    return [found.start() for found in near.finditer(differing)]


def rescore(query_row: bytes, rows: Sequence[bytes]) -> list[int]:
    """Return the exact product of the query's row with each of *rows*; over SCALE squared it is the cosine."""
    return products([query_row], rows)[0]


def products(queries: Sequence[bytes], rows: Sequence[bytes]) -> list[list[int]]:
    """Return, for each of *queries*, its exact product with each of *rows*; a further query costs next to nothing.

    All rows are multiplied at once: the first bytes of all rows make one long integer with a lane of
    24 bits a row, of 32 from 512 bytes on, which one multiplication scales by the query's first byte, and so on.
    """
    if not rows:
        return [[] for _ in queries]
    dims, many = len(queries[0]), len(rows)
    width = 3 if dims < _NARROW else 4
    shifted = b"".join(rows).translate(_SIGNED)  # by 128, so that no lane borrows from the next
    lanes = bytearray(width * many)
    columns = []
    for at in range(dims):
        lanes[::width] = shifted[at::dims]
        columns.append(int.from_bytes(lanes, "little"))
    ones = int.from_bytes((b"\1" + bytes(width - 1)) * many, "little")
    half = 1 << 8 * width - 1
    found = []
    for view in (memoryview(query).cast("b") for query in queries):
        total = sum(map(mul, view, columns), ones * (half - 128 * sum(view)))
        found.append([lane - half for lane in _lanes(total, width, many)])
    return found


def _lanes(total: int, width: int, many: int) -> tuple[int, ...]:
    """Return the numbers in so *many* lanes of so many bytes."""
    packed, padded = total.to_bytes(width * many, "little"), bytearray(4 * many)
    for at in range(width):
        padded[at::4] = packed[at::width]
    return struct.unpack(f"<{many}I", padded)


def _differing(asked: int, codes: Sequence[int]) -> bytes:
    """How many bits of each code differ from the query's, a byte each."""
    try:
        return bytes(map(int.bit_count, map(asked.__xor__, codes)))
    except ValueError:  # all 256 differ: the opposite of the query is as far as 255
        return bytes([min(255, (asked ^ code).bit_count()) for code in codes])


def _limit(differing: bytes, k: int) -> int:
    """The distance within which the *k* nearest lie."""
    within = 0
    for distance in range(256):
        within += differing.count(distance)
        if within >= k:
            break
    return distance
