"""Codecs: how entries of one kind are stored in files and in the index."""

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
from autology.text.markdown.sections import Section
from autology.text.redaction import redact, secrets_in, without


class FileEntry(Protocol):
    """A node, a document or a memory."""

    @property
    def id(self) -> str:
        """Its id in the index."""

    @property
    def path(self) -> str:
        """Its default path below its root; a user may have moved the file."""


E = TypeVar("E", bound=FileEntry)


@dataclass(frozen=True, slots=True)
class Stored(Generic[E]):
    """An entry with its file: the *path* as the index knows it, and the *data* that the entry was parsed from."""

    entry: E
    path: str
    data: bytes

    @property
    def version(self) -> str:
        """A hash of the file's content."""
        from hashlib import sha256  # only an editor needs it

        return sha256(self.data).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Trashed:
    """A deleted *entry*: its *name* in the trash of the root with that *prefix*, and its deletion time."""

    name: str
    id: str
    type: str
    title: str
    path: str
    deleted: str
    prefix: str = ""
    record: Mapping[str, Any] = field(default_factory=dict, compare=False)


class Codec(ABC, Generic[E]):
    """Converts entries of one *kind* between files, objects and the index.

    *noun* names an entry in messages; *trash* is the trash's folder for deleted ones. *batch* files are indexed in one
    transaction, which is repeated if interrupted. An entry is one file by default. A codec may split it, for instance
    into a text in another program's file and our metadata: :meth:`read` then joins the two under one stamp, and
    :meth:`changes` splits them again. Collections, drafts and the trash always see one path and one piece of data.
    """

    kind: str
    noun: str
    trash: str
    batch = 2_000
    """Sources that are indexed in one transaction, for which other writers wait. With 500, posting lists are merged
    again: 4,000 notes then take 5.41 s of the processor instead of 5.00 (bench/RESULTS.md)."""

    def read(self, files: Watched, path: str) -> tuple[bytes, Stamp]:
        """Return the data of the entry at *path*, for :meth:`parse`, and its stamp.

        Raises:
            FileNotFoundError: there is none.
            StorageError: it cannot be read.
        """
        return files.read(path)

    def changes(self, change: Change) -> Sequence[Change]:
        """Return the changes of files that make up a *change* of an entry's data."""
        return (change,)

    @abstractmethod
    def parse(self, data: bytes, path: str) -> E:
        """Return the entry in *data*. Raises UnreadableNodeError."""

    @abstractmethod
    def serialise(self, entry: E) -> bytes:
        """Return the data of a new *entry*."""

    @abstractmethod
    def edit(self, stored: Stored[E], entry: E) -> tuple[E, bytes]:
        """Return *entry* as it will be parsed, and the data of *stored* updated to it."""

    @abstractmethod
    def project(self, path: str, at: Stamp, entry: E) -> Put:
        """Return the index entry of *entry*, the file at *path*."""

    def check_trashed(self, item: Trashed) -> None:
        """Raise ValueError, or what reading its record raises, if *item* is not valid: a trash may be forged."""
        del item


def text_of(data: bytes) -> str:
    """Return *data* as text, character for character. Raises UnreadableNodeError if it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableNodeError(f"is not UTF-8 (byte {error.start})") from None


def clean(text: str, kinds: list[str] | None = None) -> str:
    """Return *text* redacted; the kinds of its secrets are added to *kinds*."""
    redacted, secrets = redact(text)
    if kinds is not None:
        kinds += [secret.kind for secret in secrets]
    return redacted


def clean_passages(content: str, divided: Sequence[Section] | None = None) -> Iterator[Passage]:
    """Yield *content* in passages, redacted, including secrets that span two passages.

    *divided* are its sections; without them, it is read as markdown.
    """
    secrets = secrets_in(content)
    for passage in passages(content, divided):
        if not secrets:
            yield passage
            continue
        text = without(content, secrets, passage.start, passage.stop)
        yield Passage(passage.start, passage.stop, clean(passage.heading), text)
