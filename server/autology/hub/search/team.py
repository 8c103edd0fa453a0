"""Searching all servers of a team: shared sources, and shared conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from autology.core.recall.conversation_results import Recollection
from autology.core.team import TeamHit
from autology.hub.model import Space
from autology.hub.search.fan_out import fan_out
from autology.hub.search.server import HubServer, SharedChunk
from autology.model.errors import AutologyError
from autology.model.query import Filter
from autology.ranking.coverage import SessionPassage, relevances
from autology.text.markdown.snippets import phrases

HIGHLIGHTS, HIGHLIGHT = 3, 160


class HubTeamSearch:
    """The :class:`~autology.core.team.TeamSearch` over hubs.

    *servers* is called for each search; *here* returns this project's own space.
    """

    def __init__(
        self,
        servers: Callable[[], Sequence[HubServer]],
        seconds: float,
        here: Callable[[], Space] = lambda: Space(""),
    ) -> None:
        self._servers = servers
        self._seconds = seconds
        self._here = here

    def close(self) -> None:
        """Close all connections; the next search opens new ones."""
        for server in self._servers():
            server.close()

    def search(
        self,
        query: str,
        where: Filter,
        limit: int,
        known: Callable[[Sequence[str]], Iterable[str]],
        semantic: bool = True,
    ) -> tuple[list[TeamHit], list[str]]:
        """Return shared sources, best first, and messages about servers that failed.

        Of this project's own space, ids that *known* returns are left out: the local index has their current text.
        """
        try:
            servers, here = self._servers(), self._here()
        except AutologyError as error:
            return [], [error.message]
        queries = [(server.name, partial(server.sources, query, where, limit, semantic)) for server in servers]
        hits, notes = fan_out(queries, self._seconds)
        local = set(known([hit.source.id for space, hit in hits if space == here]))
        others = [hit for space, hit in hits if space != here or hit.source.id not in local]
        return sorted(others, key=lambda hit: -hit.score)[:limit], notes

    def recall(self, words: str, where: Filter, limit: int) -> tuple[list[Recollection], list[str]]:
        """Return passages of shared conversations, most relevant first, and messages about servers that failed."""
        try:
            servers = self._servers()
        except AutologyError as error:
            return [], [error.message]
        queries = [(server.name, partial(server.chunks, words, where, limit)) for server in servers]
        chunks, notes = fan_out(queries, self._seconds)
        return _recollections(words, chunks)[:limit], notes


def _recollections(words: str, shared: Sequence[SharedChunk]) -> list[Recollection]:
    best_first = sorted(shared, key=lambda hit: -hit.score)
    hits = list({hit.chunk.id: hit for hit in best_first}.values())
    passages = [SessionPassage(hit.score, hit.chunk.text, hit.chunk.session) for hit in hits]
    scores = relevances(words, passages) if words else [hit.score for hit in hits]
    recollections = [
        Recollection(
            hit.chunk,
            round(relevance, 4),
            tuple(phrases(hit.chunk.text, words, HIGHLIGHTS, HIGHLIGHT)) if words else (),
            source=hit.login,
        )
        for hit, relevance in zip(hits, scores, strict=True)
    ]
    return sorted(recollections, key=lambda recollection: -recollection.relevance)
