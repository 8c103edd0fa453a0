"""Past conversations of a project, except what the session's context already contains."""

from __future__ import annotations

import time

from autology import wire
from autology.hooks import notes
from autology.ranking.prompt_similarity import reaches, weighed
from autology.text.tokens import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from autology.hooks.notes import Note
    from autology.hooks.project import Project
    from autology.ranking.prompt_similarity import Bar

    class ChunkHit(Protocol):
        """A chunk returned by the conversation index."""

        @property
        def score(self) -> float:
            """Its score; higher is better."""

        @property
        def id(self) -> str:
            """Its id."""

        @property
        def kind(self) -> str:
            """Its kind: conversation, code or decision."""

        @property
        def trust(self) -> str:
            """The trust of its least trusted writer: user or assistant."""

        @property
        def at(self) -> str:
            """When it was said, as a stamp."""

        @property
        def session(self) -> str:
            """Its session."""

        @property
        def question(self) -> str:
            """The question it answers, in one line."""

        @property
        def path(self) -> str:
            """The file it belongs to, or ""."""

        @property
        def text(self) -> str:
            """Its text."""

    class Recollection(Protocol):
        """What hooks use of the conversation index."""

        def size(self) -> int:
            """Return the approximate number of chunks."""

        def often(self, terms: Sequence[tuple[str, ...]]) -> list[int]:
            """Return the document frequency of each of *terms*."""

        def best(
            self,
            terms: Sequence[tuple[str, ...]],
            limit: int,
            kinds: Sequence[str] = ...,
            projects: Sequence[str] = ...,
            since: str = ...,
            until: str = ...,
            *,
            but: str = ...,
            unless: str = ...,
            often: Sequence[int] = ...,
        ) -> Sequence[ChunkHit]:
            """Return the chunks that contain the rarest of *terms*, best first."""

        def touching(
            self, paths: Sequence[str], limit: int, projects: Sequence[str], but: str = ..., unless: str = ...
        ) -> Sequence[ChunkHit]:
            """Return the latest chunks whose files are *paths* or end in one of them."""

        def latest(
            self,
            limit: int,
            projects: Sequence[str],
            but: str = ...,
            unless: str = ...,
            since: str = ...,
            until: str = ...,
        ) -> Sequence[ChunkHit]:
            """Return the latest chunks."""


_TERMS = 24
"""Maximum words looked up, some 0.1 ms each; further words are mostly repetitions."""
_CANDIDATES = 12
"""Chunks compared with the prompt, some 0.1 ms each."""
_TOUCHING = 24
"""Chunks compared among those that touched a file, the latest first."""


class Past:
    """Past conversations of a project: of other sessions, and of this one before its last compaction.

    Optionally limited to *since* a stamp and before the stamp *until*.
    """

    def __init__(self, project: Project, index: Recollection, since: str = "", until: str = "") -> None:
        self._since, self._until = since, until
        self._index = index
        self._project = project
        self._identities: tuple[str, ...] = ()
        own_notes = notes.of_session(project, "compaction", "recalled")
        last = max((at for at, note in enumerate(own_notes) if note["what"] == "compaction"), default=-1)
        # A compaction removes what was said and recalled before it from the context.
        self._unless = _stamp(own_notes[last]) if last >= 0 else ""
        self._in_sight = {id for note in own_notes[last + 1 :] for id in notes.ids(note)}

    def speaking_of(self, words: str, first: tuple[str, ...], bar: Bar) -> list[ChunkHit]:
        """Return chunks that reach the *bar*, nearest first, one per question; preferably of the kinds *first*."""
        terms = query_terms(words)[:_TERMS]
        often = self._index.often(terms)
        query = weighed(terms, often, self._index.size())
        if not query or sum(many > 0 for many in often) < bar.telling:
            return []
        session = self._project.session
        chunks = self._index.best(
            terms,
            _CANDIDATES,
            projects=self._names,
            since=self._since,
            until=self._until,
            but=session,
            unless=self._unless,
            often=often,
        )
        shares = [reaches(bar, query, f"{chunk.question}\n{chunk.path}\n{chunk.text}") for chunk in chunks]
        near = [(share, chunk.score, chunk) for share, chunk in zip(shares, chunks, strict=True) if share]
        # Filtered afterwards: filtering in the query would need a second search if there is none of these kinds.
        near = [hit for hit in near if hit[2].kind in first] or near
        near.sort(key=lambda hit: hit[:2], reverse=True)
        return self._unseen([chunk for *_, chunk in near])

    def touching(self, files: Sequence[str], words: str, bar: Bar) -> list[ChunkHit]:
        """Return chunks that touched *files* and reach the *bar* for *words*, nearest first, one per question."""
        chunks = self._index.touching(files, _TOUCHING, self._names, self._project.session, self._unless)
        terms = query_terms(words)[:_TERMS] if chunks else []
        query = weighed(terms, self._index.often(terms), self._index.size()) if terms else []
        shares = [reaches(bar, query, f"{chunk.question}\n{chunk.text}") if query else 0.0 for chunk in chunks]
        near = [(share, chunk) for share, chunk in zip(shares, chunks, strict=True) if share]
        return self._unseen([chunk for _, chunk in sorted(near, key=lambda hit: hit[0], reverse=True)])

    def latest(self, sessions: int) -> list[ChunkHit]:
        """Return the last chunk of each of the latest *sessions*."""
        session = self._project.session
        return self._unseen(self._index.latest(sessions, self._names, session, self._unless, self._since, self._until))

    @property
    def _names(self) -> tuple[str, ...]:
        """The project's current and former identities."""
        self._identities = self._identities or wire.known_names(self._project.root)
        return self._identities

    def _unseen(self, chunks: Sequence[ChunkHit]) -> list[ChunkHit]:
        questions: dict[tuple[str, str], ChunkHit] = {}
        for chunk in chunks:
            questions.setdefault((chunk.session, chunk.question), chunk)
        return [chunk for chunk in questions.values() if chunk.id not in self._in_sight]


def _stamp(note: Note) -> str:
    at = note["at"]
    assert isinstance(at, (int, float))
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
