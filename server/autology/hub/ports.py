"""The ports of the hub's use cases: the hub itself, and what this machine remembers about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from autology.core.index.changes import Put
from autology.core.index.index import Index
from autology.hub.model import (
    Answer,
    LastShare,
    Member,
    MoveResult,
    Offer,
    SchemaState,
    SourceText,
    Space,
    StoredMemory,
)

if TYPE_CHECKING:
    from autology.model.exchange import Chunk


class Hub(Protocol):
    """A team's hub, seen from one space. Each call is one transaction with a deadline and may raise HubError."""

    @property
    def space(self) -> Space:
        """The space."""

    @property
    def place(self) -> str:
        """The name of the server in messages."""

    @property
    def index(self) -> Index:
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

    def store(self, offer: Offer, put: Put | None) -> Answer:
        """Store a memory and index it as *put*. Repeating an operation changes nothing and returns the same answer."""

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
        """Abort such a move: the space stays here, and nothing of it remains there."""

    def is_encrypted(self) -> bool:
        """Whether connections to all hosts of the server are encrypted."""

    def is_local(self) -> bool:
        """Whether all hosts of the server are this machine."""

    def replica_problems(self) -> Mapping[str, str]:
        """Return what is wrong with the replicas of the address, by replica."""


class ShareLog(Protocol):
    """What one checkout last shared with one space."""

    def last(self) -> LastShare | None:
        """Return the last share, or None."""

    def note(self, share: LastShare) -> None:
        """Record a share."""


class ReplicaPositions(Protocol):
    """The position in each server's write-ahead log that a replica must have reached to contain our own writes."""

    def last(self, place: str) -> float:
        """Return the position for the server at *place*: 0 if nothing was written, infinity if unknown."""

    def note(self, place: str, before: float, now: float) -> None:
        """Record position *now*, read after *before* was the recorded one.

        A server whose log is shorter than before is a different one, for example restored from a backup.
        """


class Outbox(Protocol):
    """Offers that wait to be sent, in order, and the hub's versions that local files are based on. Survives crashes."""

    def put(self, offer: Offer) -> None:
        """Add an offer, replacing one of the same memory and space that still waits."""

    def waiting(self) -> Sequence[Offer]:
        """Return the waiting offers, oldest first."""

    def done(self, offer: Offer) -> None:
        """Remove an offer."""

    def version(self, space: Space, id: str) -> tuple[int, str | None]:
        """Return the hub's version that the local file is based on, and its text; (0, None) for none."""

    def known(self, space: Space) -> Mapping[str, int]:
        """Return the versions that local files are based on, by memory."""

    def settle(self, space: Space, id: str, version: int, file: str | None) -> None:
        """Record the version that the local file is now based on; this resolves a conflict about it."""

    def conflict(self, offer: Offer, answer: Answer, text: str) -> str:
        """Record a conflict, with *text* showing both sides; return the path of that file.

        From then on the local file counts as based on the hub's version.
        """

    def undecided(self, space: Space, id: str) -> tuple[str | None] | None:
        """Return the offered text of an open conflict, in a tuple; None if there is no open conflict.

        A conflict is closed by :meth:`settle`, or by deleting the file that :meth:`conflict` wrote.
        """

    def conflicts(self) -> Sequence[str]:
        """Return the paths of the open conflicts."""

    def spaces(self) -> Sequence[Space]:
        """Return the spaces that local files are based on."""

    def sending(self, patience: float = ...) -> AbstractContextManager[None]:
        """Hold the lock that lets one process at a time send. Raises BusyError if another holds it longer."""

    def schedule(self, root: str) -> bool:
        """Record that the project at *root* is about to be sent; False if that is recorded already.

        Whoever sends removes the record before looking for changes, so that a later change is recorded again.
        """

    def unschedule(self, root: str) -> None:
        """Remove that record."""
