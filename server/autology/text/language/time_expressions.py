"""Time expressions in a question ("last week", "in March", "two days ago") as intervals."""

from __future__ import annotations

from collections import namedtuple
from datetime import date, timedelta

from autology.text import Patterns
from autology.text.language.calendar_spans import MONTH, MONTHS, Clock, Span, hull
from autology.text.language.time_of_event import is_asked_about, is_of_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Sequence

_patterns = Patterns()
FEW = 7
"""How far "a few" days, weeks or months reach back: too many still include what is meant, too few exclude it."""


TimeExpression = namedtuple("TimeExpression", ("words", "span", "rest"))
"""A question's time expression: its words, its span, and the question without it."""


def time_filter(query: str, clock: Clock) -> tuple[TimeExpression | None, str]:
    """Return the time range that *query* restricts its sessions to, if any, and a note about it.

    A time of the event asked about is none, as `time_of_event.py` tells: of the questions of bench/recall that
    name a time, a filter for it loses 7 in 100 at recall@5.
    """
    expressions = _in_own_words(query, clock)
    if not expressions:
        return None, ""
    restricting = [time for time in expressions if not is_of_event(query, *time[:2])]
    if not restricting:
        words = _joined(query, expressions).words
        return None, f"{_quoted(words)} was not used as a filter: it says when something happened, not when it was said"
    joined = _joined(query, restricting)
    return joined, _taken(joined.words, joined.span, clock)


def event_times(query: str, clock: Clock) -> tuple[Span, ...]:
    """Return the spans of the times of which *query* asks what happened then, whenever that was told."""
    return tuple(span for start, stop, span in _in_own_words(query, clock) if is_asked_about(query, start, stop))


def time_expression(query: str, clock: Clock) -> TimeExpression | None:
    """Return the time expression of *query*, or None without one.

    Several are one range from the first to the last. Quoted text and code are not the user's own words, and skipped.
    """
    expressions = _in_own_words(query, clock)
    return _joined(query, expressions) if expressions else None


def _in_own_words(query: str, clock: Clock) -> list[tuple[int, int, Span]]:
    return list(_expressions(_patterns[_BLANKED].sub(lambda match: "\x00" * len(match[0]), query), clock))


def _joined(query: str, expressions: Sequence[tuple[int, int, Span]]) -> TimeExpression:
    """Return *expressions* of *query* as one."""
    rest, end = [], 0
    for start, stop, _ in expressions:
        rest.append(query[end:start])
        end = stop
    rest.append(query[end:])
    words = tuple(" ".join(query[start:stop].split()) for start, stop, _ in expressions)
    return TimeExpression(words, hull(span for _, _, span in expressions), " ".join(" ".join(rest).split()))


def _expressions(text: str, clock: Clock) -> Iterator[tuple[int, int, Span]]:
    """Yield every time expression in *text* with its position."""
    at = 0
    while match := _patterns[_EARLIEST].search(text, at):
        at = match.end()
        for read in (_between, _bounded, _plain):
            if (time := read(text, match.start(), clock)) and not _patterns[_A_NAME].match(text, time[0]):
                at = _patterns[_POSSESSIVE].match(text, time[0]).end()  # type: ignore[union-attr]
                yield match.start(), at, time[1]
                break


def _between(text: str, at: int, clock: Clock) -> tuple[int, Span] | None:
    """``between X and Y``, ``from X to Y``: from the beginning of one to the end of the other."""
    opening = _patterns[_FROM].match(text, at)
    first = opening and _time(text, opening.end(), clock, "from")
    middle = first and _patterns[_TO].match(text, first[0])
    last = middle and _time(text, middle.end(), clock, "to")
    if not first or not last:
        return None
    backwards = first[1].since and last[1].until and last[1].until <= first[1].since
    return last[0], Span(first[1].since, None if backwards else last[1].until)  # its end is in the future, then


def _bounded(text: str, at: int, clock: Clock) -> tuple[int, Span] | None:
    """``since X``, ``after X``, ``before X``, ``until X``."""
    opening = _patterns[_BOUND].match(text, at)
    word = opening["word"].lower() if opening else ""
    time = opening and _time(text, opening.end(), clock, word)
    if not time:
        return None
    stop, span = time
    if word == "since":
        return stop, Span(span.since)
    if word == "after":
        return stop, Span(span.until or span.since)
    if word == "before":
        return stop, Span(None, span.since)
    return stop, Span(None, span.until)


