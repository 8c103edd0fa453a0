"""A time restricts the sessions searched only where it says when something was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from autology.text.language.calendar_spans import Clock
from autology.text.language.time_expressions import event_times, time_filter

CLOCK = Clock(datetime(2026, 3, 18, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    "question",
    [
        "yesterday's deploy broke the login, how did we fix that",
        "the backup of this morning is empty, have we seen that",
        "the import from last week is stuck, what did we do about it",
        "queue full since yesterday",
        "what did we do when the cache died last night",
        "orders of February were booked in March",
        "Where did Ada move from two years ago?",
        "the mailer failed on Monday",
        "the release of 2026-03-04 shows a blank page, what was it last time",
    ],
)
def test_a_time_of_the_event_is_no_filter_and_the_note_says_so(question: str) -> None:
    time, note = time_filter(question, CLOCK)
    assert time is None
    assert "was not used as a filter" in note


@pytest.mark.parametrize(
    "question",
    [
        "what did we decide last week",
        "what did we say about retries in the last 7 days",
        "in February we discussed caching",
        "yesterday's discussion of the queue",
        "caching last week",
        "decisions of last month",
        "what did we agree on for the queue, in February?",
        "did you suggest a library yesterday",
    ],
)
def test_a_time_of_what_was_said_is_a_filter(question: str) -> None:
    assert time_filter(question, CLOCK)[0] is not None


def test_of_two_times_only_the_one_of_what_was_said_is_a_filter() -> None:
    time, note = time_filter("what did we decide last week about yesterday's outage", CLOCK)
    assert time is not None
    assert time.words == ("last week",)
    assert "last week" in note


@pytest.mark.parametrize(
    "question",
    ["What did Ada present on 4 March 2026?", "Where did Ada move from two years ago?", "Which hosts failed on Monday"],
)
def test_a_question_may_ask_what_happened_at_a_time(question: str) -> None:
    assert len(event_times(question, CLOCK)) == 1


@pytest.mark.parametrize(
    "question",
    [
        "the mailer failed on Monday, how did we fix that before",
        "since the release of 4 March the page is blank, what was the cause last time",
        "GET /entries got slow this week, why did we choose keyset",
        "what did Ada present",
    ],
)
def test_a_time_that_only_says_what_led_to_the_question_is_not_asked_about(question: str) -> None:
    assert event_times(question, CLOCK) == ()
