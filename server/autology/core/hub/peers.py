"""A server of the team's as it is asked for conversations: in every space of it that is open to whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autology.core.hub.port import Hub, Space
from autology.core.rank import rank
from autology.core.recall.peers import Theirs
from autology.model.query import Filter

NEWEST = ""
"""What counts as recent where only a time was asked for: nothing more than the rest."""

OPEN = 8
"""Spaces with which the connections are kept, which each has of its own: a server lets in a hundred, from all desks."""


class HubPeer:
    """A :class:`~autology.core.recall.peers.Peer`; *spaces* tells which spaces are asked."""

    def __init__(self, hub: Hub, spaces: Callable[[], Sequence[Space]]) -> None:
        self._hub = hub
        self._spaces = spaces

    @property
    def name(self) -> str:
        """What it is called."""
        return f"hub {self._hub.place}"

    def find(self, words: str, where: Filter, limit: int) -> list[Theirs]:
        """Return what it holds that answers. Raises HubError."""
        found: list[Theirs] = []
        for number, space in enumerate(self._spaces()):
            there = self._hub.at(space)
            with there.index.held():
                found += _found(there, words, where, limit)
            if number >= OPEN:
                there.leave()
        return sorted(found, key=lambda each: -each.score)[:limit]


def _found(hub: Hub, words: str, where: Filter, limit: int) -> list[Theirs]:
    if words:
        scores = {hit.source.id: hit.score for hit in rank(hub.index, words, where, limit)}
    else:
        scores = {source.id: 0.5 for source in hub.index.listed(where, limit, NEWEST)}
    chunks = hub.chunks(list(scores))
    return [Theirs(chunk, login, scores[id]) for id, (chunk, login) in chunks.items()]
