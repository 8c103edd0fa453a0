"""The codes of passages in memory: whatever is in slices and whatever is not yet, the nearest are found."""

from __future__ import annotations

import random

from autology.index.vectors.sign_codes import LATEST, SURVIVORS, SignCodes
from autology.ranking import quantized_vectors

CHANCE = random.Random(7)
ROWS = [bytes(CHANCE.randrange(1, 256) for _ in range(64)) for _ in range(2 * LATEST + LATEST // 2)]


def scanned(rows: list[bytes], at_once: int) -> SignCodes:
    result = SignCodes(8)
    for number, row in enumerate(rows, 1):
        result.add([10 * number], [quantized_vectors.sign_code(row)])
        if number % at_once == 0:
            result.settle()
    return result


def test_the_nearest_are_found_among_the_old_and_the_new() -> None:
    some = scanned(ROWS, LATEST)
    assert some.converted == 2 * LATEST
    for number in (1, LATEST, 2 * LATEST + 1, len(ROWS)):
        assert 10 * number in some.nearest(ROWS[number - 1], None)


def test_codes_added_in_any_number_of_steps_give_the_same_slices() -> None:
    every, once = scanned(ROWS[: 2 * LATEST], LATEST), scanned(ROWS[: 2 * LATEST], 2 * LATEST)
    assert (every.planes, every.converted) == (once.planes, once.converted)


def test_a_scan_returns_only_eligible_passages() -> None:
    some, among = scanned(ROWS, LATEST), {10, 20, 10 * len(ROWS)}
    assert set(some.nearest(ROWS[0], among)) == among
    assert len(some.nearest(ROWS[0], set(some.passages))) >= SURVIVORS


def test_codes_of_another_width_are_ignored() -> None:
    some = scanned(ROWS[:3], 3)
    some.add([99, 40], [b"12", quantized_vectors.sign_code(ROWS[3])])
    assert list(some.passages) == [10, 20, 30, 40]
    assert some.nearest(bytes(256), None) == []
