"""Asking what others of the team share: every server at once, until the time is up, naming who did not answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.core.peers import gathered
from autology.core.recall.recollection import Recollection
from autology.model.errors import AutologyError
from autology.model.exchange import Chunk
from autology.model.query import Filter
from autology.ranking.closeness import Passage, relevances
from autology.text.excerpts import phrases

HIGHLIGHTS, HIGHLIGHT = 3, 160


@dataclass(frozen=True, slots=True)
class Theirs:
    """A chunk that somebody of the team shared, and who."""

    chunk: Chunk
    login: str
    score: float


class Peer(Protocol):
    """One server of the team's."""

    @property
    def name(self) -> str:
        """What it is called."""

    def find(self, words: str, where: Filter, limit: int) -> Iterable[Sequence[Theirs]]:
        """Yield what it holds that answers, a part at a time. Raises AutologyError."""


class Team:
    """The servers of a team; *peers* tells them when they are first asked."""

    def __init__(self, peers: Callable[[], Sequence[Peer]], seconds: float) -> None:
        self._peers = peers
        self._seconds = seconds

    def recall(self, words: str, where: Filter, limit: int) -> tuple[list[Recollection], list[str]]:
        """Return what came within the time, the best first, each with whose it is; and who said nothing, and why."""
        try:
            peers = self._peers()
        except AutologyError as error:
            return [], [str(error)]
        found, notes = gathered(peers, lambda peer: peer.find(words, where, limit), self._seconds)
        return _recollected(words, found)[:limit], notes


def _recollected(words: str, found: Sequence[Theirs]) -> list[Recollection]:
    chunks = list({each.chunk.id: each for each in sorted(found, key=lambda each: -each.score)}.values())
    told = [Passage(each.score, each.chunk.text, each.chunk.session) for each in chunks]
    near = relevances(words, told) if words else [each.score for each in chunks]
    made = [
        Recollection(
            each.chunk,
            round(relevance, 4),
            tuple(phrases(each.chunk.text, words, HIGHLIGHTS, HIGHLIGHT)) if words else (),
            source=each.login,
        )
        for each, relevance in zip(chunks, near, strict=True)
    ]
    return sorted(made, key=lambda each: -each.relevance)
