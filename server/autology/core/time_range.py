"""A time range from two dates or expressions."""

from __future__ import annotations

import re

from autology.model.errors import ValidationError
from autology.text.language.calendar_spans import Clock, Span
from autology.text.language.time_expressions import time_expression
from autology.text.language.timestamps import moment, parse_stamp


def bounds(since: str | None, until: str | None, clock: Clock) -> Span:
    """Return the range from *since* to the end of *until*: dates, timestamps, or words such as ``yesterday``.

    Raises:
        ValidationError: one of them is not a time, or the range ends before it begins.
    """
    first, last = _read("since", since, clock), _read("until", until, clock)
    span = Span(first.since, last.until or last.since)
    if span.since and span.until and span.until < span.since:
        raise ValidationError("until", "ends before since begins", "Pass the earlier time as since.")
    return span


def _read(field: str, text: str | None, clock: Clock) -> Span:
    """Return the range that *text* names: a day, the range of an expression, or the single moment of a timestamp."""
    if text is None:
        return Span()
    stripped = text.strip()
    if _STAMP.match(stripped):
        try:
            exact = moment(parse_stamp(stripped))
            return Span(exact, exact)
        except ValueError:
            pass
    tried = (time_expression(f"{word}{stripped}", clock) for word in ("", "on ", "in ", "last "))
    expression = next((time for time in tried if time is not None and not time.rest), None)
    if expression is None:
        fits = "Give a date as 2026-03-04, a moment as 2026-03-04T10:00:00Z, or words as 'last week'."
        raise ValidationError(field, f"'{text[:40]}' is not a time", fits)
    span: Span = expression.span
    return span


_STAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d")
