"""Quantised vectors (rows of signed bytes), their sign-bit codes, and the two-step search over both: pure functions.

A Hamming scan over all codes, done on whole integers, selects several hundred candidates; only their rows are then
multiplied exactly.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from functools import cache
from operator import mul

SCALE = 400
"""A row is the unit vector times this: a coordinate of 256 rarely exceeds 0.3, and 127 / 400 is 0.32."""
SURVIVORS = 1000
"""Candidates multiplied exactly after a scan: what bench/distil/speed.py needs for recall@10 over 0.98."""

_FRACTION = 40
"""Bits after the point of a coordinate in fixed point: five bytes."""
_SIGNED = bytes(value ^ 0x80 for value in range(256))
_SIGNS = b"1" * 128 + b"0" * 128  # a byte over 127 is a negative number
_WIDTH = 3
"""Bytes of a product, or one more."""
_FEW = 5
"""Rows up to which it is faster to multiply each by itself."""
_NARROW = 512
"""Row width from which a product may overflow 23 bits and a sign: 512 times 128 times 128."""


def row(vector: Sequence[float]) -> bytes:
    """Quantise *vector* at length SCALE to one signed byte per dimension; a zero vector stays zero."""
    length = math.hypot(*vector)
    if not length:
        return bytes(len(vector))
    scale = SCALE / length
    try:
        return bytes([int(value * scale + 128.5) for value in vector]).translate(_SIGNED)
    except ValueError:  # a coordinate outside the range of a byte
        return bytes([max(1, min(255, int(value * scale + 128.5))) for value in vector]).translate(_SIGNED)


def row_of_bytes(values: bytes, meaning: Sequence[int]) -> bytes:
    """Return :func:`row` of the vector whose coordinates are the *meaning* of each of *values*, in half of the time."""
    length = math.hypot(*map(meaning.__getitem__, values))
    if not length:
        return bytes(len(values))
    scale = SCALE / length
    different = set(values)  # a third of them
    quantised = [int(meaning[value] * scale + 128.5) for value in different]
    if min(quantised) < 0 or max(quantised) > 255:
        quantised = [max(1, min(255, value)) for value in quantised]
    table = bytearray(256)
    for value, in_row in zip(different, quantised, strict=True):
        table[value] = in_row
    return values.translate(table).translate(_SIGNED)


def row_of_lanes(lanes: int, shift: int, dims: int) -> bytes:
    """Return :func:`row` of the vector whose coordinates are the *lanes* of 16 bits less *shift*, in half of the time.

    All lanes are multiplied at once, in fixed point. Where a coordinate is too close to the middle between two numbers
    for that, or out of range, which is one vector in sixty, they are calculated one by one.
    """
    data = lanes.to_bytes(2 * dims, "little")
    values = memoryview(data).cast("H").tolist()
    length = math.dist(values, (shift,) * dims)
    if not length:
        return bytes(dims)
    factor = int(SCALE / length * (1 << _FRACTION))
    wide = bytearray(8 * dims)
    wide[::8], wide[1::8] = data[::2], data[1::2]
    offset = (1 << 56) + (257 << _FRACTION - 1) - shift * factor  # the highest byte keeps every lane positive
    scaled = (int.from_bytes(wide, "little") * factor + _ones(dims) * offset).to_bytes(8 * dims, "little")
    fractions = bytearray(2 * dims)
    fractions[::2], fractions[1::2] = scaled[3::8], scaled[4::8]
    if scaled[6::8] != bytes(dims) or b"\0\0" in fractions or b"\xff\xff" in fractions:
        return row([value - shift for value in values])
    return scaled[5::8].translate(_SIGNED)


@cache
def _ones(dims: int) -> int:
    """Return 1 in each of *dims* lanes of eight bytes."""
    return int.from_bytes((b"\1" + bytes(7)) * dims, "little")


def sign_code(row: bytes) -> bytes:
    """Return the sign-bit code of *row*, one bit per dimension."""
    return int(row.translate(_SIGNS), 2).to_bytes(len(row) // 8, "big")


def unpacked(codes: bytes | bytearray, dims: int) -> list[int]:
    """Return the concatenated *codes* of many rows as the integers that `scan` compares."""
    width = dims // 8
    return [int.from_bytes(codes[at : at + width], "big") for at in range(0, len(codes), width)]


def scan(query_row: bytes, codes: Sequence[int], k: int = SURVIVORS) -> list[int]:
    """Return the positions of about *k* codes with the least Hamming distance, in the order of *codes*.

    Ties with the last one are included, so slightly more than *k* may come back; fewer only if fewer exist.
    """
    distances = _distances(int.from_bytes(sign_code(query_row), "big"), codes)
    if len(distances) <= k:
        return list(range(len(distances)))
    near = re.compile(b"[%s]" % re.escape(bytes(range(_limit(distances, k) + 1))), re.DOTALL)
    return [match.start() for match in near.finditer(distances)]


def rescore(query_row: bytes, rows: Sequence[bytes]) -> list[int]:
    """Return the dot product of the query's row with each of *rows*; divided by SCALE squared it is the cosine."""
    return products([query_row], rows)[0]


