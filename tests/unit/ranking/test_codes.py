"""Rows, codes, and the two steps of a search over them."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autology.ranking import quantized_vectors

DIMS = 256


def values(row: bytes) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in row]


def some_rows(count: int, seed: int = 1) -> list[bytes]:
    rng = random.Random(seed)
    return [quantized_vectors.row([rng.gauss(0, 1) for _ in range(DIMS)]) for _ in range(count)]


def test_a_row_points_where_its_vector_points_whatever_the_length() -> None:
    vector = [float(at - 100) for at in range(DIMS)]
    assert quantized_vectors.row(vector) == quantized_vectors.row([value * 1e-3 for value in vector])
    length = math.hypot(*vector)
    for value, byte in zip(vector, values(quantized_vectors.row(vector)), strict=True):
        assert abs(byte - value / length * quantized_vectors.SCALE) <= 0.5 + 1e-9


def test_a_coordinate_past_a_byte_is_cut_not_wrapped() -> None:
    assert values(quantized_vectors.row([1.0] + [0.0] * (DIMS - 1)))[0] == 127
    assert values(quantized_vectors.row([-1.0] + [0.0] * (DIMS - 1)))[0] == -127


def test_a_vector_of_nothing_is_a_row_of_zeros() -> None:
    assert quantized_vectors.row([0] * DIMS) == bytes(DIMS)


@given(st.binary(min_size=1, max_size=DIMS))
def test_a_row_of_bytes_is_the_row_of_the_vector_that_they_stand_for(values: bytes) -> None:
    meaning = [2 * (value - 64) for value in range(256)]
    vector = [meaning[value] for value in values]
    assert quantized_vectors.row_of_bytes(values, meaning) == quantized_vectors.row(vector)


@given(st.lists(st.binary(min_size=DIMS, max_size=DIMS), min_size=1, max_size=5))
def test_rescoring_many_rows_at_once_is_exact(rows: list[bytes]) -> None:
    query = rows[0]
    expected = [sum(a * b for a, b in zip(values(query), values(row), strict=True)) for row in rows]
    assert quantized_vectors.rescore(query, rows) == expected


@pytest.mark.parametrize("dims", [DIMS, 511, 512, 768, 1024])
def test_rescoring_holds_at_the_ends_of_what_bytes_can_be(dims: int) -> None:
    low, high = b"\x80" * dims, b"\x7f" * dims
    result = [[128 * 128 * dims, -128 * 127 * dims], [-128 * 127 * dims, 127 * 127 * dims]]
    assert quantized_vectors.products([low, high], [low, high]) == result
    assert quantized_vectors.rescore(high, []) == []


def test_a_code_is_the_signs_of_a_row() -> None:
    code = quantized_vectors.sign_code(bytes([0, 127, 128, 255, 1, 0, 0, 200]))
    assert code == bytes([0b11001110])


def test_packed_codes_come_back_as_the_integers_a_scan_compares() -> None:
    every = [quantized_vectors.sign_code(row) for row in some_rows(3)]
    assert quantized_vectors.unpacked(b"".join(every), DIMS) == [int.from_bytes(code, "big") for code in every]


def test_a_scan_keeps_the_nearest_codes_in_their_order() -> None:
    rows = some_rows(3000)
    query = rows[77]
    every = [int.from_bytes(quantized_vectors.sign_code(row), "big") for row in rows]
    kept = quantized_vectors.scan(query, every, 50)
    distances = [(code ^ every[77]).bit_count() for code in every]
    worst = max(distances[at] for at in kept)
    assert kept == [at for at, distance in enumerate(distances) if distance <= worst]
    assert 50 <= len(kept) < 200
    assert 77 in kept


def test_a_scan_of_few_keeps_them_all() -> None:
    every = quantized_vectors.unpacked(b"".join(quantized_vectors.sign_code(row) for row in some_rows(5)), DIMS)
    assert quantized_vectors.scan(some_rows(1)[0], every, 50) == [0, 1, 2, 3, 4]
    assert quantized_vectors.scan(some_rows(1)[0], [], 50) == []


def test_the_opposite_of_a_query_is_the_last_to_be_kept() -> None:
    requests = quantized_vectors.row([1.0] * DIMS)
    same, opposite = (1 << DIMS) - 1, 0
    assert quantized_vectors.scan(requests, [opposite, same, opposite], 1) == [1]


@given(st.lists(st.integers(0, 2000), min_size=DIMS, max_size=DIMS), st.integers(0, 2000))
@example([1000] * DIMS, 1000)
@example([1000] * (DIMS - 1) + [2000], 1000)
@example([1000] * (DIMS - 1) + [0], 1000)
@example([0, 2000] * (DIMS // 2), 1000)
@example([999, 1001, 1000, 1000] * (DIMS // 4), 1000)
def test_a_row_of_lanes_is_the_row_of_the_vector_in_them(lanes: list[int], shift: int) -> None:
    total = int.from_bytes(b"".join(lane.to_bytes(2, "little") for lane in lanes), "little")
    expected = quantized_vectors.row([lane - shift for lane in lanes])
    assert quantized_vectors.row_of_lanes(total, shift, DIMS) == expected
