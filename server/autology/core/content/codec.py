"""Codecs: how entries of one kind stand in files, and what the index holds of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from autology.core.content.files import Change, Stamp, Watched
from autology.core.index.changes import Put
from autology.model.errors import UnreadableNodeError
from autology.model.passage import Passage
from autology.text.markdown.passages import passages
from autology.text.redaction import redact, secrets_in, without


class FileEntry(Protocol):
    """A node, a document or a memory."""

    @property
    def id(self) -> str:
        """What the index knows it by."""

    @property
    def path(self) -> str:
        """Where it belongs, from its root; a person may have put it elsewhere."""


E = TypeVar("E", bound=FileEntry)


@dataclass(frozen=True, slots=True)
class Stored(Generic[E]):
    """An entry with its file: the *path* as the index knows it, and the *data* that the entry was parsed from."""

    entry: E
    path: str
    data: bytes

    @property
    def version(self) -> str:
        """What tells this state of the file from every other."""
        from hashlib import sha256  # only an editor needs it

        return sha256(self.data).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Trashed:
    """A deleted entry: its *name* in the trash of the root with that *prefix*, what it was, and when it was deleted."""

    name: str
    id: str
    type: str
    title: str
    path: str
    deleted: str
    prefix: str = ""
    record: Mapping[str, Any] = field(default_factory=dict, compare=False)


class Codec(ABC, Generic[E]):
    """The entries of one *kind*, each called a *noun*; the deleted ones lie in the folder *trash* of the trash.

    *batch* files are indexed in a transaction, and again if that is interrupted.

    An entry is one file, unless a codec says otherwise: where the text lies in another program's file and only the
    metadata in a file of ours, :meth:`read` joins the two under one stamp, and :meth:`changes` takes them apart again.
    Collections, drafts and the trash see one path and one piece of data.
    """

    kind: str
    noun: str
    trash: str
    batch = 500

    def read(self, files: Watched, path: str) -> tuple[bytes, Stamp]:
        """Return what :meth:`parse` takes for the entry at *path*, and the stamp that it goes with.

        Raises:
            FileNotFoundError: there is none.
            StorageError: it cannot be read.
        """
        return files.read(path)

    def changes(self, change: Change) -> Sequence[Change]:
        """Return what a *change* of an entry's data is in terms of files."""
        return (change,)

    @abstractmethod
    def parse(self, data: bytes, path: str) -> E:
        """Return the entry that *data* holds. Raises UnreadableNodeError."""

    @abstractmethod
    def serialise(self, entry: E) -> bytes:
        """Return the data of a new *entry*."""

    @abstractmethod
    def edit(self, stored: Stored[E], entry: E) -> tuple[E, bytes]:
        """Return *entry* as it will be parsed, and the data of *stored* changed to hold it; all else stays as it is."""

    @abstractmethod
    def project(self, path: str, at: Stamp, entry: E) -> Put:
        """Return *entry*, the file at *path*, as the index takes it."""

    def check_trashed(self, item: Trashed) -> None:
        """Raise ValueError, or whatever reading its record raises, if *item* cannot be a deleted entry of ours.

        A repository may bring its own trash along.
        """
        del item


def text_of(data: bytes) -> str:
    """Return *data* as text, every character kept. Raises UnreadableNodeError where it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableNodeError(f"is not UTF-8 (byte {error.start})") from None


def clean(text: str, kinds: list[str] | None = None) -> str:
    """Return *text* without its secrets, whose kinds are added to *kinds*."""
    redacted, secrets = redact(text)
    if kinds is not None:
        kinds += [secret.kind for secret in secrets]
    return redacted


def clean_passages(content: str) -> Iterator[Passage]:
    """Yield *content* in passages, with secrets left out, those too that reach from one passage into the next."""
    secrets = secrets_in(content)
    for passage in passages(content):
        if not secrets:
            yield passage
            continue
        text = without(content, secrets, passage.start, passage.stop)
        yield Passage(passage.start, passage.stop, clean(passage.heading), text)
