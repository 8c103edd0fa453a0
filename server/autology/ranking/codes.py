"""Vectors as rows of signed bytes, their signs as codes, and the search over both: pure functions.

A search has two steps. Every code is compared with the query's (bits that differ, counted on whole
integers), and only the nearest several hundred rows are then multiplied out exactly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

SCALE = 400
"""A row is the unit vector times this: one coordinate of 256 is rarely over 0.3, and 127 / 400 is 0.32."""
SURVIVORS = 1000
"""Rows multiplied out after a scan over many: what bench/distil/speed.py needs for recall@10 over 0.98."""

_SIGNED = bytes(value ^ 0x80 for value in range(256))
_SIGNS = b"1" * 128 + b"0" * 128  # a byte over 127 is a negative number
_HALF_LANE = 1 << 31


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
    """Return, for each of *queries*, its exact product with each of *rows*; a further query costs a fifth.

    All rows are multiplied at once: the first bytes of all rows make one long integer with a lane of
    32 bits a row, which one multiplication scales by the query's first byte, and so on.
    """
    if not rows:
        return [[] for _ in queries]
    dims = len(queries[0])
    shifted = b"".join(rows).translate(_SIGNED)  # by 128, so that no lane borrows from the next
    lanes = bytearray(4 * len(rows))
    ones = int.from_bytes(b"\1\0\0\0" * len(rows), "little")
    views = [memoryview(query).cast("b") for query in queries]
    totals = [ones * (_HALF_LANE - 128 * sum(view)) for view in views]
    for at in range(dims):
        lanes[::4] = shifted[at::dims]
        column = int.from_bytes(lanes, "little")
        for number, view in enumerate(views):
            totals[number] += view[at] * column
    found = [memoryview(total.to_bytes(4 * len(rows), "little")).cast("I") for total in totals]
    return [[value - _HALF_LANE for value in each] for each in found]


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
