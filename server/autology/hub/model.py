"""The data that a hub and its clients exchange: spaces, members, memories with their versions, and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autology.model.passage import Passage

READER, WRITER, ADMIN = "reader", "writer", "admin"
ROLES = (READER, WRITER, ADMIN)
"""Roles of a login in a space: a reader reads, a writer also writes, an admin also manages its members."""
KEPT, REMOVED, SAME, CONFLICT = "kept", "removed", "same", "conflict"
"""Outcomes of an offer: stored, deleted, already stored, or rejected because the hub has a newer version."""
MEMORY_PATH = "kept/"
"""Prefix of the index paths of memories that the hub itself stores; these are not files of the project."""
NO_ORG = "team"
"""The organisation if the settings name none."""


@dataclass(frozen=True, slots=True)
class Space:
    """A project of an organisation; an empty project stands for the organisation itself."""

    org: str
    project: str = ""

    def __str__(self) -> str:
        return f"{self.org}/{self.project}" if self.project else self.org


@dataclass(frozen=True, slots=True)
class Member:
    """A login and its role in a space, on one branch or, if that is empty, on all."""

    login: str
    role: str
    branch: str
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A change of a memory, sent under the operation id *op*.

    *base* is the hub's version that it was made from, 0 for a new memory; *file* is the new text, None to delete it.
    """

    op: str
    space: Space
    id: str
    base: int
    kind: str
    branch: str | None
    file: str | None


@dataclass(frozen=True, slots=True)
class OfferResult:
    """The outcome of an offer. For a conflict, *file* is the hub's text, and *login* wrote it."""

    outcome: str
    version: int
    file: str | None = None
    login: str = ""


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A version of a memory in the hub; *file* is None if that version deleted it."""

    id: str
    version: int
    kind: str
    branch: str | None
    file: str | None
    login: str
    at: str


@dataclass(frozen=True, slots=True)
class SourceText:
    """The passages of a source, the login that shared it, and its whole file if the hub stores that."""

    login: str
    passages: tuple[Passage, ...]
    file: str | None


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The schema version of a hub's database and that of this program, *latest*.

    *step* is 0 before the first migration, and None for a login that may not read it: only the owner may.
    """

    step: int | None
    latest: int


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The rows per table, equal on both servers, the rows copied in *passes*, and the seconds writes were *paused*."""

    rows: Mapping[str, int]
    copied: int
    passes: int
    paused: float
