"""Ports for hooks: read-only lookups in the indexes that never wait; only type checkers load this module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

NodeRow = tuple[str, str, str, str, str]
"""A node: its id, type, title and status, and the path or reference by which it was found."""
Terms = Sequence[tuple[str, ...]]
"""The words of a query, as `text.tokens.query_terms` returns them."""


class NodeLookup(Protocol):
    """Lookups in a project's index; after the first failure they return nothing."""

    failed: bool

    def counts(self) -> list[tuple[str, str, int]]:
        """Return (type, status, count)."""

    def memories(self, now: str, org: str = "") -> int:
        """Return the number of the project's memories that have not expired by *now*."""

    def newest_decisions(self, limit: int) -> list[tuple[str, str, str, str]]:
        """Return (id, title, decision status, created)."""

    def to_review(self, limit: int) -> list[tuple[str, str, str]]:
        """Return (id, type, title)."""

    def unreadable(self, limit: int) -> list[tuple[str, str]]:
        """Return (path, reason)."""

    def captured(self, session: str, since: str, limit: int) -> list[tuple[str, str, str, str]]:
        """Return (id, type, title, modified) of the nodes captured in *session*."""

    def naming(self, paths: Sequence[str], since: str) -> bool:
        """Return whether a node modified *since* then refers to one of *paths*."""

    def about(self, terms: Terms, limit: int, least: int = 0) -> list[NodeRow]:
        """Return the nodes about *terms*: with *least* of them, or with as many as tell."""

    def titles(self, ids: list[str]) -> list[tuple[str, str, str]]:
        """Return (id, type, title)."""

    def changed(self) -> dict[str, str]:
        """Return what was changed in each sealed decision, by node id."""

    def drifted(self) -> dict[str, str]:
        """Return the drifted reference of each node, by id."""

    def governing(self, terms: Sequence[str]) -> list[tuple[str, str, str, str, str, str, str]]:
        """Return (what, term, detail, id, type, title, trust) of the rules for *terms*."""

    def ruled_commands(self) -> list[tuple[str, str, str, str, str, str, str]]:
        """Return (what, term, detail, id, type, title, trust) of the commands that are ruled out."""

    def governed(self, id: str) -> list[tuple[str, str, str]]:
        """Return (what, term, detail) of the rules of a node."""


class ChunkHit(Protocol):
    """A chunk of a conversation that a lookup returned."""

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
    def project(self) -> str:
        """The identity of its project."""

    @property
    def folder(self) -> str:
        """The folder in which it was said."""

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


class ChunkLookup(Protocol):
    """Lookups in the index of conversations. *but* is a session to leave out, *unless* said before that stamp."""

    def size(self) -> int:
        """Return the approximate number of chunks."""

    def often(self, terms: Terms) -> list[int]:
        """Return the document frequency of each of *terms*."""

    def spelled(self, words: Sequence[str]) -> dict[str, str]:
        """Return the words of the index that some of *words*, which it does not contain, may be misspellings of."""

    def best(
        self,
        terms: Terms,
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

    def rows(self, ids: Sequence[str]) -> tuple[str, dict[str, bytes]]:
        """Return the name of the encoder, and its row of each of the chunks with these *ids* that has one."""

    def has_others(self, projects: Sequence[str]) -> bool:
        """Return whether a project without the identities *projects* has a past."""

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
        """Return the latest chunk of each of the last *limit* sessions."""


class SharedLookup(ChunkLookup, Protocol):
    """A lookup that several steps share."""

    is_shared: bool

    def __enter__(self) -> Self:
        """Return itself."""

    def __exit__(self, *_: object) -> None:
        """Close the index unless it *is shared*."""

    def close(self) -> None:
        """Close the index."""
