"""What was said in a project before, as far as the session does not hold it already."""

from __future__ import annotations

import time

from autology import wire
from autology.hooks import notes
from autology.ranking.nearness import reaches, weighed
from autology.text.tokens import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from autology.hooks.notes import Note
    from autology.hooks.project import Project
    from autology.ranking.nearness import Bar

    class Found(Protocol):
        """A chunk of a conversation that was found."""

        @property
        def score(self) -> float:
            """How well it answers, the more the better."""

        @property
        def id(self) -> str:
            """What names it."""

        @property
        def kind(self) -> str:
            """conversation, code or decision."""

        @property
        def trust(self) -> str:
            """Who of those who wrote it is trusted least: user or assistant."""

        @property
        def at(self) -> str:
            """When it was said, a stamp."""

        @property
        def session(self) -> str:
            """The session that it was said in."""

        @property
        def question(self) -> str:
            """What was asked there, in a line."""

        @property
        def path(self) -> str:
            """The file that it is of, if any."""

        @property
        def text(self) -> str:
            """Its text."""

    class Recollection(Protocol):
        """What hooks ask of the index of what was said."""

        def size(self) -> int:
            """Return about how many chunks there are."""

        def often(self, terms: Sequence[tuple[str, ...]]) -> list[int]:
            """Return how many chunks hold each of *terms*."""

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
        ) -> Sequence[Found]:
            """Return the chunks that hold the rarest of *terms*, the best first."""

        def touching(
            self, paths: Sequence[str], limit: int, projects: Sequence[str], but: str = ..., unless: str = ...
        ) -> Sequence[Found]:
            """Return the latest chunks of which a file is one of *paths*, or ends in one."""

        def latest(
            self,
            limit: int,
            projects: Sequence[str],
            but: str = ...,
            unless: str = ...,
            since: str = ...,
            until: str = ...,
        ) -> Sequence[Found]:
            """Return what was said last."""


_TERMS = 24
"""Words of a question that are looked up, some 0.1 ms each; what more there is repeats them."""
_CANDIDATES = 12
"""Chunks that are read to see whether they speak of it, some 0.1 ms each."""
_TOUCHING = 24
"""Of what touched a file, the latest that is read so."""


class Past:
    """A look into what was said in a project, in other sessions or before this one was compacted.

    Of what was said *since* a stamp and before the stamp *until*, if these are given.
    """

    def __init__(self, project: Project, look: Recollection, since: str = "", until: str = "") -> None:
        self._since, self._until = since, until
        self._look = look
        self._project = project
        self._known: tuple[str, ...] = ()
        said = notes.of_session(project, "compaction", "recalled")
        last = max((at for at, note in enumerate(said) if note["what"] == "compaction"), default=-1)
        # A compaction takes out of sight what was said and recalled before it.
        self._unless = _stamp(said[last]) if last >= 0 else ""
        self._in_sight = {id for note in said[last + 1 :] for id in notes.ids(note)}

    def speaking_of(self, words: str, first: tuple[str, ...], bar: Bar) -> list[Found]:
        """Return what reaches the *bar*, the nearest first, one a question; of the kinds *first* if there are such."""
        terms = query_terms(words)[:_TERMS]
        often = self._look.often(terms)
        asked = weighed(terms, often, self._look.size())
        if not asked or sum(many > 0 for many in often) < bar.telling:
            return []
        session = self._project.session
        found = self._look.best(
            terms,
            _CANDIDATES,
            projects=self._names,
            since=self._since,
            until=self._until,
            but=session,
            unless=self._unless,
            often=often,
        )
        shares = [reaches(bar, asked, f"{each.question}\n{each.path}\n{each.text}") for each in found]
        near = [(share, each.score, each) for share, each in zip(shares, found, strict=True) if share]
        # Not asked for by kind: that would search twice where there is none of it.
        near = [each for each in near if each[2].kind in first] or near
        near.sort(key=lambda each: each[:2], reverse=True)
        return self._unseen([each for *_, each in near])

    def touching(self, files: Sequence[str], words: str, bar: Bar) -> list[Found]:
        """Return what touched one of *files* and reaches the *bar* in *words*, the nearest first, one a question."""
        found = self._look.touching(files, _TOUCHING, self._names, self._project.session, self._unless)
        terms = query_terms(words)[:_TERMS] if found else []
        asked = weighed(terms, self._look.often(terms), self._look.size()) if terms else []
        shares = [reaches(bar, asked, f"{each.question}\n{each.text}") if asked else 0.0 for each in found]
        near = [(share, each) for share, each in zip(shares, found, strict=True) if share]
        return self._unseen([each for _, each in sorted(near, key=lambda one: one[0], reverse=True)])

    def latest(self, sessions: int) -> list[Found]:
        """Return what the latest *sessions* ended with."""
        session = self._project.session
        return self._unseen(self._look.latest(sessions, self._names, session, self._unless, self._since, self._until))

    @property
    def _names(self) -> tuple[str, ...]:
        """What identifies the project, and what did before."""
        self._known = self._known or wire.known_names(self._project.root)
        return self._known

    def _unseen(self, found: Sequence[Found]) -> list[Found]:
        questions: dict[tuple[str, str], Found] = {}
        for each in found:
            questions.setdefault((each.session, each.question), each)
        return [each for each in questions.values() if each.id not in self._in_sight]


def _stamp(note: Note) -> str:
    at = note["at"]
    assert isinstance(at, (int, float))
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
