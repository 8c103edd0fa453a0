"""The time that a prompt asks about, parsed like the tools' time arguments."""

from __future__ import annotations

from collections import namedtuple

When = namedtuple("When", ("since", "until", "words", "note", "rest"))
"""Start and end as UTC stamps ("" if open), the words that named the time, a note to show, and the remaining own words
of the prompt."""

_NAMES = frozenset(
    "today tonight yesterday morning afternoon evening night ago back hour hours hrs day days week weeks weekend month"
    " months quarter year years monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur"
    " thurs fri sat sun january february march april may june july august september october november december jan feb"
    " mar apr jun jul aug sep sept oct nov dec".split()
)
_CENTURIES = ("19", "20")


def when(own: str) -> When | None:
    """Return the time that a person's *own* words ask about; None if they name none."""
    if not _may_name_one(own):
        return None  # the usual case: parsing takes longer than everything else before the search
    from datetime import UTC, datetime

    from autology.text.language.calendar_spans import Clock
    from autology.text.language.time_expressions import time_filter

    time, note = time_filter(own, Clock(datetime.now(UTC)))
    if time is None or not time.span:
        return None
    since, until = time.span.stamps
    return When(since or "", until or "", " ".join(time.words), note, time.rest)


def _may_name_one(own: str) -> bool:
    lower = own.lower()
    for mark in "'’,?!.:;()":
        lower = lower.replace(mark, " ")
    words = lower.split()
    return not _NAMES.isdisjoint(words) or any(word.startswith(_CENTURIES) and word[:4].isdigit() for word in words)
