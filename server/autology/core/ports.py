"""What the use cases need from the outside, each as a small promise."""

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
    """What tells one state of a file from another without reading it.

    A tuple, for a walk over every file makes two of each and compares them, in a fifth of a dataclass's time.
    """

    size: int
    mtime_ns: int


ABSENT = Stamp(0, 0)
"""The stamp of a file that is not there."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file going from *before* to *after*; None stands for no file."""

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
        """Return the files that the system says were edited in place since this was last asked; maybe not all."""

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
        """Return every file with its stamp, whatever it holds."""

    def locked(self) -> AbstractContextManager[None]:
        """Hold the root's write lock; what a dead writer left half done is completed first."""

    def recover(self) -> None:
        """Complete what a dead writer left half done, unless somebody is writing or nothing may be written."""

    def commit(self, changes: Sequence[Change]) -> Mapping[str, Stamp | None]:
        """Make all *changes* or none, durably; the lock must be held.

        Raises:
            ConflictError: a file is not what a change has as *before*; nothing was written.
            StorageError: the disk refused; nothing was written.
        """

    def trashed(self, folder: str = "") -> Sequence[str]:
        """Return the ids in the trash, or the names in that *folder* of it, the one deleted last first."""


class Files(RootFiles, Protocol):
    """A project's nodes, and what is generated from them."""

    def create(self) -> None:
        """Make the folders; harmless when they are there. Raises StorageError."""

    def project_has(self, path: str) -> bool:
        """Whether the project holds a file or folder at *path*."""

    def content(self, path: str) -> str:
        """Return what tells the content of the project's file at *path* from others, "" where none can be read."""

    def write_projection(self, name: str, data: bytes) -> None:
        """Replace a generated file under ``.autology`` if it differs; nothing depends on it."""

    def read_projection(self, name: str) -> bytes | None:
        """Return a generated file's bytes, or None."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What the sources hold: documents by path, their folders, and the sources that are not there.

    Files and folders that cannot be read are among the files; reading one says why.
    """

    files: Mapping[str, Stamp]
    folders: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Documents(Watched, Protocol):
    """The markdown files of a project's sources: a person's own, read as they are."""

    @property
    def sources(self) -> Sequence[str]:
        """The folders that are looked into; ``.`` is the root's own files, ``**`` all there are."""

    def scan(self) -> Scan:
        """Return every document with its stamp, the folders, and the sources that are missing."""

    def recognise(self) -> None:
        """Take the folders as they are now for unchanged: whoever asks has just written into them."""

    def source_of(self, path: str) -> str | None:
        """Return the source that *path* lies in; None where it lies in none or is passed over."""


@dataclass(frozen=True, slots=True)
class Named:
    """A source with the names that it answers to, beside its id and its path."""

    id: str
    path: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Put:
    """A file as it is now: what the index holds of it, and its text cut into passages."""

    path: str
    stamp: Stamp
    entry: Entry
    passages: tuple[Passage, ...]

    @property
    def texts(self) -> list[str]:
        """Its passages as they are searched: what one is about often stands above it only."""
        return [f"{self.entry.title}\n{passage.heading}\n{passage.text}" for passage in self.passages]


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that cannot be read as what it should be, and why."""

    path: str
    stamp: Stamp
    reason: str
    kind: str = NODE


@dataclass(frozen=True, slots=True)
class Gone:
    """A file that is no more."""

    path: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes, as the graph sees it."""

    source: str
    type: str
    target: str
    confidence: float
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """What the index holds."""

    nodes: Mapping[str, int]
    statuses: Mapping[str, int]
    relations: Mapping[str, int]
    dangling: int
    faults: int


class Encoder(Protocol):
    """What turns texts into vectors whose products tell how near their meanings are."""

    @property
    def name(self) -> str:
        """Its name; vectors of encoders with different names cannot be compared."""

    @property
    def share(self) -> float:
        """What nearness by it counts beside words, of 1."""

    @property
    def moves(self) -> float:
        """How far a question is moved towards what its words find best, of its own length."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a row of signed bytes, all of one length, for each text; zeros for one that it knows nothing of.

        Raises:
            EncodingError: it cannot be used after all.
        """


