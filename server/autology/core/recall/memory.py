"""Everything that was said to this user's agents, as it is asked for: kept in step, remembered, logged."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Protocol, TypeVar

from autology.core.ports import ConversationIndex
from autology.core.team import TeamSearch
from autology.core.ttl_cache import Kept
from autology.model.query import InSight
from autology.text.language.calendar_spans import Clock
from autology.text.secrets.query_log import logged

T = TypeVar("T", bound="Counted")

ANSWERS = 1_000
SECONDS = 5 * 60.0


class Counted(Protocol):
    """An answer that knows how many results it has."""

    @property
    def count(self) -> int:
        """How many were found."""


class SearchLog(Protocol):
    """Where searches are noted, for whoever wants to know what is asked and what that costs."""

    def note(self, tool: str, query: str, filters: Mapping[str, object], count: int, milliseconds: float) -> None:
        """Add a line; a log that cannot be written is no second problem."""


class Memory:
    """What was said, behind its index. *refresh* brings that up to the transcripts and returns what stayed behind;
    *state* returns a value that changes whenever the index does; *in_sight* tells which conversation asks, if one does.
    """

    def __init__(
        self,
        index: ConversationIndex,
        refresh: Callable[[], Sequence[str]],
        state: Callable[[], Hashable],
        now: Callable[[], Clock],
        log: SearchLog,
        team: TeamSearch | None = None,
        in_sight: Callable[[], InSight | None] = lambda: None,
    ) -> None:
        self.index = index
        self.now = now
        self.team = team
        self.in_sight = in_sight
        self._refresh = refresh
        self._state = state
        self._log = log
        self._answers: Kept[Counted] = Kept(ANSWERS, SECONDS, renewed=True)
        self._seen: Hashable = None

    def refresh(self) -> Sequence[str]:
        """Bring the index up to the transcripts; return what was degraded."""
        return self._refresh()

    def asked(
        self,
        tool: str,
        query: str,
        filters: Mapping[str, object],
        find: Callable[[Sequence[str]], T],
        also: Hashable = None,
    ) -> T:
        """Return what *find* finds, given what was degraded; the same question again is answered from memory.

        *also* is what else the answer depends on. Every search is noted in the log, its secrets left out.
        """
        begun = time.perf_counter()
        notes = tuple(self.refresh())
        state = (self._state(), also, self.in_sight())
        if state != self._seen:
            self._answers.clear()
            self._seen = state
        # A day later "yesterday" is another day; within the hour, nothing that is asked for so changes much.
        hour = self.now().now.strftime("%Y-%m-%dT%H")
        key = (
            tool,
            " ".join(query.lower().split()),
            tuple(sorted((k, repr(v)) for k, v in filters.items())),
            notes,
            hour,
        )
        asks_others = bool(filters.get("include_peers"))  # who is away now may answer in a moment
        known = None if asks_others else self._answers.get(key)
        found: T = find(notes) if known is None else known  # type: ignore[assignment]
        if known is None and not asks_others:
            self._answers.put(key, found)
        told = {name: _plain(value) for name, value in filters.items()}
        self._log.note(tool, logged(query), told, found.count, (time.perf_counter() - begun) * 1000)
        return found


def _plain(value: object) -> object:
    """A filter as the log has it: each text in it without secrets."""
    if isinstance(value, str):
        return logged(value)
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
