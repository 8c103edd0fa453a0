"""The queue of what sessions settled and no note says: accepted to a note, or dismissed, never written by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from autology.core.conversations import past_sessions
from autology.core.conversations.candidate_likeness import Encode, without_noted, without_said_again
from autology.core.conversations.changed_candidates import without_changed
from autology.core.conversations.mining import FIX, RULE, Candidate, mined, without_replaced
from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.sync import Pace, clean
from autology.core.nodes.capture import Captured, Material, capture
from autology.core.nodes.graph import Graph
from autology.model.conversation import TOOL, Turn
from autology.model.errors import PassageNotFoundError, StorageError, ValidationError
from autology.model.node import TITLE_LIMIT, NodeType
from autology.model.query import Filter

SESSIONS = 200
"""The latest sessions that are mined: some months of work, in a few seconds."""
NOTES = 5_000
ACCEPTED, DISMISSED, REOPENED = "accepted", "dismissed", "reopened"
SHORTEST_ID = 4
TITLE = 100


class Answered(Protocol):
    """The candidates that the user accepted or dismissed."""

    def ids(self) -> frozenset[str]:
        """Return the ids of those whose last answer is not :data:`REOPENED`. Raises StorageError."""

    def add(self, id: str, answer: str) -> None:
        """Remember an answer durably. Raises StorageError."""


class Offer(Protocol):
    """The waiting candidates as they were last mined, for those who cannot wait until they are mined again."""

    def written(self) -> str:
        """Return when it was written, as a stamp; "" if never."""

    def replace(self, candidates: Sequence[Candidate]) -> None:
        """Replace it, if possible."""


class MinedQueue:
    """The candidates of one project's sessions that wait for the user; *offer* is kept up to date.

    *encode* returns vectors of texts; without it, words alone tell whether two say the same.
    """

    def __init__(
        self,
        conversations: ConversationSources,
        graph: Graph,
        names: Callable[[], Iterable[str]],
        answered: Answered,
        offer: Offer,
        encode: Encode | None,
    ) -> None:
        self._conversations = conversations
        self._graph = graph
        self._names = names
        self._answered = answered
        self._offer = offer
        self._encode = encode

    def catch_up(self, idle: float) -> None:
        """Mine in the background if a session went on since the offer was written; rest *idle* s per second of work.

        Raises:
            StorageError: the answers cannot be read.
        """
        latest = past_sessions.sessions(self._conversations, *self._names())
        last = latest[0].ended if latest and self._conversations.rules.read else ""
        if not last or last >= self._offer.written():
            self.waiting(idle)

    def waiting(self, idle: float = 0.0) -> list[Candidate]:
        """Return the candidates that no note says and that were not answered, newest first. Raises StorageError."""
        waiting = self._mined(Pace(1, idle))
        self._offer.replace(waiting)
        return waiting

    def _mined(self, pace: Pace) -> list[Candidate]:
        latest = past_sessions.sessions(self._conversations, *self._names())[:SESSIONS]
        candidates: list[Candidate] = []
        talk: list[Turn] = []
        for session in sorted(latest, key=lambda session: session.began):
            with suppress(PassageNotFoundError, StorageError, FileNotFoundError):
                turns = [clean(turn) for turn in past_sessions.turns_of(self._conversations, session.id)]
                candidates += mined(turns)
                talk += [
                    turn for turn in turns if turn.role != TOOL and turn.agent is None and (turn.text or turn.calls)
                ]
            pace.rest()
        answered = self._answered.ids()
        lasting = without_changed(list(without_replaced(candidates, talk)), talk)
        current = without_said_again(list(lasting), self._encode)
        waiting = without_noted([one for one in current if one.id not in answered], self._notes(), self._encode)
        return waiting[::-1]

    def accept(self, beginning: str, title: str | None, text: str | None) -> Captured:
        """Capture the candidate whose id begins with *beginning* as a note; *title* and *text* replace its own.

        Raises:
            ValidationError: no one candidate has that id, or the note is unusable.
            StorageError: it cannot be written.
        """
        candidate, others = self._called(beginning)
        captured = capture(self._graph, material(candidate, title, text))
        self._answered.add(candidate.id, ACCEPTED)
        self._offer.replace(others)
        return captured

    def dismiss(self, beginning: str) -> Candidate:
        """Never offer the candidate whose id begins with *beginning* again. Raises ValidationError, StorageError."""
        candidate, others = self._called(beginning)
        self._answered.add(candidate.id, DISMISSED)
        self._offer.replace(others)
        return candidate

    def reopen(self, id: str) -> None:
        """Offer the candidate with that id again. Raises StorageError."""
        self._answered.add(id, REOPENED)

    def _called(self, beginning: str) -> tuple[Candidate, list[Candidate]]:
        """Return the waiting candidate whose id begins like that, and the other ones. Raises ValidationError."""
        waiting = self.waiting()
        matches = [one for one in waiting if one.id.startswith(beginning)]
        if len(beginning) < SHORTEST_ID or len(matches) != 1:
            problem = (
                f"'{beginning[:40]}' is the id of {len(matches) or 'no'} waiting candidate{'s'[: len(matches) != 1]}"
            )
            raise ValidationError("id", problem, "List the candidates, and give the whole id of one.")
        return matches[0], [one for one in waiting if one is not matches[0]]

    def _notes(self) -> Sequence[str]:
        graph = self._graph
        sources = graph.read_current(lambda: graph.index.listed(Filter(), NOTES, ""))
        return [f"{node.title}\n{node.content}" for node, _ in graph.readable(list(sources))]


def material(candidate: Candidate, title: str | None, text: str | None) -> Material:
    """Return the note for *candidate*: its quote, what carried it out, and where it was said."""
    source = f"Said by the {candidate.author} on {candidate.at[:10]} in session {candidate.session}."
    outcome = f"\n\nThen: “{candidate.outcome}”" if candidate.outcome else ""
    if candidate.kind in (RULE, FIX):
        type, body = NodeType.CONVENTION if candidate.kind == RULE else NodeType.ISSUE, f"“{candidate.quote}”{outcome}"
        body = f"{body}\n\n{source}"
    else:
        type = NodeType.DECISION
        body = f"## Context\n\n{source}\n\n## Decision\n\n“{candidate.quote}”{outcome}"
    own = candidate.quote if len(candidate.quote) <= TITLE else f"{candidate.quote[: TITLE - 1].rstrip()}…"
    return Material(title=(title or own)[:TITLE_LIMIT], content=text or body, type=type.value)
