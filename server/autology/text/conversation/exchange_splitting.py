"""Grouping turns into exchanges, and exchanges into runs on one topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from autology.model.exchange import TOOL, USER, Exchange, Opening, Turn

LIMIT = 2_000
"""Characters of a chunk, and so of a run of several exchanges."""
GAP = 300.0
"""Seconds of silence after which another topic begins."""

_FILLERS = r"(?:(?:ok(?:ay)?|alright|great|thanks?|good|perfect|cool|right|so|and)\W+){0,3}"
_MARKERS = (
    r"now (?:let'?s|for|on to|to)\b",
    r"next(?: up|[:,]| (?:task|topic|step|thing|issue|question))",
    r"moving on|let'?s (?:move on|switch|turn)|switching|new (?:topic|task)\b",
    r"(?:another|a different|an unrelated|unrelated|separate) (?:topic|question|thing|task|issue|matter)",
    r"by the way|btw\b|something else",
    r"on (?:a|an|another) (?:different|other|unrelated|separate)? ?(?:note|topic|subject)",
    r"changing (?:the )?(?:topic|subject)",
)
_TOPIC = re.compile(rf"\A\W*{_FILLERS}(?:{'|'.join(_MARKERS)})", re.IGNORECASE)


LONGEST = 400
"""Turns of an exchange, or of a run, that are read together: some 0.1 s, and 1 MB of memory."""


def exchanges(turns: Iterable[Turn], continued: Opening | None = None) -> Iterator[Exchange]:
    """Yield *turns* as exchanges, in order: each begins with the user's words, long ones in parts.

    Turns that begin in the middle of an exchange are a part of the *continued* one.
    """
    pending: list[Turn] = []
    opening: Opening | None = None
    for turn in turns:
        if not pending and opening is None and turn.role != USER:
            opening = continued
        continued = None
        if pending and turn.role == USER and not (pending[-1].role == USER and _is_one_question(pending[-1], turn)):
            yield Exchange(tuple(pending), opening)
            pending, opening = [], None
        elif len(pending) == LONGEST:
            part = Exchange(tuple(pending), opening)
            yield part
            pending, opening = [], Opening(part.id, part.question)
        pending.append(turn)
    if pending:
        yield Exchange(tuple(pending), opening)


def _is_one_question(one: Turn, other: Turn) -> bool:
    """Whether two consecutive messages of the user are one question."""
    return one.folder == other.folder and seconds_between(one.at, other.at) <= GAP and not begins_topic(other.text)


@dataclass(frozen=True, slots=True)
class Run:
    """Exchanges that belong together, and the byte at which the first begins."""

    exchanges: tuple[Exchange, ...]

    @property
    def start(self) -> int:
        """The byte at which it begins."""
        return self.exchanges[0].turns[0].start


def runs(exchanges: Iterable[Exchange]) -> Iterator[Run]:
    """Group *exchanges* into runs: short ones about one topic together, up to the size of a chunk."""
    group: list[Exchange] = []
    length = turns = 0
    for exchange in exchanges:
        more = _length(exchange)
        turns += len(exchange.turns)
        if group and (length + more > LIMIT or turns > LONGEST or _apart(group[-1], exchange)):
            yield Run(tuple(group))
            group, length, turns = [], 0, len(exchange.turns)
        group.append(exchange)
        length += more
    if group:
        yield Run(tuple(group))


def _length(exchange: Exchange) -> int:
    """Return about how much of a chunk the talk of *exchange* takes."""
    return sum(len(turn.text) + 4 for turn in exchange.turns if turn.role != TOOL)


def _apart(before: Exchange, after: Exchange) -> bool:
    """Whether *after* is on another topic than the exchange *before* it, judged by form.

    The parts of a long exchange are separate too: each is read by itself.
    """
    if after.opening is not None:
        return True
    one, other = before.turns[-1], after.turns[0]
    if one.folder != other.folder or one.branch != other.branch:
        return True
    if seconds_between(one.at, other.at) > GAP or begins_topic(after.question):
        return True
    files, others = set(before.files), set(after.files)
    return bool(files and others) and files.isdisjoint(others)


def begins_topic(text: str) -> bool:
    """Whether *text* begins by announcing another topic."""
    return _TOPIC.match(text) is not None


def seconds_between(one: str, other: str) -> float:
    """Return the seconds between two stamps; 0 if one of them is invalid."""
    if one[:16] == other[:16]:
        return 0.0  # within one minute, as most are
    try:
        return (datetime.fromisoformat(other) - datetime.fromisoformat(one)).total_seconds()
    except (ValueError, TypeError):
        return 0.0
