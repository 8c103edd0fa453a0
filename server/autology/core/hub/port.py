"""What the use cases need of a hub, and of the place where what could not be sent waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from autology.core.ports import Index, Put, Stamp

if TYPE_CHECKING:
    from autology.model.exchange import Chunk

READER, WRITER, ADMIN = "reader", "writer", "admin"
ROLES = (READER, WRITER, ADMIN)
"""What a login may do in a space: look, add and change, and say who may."""
KEPT, REMOVED, SAME, CONFLICT = "kept", "removed", "same", "conflict"
"""What becomes of a memory that is offered."""


@dataclass(frozen=True, slots=True)
class Space:
    """An organisation's project, or with "" for a project what belongs to the whole organisation."""

    org: str
    project: str = ""

    def __str__(self) -> str:
        return f"{self.org}/{self.project}" if self.project else self.org


@dataclass(frozen=True, slots=True)
class Member:
    """A login with what it may do in a space, on one branch or with "" on all of them."""

    login: str
    role: str
    branch: str
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A memory as its file is now, made of the hub's version *base* (0 for none); *file* None takes it away."""

    op: str
    space: Space
    id: str
    base: int
    kind: str
    branch: str | None
    file: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an offer. Of a conflict *file* is what the hub has instead, which *login* wrote."""

    outcome: str
    version: int
    file: str | None = None
    login: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A memory as the hub has it; *file* None where it was taken away."""

    id: str
    version: int
    kind: str
    branch: str | None
    file: str | None
    login: str
    at: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage of a source: where it begins and ends there, and what it says."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What a source says, passage by passage, who shared it, and its whole file where the hub keeps that."""

    login: str
    pieces: tuple[Piece, ...]
    file: str | None


@dataclass(frozen=True, slots=True)
class State:
    """How a hub's database is: its versions, the last *step* to the present form it has taken, and the last of all.

    Which step that is only its owner may read; others are told None.
    """

    server: str
    vectors: str
    step: int | None
    steps: int


@dataclass(frozen=True, slots=True)
class Moved:
    """What became of a move: rows of each table, compared on both servers, and for how long nobody could write."""

    rows: Mapping[str, int]
    copied: int
    passes: int
    still: float


KEPT_AT = "kept/"
"""What the path of a memory begins with that is kept in a hub, and is none of the project's files."""


class Hub(Protocol):
    """A team's hub, seen from one space of it. Every call is one transaction with a deadline; raises HubError."""

    @property
    def space(self) -> Space:
        """The space."""

    @property
    def place(self) -> str:
        """What the server is called in messages."""

    @property
    def index(self) -> Index:
        """What is shared there, to be searched."""

    def at(self, space: Space) -> Hub:
        """Return the same team's hub, seen from another space, wherever that is kept."""

    def leave(self) -> None:
        """End the connections with this space that nobody uses; whoever asks next makes one anew."""

    def close(self) -> None:
        """End all connections, those with the other spaces too that were seen from here."""

    def role(self) -> str | None:
        """Return what whoever asks may do here; None for nothing."""

    def members(self) -> Sequence[Member]:
        """Return who may do what."""

    def grant(self, login: str, role: str, branch: str = "") -> None:
        """Let *login*, which the server knows, do as *role* says."""

    def revoke(self, login: str, branch: str | None = None) -> int:
        """Take back what *login* may, on one branch or altogether; return how many rights went."""

    def keep(self, offer: Offer, put: Put | None) -> Answer:
        """Keep a memory, found as *put* says; the same operation again does nothing more and answers the same."""

    def versions(self) -> Mapping[str, int]:
        """Return the version of every memory that was ever kept here."""

    def held(self, ids: Sequence[str]) -> Sequence[Held]:
        """Return memories as they are here."""

    def shown(self, ids: Sequence[str]) -> Mapping[str, Shown]:
        """Return what the sources with these ids say."""

    def history(self, id: str) -> Sequence[Held]:
        """Return every version of a memory, the last first."""

    def shares(self) -> bool:
        """Whether whoever asks agreed that conversations of this project are shared."""

    def agree(self) -> None:
        """Agree to it."""

    def withdraw(self, login: str = "") -> int:
        """Take that back, and with it all that was shared, by whoever asks or, an admin alone may, by *login*.

        Return how many chunks went. Whose right to the space was taken back may all the same.
        """

    def remains(self, login: str = "") -> Mapping[str, int]:
        """Return what is left of the conversations that whoever asks shared, or *login*, by name."""

    def share(self, chunks: Sequence[Chunk]) -> None:
        """Take in chunks of conversations, those that are there already as they are now."""

    def chunks(self, ids: Sequence[str]) -> Mapping[str, tuple[Chunk, str]]:
        """Return the chunks with these ids, each with whose it is."""


