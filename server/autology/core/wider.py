"""Looking beyond this machine: what the team's servers share that answers a question, each with whose it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.core.hub.port import Space
from autology.core.peers import gathered
from autology.model.errors import AutologyError
from autology.model.hit import Source
from autology.model.query import Filter

NO_TEAM = "only this machine was searched: no team index is set up"


@dataclass(frozen=True, slots=True)
class Found:
    """A source that somebody shared in a *space*: how well it answers (0-1), what it says, and the part that answers.

    *file* is what its file says, where the hub keeps that.
    """

    source: Source
    score: float
    text: str
    passage: str
    file: str | None
    space: Space
    login: str

    @property
    def whose(self) -> str:
        """Where it is from, and who shared it."""
        return f"{self.space}, by {self.login}"


class Peer(Protocol):
    """One server of the team's."""

    @property
    def name(self) -> str:
        """What it is called."""

    def search(self, query: str, where: Filter, limit: int, meant: bool) -> Iterable[Sequence[Found]]:
        """Yield what was shared there that answers, a part at a time, if *meant* by meaning too. Raises HubError."""

    def close(self) -> None:
        """End its connections."""


class Wider:
    """The servers of a team; *peers* tells them when they are first asked, *here* is this project's own space."""

    def __init__(self, peers: Callable[[], Sequence[Peer]], seconds: float, here: Callable[[], Space]) -> None:
        self._peers = peers
        self._seconds = seconds
        self._here = here

    def close(self) -> None:
        """End all connections; whoever asks next makes them anew."""
        for peer in self._peers():
            peer.close()

    def search(
        self, query: str, where: Filter, limit: int, known: Callable[[Sequence[str]], Iterable[str]], meant: bool = True
    ) -> tuple[list[Found], list[str]]:
        """Return what came within the time, best first, and who said nothing, and why.

        Of this project's own space what is *known* here is left out: it is found here as it is now.
        """
        try:
            peers, here = self._peers(), self._here()
        except AutologyError as error:
            return [], [str(error)]
        found, notes = gathered(peers, lambda peer: peer.search(query, where, limit, meant), self._seconds)
        own = set(known([each.source.id for each in found if each.space == here]))
        found = [each for each in found if each.space != here or each.source.id not in own]
        return sorted(found, key=lambda each: -each.score)[:limit], notes