def _plain(text: str, at: int, clock: Clock) -> tuple[int, Span] | None:
    """A single time, with the ``in``, ``on``, ``from`` or ``during`` before it."""
    opening = _patterns[_IN].match(text, at)
    behind = opening["word"].lower() if opening else ""
    time = opening and _time(text, opening.end(), clock, behind)
    time = time or _time(text, at, clock)
    while time and (link := _patterns[_AND].match(text, time[0])) and (more := _time(text, link.end(), clock, behind)):
        time = more[0], hull((time[1], more[1]))
    return time


def _time(text: str, at: int, clock: Clock, behind: str = "") -> tuple[int, Span] | None:
    for pattern, read in _READERS:
        match = _patterns[pattern].match(text, at)
        try:
            if match and (span := read(match, clock, behind)):
                return match.end(), span
        except (ValueError, OverflowError):
            continue  # a day that the calendar does not have
    return None


def _taken(words: Sequence[str], span: Span, clock: Clock) -> str:
    """Return how the time expression was interpreted."""
    shown = []
    for name, end in (("from", span.since), ("until just before", span.until)):
        if end is not None:
            local = clock.local(end)
            midnight = (local.hour, local.minute) == (0, 0)
            shown.append(f"{name} {local.strftime('%Y-%m-%d' if midnight else '%Y-%m-%d %H:%M')}")
    return f"{_quoted(words)} was read as a time: {' '.join(shown)}, by this machine's clock"


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


# ---- single times ----------------------------------------------------------------------------------


def _iso(match: re.Match[str], clock: Clock, _: str) -> Span | None:
    year, month, day = (int(part) if part else 0 for part in match.group("year", "month", "day"))
    if _patterns[_A_VERSION_BEFORE].search(match.string, 0, match.start()) or _patterns[_A_VERSION].match(
        match.string, match.end()
    ):
        return None
    return clock.days(date(year, month, day)) if day else clock.month(year, month)


def _day_word(match: re.Match[str], clock: Clock, _: str) -> Span:
    words = match[0].lower()
    back = 2 if "before" in words else 1 if "yesterday" in words or "last" in words else 0
    day = clock.today - timedelta(days=back)
    part = next((hours for name, hours in _PARTS.items() if name in words), None)
    return clock.hours(day, *part) if part else clock.days(day)


def _ago(match: re.Match[str], clock: Clock, _: str) -> Span | None:
    smallest, largest = _many(match["many"])
    unit = _UNITS[match["unit"].lower()]
    if match["many"].lower().startswith("half"):
        if unit != "year":
            return None
        unit, smallest, largest = "month", 5, 7
    if unit == "hour":
        return Span(clock.now - timedelta(hours=largest + 1), clock.now - timedelta(hours=max(smallest - 1, 0)))
    if unit == "day":
        return clock.days(clock.today - timedelta(days=largest), largest - smallest + 1)
    if unit == "week":  # such counts are imprecise: half a week to either side
        return clock.days(clock.today - timedelta(days=7 * largest + 3), 7 * (largest - smallest) + 7)
    if unit == "month":
        first, last = clock.months_back(largest), clock.months_back(smallest)
        return Span(clock.month(first.year, first.month).since, clock.month(last.year, last.month).until)
    return Span(clock.year(clock.today.year - largest).since, clock.year(clock.today.year - smallest).until)


def _rolling(match: re.Match[str], clock: Clock, _: str) -> Span | None:
    """``the last three weeks``, ``the past month``, ``in the last week``: back from now."""
    if not match["many"] and match["which"].lower() == "last" and not match["the"]:
        return None  # "last week" is the one before this
    if _patterns[_OF].match(match.string, match.end()):
        return None  # "the last month of billing"
    largest = _many(match["many"] or "one")[1]
    unit = _UNITS[match["unit"].lower()]
    if unit == "hour":
        return Span(clock.now - timedelta(hours=largest))
    if unit == "month":
        return clock.since(clock.months_back(largest))
    if unit == "year":
        return clock.since(clock.months_back(12 * largest))
    return clock.since_days(largest * (7 if unit == "week" else 1))


