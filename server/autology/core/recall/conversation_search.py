"""Searching one user's conversations: kept up to date, cached, logged."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Protocol, TypeVar

from autology.core.conversations.conversation_index import ConversationIndex
from autology.core.team import TeamSearch
from autology.core.ttl_cache import TtlCache
from autology.model.query import InSight
from autology.ranking.task_likeness import WordVectors
from autology.text.language.calendar_spans import Clock
from autology.text.secrets.query_log import logged

T = TypeVar("T", bound="Counted")

ANSWERS = 1_000
SECONDS = 5 * 60.0


class Counted(Protocol):
    """A result that knows its count."""

    @property
    def count(self) -> int:
        """How many were found."""


class ConversationSearch:
    """Search over an index of conversations.

    *refresh* updates it from the transcripts and returns what stayed behind; *state* returns a value that changes with
    the index; *log* is called with each search's tool, query, filters, count and milliseconds; *in_sight* identifies
    the calling conversation, if any; *encode* returns the built-in encoder's vectors of texts, if it can be used;
    *names* returns the identities of the project that is searched in.
    """

    def __init__(
        self,
        index: ConversationIndex,
        refresh: Callable[[], Sequence[str]],
        state: Callable[[], Hashable],
        now: Callable[[], Clock],
        log: Callable[[str, str, Mapping[str, object], int, float], None],
        team: TeamSearch | None = None,
        in_sight: Callable[[], InSight | None] = lambda: None,
        encode: Callable[[Sequence[str]], Sequence[bytes]] | None = None,
        names: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self.index = index
        self.now = now
        self.team = team
        self.in_sight = in_sight
        self._names = names
        self._known_names: tuple[str, ...] | None = None
        self.vectors = WordVectors(encode) if encode else None
        self._refresh = refresh
        self._state = state
        self._log = log
        self._answers: TtlCache[Counted] = TtlCache(ANSWERS, SECONDS, renewed=True)
        self._last_state: Hashable = None

    def refresh(self) -> Sequence[str]:
        """Update the index from the transcripts; return what was degraded."""
        return self._refresh()

    @property
    def names(self) -> tuple[str, ...]:
        """The identities of the project that is searched in: learning them takes 3 ms, once for a state."""
        if self._known_names is None:
            self._known_names = tuple(self._names())
        return self._known_names

    def answer(
        self,
        tool: str,
        query: str,
        filters: Mapping[str, object],
        find: Callable[[Sequence[str]], T],
        also: Hashable = None,
    ) -> T:
        """Return the result of *find*, which receives the degraded notes.

        A repeated query is answered from the cache. *also* is a further part of the cache's key. Every search is
        logged, redacted.
        """
        begun = time.perf_counter()
        notes = tuple(self.refresh())
        state = (self._state(), also, self.in_sight())
        if state != self._last_state:
            self._answers.clear()
            self._last_state = state
            self._known_names = None
        # A day later "yesterday" is another day; within an hour, no relative time changes noticeably.
        hour = self.now().now.strftime("%Y-%m-%dT%H")
        key = (
            tool,
            " ".join(query.lower().split()),
            tuple(sorted((k, repr(v)) for k, v in filters.items())),
            notes,
            hour,
        )
        asks_others = bool(filters.get("include_peers"))  # an unreachable peer may answer in a moment
        cached = None if asks_others else self._answers.get(key)
        result: T = find(notes) if cached is None else cached  # type: ignore[assignment]
        if cached is None and not asks_others:
            self._answers.put(key, result)
        logged_filters = {name: _plain(value) for name, value in filters.items()}
        self._log(tool, logged(query), logged_filters, result.count, (time.perf_counter() - begun) * 1000)
        return result


def _plain(value: object) -> object:
    """A filter's value as it is logged: redacted."""
    if isinstance(value, str):
        return logged(value)
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
