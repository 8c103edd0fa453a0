"""Dates as authors write them."""

from __future__ import annotations

import re
from datetime import date

from autology.text.language.calendar_spans import MONTH, MONTHS

_MONTH = rf"(?:{MONTH})\.?"
_DAY_FIRST = r"(?:1[3-9]|2\d|3[01])"
DATE = (
    r"(?:(?<![\w/.-])\d{4}(?:-\d{1,2}-\d{1,2}|/\d{1,2}/\d{1,2}|\.\d{1,2}\.\d{1,2})(?=T\d|(?![\w/]))"
    rf"|(?<!\w)\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?[ ]{_MONTH},?[ ]\d{{4}}(?!\w)"
    rf"|(?<!\w){_MONTH}[ ]\d{{1,2}}(?:st|nd|rd|th)?,?[ ]\d{{4}}(?!\w)"
    rf"|(?<!\w)\d{{1,2}}-{_MONTH}-\d{{4}}(?!\w)"
    rf"|(?<![\w/.-])\d{{4}}[ -]{_MONTH}[ -]\d{{1,2}}(?![\w/])"
    rf"|(?<![\w/.-])(?:{_DAY_FIRST}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]{_DAY_FIRST})[-/.]\d{{4}}(?![\w/])"
    r"|(?<![\w/.-])\d{1,2}\.\d{1,2}\.\d{4}(?![\w/])(?!\.\d)"
    r"|\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일])"
)
"""A date in an unambiguous form; 03/04/2019 is not one, 23/04/2019 is, and 03.04.2019, whose day comes first."""

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
        year, day = sorted(numbers[:2], reverse=True)
        parts = (MONTHS.index(month) + 1, day)
    elif numbers[0] > 31:
        year, parts = numbers[0], (numbers[1], numbers[2])
    else:
        year = numbers[2]
        day_first = numbers[0] > 12 or ("." in words and numbers[1] <= 12)
        parts = (numbers[1], numbers[0]) if day_first else (numbers[0], numbers[1])
    try:
        return date(year, *parts).isoformat()
    except ValueError:
        return None
