"""Slices find what comparing code by code finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autology.ranking import bit_planes

CODES = st.lists(st.binary(min_size=4, max_size=4), max_size=60)


def differ(one: bytes, two: bytes) -> int:
    return (int.from_bytes(one, "big") ^ int.from_bytes(two, "big")).bit_count()


@given(CODES, st.binary(min_size=4, max_size=4), st.integers(1, 70), st.data())
def test_the_nearest_are_those_that_differ_least(codes: list[bytes], asked: bytes, k: int, data: st.DataObject) -> None:
    which = data.draw(st.none() | st.lists(st.booleans(), min_size=len(codes), max_size=len(codes)))
    meant = [at for at in range(len(codes)) if which is None or which[at]]
    distances = sorted(differ(asked, codes[at]) for at in meant)
    furthest = distances[min(k, len(distances)) - 1] if distances else 0
    expected = [at for at in meant if differ(asked, codes[at]) <= furthest]
    made = bit_planes.sliced(b"".join(codes), 4) if codes else []
    assert (
        bit_planes.nearest(asked, made, len(codes), k, None if which is None else bit_planes.marked(which)) == expected
    )


def test_the_opposite_of_every_code_is_as_far_as_can_be() -> None:
    made = bit_planes.sliced(bytes(32) * 3, 32)
    assert bit_planes.nearest(b"\xff" * 32, made, 3, 1) == [0, 1, 2]
