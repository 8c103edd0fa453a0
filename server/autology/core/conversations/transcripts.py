"""Ports to the client's transcripts, and to the archive that outlasts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from autology.core.content.files import Stamp
from autology.model.conversation import Turn

UNPACKED = 6
"""Bytes of a transcript per byte in the archive."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a transcript has been read.

    *offset* is the byte from which reading continues: the start of the last exchange that may still grow. *end* is the
    byte up to which it was read, *proof* a hash of what precedes it. *broken* lines could not be parsed, *copied* turns
    belong to another transcript.
    """

    stamp: Stamp
    offset: int
    end: int
    proof: str
    session: str = ""
    broken: int = 0
    copied: int = 0


class Ends(NamedTuple):
    """The *first* and *last* bytes of a transcript that has more than *whole* bytes."""

    first: int
    last: int
    whole: int


class Reading(Protocol):
    """One reading of a transcript, from its mark; the rest is known once the turns were read."""

    start: int
    """The byte where it begins."""
    restarts: bool
    """Whether it begins from the start: without a mark, or because the transcript does not match it."""

    def near_end(self, size: int) -> Reading:
        """Return it, begun no earlier than *size* bytes before the end; it has no mark to continue from."""

    def ends(self, ends: Ends) -> Reading:
        """Return it without what lies between its *ends*; it has no mark to continue from.

        One that is parsed as a whole stays whole.
        """

    @property
    def gap(self) -> range:
        """The bytes that :meth:`ends` left out, once the turns were read; empty if none."""

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns, in order, without the client's bookkeeping and injected text."""

    def mark(self, offset: int) -> Mark:
        """Return the mark from which to continue at *offset*."""


@dataclass(frozen=True, slots=True)
class Home:
    """A project: its identity, shared by all worktrees of a repository, and its folder.

    *former* are earlier identities: without a remote, with another one, or by location.
    """

    identity: str
    root: str
    former: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All its identities, the current one first."""
        return self.identity, *self.former


class Transcripts(Protocol):
    """A client's transcripts of its sessions, and their archive. Read-only.

    A transcript's name is the same in either place: with the client, or in the archive after the client deleted it.
    """

    def scan(self) -> Mapping[str, Stamp]:
        """Return every transcript with its stamp, in the order they were written."""

    def of_session(self, session: str) -> Sequence[str]:
        """Return the transcripts of a session of the client's own: its own, and its sub-agents'."""

    def of_folder(self, folder: str) -> Sequence[str]:
        """Return the transcripts of sessions in a folder, or below it; possibly of another with a similar name."""

    def earlier(self, name: str, number: int) -> str:
        """Return the name for the *number*-th replaced version of a transcript."""

    def current(self, name: str) -> str:
        """Return the transcript that this is an earlier version of; itself if it is none."""

    def session(self, name: str) -> str:
        """Return the session of a transcript."""

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session in its client, the last one names it; none if
        the client has no such command, or no such transcript any more."""

    def is_agent(self, name: str) -> bool:
        """Whether a transcript is a sub-agent's."""

    def remembered(self) -> Mapping[str, str]:
        """Return the sessions known to the client, with transcripts or without, and their folders."""

    def unreadable(self) -> Sequence[str]:
        """Return a sentence about each kind of transcripts that exist and cannot be read, as of the last scan."""

    def read(self, name: str, mark: Mark | None = None) -> Reading:
        """Return what follows *mark*, or everything.

        Raises:
            FileNotFoundError: there is none of that name.
            StorageError: it cannot be read.
        """


class Archive(Protocol):
    """Compressed, redacted copies of transcripts that outlast the client's own."""

    def scan(self) -> Mapping[str, Stamp]:
        """Return the archived transcripts: the bytes of each, and when its original was written."""

    def read(self, name: str) -> Reading:
        """Return the whole transcript. Raises FileNotFoundError, StorageError."""

    def home(self, name: str) -> Home | None:
        """Return the project of a transcript when it was archived."""

    def keep(self, name: str, home: Callable[[str], Home]) -> int:
        """Archive the client's current transcript of that name; return its bytes there.

        Raises:
            FileNotFoundError: the client has none of that name.
            StorageError: it cannot be read, or nothing can be written.
        """

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of the archived transcript. Raises FileNotFoundError, StorageError."""

    def adopt(self, name: str, parts: Iterable[bytes], modified: int, extends: bool) -> None:
        """Write a transcript of another machine, after what is there if it *extends* that; *modified* in nanoseconds.

        Raises:
            StorageError: it cannot be written; what was there is unchanged.
        """

    def remove(self, name: str) -> None:
        """Delete it."""