def products(queries: Sequence[bytes], rows: Sequence[bytes]) -> list[list[int]]:
    """Return, per query, its dot product with each of *rows*; a further query costs next to nothing.

    Many rows are multiplied at once: byte i of every row goes into one long integer with a lane of 24 bits per row
    (32 from 512 bytes on), which one multiplication scales by byte i of the query.
    """
    if not rows:
        return [[] for _ in queries]
    dims, count = len(queries[0]), len(rows)
    if count <= _FEW:
        return [_one_by_one(memoryview(query).cast("b").tolist(), rows) for query in queries]
    width = _WIDTH if dims < _NARROW else _WIDTH + 1
    shifted = b"".join(rows).translate(_SIGNED)  # by 128, so that no lane borrows from the next
    ones = int.from_bytes((b"\1" + bytes(width - 1)) * count, "little")
    columns = _columns(shifted, dims, ones, width, count)
    half = 1 << 8 * width - 1
    per_query = []
    for view in (memoryview(query).cast("b") for query in queries):
        total = sum(map(mul, view, columns), ones * (half - 128 * sum(view)))
        per_query.append([lane - half for lane in _lanes(total, width, count)])
    return per_query


def _one_by_one(query: Sequence[int], rows: Sequence[bytes]) -> list[int]:
    shift = 128 * sum(query)
    return [sum(map(mul, query, row.translate(_SIGNED)), -shift) for row in rows]


def _columns(shifted: bytes, dims: int, ones: int, width: int, count: int) -> list[int]:
    """Return byte i of *count* rows in lanes of *width* bytes, for each i; zeros may follow.

    As many columns as fit are read as one integer and then taken apart: that takes four fifths of the time.
    """
    size = width * count
    packed = bytearray(size * -(-dims // width))
    for first in range(width):
        every = b"".join([shifted[at::dims] for at in range(first, dims, width)])
        packed[first : width * len(every) : width] = every
    mask = 255 * ones
    columns: list[int] = []
    for at in range(0, len(packed), size):
        several = int.from_bytes(packed[at : at + size], "little")
        columns += (several & mask, several >> 8 & mask, several >> 16 & mask)
        if width > _WIDTH:
            columns.append(several >> 24 & mask)
    return columns


def _lanes(total: int, width: int, count: int) -> tuple[int, ...]:
    """Unpack *count* lanes of *width* bytes each."""
    packed, padded = total.to_bytes(width * count, "little"), bytearray(4 * count)
    for at in range(width):
        padded[at::4] = packed[at::width]
    return struct.unpack(f"<{count}I", padded)


def _distances(query: int, codes: Sequence[int]) -> bytes:
    """Return the Hamming distance of each code to the query's, one byte each."""
    try:
        return bytes(map(int.bit_count, map(query.__xor__, codes)))
    except ValueError:  # a distance of 256, the exact opposite, is capped at 255
        return bytes([min(255, (query ^ code).bit_count()) for code in codes])


def _limit(distances: bytes, k: int) -> int:
    """Return the distance within which the *k* nearest lie."""
    within = 0
    for distance in range(256):
        within += distances.count(distance)
        if within >= k:
            break
    return distance
