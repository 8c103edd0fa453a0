"""Port: searching what a team shares, beyond this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from autology.model.hit import Source
from autology.model.query import Filter

if TYPE_CHECKING:
    from autology.core.recall.conversation_results import Recollection

NO_TEAM = "only this machine was searched: no team index is set up"


@dataclass(frozen=True, slots=True)
class TeamHit:
    """A source that a team member shared, with its score (0-1), its text and the best passage.

    *file* is its whole file, if the hub stores that; *whose* names its space and who shared it.
    """

    source: Source
    score: float
    text: str
    passage: str
    file: str | None
    whose: str


class TeamSearch(Protocol):
    """All servers of a team, searched at once. Returns what arrived in time, and messages about servers that failed."""

    def search(
        self,
        query: str,
        where: Filter,
        limit: int,
        known: Callable[[Sequence[str]], Iterable[str]],
        semantic: bool = True,
    ) -> tuple[list[TeamHit], list[str]]:
        """Return shared sources, best first; *semantic* adds semantic search.

        Ids that *known* returns, of this project's own space, are left out: the local index has their current version.
        """

    def recall(self, words: str, where: Filter, limit: int) -> tuple[list[Recollection], list[str]]:
        """Return passages of shared conversations, most relevant first, each with the login that shared it."""

    def close(self) -> None:
        """Close all connections; the next search opens new ones."""