class Operated(Hub, Protocol):
    """A hub as whoever runs it sees it."""

    def everywhere(self) -> Sequence[Operated]:
        """Return the hub seen from this space once for each server that there is."""

    def spaces(self) -> Sequence[Space]:
        """Return the spaces on its server that are open to whoever asks."""

    def state(self) -> State:
        """Return how its database is, having changed nothing."""

    def migrate(self, taken: Callable[[str], None] = ...) -> int:
        """Bring its database up to date, telling the name of each step; return how many that took."""

    def make(self, dims: int) -> bool:
        """Make this space, searched by vectors of so many numbers; whether it is new."""

    def prune(self, audit_days: int | None, versions: int | None, really: bool) -> Mapping[str, int]:
        """Take out lines of the audit older than so many days, and all but so many versions of each memory.

        Return how many of each go; only that unless *really*. An admin alone may.
        """

    def move(self, dsn: str, told: Callable[[str], None] = ...) -> Moved:
        """Move this space to the server at *dsn* while it is used; stopped anywhere, the next call goes on."""

    def stay(self, dsn: str) -> None:
        """Give such a move up: the space stays here, and nothing of it there."""

    def encrypted(self) -> bool:
        """Whether what is said with every host of it is encrypted."""

    def replicas(self) -> Mapping[str, str]:
        """Return what is wrong with each replica that the address names, by what that is called."""

    def is_here(self) -> bool:
        """Whether all of its hosts are this very machine."""


Files = Mapping[str, Mapping[str, Stamp]]
"""A project's files by their kind, each with what it was when it was looked at."""


@dataclass(frozen=True, slots=True)
class Last:
    """What of a project was shared from here last: the files, the branch they were of, and the name of the index."""

    generation: str
    branch: str | None
    files: Files


class Shares(Protocol):
    """What of one project was shared with one space, from this checkout of it."""

    def last(self) -> Last | None:
        """Return what was shared last; None where nothing ever was."""

    def note(self, last: Last) -> None:
        """Note it."""


class Written(Protocol):
    """How far the log of each server was when something was written there from here last.

    A replica that is not there yet lacks what one wrote oneself.
    """

    def last(self, place: str) -> float:
        """Return how far that of the server at *place* was; 0 where nothing was written, infinity for unknown."""

    def note(self, place: str, before: float, now: float) -> None:
        """Note that it is at *now*, asked after *before* was what is noted.

        A server whose log is shorter than it was is another one, as after a backup was restored.
        """


class Outbox(Protocol):
    """What waits to be sent, in the order in which it was put there; it outlasts any stop."""

    def put(self, offer: Offer) -> None:
        """Add an offer; of one memory of a space the last that still waits stands for all before it."""

    def waiting(self) -> Sequence[Offer]:
        """Return what waits, the first first."""

    def done(self, offer: Offer) -> None:
        """Take it out."""

    def version(self, space: Space, id: str) -> tuple[int, str | None]:
        """Return the version of a memory that the local file was made of, and that version's text; 0 for none."""

    def known(self, space: Space) -> Mapping[str, int]:
        """Return the versions that local files were made of."""

    def settle(self, space: Space, id: str, version: int, file: str | None) -> None:
        """Note the version that the local file is of now."""

    def conflict(self, offer: Offer, answer: Answer, text: str) -> str:
        """Keep both sides of a conflict, as *text* shows them; return where.

        The local file counts as made of the hub's version from then on.
        """

    def undecided(self, space: Space, id: str) -> tuple[str | None] | None:
        """Return what was offered, in a tuple, when a conflict about the memory arose that is not resolved yet.

        It is once another version is settled, or once what :meth:`conflict` kept was deleted.
        """

    def conflicts(self) -> Sequence[str]:
        """Return where conflicts lie that nobody resolved."""

    def spaces(self) -> Sequence[Space]:
        """Return the spaces of which local files were made."""

    def sending(self, patience: float = ...) -> AbstractContextManager[None]:
        """Hold what lets one process at a time send. Raises BusyError where another one is longer at it."""
