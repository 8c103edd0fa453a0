"""What was said in a time that a question asks about, or soon after it, ranks higher; nothing is left out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from autology.ranking.time_nearness import is_near, raised
from autology.text.language.calendar_spans import Span

MAY = Span(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC))


def _raised(*stamps: str, span: Span = MAY) -> list[float]:
    return raised([1.0, *(0.8 for _ in stamps)], ["2020-01-01T00:00:00Z", *stamps], [span])


def test_what_was_said_then_comes_before_what_is_a_little_more_relevant() -> None:
    [other, then] = _raised("2023-05-08T13:56:00Z")
    assert then > other > 0.0


def test_the_best_relevance_stays_as_high_as_it_was() -> None:
    assert max(_raised("2023-05-08T13:56:00Z")) == pytest.approx(1.0)
    assert raised([], [], [MAY]) == []
    assert raised([0.0], ["2023-05-08T13:56:00Z"], [MAY]) == [0.0]


def test_the_week_after_counts_less_and_later_talk_as_any_other() -> None:
    [_, then, soon, later, unknown] = _raised(
        "2023-05-08T00:00:00Z", "2023-06-04T00:00:00Z", "2023-07-01T00:00:00Z", ""
    )
    assert then > soon > later == unknown


def test_of_what_happened_before_a_day_talk_near_that_day_is_raised() -> None:
    before = Span(None, datetime(2023, 5, 10, tzinfo=UTC))
    [_, near, long_before] = _raised("2023-05-09T00:00:00Z", "2023-01-09T00:00:00Z", span=before)
    assert near > long_before


def test_of_what_happened_since_a_day_all_later_talk_is_raised_alike() -> None:
    since = Span(datetime(2023, 5, 10, tzinfo=UTC), None)
    [_, soon, late, before] = _raised(
        "2023-05-11T00:00:00Z", "2026-01-09T00:00:00Z", "2023-01-09T00:00:00Z", span=since
    )
    assert soon == late > before


def test_talk_is_near_a_time_if_a_stamp_is() -> None:
    assert is_near(["", "2023-06-02T00:00:00Z"], [MAY])
    assert not is_near(["", "2024-06-02T00:00:00Z"], [MAY])
    assert not is_near(["2023-06-02T00:00:00Z"], [])
