"""The port of the hub's use cases: a team's hub."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from autology.core.index.changes import Put
from autology.core.index.index import SearchIndex
from autology.hub.model import (
    Member,
    MoveResult,
    Offer,
    OfferResult,
    SchemaState,
    SourceText,
    Space,
    StoredMemory,
)

if TYPE_CHECKING:
    from autology.model.conversation import Chunk


class Hub(Protocol):
    """A team's hub, seen from one space. Each call is one transaction with a deadline and may raise HubError."""

    @property
    def space(self) -> Space:
        """The space."""

    @property
    def place(self) -> str:
        """The name of the server in messages."""

    @property
    def index(self) -> SearchIndex:
        """The search index of the space."""

    def in_space(self, space: Space) -> Hub:
        """Return the hub seen from another space, on whichever server hosts that."""

    def release(self) -> None:
        """Close the idle connections of this space; the next call opens a new one."""

    def close(self) -> None:
        """Close the idle connections of this space and of all others that were reached from it."""

    def role(self) -> str | None:
        """Return the caller's role in this space, or None."""

    def members(self) -> Sequence[Member]:
        """Return the members of the space."""

    def grant(self, login: str, role: str, branch: str = "") -> None:
        """Grant *role* to a login of the server."""

    def revoke(self, login: str, branch: str | None = None) -> int:
        """Revoke a login's roles, on one branch or on all; return how many."""

    def store(self, offer: Offer, put: Put | None) -> OfferResult:
        """Store a memory and index it as *put*. Repeating an operation changes nothing and returns the same result."""

    def versions(self) -> Mapping[str, int]:
        """Return the version of each memory, deleted ones included."""

    def memories(self, ids: Sequence[str]) -> Sequence[StoredMemory]:
        """Return the current versions of these memories."""

    def texts(self, ids: Sequence[str]) -> Mapping[str, SourceText]:
        """Return the texts of these sources by id."""

    def history(self, id: str) -> Sequence[StoredMemory]:
        """Return all versions of a memory, newest first."""

    def has_consent(self) -> bool:
        """Whether the caller agreed to share conversations of this project."""

    def give_consent(self) -> None:
        """Agree to share conversations of this project."""

    def withdraw_consent(self, login: str = "") -> int:
        """Withdraw consent and delete all shared conversations of the caller or, as an admin, of *login*.

        Return the number of chunks deleted. A caller whose role was revoked may still withdraw.
        """

    def remaining(self, login: str = "") -> Mapping[str, int]:
        """Return row counts by name of the conversations that the caller, or *login*, has shared."""

    def share_chunks(self, chunks: Sequence[Chunk]) -> None:
        """Store chunks of conversations, replacing those with the same id."""

    def chunks(self, ids: Sequence[str]) -> Mapping[str, tuple[Chunk, str]]:
        """Return the chunks with these ids, each with the login that shared it."""


class HubOperations(Hub, Protocol):
    """A hub with the operations of its administrators."""

    def servers(self) -> Sequence[HubOperations]:
        """Return the hub seen from this space once for each server."""

    def spaces(self) -> Sequence[Space]:
        """Return the spaces on this server that the caller is a member of."""

    def schema_state(self) -> SchemaState:
        """Return the schema version of the database, without changing anything."""

    def migrate(self, on_step: Callable[[str], None] = ...) -> int:
        """Migrate the schema, passing each migration's name to *on_step*; return how many ran."""

    def create_space(self, dims: int) -> bool:
        """Create this space with an index for vectors of *dims* numbers; return whether it is new."""

    def prune(self, audit_days: int | None, versions: int | None, really: bool) -> Mapping[str, int]:
        """Delete audit lines older than *audit_days* and all but the last *versions* of each memory, as an admin.

        Return how many of each; without *really* only count them.
        """

    def move(self, dsn: str, on_progress: Callable[[str], None] = ...) -> MoveResult:
        """Move this space to the server at *dsn* while it is in use; interrupted, the next call continues."""

    def abort_move(self, dsn: str) -> None:
        """Abort such a move: the space stays here, and the copy there is deleted."""

    def is_encrypted(self) -> bool:
        """Whether connections to all hosts of the server are encrypted."""

    def is_local(self) -> bool:
        """Whether all hosts of the server are this machine."""

    def replica_problems(self) -> Mapping[str, str]:
        """Return the problems of the address's replicas, by replica."""
