"""What is asked for, and the filter that it comes to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.ports import ProjectSeen
from autology.model.errors import ValidationError
from autology.model.exchange import ChunkKind
from autology.model.query import Filter
from autology.ranking.intent import Intent, intent
from autology.text.spans import Clock, Span, both
from autology.text.times import moment, parse_stamp
from autology.text.times_said import said

QUERY_LIMIT = 10_000
"""Characters of a question; a longer one is a document."""
LIMIT = 50
"""The most results of one search."""
TYPES = ("all", *(kind.value for kind in ChunkKind))
RANGES = ("all", "today", "week", "month")
NAMED = 5
"""Projects named where one is asked for that was never talked about."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is looked for. *since* and *until* are dates, stamps or words such as ``yesterday``."""

    query: str
    type: str = "all"
    project: str | None = None
    time_range: str = "all"
    since: str | None = None
    until: str | None = None
    language: str | None = None
    include_peers: bool = False
    limit: int = 20

    @property
    def filters(self) -> Mapping[str, object]:
        """Every filter that was asked for."""
        told = {
            "type": self.type,
            "project": self.project,
            "time_range": self.time_range,
            "since": self.since,
            "until": self.until,
            "language": self.language,
            "include_peers": self.include_peers,
            "limit": self.limit,
        }
        return {name: value for name, value in told.items() if value not in (None, False, "all")}


@dataclass(frozen=True, slots=True)
class Question:
    """An ask understood: the words to look for ("" to list what there is), the filter, and what to say of both."""

    ask: Ask
    words: str
    where: Filter
    intent: Intent
    span: Span = field(default_factory=Span)
    notes: tuple[str, ...] = ()
    possible: bool = True


def understood(ask: Ask, clock: Clock, projects: Callable[[], Sequence[ProjectSeen]]) -> Question:
    """Return what *ask* comes to at *clock*. Raises ValidationError where something in it does not fit."""
    query = checked(ask.query)
    if ask.type not in TYPES:
        raise ValidationError("type", f"'{ask.type[:40]}' is none", f"Use one of: {', '.join(TYPES)}.")
    if not 1 <= ask.limit <= LIMIT:
        raise ValidationError("limit", f"{ask.limit} is outside 1-{LIMIT}", f"Give a number from 1 to {LIMIT}.")
    time = said(query, clock)
    notes = []
    if time and _of_others(query, time.words):
        notes.append(f"{_quoted(time.words)} was not taken for a filter: it tells when somebody did something")
        time = None
    span = both(ranged(ask.time_range, clock), _bounds(ask, clock))
    if time:
        span = both(span, time.span)
        notes.append(_taken(time.words, time.span, clock))
    aim = intent(query, time.words if time else ())
    since, until = span.stamps
    where = Filter(
        kind=None if ask.type == "all" else ask.type,
        since=since,
        until=until,
        language=ask.language.strip().lower() if ask.language else None,
    )
    rest = time.rest if time else query
    named = aim.entities.concepts or aim.entities.functions or aim.entities.files
    asked = Question(ask, rest if named else "", where, aim, span, tuple(notes))
    return _in_project(asked, ask.project, projects) if ask.project else asked


def checked(query: str, field: str = "query") -> str:
    """Return *query* without white space around it. Raises ValidationError where nothing can be looked for with it."""
    if not query.strip():
        raise ValidationError(field, "is empty", "Ask with the words that matter.")
    if len(query) > QUERY_LIMIT:
        raise ValidationError(field, f"has {len(query):,} characters", "Ask with the words that matter.")
    return query.strip()


def ranged(name: str, clock: Clock) -> Span:
    """Return the stretch of one of RANGES: today since midnight, a week and a month back from now."""
    if name not in RANGES:
        raise ValidationError("time_range", f"'{name[:40]}' is none", f"Use one of: {', '.join(RANGES)}.")
    if name == "today":
        return Span(clock.at(clock.today))
    if name == "week":
        return clock.since_days(7)
    return clock.since(clock.months_back(1)) if name == "month" else Span()


def _bounds(ask: Ask, clock: Clock) -> Span:
    since = time_given("since", ask.since, clock)
    until = time_given("until", ask.until, clock)
    span = Span(since.since, until.until or until.since)
    if span.since and span.until and span.until < span.since:
        raise ValidationError("until", "ends before since begins", "Give the earlier one as since.")
    return span


def time_given(field: str, text: str | None, clock: Clock) -> Span:
    """Return the stretch that *text* names: a whole day, or the words for one; a stamp is itself."""
    if text is None:
        return Span()
    given = text.strip()
    if _STAMP.match(given):
        try:
            exact = moment(parse_stamp(given))
            return Span(exact, exact)
        except ValueError:
            pass
    found = said(given, clock) or said(f"on {given}", clock) or said(f"last {given}", clock)
    if found is None or found.rest:
        fits = "Give a date as 2026-03-04, a moment as 2026-03-04T10:00:00Z, or words as 'last week'."
        raise ValidationError(field, f"'{text[:40]}' names no time", fits)
    return found.span


def _taken(words: Sequence[str], span: Span, clock: Clock) -> str:
    """Return what the words for a time were taken for."""
    shown = []
    for name, end in (("from", span.since), ("until just before", span.until)):
        if end is not None:
            local = clock.local(end)
            midnight = (local.hour, local.minute) == (0, 0)
            shown.append(f"{name} {local.strftime('%Y-%m-%d' if midnight else '%Y-%m-%d %H:%M')}")
    return f"{_quoted(words)} was taken as a time: {' '.join(shown)}, by this machine's clock"


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{each}”" for each in words)


def _of_others(query: str, words: Sequence[str]) -> bool:
    """Whether *query* asks what somebody else did at a certain date, which may have been spoken of at any time.

    In bench/recall, a filter for the date in such questions loses 1.5 recall@10.
    """
    dated = all(_DATE.search(each) for each in words)
    return dated and _SOMEBODY.search(query) is not None and _OURS.search(query) is None


def _in_project(question: Question, given: str, projects: Callable[[], Sequence[ProjectSeen]]) -> Question:
    known = projects()
    asked = _normal(given)
    found = tuple(each.identity for each in known if _is(each, asked))
    if found:
        return replace(question, where=replace(question.where, projects=found))
    names = ", ".join(each.folders[0] for each in known[:NAMED] if each.folders)
    there = f"Known are, the latest first: {names}." if names else "No conversation is known at all."
    note = f"no conversation is known of a project “{given[:200]}”. {there}"
    return replace(question, notes=(*question.notes, note), possible=False)


def _is(project: ProjectSeen, asked: str) -> bool:
    """Whether *asked* is the project's identity, a folder of it or around it, or its name."""
    if asked == _normal(project.identity):
        return True
    for folder in (_normal(each) for each in project.folders):
        if asked in (folder, folder.rpartition("/")[2]) or _lies_in(asked, folder) or _lies_in(folder, asked):
            return True
    return False


def _lies_in(path: str, folder: str) -> bool:
    return "/" in folder and path.startswith(f"{folder}/")


def _normal(path: str) -> str:
    return path.strip().replace("\\", "/").rstrip("/").casefold()


_DATE = re.compile(r"\d{4}|(?i:\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))")
_SOMEBODY = re.compile(r"\b(?:did|does|do|was|were|is|are|has|had|have)\s+[A-Z][a-z]+\b")
_OURS = re.compile(r"\b(?:[Ww]e|[Uu]s|[Oo]ur|I|[Yy]ou|[Yy]our|[Mm]e|[Mm]y|[Ll]et's)\b")
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d")
