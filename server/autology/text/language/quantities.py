"""Numbers, dates and quantities in a normal form, so that equal ones are equal texts."""

from __future__ import annotations

import re
from decimal import Decimal

from autology.text.language.calendar_spans import MONTHS

_MONTH = rf"(?P<month>{'|'.join(MONTHS)})[a-z]*"
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATES = (
    re.compile(rf"\b(?P<day>\d{{1,2}}){_ORDINAL}\s{_MONTH}\.?,?\s(?P<year>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}\.?\s(?P<day>\d{{1,2}}){_ORDINAL},?\s(?P<year>\d{{4}})\b", re.IGNORECASE),
)
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90"}
_ROUND = {"hundred": "100", "thousand": "1000"}
_TIMES = {"k": 1000, "m": 1_000_000, "hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_UNITS = {
    "time": {"ns": "0.000001", "µs": "0.001", "ms": "1", "s": "1000", "min": "60000", "h": "3600000"}
    | {"day": "86400000", "week": "604800000", "month": "2592000000", "year": "31536000000"},
    "size": {"bytes": "1", "kb": "1024", "mb": "1048576", "gb": "1073741824", "tb": "1099511627776"},
    "share": {"%": "1"},
}
_SPELLED = {
    "ns": "nanoseconds nanosecond",
    "µs": "microseconds microsecond μs us",
    "ms": "milliseconds millisecond msec",
    "s": "seconds second secs sec",
    "min": "minutes minute mins",
    "h": "hours hour hrs hr",
    "day": "days d",
    "week": "weeks",
    "month": "months",
    "year": "years",
    "bytes": "byte",
    "kb": "kib kilobytes kilobyte",
    "mb": "mib megabytes megabyte",
    "gb": "gib gigabytes gigabyte",
    "tb": "tib terabytes terabyte",
    "%": "percent pct",
}
_UNIT_OF = {name: unit for unit, names in _SPELLED.items() for name in (unit, *names.split())}
_UNIT = "|".join(sorted(map(re.escape, _UNIT_OF), key=len, reverse=True))
_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBERS.keys() - {'one'})})\b(?!-)", re.IGNORECASE)
_ROUND_WORD = re.compile(rf"(?<!\d\s)\b(?:{'|'.join(_ROUND)})\b(?!-)", re.IGNORECASE)
_SO_MANY_TIMES = re.compile(r"(?<=\d)x\b(?!\d)")
_RANGE = re.compile(rf"\b(\d[\d.,]*)(\s(?:to|and|or)\s|-)(?=\d[\d.,]*\s?({_UNIT})\b)", re.IGNORECASE)
_RATE = re.compile(rf"\b(?:per|each|every|an?|one)\s(?P<unit>{_UNIT})\b", re.IGNORECASE)
_AMOUNT = re.compile(
    r"[<>~]?(?P<digits>\d[\d,]*(?:\.\d+)?)"
    r"(?P<times>(?-i:[kKM])(?![a-zA-Z])|\s(?:hundred|thousand|million|billion)\b)?"
    rf"(?:[\s-]?(?P<unit>{_UNIT}))?(?![\w]|[./:-]\w)",
    re.IGNORECASE,
)
PATTERN = r"(?<![\w.])" + re.sub(r"\?P<\w+>", "", _AMOUNT.pattern)
"""The pattern of `amount`, as part of another pattern that ignores case."""


def written(text: str) -> str:
    """Return *text* with number words in digits, dates as 2025-03-05, and a unit for every number of a range."""
    text = _WORD.sub(lambda match: _NUMBERS[match[0].lower()], text)
    text = _ROUND_WORD.sub(lambda match: _ROUND[match[0].lower()], text)
    text = _SO_MANY_TIMES.sub(" times", text)
    text = _RANGE.sub(r"\1 \3\2", text)
    text = _RATE.sub(r"1 \g<unit>", text)
    for pattern in _DATES:
        text = pattern.sub(_date, text)
    return text


def amount(text: str) -> str:
    """Return a number, with or without a unit, in its normal form: the same for `1.5 minutes` and `90s`."""
    match = _AMOUNT.match(text)
    assert match is not None
    digits, unit = match["digits"].replace(",", "").rstrip(","), match["unit"]
    times = _TIMES.get((match["times"] or "").strip().lower(), 1)
    if unit is None:
        return digits if times == 1 else f"{(Decimal(digits) * times).normalize():f}"
    name = _UNIT_OF[unit.lower()]
    kind, factor = next((kind, units[name]) for kind, units in _UNITS.items() if name in units)
    return f"{(Decimal(digits) * times * Decimal(factor)).normalize():f} {kind}"


def spelled() -> frozenset[str]:
    """Return the words in which numbers and units are written."""
    return frozenset((*_NUMBERS, *_TIMES, *_UNIT_OF))


def _date(match: re.Match[str]) -> str:
    return f"{match['year']}-{MONTHS.index(match['month'].lower()) + 1:02d}-{int(match['day']):02d}"
