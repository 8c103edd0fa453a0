"""What the use cases need from the outside world: ports, each a small contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from autology.model.entry import NODE, Entry
from autology.model.hit import Candidate, Place, Source
from autology.model.passage import Passage
from autology.model.query import Filter, Terms

if TYPE_CHECKING:
    from autology.model.exchange import Chunk, Opening, Turn


class Stamp(NamedTuple):
    """A file's state, comparable without reading it.

    A tuple: a walk over all files makes and compares two per file, in a fifth of a dataclass's time.
    """

    size: int
    mtime_ns: int


ABSENT = Stamp(0, 0)
"""The stamp of a file that is not there."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file changing from *before* to *after*; None stands for no file."""

    path: str
    before: bytes | None
    after: bytes | None


class Watched(Protocol):
    """Files that are read, and told apart from what they were before without reading them.

    Paths are relative to the *root* and ``/``-separated.
    """

    @property
    def root(self) -> str:
        """The project's folder, or the user's own."""

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or ABSENT where there is none."""

    def folders(self) -> Sequence[int]:
        """Return a value that changes when a file is added, removed or renamed."""

    def edited(self) -> Sequence[str]:
        """Return the files that the system reports as edited in place since the last call; possibly incomplete."""

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a file's bytes and the stamp they go with.

        Raises:
            FileNotFoundError: there is none.
            StorageError: it lies outside the root, is a link, is too large or cannot be read.
        """


class RootFiles(Watched, Protocol):
    """Files of ours under one ``.autology``, which lies in the root: the truth."""

    def exists(self) -> bool:
        """Whether there is an ``.autology`` folder."""

    def scan(self) -> Mapping[str, Stamp]:
        """Return every file with its stamp, whatever it contains."""

    def locked(self) -> AbstractContextManager[None]:
        """Hold the root's write lock; first completes the interrupted change of a dead writer."""

    def recover(self) -> None:
        """Complete the interrupted change of a dead writer, unless another is active or nothing may be written."""

    def commit(self, changes: Sequence[Change]) -> Mapping[str, Stamp | None]:
        """Make all *changes* or none, durably; the lock must be held.

        Raises:
            ConflictError: a file differs from a change's *before*; nothing was written.
            StorageError: the disk refused; nothing was written.
        """

    def trashed(self, folder: str = "") -> Sequence[str]:
        """Return the ids in the trash, or the names in that *folder* of it, the latest first."""


class Files(RootFiles, Protocol):
    """A project's nodes, and the files generated from them."""

    def create(self) -> None:
        """Create the folders; harmless if they exist. Raises StorageError."""

    def project_has(self, path: str) -> bool:
        """Whether the project has a file or folder at *path*."""

    def content(self, path: str) -> str:
        """Return a hash of the project's file at *path*, "" if it cannot be read."""

    def write_projection(self, name: str, data: bytes) -> None:
        """Replace a generated file under ``.autology`` if it differs; nothing depends on it."""

    def read_projection(self, name: str) -> bytes | None:
        """Return a generated file's bytes, or None."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The contents of the sources: documents by path, their folders, and missing sources.

    Unreadable files and folders are among the files; reading one says why.
    """

    files: Mapping[str, Stamp]
    folders: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Documents(Watched, Protocol):
    """The markdown files of a project's sources: a person's own, read as they are."""

    @property
    def sources(self) -> Sequence[str]:
        """The folders that are searched; ``.`` is the root's own files, ``**`` everything."""

    def scan(self) -> Scan:
        """Return every document with its stamp, the folders, and the missing sources."""

    def recognise(self) -> None:
        """Treat the folders' current state as seen: the caller has just written into them."""

    def source_of(self, path: str) -> str | None:
        """Return the source that contains *path*; None if none does or it is excluded."""


@dataclass(frozen=True, slots=True)
class Named:
    """A source with its aliases, besides its id and path."""

    id: str
    path: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Put:
    """A file in its current state: its entry for the index, and its text cut into passages."""

    path: str
    stamp: Stamp
    entry: Entry
    passages: tuple[Passage, ...]

    @property
    def texts(self) -> list[str]:
        """Its passages as they are searched: a passage's subject is often named only above it."""
        return [f"{self.entry.title}\n{passage.heading}\n{passage.text}" for passage in self.passages]


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that could not be parsed, and why."""

    path: str
    stamp: Stamp
    reason: str
    kind: str = NODE


@dataclass(frozen=True, slots=True)
class Gone:
    """A file that was deleted."""

    path: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes, as the index stores it."""

    source: str
    type: str
    target: str
    confidence: float
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """The index's counts."""

    nodes: Mapping[str, int]
    statuses: Mapping[str, int]
    relations: Mapping[str, int]
    dangling: int
    faults: int


