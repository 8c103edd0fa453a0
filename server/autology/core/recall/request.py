"""A search request, and the filter it translates to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.conversations.conversation_index import ProjectSeen
from autology.core.time_range import bounds
from autology.model.argument_limits import RECALL_RANGES, RECALL_TYPES, RECALLED
from autology.model.errors import ValidationError
from autology.model.query import Filter, InSight
from autology.ranking.asking_form import ENGLISH, subject_of
from autology.ranking.code_intent import Intent, intent
from autology.text.language import time_expressions
from autology.text.language.calendar_spans import Clock, Span, intersection
from autology.text.language.first_state import asks_for_the_first_state
from autology.text.tokens import share_a_word

QUERY_LIMIT = 10_000
"""Characters of a query; a longer one is a document."""
NAMED = 5
"""Projects named in the message for an unknown one."""


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A search request. *since* and *until* are dates, timestamps or expressions such as ``yesterday``.

    *names* are the identities of the *project*, if it exists here: its conversations are found by them, wherever it lay
    then, without those of another project that was in its folder before. With *only_answers*, passages that are much
    weaker than the best are left out.
    """

    query: str
    type: str = "all"
    project: str | None = None
    names: tuple[str, ...] = ()
    time_range: str = "all"
    since: str | None = None
    until: str | None = None
    language: str | None = None
    include_peers: bool = False
    limit: int = 20
    only_answers: bool = False

    @property
    def filters(self) -> Mapping[str, object]:
        """Every requested filter."""
        names = (
            "type",
            "project",
            "time_range",
            "since",
            "until",
            "language",
            "include_peers",
            "limit",
            "only_answers",
        )
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value not in (None, False, "all")}


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """A parsed request: the words to search ("" to list everything), the filter, and notes on both.

    *timeless* is the same without the time that its query names, for when nothing is from then. *times* are those of
    which the query asks what happened then.
    """

    request: RecallRequest
    words: str
    where: Filter
    intent: Intent
    span: Span = field(default_factory=Span)
    notes: tuple[str, ...] = ()
    possible: bool = True
    times: tuple[Span, ...] = ()
    timeless: ParsedRequest | None = None

    @property
    def asks_for_the_first_state(self) -> bool:
        """Whether its query asks how something was before it changed."""
        return asks_for_the_first_state(self.request.query)

    def is_spoken_of(self, texts: Iterable[str]) -> bool:
        """Whether one of *texts* contains a word of the subject: others are only the nearest in meaning."""
        subject = " ".join(subject_of(self.words, ENGLISH)) or self.words
        return any(share_a_word(subject, text) for text in texts)


def parsed(
    request: RecallRequest, clock: Clock, projects: Callable[[], Sequence[ProjectSeen]], in_sight: InSight | None = None
) -> ParsedRequest:
    """Return *request* parsed at *clock*, without what is *in_sight*. Raises ValidationError."""
    query = checked(request.query)
    if request.type not in RECALL_TYPES:
        raise ValidationError("type", f"'{request.type[:40]}' is not a type", f"Use one of: {', '.join(RECALL_TYPES)}.")
    if not 1 <= request.limit <= RECALLED:
        raise ValidationError(
            "limit", f"{request.limit} is outside 1-{RECALLED}", f"Give a number from 1 to {RECALLED}."
        )
    time, note = time_expressions.time_filter(query, clock)
    requested_span = intersection(ranged(request.time_range, clock), bounds(request.since, request.until, clock))
    span = intersection(requested_span, time.span) if time else requested_span
    aim = intent(query, time.words if time else ())
    since, until = span.stamps
    where = Filter(
        kind=None if request.type == "all" else request.type,
        since=since,
        until=until,
        language=request.language.strip().lower() if request.language else None,
        in_sight=in_sight,
    )
    rest = time.rest if time else query
    named = aim.entities.concepts or aim.entities.functions or aim.entities.files
    times = time_expressions.event_times(query, clock) if note else ()
    if times and not time:
        note = f"{note}; what was said then and the week after ranks higher"
    question = ParsedRequest(request, rest if named else "", where, aim, span, (note,) if note else (), times=times)
    if request.project:
        question = _in_project(question, request.project, request.names, projects)
    return _with_timeless(question, requested_span) if time and question.words else question


def _with_timeless(question: ParsedRequest, span: Span) -> ParsedRequest:
    """Return *question*, whose query names a time, with the same for *span* only, which its arguments give."""
    since, until = span.stamps
    note = f"{question.notes[0]}; nothing about it is from then, so the time was not used as a filter"
    where = replace(question.where, since=since, until=until)
    timeless = replace(question, where=where, span=span, notes=(note, *question.notes[1:]))
    return replace(question, timeless=timeless)


def checked(query: str, field: str = "query") -> str:
    """Return *query* stripped. Raises ValidationError if it cannot be searched."""
    if not query.strip():
        raise ValidationError(field, "is empty", "Give at least one word to search for.")
    if not any(map(str.isalnum, query)):
        raise ValidationError(field, "has no word to search for", "Give at least one word to search for.")
    if len(query) > QUERY_LIMIT:
        raise ValidationError(field, f"has {len(query):,} characters", "Use a shorter query.")
    return query.strip()


def ranged(name: str, clock: Clock) -> Span:
    """Return the time range of one of RECALL_RANGES: today since midnight, or a week or a month back from now."""
    if name not in RECALL_RANGES:
        raise ValidationError(
            "time_range", f"'{name[:40]}' is not a time range", f"Use one of: {', '.join(RECALL_RANGES)}."
        )
    if name == "today":
        return Span(clock.at(clock.today))
    if name == "week":
        return clock.since_days(7)
    return clock.since(clock.months_back(1)) if name == "month" else Span()


def identities(name: str, names: Sequence[str], known: Sequence[ProjectSeen]) -> tuple[str, ...]:
    """Return the identities of the *known* projects that *name* means; *names* are those of a folder that exists."""
    normal = _normal(name)
    by_path = names and "/" in normal
    return tuple(one.identity for one in known if one.identity in names or (not by_path and _matches(one, normal)))


def named_projects(known: Sequence[ProjectSeen]) -> str:
    """Return a sentence that names the *known* projects."""
    names = ", ".join(one.folders[0] for one in known[:NAMED] if one.folders)
    return f"Known projects, latest first: {names}." if names else "No conversations are indexed."


def _in_project(
    question: ParsedRequest, name: str, names: Sequence[str], projects: Callable[[], Sequence[ProjectSeen]]
) -> ParsedRequest:
    known = projects()
    if ids := identities(name, names, known):
        return replace(question, where=replace(question.where, projects=ids))
    note = f"no conversations are indexed for a project “{name[:200]}”. {named_projects(known)}"
    return replace(question, notes=(*question.notes, note), possible=False)


def _matches(project: ProjectSeen, name: str) -> bool:
    """Whether *name* is the project's identity, its folder or a parent of that, or its name."""
    if name == _normal(project.identity):
        return True
    for folder in (_normal(path) for path in project.folders):
        if name in (folder, folder.rpartition("/")[2]) or _lies_in(name, folder) or _lies_in(folder, name):
            return True
    return False


def _lies_in(path: str, folder: str) -> bool:
    return "/" in folder and path.startswith(f"{folder}/")


def _normal(path: str) -> str:
    return path.strip().replace("\\", "/").rstrip("/").casefold()
