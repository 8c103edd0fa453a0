"""The score that so many reach is told from a part of them, and is the same as if all had been sorted."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from autology.ranking import bm25

SCORES = st.lists(st.integers(0, 40).map(float), max_size=400)


@given(st.lists(SCORES, max_size=4), st.integers(1, 60))
def test_the_score_that_so_many_reach_is_that_of_the_last_of_them(parts: list[list[float]], many: int) -> None:
    every = sorted((score for part in parts for score in part), reverse=True)
    result = bm25.first([dict(enumerate(part)) for part in parts], many)
    assert result == (every[many - 1] if len(every) > many else -math.inf)


@given(st.integers(1, 500), st.integers(1, 40))
def test_the_threshold_is_right_when_the_best_scores_are_not_sampled(count: int, many: int) -> None:
    scores = {at: 9.0 if at % bm25.SAMPLED else 1.0 for at in range(count)}
    every = sorted(scores.values(), reverse=True)
    assert bm25.first([scores], many) == (every[many - 1] if count > many else -math.inf)