@dataclass(frozen=True, slots=True)
class Embedded:
    """What an index is searched by meaning with, and the share that counts beside words; nothing without an encoder.

    While passages wait for the encoder that was chosen, *coming*, it has seen *done* of *total*. *fault* says
    why the one that was chosen cannot be used.
    """

    by: str = ""
    share: float = 0.0
    coming: str = ""
    done: int = 0
    total: int = 0
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Due:
    """A passage that waits for the encoder that was chosen: its number, and where its text stands."""

    number: int
    kind: str
    path: str
    span: tuple[int, int]


class Index(Protocol):
    """A disposable projection of the files; can always be rebuilt from them.

    Every call stands alone: another process may write between two of them, and an index
    that was deleted or damaged meanwhile is replaced by an empty one.
    """

    def held(self) -> AbstractContextManager[None]:
        """Keep the index at hand for the calls that this thread makes meanwhile: cheaper, not another promise."""

    def generation(self) -> str:
        """Return what names this index; another one means that it was made anew and is behind."""

    def stamps(self, kind: str = NODE) -> Mapping[str, Stamp]:
        """Return what the index believes of every file of that kind that it has seen."""

    def ready(self, change: Put) -> Put:
        """Return *change* as :meth:`apply` takes it in soonest, without its texts.

        Nothing is looked up or written for it, so that another process may do it as well.
        """

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        """Take in *changes*, whether :meth:`ready` or not, in one transaction."""

    def by_prefix(self, prefix: str, limit: int) -> Sequence[Source]:
        """Return the sources whose id begins with *prefix*."""

    def by_ids(self, ids: Sequence[str]) -> Mapping[str, Source]:
        """Return the sources with these ids."""

    def by_title(self, titles: Sequence[str]) -> Sequence[Source]:
        """Return the sources with one of these titles, whatever their case."""

    def by_name(self, names: Sequence[str], kind: str) -> Sequence[Named]:
        """Return the sources of that kind that one of *names* is an alias of, whatever its case."""

    def named(self, kind: str) -> Sequence[Named]:
        """Return every source of that kind with its aliases."""

    def remark(self, name: str, text: str) -> None:
        """Keep a word about the index itself; it goes with the index."""

    def remarked(self, name: str) -> str:
        """Return what was kept under *name*, or ""."""

    def by_origin(self) -> Mapping[str, str]:
        """Return node ids by the path of the record that they were imported from."""

    def words(self, terms: Terms, where: Filter, every: bool, limit: int) -> Sequence[Candidate]:
        """Return, for title and body, the sources that best match among those that pass *where*.

        With *every*, all terms must be found in one place, and the newest come first; without, any of them.
        """

    def meaning(self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()) -> Sequence[Candidate]:
        """Return the sources nearest in meaning to *text* among those that pass *where*; scores are cosines.

        With *like*, nearest to the text and the best of these passages together. Each with its nearest
        passage; sources that lie far away too. Without an encoder, nothing.
        """

    def rows(self, where: Filter, limit: int) -> Sequence[tuple[str, bytes]]:
        """Return the rows of the encoder that is built in, at most *limit*, of what passes *where*, the latest first.

        Each with the id of its source; of a source with several passages, each one's.
        """

    def encoder(self) -> str | None:
        """Return the name of what is searched by meaning with, or None where that cannot be done."""

    def embedded(self, kind: str | None = None) -> Embedded:
        """Return what passages of that kind, or of all, are searched by meaning with, and what is still to come."""

    def due(self, kinds: Sequence[str], limit: int) -> Sequence[Due]:
        """Return passages of these kinds that wait for the encoder that was chosen, the newest first.

        They are the caller's for a short while: others are given others.
        """

    def embed(self, texts: Mapping[int, str | None]) -> None:
        """Encode the texts of passages that were due, by number; None where there is none to be had any more.

        Raises:
            EncodingError: the encoder cannot be used after all.
        """

    def vectors(self) -> int:
        """Return how many passages are found by meaning."""

    def listed(self, where: Filter, limit: int, recent: str) -> Sequence[Source]:
        """Return the sources that pass *where*: current before superseded, confident and *recent* ones first."""

    def edges(
        self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE
    ) -> Sequence[Edge]:
        """Return the edges from that kind that touch one of *ids*, or all of them, at most *limit*; sorted."""

    def linked(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        """Return the edges of every kind, but not to tags, that touch one of *ids*.

        None of an id that more than *most* of them touch: so many tell nothing, and would cost.
        """

    def ties(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        """Return edges from nodes and memories that touch one of *ids*, at most *most* of each; sorted."""

    def spans(self, ids: Sequence[str]) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Return where the passages of these sources begin and end, in order; nothing of one without any."""

    def tags(self) -> Mapping[str, int]:
        """Return every tag with the number of nodes that bear it."""

    def tagged(self) -> Sequence[tuple[str, str]]:
        """Return the id of every node with each tag that it bears, sorted."""

    def sharing(
        self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int
    ) -> Sequence[str]:
        """Return ids of nodes that share a tag, a reference or a title word, most shared first."""

    def of_session(self, sessions: Sequence[str], limit: int) -> Sequence[str]:
        """Return ids of nodes captured in one of these sessions."""

    def counts(self) -> Counts:
        """Return how much of everything there is."""

    def faults(self, kind: str = NODE) -> Sequence[tuple[str, str]]:
        """Return the unreadable files of that kind as (path, reason)."""

    def changed(self) -> Mapping[str, str]:
        """Return what of each sealed decision is not as it was accepted, in words, by its id."""

    def dangling(self, limit: int) -> Sequence[Edge]:
        """Return edges whose target is no node."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a transcript has been read.

    *offset* is the byte from which reading goes on: where the last exchange that may still grow begins. *end* is
    the byte up to which it was read, *proof* what stood before it. *broken* lines were no records, *copied* turns
    are another transcript's.
    """

    stamp: Stamp
    offset: int
    end: int
    proof: str
    session: str = ""
    broken: int = 0
    copied: int = 0


class Reading(Protocol):
    """One reading of a transcript, from where its mark says; the rest is known once the turns are."""

    start: int
    """Where it begins."""
    restarts: bool
    """Whether it begins from nothing: without a mark, or where the transcript is not what the mark says of it."""

    def near_end(self, size: int) -> Reading:
        """Return it, begun no earlier than *size* bytes before the end; where to go on from is not known of it."""

    def __iter__(self) -> Iterator[Turn]:
        """Yield what was said, in order; nothing of a client's bookkeeping or of what was injected."""

    def mark(self, offset: int) -> Mark:
        """Return how far it was read, to go on from *offset*."""


@dataclass(frozen=True, slots=True)
class Home:
    """A project: what identifies it, one for all worktrees of a repository, and the folder that it is.

    *former* is what identified it before: without a remote, with another one, or where it lay.
    """

    identity: str
    root: str
    former: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All that ever identified it, the present first."""
        return self.identity, *self.former


class Transcripts(Protocol):
    """What one agent's client keeps of its sessions, and the archive of it. Nothing in it is ever changed.

    A transcript's name is the same wherever it lies: with the client, or in the archive after the client deleted it.
    """

    def scan(self) -> Mapping[str, Stamp]:
        """Return every transcript with its stamp, the ones written first before the others."""

    def of_session(self, session: str) -> Sequence[str]:
        """Return the transcripts of a session: its own, and its sub-agents'."""

    def of_folder(self, folder: str) -> Sequence[str]:
        """Return the transcripts of sessions in a folder, or below it; of another by chance, where names are alike."""

    def earlier(self, name: str, number: int) -> str:
        """Return what the version of a transcript is called that was replaced as the *number*-th."""

    def current(self, name: str) -> str:
        """Return the transcript that one is an earlier version of; itself if it is none."""

    def session(self, name: str) -> str:
        """Return the session that a transcript is of."""

    def is_agent(self, name: str) -> bool:
        """Whether a transcript is a sub-agent's."""

    def remembered(self) -> Mapping[str, str]:
        """Return the sessions that the client remembers, transcripts or not, with their folders."""

    def read(self, name: str, mark: Mark | None = None) -> Reading:
        """Return what follows *mark*, or the whole.

        Raises:
            FileNotFoundError: there is none of that name.
            StorageError: it cannot be read.
        """


class Archive(Protocol):
    """Copies of transcripts, compressed and without secrets, that last when the client has deleted its own."""

    def scan(self) -> Mapping[str, Stamp]:
        """Return the transcripts that are kept: how many bytes each takes, and when what it was made of was written."""

    def read(self, name: str) -> Reading:
        """Return the whole. Raises FileNotFoundError, StorageError."""

    def home(self, name: str) -> Home | None:
        """Return the project that a transcript was of when it was kept."""

    def keep(self, name: str, home: Callable[[str], Home]) -> int:
        """Keep the transcript of that name as the client has it now; return how many bytes that takes.

        Raises:
            FileNotFoundError: the client has none of that name.
            StorageError: it cannot be read, or nothing can be written.
        """

    def remove(self, name: str) -> None:
        """Keep it no longer."""


@dataclass(frozen=True, slots=True)
class Advance:
    """A transcript read further: what it holds from the byte *since* on is *chunks* now.

    *turns* are what was read of it, each with the byte at which it begins. *before* is the mark that it goes on
    from: of two that read at once only the first goes on.
    """

    transcript: str
    since: int
    chunks: tuple[Chunk, ...]
    turns: tuple[tuple[str, int], ...]
    before: Mark | None
    mark: Mark


@dataclass(frozen=True, slots=True)
class ProjectSeen:
    """A project that was talked about: its identity, the folders it was met in, how many chunks, and when last."""

    identity: str
    folders: tuple[str, ...]
    chunks: int
    last: str


class ConversationIndex(Index, Protocol):
    """The index of everything that was said, one for a user; a projection of transcripts and archive.

    Its sources are chunks: kind (conversation, code, decision), title "", `created` when it began to be said and
    `modified` when that ended.
    """

    def marks(self) -> Mapping[str, Mark]:
        """Return how far every transcript has been read."""

    def mark(self, transcript: str) -> Mark | None:
        """Return how far one transcript has been read."""

    def of_others(self, turns: Sequence[str], transcript: str) -> frozenset[str]:
        """Return those of *turns* that another transcript holds already."""

    def advance(self, *steps: Advance) -> bool:
        """Take in *steps* in one transaction, a chunk that is there already as it is.

        False where another was first with one of them: that one is left out.
        """

    def rename(self, transcript: str, name: str) -> None:
        """Call what was read of a transcript by another *name*."""

    def opening(self, transcript: str, byte: int) -> Opening | None:
        """Return what the exchange before that byte began with; None where nothing of the transcript stands there."""

    def tidy(self) -> bool:
        """Put together what many small steps left apart; return whether there may be more of that."""

    def forget(self, transcripts: Sequence[str]) -> None:
        """Forget transcripts; the marks of those that left turns to others say then that nothing of them was read."""

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        """Return the chunks with these ids."""

    def by_beginning(self, beginning: str, limit: int) -> Sequence[str]:
        """Return the ids of chunks that begin with *beginning*."""

    def around(self, id: str, before: int, after: int) -> Sequence[Chunk]:
        """Return a chunk with its neighbours in the transcript, in order; nothing where there is none of that id."""

    def of_exchange(self, exchange: str) -> Sequence[Chunk]:
        """Return the chunks of an exchange, in order."""

    def of_turn(self, turn: str) -> Sequence[Chunk]:
        """Return the chunk that a turn is in, and the code and decisions of it."""

    def projects(self) -> Sequence[ProjectSeen]:
        """Return the projects that were talked about, the latest first."""

    def held_chunks(self) -> Mapping[str, int]:
        """Return how many chunks there are by kind."""

    def unencoded(self) -> int:
        """Return how many chunks cannot be found by meaning yet."""

    def encode(self, limit: int) -> int:
        """Encode at most *limit* of them; return how many are left."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A file as somebody saw it: *at* a moment, with the content *saw*, "" where that is not known."""

    at: str
    path: str
    saw: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """A file that is not as it was: where it lies *now* ("": nowhere), what it said and says, the last commits."""

    path: str
    now: str
    before: str
    after: str
    commits: tuple[str, ...] = ()


class History(Protocol):
    """What version control knows of the project's files."""

    def versions(self, pins: Sequence[Pin]) -> Mapping[Pin, Versions]:
        """Return those of *pins* that are not as they were: what was seen, or else what was committed at that time."""

    def moved(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Return where those of *paths* lie now that are no longer at their path, as far as that is known."""

    def holding(self, name: str) -> Mapping[str, str]:
        """Return the texts of a few files that hold *name*, by path."""

    def dates(self, paths: Sequence[str]) -> Mapping[str, tuple[str, str]]:
        """Return (first committed, last committed) as stamps, by path; without history, nothing."""

    def files(self) -> Sequence[str] | None:
        """Return the project's files that are not ignored, or None without version control."""

    def ignored(self) -> Sequence[str] | None:
        """Return what is passed over, folders with a ``/`` at their end, or None without version control."""

    def head(self) -> str | None:
        """Return what names the state that the project is at, None without a whole history; cheap to ask again."""

    def identity(self) -> str | None:
        """Return what tells this project from others of its name, or None."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was done or refused: its name, ``info``, ``warn`` or ``error``, and what else is to be known."""

    name: str
    level: str
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AuditState:
    """How the audit is: whether it is kept, where, in how many files and bytes, and why it cannot be written, or ""."""

    on: bool
    path: str
    files: int = 0
    bytes: int = 0
    trouble: str = ""


class Audit(Protocol):
    """What was done with memories, one line each, in order; what is written is never changed."""

    def record(self, events: Sequence[Event]) -> bool:
        """Add *events*, without the secrets in them; whether all of them are written. Never raises."""

    def entries(self, since: str = "") -> Iterator[Mapping[str, object]]:
        """Yield what was recorded from the moment *since* on, the last first, each with ``time`` and ``event``.

        A line that is none is an entry called ``unreadable``.
        """

    def state(self) -> AuditState:
        """Return how it is, having changed nothing."""


class Tally(Protocol):
    """How many calls one actor made within the last minute, whatever the clock of the day is set to meanwhile."""

    def take(self, what: str, most: int) -> float:
        """Count one call of *what* and return 0.0; or, after *most* of them, count none and return the seconds to wait.

        Never raises: what cannot be shared with other processes is counted in this one.
        """


class Daily(Protocol):
    """What is done at most once a day, by one process at a time."""

    def last(self) -> str | None:
        """Return when it was done last, as a stamp."""

    def due(self) -> AbstractContextManager[bool]:
        """Hold it if it is due and nobody else is at it; leaving it in peace notes that it was done."""


Progress = Callable[[int, int], None]
"""Called with (done, total) while long work goes on."""

Job = TypeVar("Job")
Made = TypeVar("Made")


class Pool(Protocol):
    """Work on many files, in which other processes help; what comes of it is what comes of doing it here alone."""

    def made(
        self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made]
    ) -> AbstractContextManager[Iterator[Made]]:
        """Give what *here* makes of each of *jobs*, in their order, each when it is asked for.

        Whoever helps knows by *kind* what *here* does. What they do not do, or not in time, is done here;
        leaving this ends them.
        """
