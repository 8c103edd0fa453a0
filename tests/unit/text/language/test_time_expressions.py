"""Times that a question names, at every boundary of the user's clock."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from autology.text.language.calendar_spans import Clock, Span, hull, intersection
from autology.text.language.time_expressions import time_expression

BERLIN = ZoneInfo("Europe/Berlin")
WEDNESDAY = Clock(datetime(2026, 3, 18, 10, 30, tzinfo=UTC), BERLIN)


def span_of(query: str, clock: Clock = WEDNESDAY) -> tuple[str | None, str | None] | None:
    """Return when the time in *query* begins and ends, as the user's clock shows it."""
    hits = time_expression(query, clock)
    if hits is None:
        return None
    ends = (hits.span.since, hits.span.until)
    since, until = (end and clock.local(end).strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00") for end in ends)
    return since, until


@pytest.mark.parametrize(
    ("query", "since", "until"),
    [
        ("what did we do today", "2026-03-18", "2026-03-19"),
        ("yesterday's talk about caching", "2026-03-17", "2026-03-18"),
        ("yesterday morning we chose a queue", "2026-03-17", "2026-03-17 12:00"),
        ("the day before yesterday", "2026-03-16", "2026-03-17"),
        ("this morning", "2026-03-18", "2026-03-18 12:00"),
        ("what broke last night", "2026-03-17 17:00", "2026-03-18 06:00"),
        ("last week we decided on sqlite", "2026-03-09", "2026-03-16"),
        ("earlier this week", "2026-03-16", "2026-03-23"),
        ("in the last week", "2026-03-11 11:30", None),
        ("over the past three weeks", "2026-02-25 11:30", None),
        ("within the last 24 hours", "2026-03-17 11:30", None),
        ("last month", "2026-02-01", "2026-03-01"),
        ("the past month", "2026-02-18 11:30", None),
        ("this quarter", "2026-01-01", "2026-04-01"),
        ("last quarter", "2025-10-01", "2026-01-01"),
        ("last year's plan", "2025-01-01", "2026-01-01"),
        ("last weekend", "2026-03-14", "2026-03-16"),
        ("in March", "2026-03-01", "2026-04-01"),
        ("in may we", "2025-05-01", "2025-06-01"),
        ("last March", "2025-03-01", "2025-04-01"),
        ("March 2024", "2024-03-01", "2024-04-01"),
        ("in february and march", "2026-02-01", "2026-04-01"),
        ("in 2025 we", "2025-01-01", "2026-01-01"),
        ("on 2026-03-04", "2026-03-04", "2026-03-05"),
        ("in 2025-12", "2025-12-01", "2026-01-01"),
        ("on March 4th", "2026-03-04", "2026-03-05"),
        ("on 4 March 2025", "2025-03-04", "2025-03-05"),
        ("on March 19", "2025-03-19", "2025-03-20"),
        ("Feb 29", "2024-02-29", "2024-03-01"),
        ("two days ago", "2026-03-16", "2026-03-17"),
        ("half a year ago", "2025-08-01", "2025-11-01"),
        ("a couple of days ago", "2026-03-15", "2026-03-17"),
        ("a few days ago", "2026-03-11", "2026-03-17"),
        ("a week ago", "2026-03-08", "2026-03-15"),
        ("3 months ago", "2025-12-01", "2026-01-01"),
        ("two years ago", "2024-01-01", "2025-01-01"),
        ("an hour ago", "2026-03-18 09:30", "2026-03-18 11:30"),
        ("on Monday, what did we say", "2026-03-16", "2026-03-17"),
        ("last wednesday", "2026-03-11", "2026-03-12"),
        ("since yesterday", "2026-03-17", None),
        ("since last week", "2026-03-09", None),
        ("after yesterday", "2026-03-18", None),
        ("before 2026-01-01", None, "2026-01-01"),
        ("until February", None, "2026-03-01"),
        ("between 2026-03-01 and 2026-03-10", "2026-03-01", "2026-03-11"),
        ("from January to March", "2026-01-01", "2026-04-01"),
        ("from March to April", "2026-03-01", None),
        ("last week or yesterday", "2026-03-09", "2026-03-18"),
    ],
)
def test_a_time_that_is_said_is_the_stretch_that_is_meant(query: str, since: str | None, until: str | None) -> None:
    assert span_of(query) == (since, until)


@pytest.mark.parametrize(
    "query",
    [
        "the last time we fixed the queue",
        "run it in march mode",
        "the last one that failed",
        "before the loop",
        "after the change",
        "we may last longer",
        "the 3 may fail",
        "how does the today button work",
        "the `yesterday` variable",
        'the "last week" label',
        "docs/2026-03-04-notes.md",
        "backup-2026-03-04",
        "the protocol 2025-11-25",
        "the 2025-11-25 protocol",
        "in 2025 bytes",
        "on sat solvers",
        "in dec format",
        "in one day",
        "next week",
        "the last day of the sprint",
        "the second try",
        "version 20.04.1",
        "2026-13-45",
        "the other day",
        "",
    ],
)
def test_texts_that_only_resemble_a_time_are_not_times(query: str) -> None:
    assert span_of(query) is None


def test_the_question_without_its_times_is_what_is_looked_for() -> None:
    result = time_expression("last week we decided on  sqlite, and yesterday's index", WEDNESDAY)
    assert result is not None
    assert result.words == ("last week", "yesterday's")
    assert result.rest == "we decided on sqlite, and index"


def test_days_end_at_midnight_of_the_user_not_of_utc() -> None:
    late = datetime(2026, 3, 18, 23, 30, tzinfo=UTC)  # half past midnight in Berlin, afternoon in Los Angeles
    assert span_of("yesterday", Clock(late, BERLIN)) == ("2026-03-18", "2026-03-19")
    assert span_of("yesterday", Clock(late, ZoneInfo("America/Los_Angeles"))) == ("2026-03-17", "2026-03-18")
    result = time_expression("today", Clock(late, ZoneInfo("Asia/Kolkata")))
    assert result is not None
    assert result.span.stamps == ("2026-03-18T18:30:00Z", "2026-03-19T18:30:00Z")


def test_midnight_itself_belongs_to_the_day_that_it_begins() -> None:
    midnight = datetime(2026, 3, 17, 23, tzinfo=UTC)
    assert span_of("today", Clock(midnight, BERLIN)) == ("2026-03-18", "2026-03-19")
    before = datetime(2026, 3, 17, 22, 59, 59, tzinfo=UTC)
    assert span_of("today", Clock(before, BERLIN)) == ("2026-03-17", "2026-03-18")


@pytest.mark.parametrize(
    ("day", "zone", "stamps"),
    [
        ("2026-03-29", "Europe/Berlin", ("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z")),  # 23 hours
        ("2026-10-25", "Europe/Berlin", ("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")),  # 25 hours
        ("2026-03-08", "America/New_York", ("2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z")),
        ("2018-11-04", "America/Sao_Paulo", ("2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z")),  # no midnight
        ("2024-11-03", "America/Havana", ("2024-11-03T04:00:00Z", "2024-11-04T05:00:00Z")),  # midnight twice
    ],
)
def test_a_day_of_23_or_25_hours_is_whole(day: str, zone: str, stamps: tuple[str, str]) -> None:
    result = time_expression(f"on {day}", Clock(datetime(2026, 11, 20, tzinfo=UTC), ZoneInfo(zone)))
    assert result is not None
    assert result.span.stamps == stamps


def test_a_month_that_is_shorter_ends_with_its_last_day() -> None:
    for year, month in ((2026, "2026-02-28"), (2024, "2024-02-29")):
        result = time_expression("in the last month", Clock(datetime(year, 3, 31, 12, tzinfo=BERLIN), BERLIN))
        assert result is not None
        assert result.span.stamps[0] == f"{month}T11:00:00Z"


def test_months_and_weeks_reach_over_the_turn_of_the_year() -> None:
    january = Clock(datetime(2026, 1, 1, 12, tzinfo=UTC), BERLIN)
    assert span_of("last month", january) == ("2025-12-01", "2026-01-01")
    assert span_of("this week", january) == ("2025-12-29", "2026-01-05")
    assert span_of("in december", january) == ("2025-12-01", "2026-01-01")


def test_spans_meet_and_reach_over_each_other() -> None:
    first = Span(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC))
    later = Span(datetime(2026, 3, 4, tzinfo=UTC))
    assert intersection(first, later) == Span(later.since, first.until)
    assert hull([first, later]) == Span(first.since, None)
    assert not Span()


def test_a_long_question_costs_no_more_than_its_length() -> None:
    assert span_of("in the last " * 2_000) is None
    assert span_of("between " * 2_000 + "a" * 20_000) is None
