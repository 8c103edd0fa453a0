"""Dates as authors write them."""

from __future__ import annotations

import re
from datetime import date

from autology.text.language.calendar_spans import MONTH, MONTHS

_MONTH = rf"(?:{MONTH})\.?"
DATE = (
    r"(?:(?<![\w/.-])\d{4}(?:-\d{1,2}-\d{1,2}|/\d{1,2}/\d{1,2}|\.\d{1,2}\.\d{1,2})(?=T\d|(?![\w/]))"
    rf"|(?<!\w)\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?[ ]{_MONTH},?[ ]\d{{4}}(?!\w)"
    rf"|(?<!\w){_MONTH}[ ]\d{{1,2}}(?:st|nd|rd|th)?,?[ ]\d{{4}}(?!\w))"
)
"""A date in an unambiguous form; 03/04/2019 is not one."""

_DATE = re.compile(DATE, re.IGNORECASE)
_LETTERS = re.compile(r"[a-z]{3}")
_NUMBERS = re.compile(r"\d+")


def find_date(text: str) -> str | None:
    """Return the first date in *text*, as ``2019-01-21``; None if there is none."""
    for match in _DATE.finditer(text):
        day = _day(match[0].lower())
        if day:
            return day
    return None


def _day(words: str) -> str | None:
    numbers = [int(number) for number in _NUMBERS.findall(words)]
    month = next((name for name in _LETTERS.findall(words) if name in MONTHS), None)
    if month:
        year, parts = numbers[1], (MONTHS.index(month) + 1, numbers[0])
    else:
        year, parts = numbers[0], (numbers[1], numbers[2])
    try:
        return date(year, *parts).isoformat()
    except ValueError:
        return None