class Encoder(Protocol):
    """Turns texts into vectors whose products measure semantic similarity."""

    @property
    def name(self) -> str:
        """Its name; vectors of encoders with different names cannot be compared."""

    @property
    def share(self) -> float:
        """The weight of semantic against lexical scores, of 1."""

    @property
    def moves(self) -> float:
        """How far a query vector is moved towards the best lexical hits, relative to its own length."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a row of signed bytes, all of one length, for each text; zeros for a text without known tokens.

        Raises:
            EncodingError: it failed after all.
        """


@dataclass(frozen=True, slots=True)
class Embedded:
    """The encoder in use for semantic search, and its weight; nothing without an encoder.

    While passages wait for the chosen encoder, *coming*, it has encoded *done* of *total*. *fault* says why the chosen
    one cannot be used.
    """

    by: str = ""
    share: float = 0.0
    coming: str = ""
    done: int = 0
    total: int = 0
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Due:
    """A passage that waits for the chosen encoder: its number, and the location of its text."""

    number: int
    kind: str
    path: str
    span: tuple[int, int]


class Index(Protocol):
    """A disposable projection of the files; it can always be rebuilt from them.

    Each call is a transaction of its own: another process may write between two of them, and an index that was deleted
    or damaged meanwhile is replaced by an empty one.
    """

    def held(self) -> AbstractContextManager[None]:
        """Keep the index open for this thread's calls in the block: cheaper, with the same guarantees."""

    def generation(self) -> str:
        """Return the random id of this index; a different one means that it was rebuilt and is behind."""

    def stamps(self, kind: str = NODE) -> Mapping[str, Stamp]:
        """Return the last indexed stamp of every file of that kind."""

    def ready(self, change: Put) -> Put:
        """Return *change* preprocessed for :meth:`apply`, without its texts.

        It reads and writes nothing, so that a worker process may do it as well.
        """

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        """Apply *changes*, whether preprocessed by :meth:`ready` or not, in one transaction."""

    def by_prefix(self, prefix: str, limit: int) -> Sequence[Source]:
        """Return the sources whose id begins with *prefix*."""

    def by_ids(self, ids: Sequence[str]) -> Mapping[str, Source]:
        """Return the sources with these ids."""

    def by_title(self, titles: Sequence[str]) -> Sequence[Source]:
        """Return the sources with one of these titles, ignoring case."""

    def by_name(self, names: Sequence[str], kind: str) -> Sequence[Named]:
        """Return the sources of that kind with one of *names* as an alias, ignoring case."""

    def named(self, kind: str) -> Sequence[Named]:
        """Return every source of that kind with its aliases."""

    def remark(self, name: str, text: str) -> None:
        """Store a remark about the index itself; it is deleted with the index."""

    def remarked(self, name: str) -> str:
        """Return the remark stored under *name*, or ""."""

    def by_origin(self) -> Mapping[str, str]:
        """Return node ids by the path of the record that they were imported from."""

    def words(self, terms: Terms, where: Filter, every: bool, limit: int) -> Sequence[Candidate]:
        """Lexical search: return the best matching sources that pass *where*, for title and body.

        With *every*, all terms must occur in one place, and the newest come first; without, any of them.
        """

    def meaning(self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()) -> Sequence[Candidate]:
        """Semantic search: return the sources nearest to *text* that pass *where*; scores are cosines.

        With *like*, nearest to the text and the best of these passages together. Each with its nearest passage; distant
        sources too. Without an encoder, nothing.
        """

    def rows(self, where: Filter, limit: int) -> Sequence[tuple[str, bytes]]:
        """Return the built-in encoder's rows of what passes *where*, at most *limit*, newest first.

        Each with the id of its source; a source with several passages has several.
        """

    def encoder(self) -> str | None:
        """Return the name of the encoder for semantic search, or None without one."""

    def embedded(self, kind: str | None = None) -> Embedded:
        """Return the encoder in use for passages of that kind, or of all, and the one being prepared."""

    def due(self, kinds: Sequence[str], limit: int) -> Sequence[Due]:
        """Claim passages of these kinds that wait for the chosen encoder, newest first.

        The claim lasts a short while: other callers get other passages.
        """

    def embed(self, texts: Mapping[int, str | None]) -> None:
        """Encode the texts of claimed passages, by number; None for one that is gone.

        Raises:
            EncodingError: the encoder failed after all.
        """

    def vectors(self) -> int:
        """Return how many passages have vectors."""

    def listed(self, where: Filter, limit: int, recent: str) -> Sequence[Source]:
        """Return the sources that pass *where*: current before superseded, confident and *recent* ones first."""

    def edges(
        self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE
    ) -> Sequence[Edge]:
        """Return the edges of that kind that touch one of *ids*, or all of them, at most *limit*; sorted."""

    def linked(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        """Return the edges of every kind, but not to tags, that touch one of *ids*.

        None of an id that more than *most* of them touch: such a hub is not distinctive, and would be slow.
        """

    def ties(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        """Return edges from nodes and memories that touch one of *ids*, at most *most* of each; sorted."""

    def spans(self, ids: Sequence[str]) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Return the ranges of these sources' passages, in order."""

    def tags(self) -> Mapping[str, int]:
        """Return every tag with the number of its nodes."""

    def tagged(self) -> Sequence[tuple[str, str]]:
        """Return the id of every node with each of its tags, sorted."""

    def sharing(
        self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int
    ) -> Sequence[str]:
        """Return ids of nodes that share a tag, a reference or a title word, most shared first."""

    def of_session(self, sessions: Sequence[str], limit: int) -> Sequence[str]:
        """Return ids of nodes captured in one of these sessions."""

    def counts(self) -> Counts:
        """Return the index's counts."""

    def faults(self, kind: str = NODE) -> Sequence[tuple[str, str]]:
        """Return the unreadable files of that kind as (path, reason)."""

    def changed(self) -> Mapping[str, str]:
        """Return how each sealed decision differs from the accepted one, by its id."""

    def dangling(self, limit: int) -> Sequence[Edge]:
        """Return edges whose target is not a node."""


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


class Reading(Protocol):
    """One reading of a transcript, from its mark; the rest is known once the turns were read."""

    start: int
    """The byte where it begins."""
    restarts: bool
    """Whether it begins from the start: without a mark, or because the transcript does not match it."""

    def near_end(self, size: int) -> Reading:
        """Return it, begun no earlier than *size* bytes before the end; it has no mark to continue from."""

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
        """Return the transcripts of a session: its own, and its sub-agents'."""

    def of_folder(self, folder: str) -> Sequence[str]:
        """Return the transcripts of sessions in a folder, or below it; possibly of another with a similar name."""

    def earlier(self, name: str, number: int) -> str:
        """Return the name for the *number*-th replaced version of a transcript."""

    def current(self, name: str) -> str:
        """Return the transcript that this is an earlier version of; itself if it is none."""

    def session(self, name: str) -> str:
        """Return the session of a transcript."""

    def is_agent(self, name: str) -> bool:
        """Whether a transcript is a sub-agent's."""

    def remembered(self) -> Mapping[str, str]:
        """Return the sessions known to the client, with transcripts or without, and their folders."""

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

    def remove(self, name: str) -> None:
        """Delete it."""


@dataclass(frozen=True, slots=True)
class Advance:
    """Progress on a transcript: from the byte *since* on, its chunks are now *chunks*.

    *turns* are the turns read, each with the byte at which it begins. *before* is the mark it continues from: of two
    concurrent readers only the first succeeds.
    """

    transcript: str
    since: int
    chunks: tuple[Chunk, ...]
    turns: tuple[tuple[str, int], ...]
    before: Mark | None
    mark: Mark


@dataclass(frozen=True, slots=True)
class ProjectSeen:
    """A project in the conversations: its identity, its folders, its number of chunks, and its latest time."""

    identity: str
    folders: tuple[str, ...]
    chunks: int
    last: str


class ConversationIndex(Index, Protocol):
    """The index of one user's conversations; a projection of transcripts and archive.

    Its sources are chunks: kind (conversation, code, decision), title "", `created` at the beginning and `modified` at
    the end of what was said.
    """

    def marks(self) -> Mapping[str, Mark]:
        """Return how far every transcript has been read."""

    def mark(self, transcript: str) -> Mark | None:
        """Return how far one transcript has been read."""

    def of_others(self, turns: Sequence[str], transcript: str) -> frozenset[str]:
        """Return those of *turns* that another transcript holds already."""

    def advance(self, *steps: Advance) -> bool:
        """Apply *steps* in one transaction; an existing chunk stays as it is.

        False if another process was first with one of them: that one is left out.
        """

    def rename(self, transcript: str, name: str) -> None:
        """Rename what was read of a transcript."""

    def opening(self, transcript: str, byte: int) -> Opening | None:
        """Return the beginning of the exchange before that byte; None if nothing of the transcript is indexed there."""

    def tidy(self) -> bool:
        """Merge what many small steps left apart; return whether there may be more of that."""

    def forget(self, transcripts: Sequence[str]) -> None:
        """Delete transcripts; the marks of those with copied turns then say that nothing was read."""

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        """Return the chunks with these ids."""

    def by_beginning(self, beginning: str, limit: int) -> Sequence[str]:
        """Return the ids of chunks that begin with *beginning*."""

    def around(self, id: str, before: int, after: int) -> Sequence[Chunk]:
        """Return a chunk with its neighbours in the transcript, in order; empty if the id is unknown."""

    def of_exchange(self, exchange: str) -> Sequence[Chunk]:
        """Return the chunks of an exchange, in order."""

    def of_turn(self, turn: str) -> Sequence[Chunk]:
        """Return the chunk that contains a turn, and the code and decisions of it."""

    def projects(self) -> Sequence[ProjectSeen]:
        """Return the projects in the conversations, the latest first."""

    def held_chunks(self) -> Mapping[str, int]:
        """Return the number of chunks by kind."""

    def unencoded(self) -> int:
        """Return how many chunks have no vector yet."""

    def encode(self, limit: int) -> int:
        """Encode at most *limit* of them; return how many are left."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A file that is pinned *at* a time, with the content *saw*, "" if unknown."""

    at: str
    path: str
    saw: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """A changed file: its path *now* ("": gone), its text then and now, the last commits."""

    path: str
    now: str
    before: str
    after: str
    commits: tuple[str, ...] = ()


class History(Protocol):
    """Version control's knowledge of the project's files."""

    def versions(self, pins: Sequence[Pin]) -> Mapping[Pin, Versions]:
        """Return those of *pins* that changed since: compared with the pinned content, else with that time's commit."""

    def moved(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Return the current paths of those of *paths* that were moved, as far as known."""

    def holding(self, name: str) -> Mapping[str, str]:
        """Return the texts of a few files that contain *name*, by path."""

    def dates(self, paths: Sequence[str]) -> Mapping[str, tuple[str, str]]:
        """Return (first committed, last committed) as stamps, by path; without history, nothing."""

    def files(self) -> Sequence[str] | None:
        """Return the project's files that are not ignored, or None without version control."""

    def ignored(self) -> Sequence[str] | None:
        """Return the ignored paths, folders with a ``/`` at the end, or None without version control."""

    def head(self) -> str | None:
        """Return an id of the project's current commit, None without a full history; cheap to call often."""

    def identity(self) -> str | None:
        """Return the project's identity, or None."""


@dataclass(frozen=True, slots=True)
class Event:
    """An audit event: its name, ``info``, ``warn`` or ``error``, and its details."""

    name: str
    level: str
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AuditState:
    """The audit's state: whether it is on, where, its files and bytes, and why it cannot be written, or ""."""

    on: bool
    path: str
    files: int = 0
    bytes: int = 0
    trouble: str = ""


class Audit(Protocol):
    """The append-only log of everything done with memories, one line per event."""

    def record(self, events: Sequence[Event]) -> bool:
        """Append *events*, redacted; return whether all were written. Never raises."""

    def entries(self, since: str = "") -> Iterator[Mapping[str, object]]:
        """Yield events since the time *since*, newest first, each with ``time`` and ``event``.

        Malformed lines are yielded as ``unreadable`` entries.
        """

    def state(self) -> AuditState:
        """Return its state without changing anything."""


class Tally(Protocol):
    """A rate counter: an actor's calls within the last minute, by a monotonic clock."""

    def take(self, what: str, most: int) -> float:
        """Count a call of *what* and return 0.0; or, after *most* of them, return the seconds to wait.

        Never raises: if the count cannot be shared with other processes, this one counts alone.
        """


class Daily(Protocol):
    """A task done at most once a day, by one process at a time."""

    def last(self) -> str | None:
        """Return when it was last done, as a stamp."""

    def due(self) -> AbstractContextManager[bool]:
        """Enter true if it is due and no other process does it; leaving the block normally records it as done."""


Progress = Callable[[int, int], None]
"""Called with (done, total) during long work."""

Job = TypeVar("Job")
Made = TypeVar("Made")


class Pool(Protocol):
    """Work on many files, helped by other processes; the result is the same as without them."""

    def made(
        self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made]
    ) -> AbstractContextManager[Iterator[Made]]:
        """Yield the result of *here* for each of *jobs*, in order, as they are consumed.

        Workers know by *kind* what *here* does. What they do not finish in time is done here; leaving the block ends
        them.
        """
