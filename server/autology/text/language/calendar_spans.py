"""Intervals as people mean them: whole days, weeks, months and years in local time."""

from __future__ import annotations

from collections import namedtuple
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from autology.text.language.timestamps import stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
"""A month's name, for patterns that ignore case; its first three letters are in `MONTHS`."""


class Span(namedtuple("Span", ("since", "until"), defaults=(None, None))):
    """From *since* until just before *until*, both aware moments; None leaves that side open."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return self.since is not None or self.until is not None

    @property
    def stamps(self) -> tuple[str | None, str | None]:
        """Both ends as :func:`~autology.text.language.timestamps.stamp` writes them."""
        return (stamp(self.since) if self.since else None, stamp(self.until) if self.until else None)


class Clock:
    """A moment and the zone that its days are counted in; without a zone, the machine's own.

    Days begin at local midnight, or if summer time skips that, at the first moment after it.
    """

    def __init__(self, now: datetime, zone: tzinfo | None = None) -> None:
        self.now = now.astimezone(UTC)
        self.zone = zone
        self.today = self.now.astimezone(zone).date()

    def local(self, moment: datetime) -> datetime:
        """Return *moment* in the user's zone."""
        return moment.astimezone(self.zone)

    def at(self, day: date, hour: int = 0) -> datetime:
        """Return the moment of that hour of *day* on the user's clock; of two such, the first."""
        return self._moment(datetime.combine(day, time(hour)))

    def days(self, first: date, many: int = 1) -> Span:
        """Return *many* whole days from *first* on."""
        return Span(self.at(first), self.at(first + timedelta(days=many)))

    def hours(self, day: date, since: int, until: int) -> Span:
        """Return the hours from *since* to *until* of *day*; 24 and beyond are the next day's."""
        last = day + timedelta(days=until // 24)
        return Span(self.at(day, since), self.at(last, until % 24))

    def week(self, offset: int = 0) -> Span:
        """Return the week, Monday to Sunday, *offset* weeks from this one."""
        monday = self.today - timedelta(days=self.today.weekday())
        return self.days(monday + timedelta(weeks=offset), 7)

    def month(self, year: int, month: int) -> Span:
        """Return a calendar month; months below 1 and over 12 belong to other years."""
        first, after = _month(year, month), _month(year, month + 1)
        return Span(self.at(first), self.at(after))

    def year(self, year: int) -> Span:
        """Return a calendar year."""
        return Span(self.at(date(year, 1, 1)), self.at(date(year + 1, 1, 1)))

    def months_back(self, many: int) -> date:
        """Return today's date *many* months ago, or that month's last day if it is shorter."""
        month = _month(self.today.year, self.today.month - many)
        last = _month(month.year, month.month + 1) - timedelta(days=1)
        return month.replace(day=min(self.today.day, last.day))

    def since_days(self, many: int) -> Span:
        """Return the span from *many* days ago, at this hour, to now and beyond."""
        return self.since(self.today - timedelta(days=many))

    def since(self, day: date) -> Span:
        """Return the span from *day* on, at this hour of the clock."""
        here = self.local(self.now).replace(tzinfo=None)
        return Span(self._moment(datetime.combine(day, here.time())))

    def _moment(self, shown: datetime) -> datetime:
        """Return the moment when the clock shows *shown*; if it skips that, the first moment after it."""
        # Without a zone, Python asks the machine for its own on that day.
        return (shown.replace(tzinfo=self.zone) if self.zone else shown.astimezone()).astimezone(UTC)


def hull(spans: Iterable[Span]) -> Span:
    """Return the span from the earliest beginning to the latest end."""
    listed = list(spans)
    since = [span.since for span in listed if span.since is not None]
    until = [span.until for span in listed if span.until is not None]
    return Span(
        min(since) if len(since) == len(listed) and listed else None,
        max(until) if len(until) == len(listed) and listed else None,
    )


def intersection(one: Span, other: Span) -> Span:
    """Return the intersection of *one* and *other*."""
    since = [span.since for span in (one, other) if span.since is not None]
    until = [span.until for span in (one, other) if span.until is not None]
    return Span(max(since, default=None), min(until, default=None))


def _month(year: int, month: int) -> date:
    years, month = divmod(month - 1, 12)
    return date(year + years, month + 1, 1)
