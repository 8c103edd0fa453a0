"""A server of the team's as it is asked: in every space of it that is open to whoever asks, and that is meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from autology.core.hub.port import Hub, Shown, Space
from autology.core.rank import rank
from autology.core.recall.peers import Theirs
from autology.core.wider import Found
from autology.model.entry import MEMORY
from autology.model.errors import HubRefusedError
from autology.model.hit import Source
from autology.model.memory import Scope
from autology.model.query import Filter

NEWEST = ""
"""What counts as recent where only a time was asked for: nothing more than the rest."""

T = TypeVar("T")

OPEN = 8
"""Spaces with which the connections are kept, which each has of its own: a server lets in a hundred, from all desks."""


class HubPeer:
    """A :class:`~autology.core.recall.peers.Peer`, and a :class:`~autology.core.wider.Peer`.

    *spaces* tells which spaces are asked.
    """

    def __init__(self, hub: Hub, spaces: Callable[[], Sequence[Space]]) -> None:
        self._hub = hub
        self._spaces = spaces

    @property
    def name(self) -> str:
        """What it is called."""
        return f"hub {self._hub.place}"

    def close(self) -> None:
        """End its connections."""
        self._hub.close()

    def find(self, words: str, where: Filter, limit: int) -> Iterator[list[Theirs]]:
        """Yield what was said that answers, a space at a time. Raises HubError."""
        return self._each(self._spaces(), lambda there: _told(there, words, where, limit))

    def search(self, query: str, where: Filter, limit: int, meant: bool) -> Iterator[list[Found]]:
        """Yield what was shared that answers, a space at a time. Raises HubError."""
        spaces = [space for space in self._spaces() if _may_hold(space, where.scope)]
        return self._each(spaces, lambda there: _shared(there, query, where, limit, meant))

    def _each(self, spaces: Sequence[Space], ask: Callable[[Hub], list[T]]) -> Iterator[list[T]]:
        for number, space in enumerate(spaces):
            there = self._hub.at(space)
            try:
                with there.index.held():
                    part = ask(there)
            except HubRefusedError:
                continue  # it was open a moment ago, and is no more
            finally:
                if number >= OPEN:
                    there.leave()
            yield part


def _told(hub: Hub, words: str, where: Filter, limit: int) -> list[Theirs]:
    if words:
        scores = {hit.source.id: hit.score for hit in rank(hub.index, words, where, limit)}
    else:
        scores = {source.id: 0.5 for source in hub.index.listed(where, limit, NEWEST)}
    chunks = hub.chunks(list(scores))
    found = [Theirs(chunk, login, scores[id]) for id, (chunk, login) in chunks.items()]
    return sorted(found, key=lambda each: -each.score)


def _shared(hub: Hub, query: str, where: Filter, limit: int, meant: bool) -> list[Found]:
    hits = [hit for hit in rank(hub.index, query, where, limit, meant) if _is_of(hub.space, hit.source)]
    shown = hub.shown([hit.source.id for hit in hits])
    return [
        Found(hit.source, hit.score, *_text(shown[hit.source.id], hit.passage), hub.space, shown[hit.source.id].login)
        for hit in hits
        if hit.source.id in shown
    ]


def _text(shown: Shown, best: tuple[int, int] | None) -> tuple[str, str, str | None]:
    """Return what is known of a source's text, the passage that answers, and its file if the hub keeps that."""
    first = next((piece.text for piece in shown.pieces if best == (piece.start, piece.stop)), "")
    return "\n\n".join(piece.text for piece in shown.pieces), first, shown.file


def _may_hold(space: Space, scope: Scope | None) -> bool:
    """Whether what is for *scope* can lie in *space*: what lies elsewhere and says so only claims to be."""
    if scope is None:
        return True
    return scope.org in (None, space.org) and (scope.project is None or scope.project == space.project)


def _is_of(space: Space, source: Source) -> bool:
    """Whether a memory is for whom its space is: another's scope cannot be forged by writing into one's own."""
    if source.kind != MEMORY:
        return True
    return source.org in (None, space.org) and (source.scope_project or space.project) == space.project