def _unit(match: re.Match[str], clock: Clock, _: str) -> Span:
    """``this week``, ``last month``: whole ones."""
    back = 0 if match["which"].lower().endswith("this") else 1
    unit = match["unit"].lower()
    if unit == "week":
        return clock.week(-back)
    if unit == "month":
        return clock.month(clock.today.year, clock.today.month - back)
    if unit == "quarter":
        first = (clock.today.month - 1) // 3 * 3 + 1 - 3 * back
        begins, ends = clock.month(clock.today.year, first), clock.month(clock.today.year, first + 2)
        return Span(begins.since, ends.until)
    if unit == "weekend":
        saturday = clock.today - timedelta(days=(clock.today.weekday() - 5) % 7)
        if back and saturday + timedelta(days=1) >= clock.today:
            saturday -= timedelta(days=7)
        return clock.days(saturday, 2)
    return clock.year(clock.today.year - back)


def _weekday(match: re.Match[str], clock: Clock, behind: str) -> Span | None:
    which = (match["which"] or "").lower()
    if not which and not behind:
        return None
    if len(match["day"]) < len("friday") and not _patterns[_ENDS].match(match.string, match.end()):
        return None  # "on sat solvers"
    wanted = _WEEKDAYS.index(match["day"].lower()[:3])
    if which == "this":
        return clock.days(clock.today - timedelta(days=clock.today.weekday() - wanted))
    back = (clock.today.weekday() - wanted) % 7 or 7
    return clock.days(clock.today - timedelta(days=back))


def _month_day(match: re.Match[str], clock: Clock, _: str) -> Span | None:
    """``March 4``, ``4 March 2026``: without a year, the latest one in the past."""
    if not match["year"] and _is_a_word(match):
        return None  # "the 3 may fail"
    month, day = MONTHS.index(match["month"].lower()[:3]) + 1, int(match["day"])
    years = [int(match["year"])] if match["year"] else range(clock.today.year, clock.today.year - LEAP, -1)
    for year in years:
        try:
            candidate = date(year, month, day)
        except ValueError:
            continue
        if match["year"] or candidate <= clock.today:
            return clock.days(candidate)
    return None


def _month_name(match: re.Match[str], clock: Clock, behind: str) -> Span | None:
    """``in March``, ``March 2026``, ``last March``."""
    which = (match["which"] or "").lower()
    if not (match["year"] or which or behind):
        return None
    name = match["month"].lower()
    month = MONTHS.index(name[:3]) + 1
    if match["year"]:
        return clock.month(int(match["year"]), month)
    if _is_a_word(match) or (name in _WORDS and not _patterns[_ENDS].match(match.string, match.end())):
        return None  # "in march mode", "in dec format"
    earlier = month > clock.today.month or (which == "last" and month == clock.today.month)
    return clock.month(clock.today.year - earlier, month)


def _year(match: re.Match[str], clock: Clock, behind: str) -> Span | None:
    year = int(match["year"])
    if not behind or year > clock.today.year or not _patterns[_ENDS].match(match.string, match.end()):
        return None  # "in 2048 bytes", "on 2020"
    return clock.year(year) if behind != "on" else None


def _is_a_word(match: re.Match[str]) -> bool:
    """Whether a month's name may be another word, as ``may``, without further evidence for the month."""
    return match["month"] in _WORDS and not _patterns[_ENDS].match(match.string, match.end())


def _many(text: str) -> tuple[int, int]:
    """Return the minimum and maximum of a number word."""
    word = " ".join(text.lower().split())
    if word.isdigit():
        return int(word), int(word)
    if "few" in word or "several" in word:
        return 2, FEW
    if "couple" in word:
        return 2, 3
    number = _NUMBERS.index(word) if word in _NUMBERS else 1
    return number, number


LEAP = 9
"""Years in which every date occurs at least once, the 29th of February included."""
_WORDS = ("march", "may", "mar", "dec", "sep", "oct")
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_WEEKDAYS = "mon tue wed thu fri sat sun".split()
_PARTS = {
    "morning": (0, 12),
    "afternoon": (12, 18),
    "evening": (17, 24),
    "tonight": (17, 24),
    "night": (17, 30),
}
_UNITS = {
    word: unit
    for unit in ("hour", "day", "week", "month", "year")
    for word in (unit, f"{unit}s", *(("hr", "hrs") if unit == "hour" else ()))
}

