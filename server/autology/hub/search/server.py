"""Searching one server of the team, in every space of it that the caller is a member of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from autology.core.hybrid_search import rank
from autology.core.team import TeamHit
from autology.hub.model import SourceText, Space
from autology.hub.ports import Hub
from autology.model.conversation import Chunk
from autology.model.entry import MEMORY
from autology.model.errors import HubRefusedError
from autology.model.hit import Source
from autology.model.memory import Scope
from autology.model.query import Filter
from autology.ranking.fusion import Ranked

NOTHING_RECENT = ""
"""The stamp for a listing that must not prefer recent sources."""
MAX_OPEN_SPACES = 8
"""Maximum spaces with open connections, since each space needs its own; a server allows about a hundred in total."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SharedChunk:
    """A chunk of a conversation, the login that shared it, and its score."""

    chunk: Chunk
    login: str
    score: float


class HubServer:
    """One server, with a function that returns the spaces to search on it."""

    def __init__(self, hub: Hub, spaces: Callable[[], Sequence[Space]]) -> None:
        self._hub = hub
        self._spaces = spaces

    @property
    def name(self) -> str:
        """Its name in messages."""
        return f"hub {self._hub.place}"

    def close(self) -> None:
        """Close its connections."""
        self._hub.close()

    def chunks(self, words: str, where: Filter, limit: int) -> Iterator[list[SharedChunk]]:
        """Yield matching chunks of conversations, space by space. Raises HubError."""
        return self._in_each(self._spaces(), lambda hub: _chunks(hub, words, where, limit))

    def sources(self, query: str, where: Filter, limit: int, semantic: bool) -> Iterator[list[tuple[Space, TeamHit]]]:
        """Yield matching sources, space by space; with *semantic* also by semantic retrieval. Raises HubError."""
        spaces = [space for space in self._spaces() if _may_contain(space, where.scope)]
        return self._in_each(spaces, lambda hub: _sources(hub, query, where, limit, semantic))

    def _in_each(self, spaces: Sequence[Space], query: Callable[[Hub], list[T]]) -> Iterator[list[T]]:
        for number, space in enumerate(spaces):
            hub = self._hub.in_space(space)
            try:
                with hub.index.keep_open():
                    part = query(hub)
            except HubRefusedError:
                continue  # access was revoked since the spaces were listed
            finally:
                if number >= MAX_OPEN_SPACES:
                    hub.release()
            yield part


def _chunks(hub: Hub, words: str, where: Filter, limit: int) -> list[SharedChunk]:
    if words:
        scores = {hit.source.id: hit.score for hit in rank(hub.index, words, where, limit)}
    else:
        scores = {source.id: 0.5 for source in hub.index.listed(where, limit, NOTHING_RECENT)}
    chunks = hub.chunks(list(scores))
    shared = [SharedChunk(chunk, login, scores[id]) for id, (chunk, login) in chunks.items()]
    return sorted(shared, key=lambda chunk: -chunk.score)


def _sources(hub: Hub, query: str, where: Filter, limit: int, semantic: bool) -> list[tuple[Space, TeamHit]]:
    hits = [hit for hit in rank(hub.index, query, where, limit, semantic) if _belongs(hub.space, hit.source)]
    texts = hub.texts([hit.source.id for hit in hits])
    return [(hub.space, _team_hit(hub.space, hit, texts[hit.source.id])) for hit in hits if hit.source.id in texts]


def _team_hit(space: Space, hit: Ranked, text: SourceText) -> TeamHit:
    content = "\n\n".join(passage.text for passage in text.passages)
    best = next((passage.text for passage in text.passages if hit.passage == (passage.start, passage.stop)), "")
    return TeamHit(hit.source, hit.score, content, best, text.file, f"{space}, by {text.login}")


def _may_contain(space: Space, scope: Scope | None) -> bool:
    """Whether sources of *scope* belong in *space*; sources elsewhere that claim the scope are not trusted."""
    if scope is None:
        return True
    return scope.org in (None, space.org) and (scope.project is None or scope.project == space.project)


def _belongs(space: Space, source: Source) -> bool:
    """Whether a memory's scope is that of its space, so that no user can forge another scope in their own space."""
    if source.kind != MEMORY:
        return True
    return source.org in (None, space.org) and (source.scope_project or space.project) == space.project