_MONTH = rf"(?P<month>{MONTH})"
_DAY = r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
_MANY = (
    r"(?P<many>\d{1,4}|an?\s+(?:few|couple(?:\s+of)?)|few|several|couple(?:\s+of)?|an?|" + "|".join(_NUMBERS[1:]) + ")"
)
_HALF = _MANY.replace("P<many>", r"P<many>half\s+an?|")
_UNIT = r"(?P<unit>hours?|hrs?|days?|weeks?|months?|years?)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"


def _time_of(pattern: str) -> str:
    return rf"(?i:{pattern})(?!\w)(?![.\-/]\w)"


_READERS: tuple[tuple[str, Callable[[re.Match[str], Clock, str], Span | None]], ...] = (
    (_time_of(r"(?P<year>(?:19|20)\d\d)-(?P<month>[01]\d)(?:-(?P<day>[0-3]\d))?"), _iso),
    (
        _time_of(
            r"(?:the\s+)?day\s+before\s+yesterday|(?:earlier\s+)?today|yesterday(?:\s+(?:morning|afternoon|evening|night))?"
            r"|this\s+(?:morning|afternoon|evening)|tonight|last\s+(?:night|evening)"
        ),
        _day_word,
    ),
    (_time_of(rf"{_HALF}\s+{_UNIT}\s+(?:ago|back)"), _ago),
    (_time_of(rf"(?P<the>the\s+)?(?P<which>last|past|previous)\s+(?:{_MANY}\s+)?{_UNIT}"), _rolling),
    (
        _time_of(
            r"(?P<which>(?:earlier\s+|later\s+)?this|(?:the\s+)?previous|last)\s+(?P<unit>week(?:end)?|month|quarter|year)"
        ),
        _unit,
    ),
    (_time_of(rf"(?:(?P<which>last|this)\s+)?(?P<day>{_DAY})"), _weekday),
    (_time_of(rf"{_MONTH}\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?:,?\s+{_YEAR})?"), _month_day),
    (_time_of(rf"(?:the\s+)?(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?"), _month_day),
    (_time_of(rf"(?:(?P<which>last|this|early|late|mid)\s+)?{_MONTH}(?:,?\s+(?:of\s+)?{_YEAR})?"), _month_name),
    (_time_of(_YEAR), _year),
)

_BLANKED = r"(?s)```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”"
_EARLIEST = (
    r"(?i)(?<![\w.\-/@#])(?:between|from|since|after|before|until|till|in|on|during|over|within|of|the|day|today|yesterday"
    rf"|this|that|tonight|last|past|previous|earlier|early|late|mid|half|few|several|couple|an?|{'|'.join(_NUMBERS[1:])}|\d{{1,4}}|{_DAY}"
    rf"|{MONTH})(?![\w])"
)
_FROM = r"(?i)(?:between|from)\s+"
_TO = r"(?i)\s+(?:and|to|until|till)\s+|\s*[–—]\s*"
_BOUND = r"(?i)(?P<word>since|after|before|until|till)\s+"
_AND = r"(?i)\s+(?:and|or)\s+|\s*,\s*"
_OF = r"(?i)\s+of\b"
_POSSESSIVE = r"(?:['’]s\b)?"
_VERSION = (
    r"(?:versions?|protocols?|releases?|specs?|specifications?|apis?|schemas?|tags?|builds?|revisions?|editions?)"
)
_A_VERSION_BEFORE = rf"(?i)\b(?:api-)?{_VERSION}\s*[:=]?\s*\Z"
_A_VERSION = rf"(?i)\s+{_VERSION}\b"
_IN = r"(?i)(?P<word>in|on|during|over|within|from|of|since)\s+"
# After a time, a sentence continues or ends; after a name, its noun follows.
_ENDS = (
    r"(?i)\s*(?:\Z|[,;:.?!)\x00])|\s+(?:we|i|you|he|she|they|it|us|our|my|the|a|an|about|on|for|with|in|at|to|and|or|but|did|do|was|were"
    r"|is|are|had|have|has|when|what|which|who|how|why|where|that|this|regarding|concerning|when|while|because)\b"
)
_A_NAME = (
    r"(?i)(?:['’]s\s+date)?\s*-?(?:button|filter|view|column|tab|option|range|label|preset|field|widget|format|picker|parameter"
    r"|param|flag|variable|function|method|class|column|mode|constant|string|keyword|folder|branch|highlight|marker|cell|header)s?\b"
    r"|['’]s\s+date\b"
)
