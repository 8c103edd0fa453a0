"""What a collection of records is: its records, its convention with the counts that support it, and what was left out.

``find_collections`` in :mod:`autology.core.records.discovery` returns these values; nothing here is ever written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from autology.model.node import DecisionStatus
from autology.text.records.outline import Place


class Texts(Protocol):
    """The texts of a project's files."""

    def head(self, path: str, size: int) -> str | None:
        """Return the first *size* bytes of the file at *path* as text; None if it is not readable text."""

    def text(self, path: str) -> str | None:
        """Return the whole text of the file at *path*; None if it is not readable text."""


def cached(texts: Texts, make: Callable[..., Any], *arguments: Any) -> Any:
    """Return ``make(*arguments)``, cached by *texts* if they have a method ``remembered`` for it."""
    remembered = getattr(texts, "remembered", None)
    return make(*arguments) if remembered is None else remembered(make, *arguments)


@dataclass(frozen=True, slots=True)
class Location:
    """A place and the *key* under which values lie there, as most records write it; "" if the place needs none."""

    place: Place
    key: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """A location, with how many of the collection's records have a value there."""

    location: Location
    count: int
    of: int


@dataclass(frozen=True, slots=True)
class LocatedValue:
    """A value as written, where, and its exact span: ``text(path)[start:stop]``; -1 if only its place is known."""

    value: str
    location: Location
    path: str
    start: int = -1
    stop: int = -1


@dataclass(frozen=True, slots=True)
class StateMeaning:
    """A state's word as the collection writes it, what it means there, how many records are in it.

    *source* says where the meaning comes from: ``words`` (the general table), the path of the collection's own text
    that explains it, ``config``, or ``unknown``, with *status* None.
    """

    word: str
    status: DecisionStatus | None
    count: int
    source: str


@dataclass(frozen=True, slots=True)
class SectionSupport:
    """A section's title as most records write it, and how many of the *accepted* records have it."""

    title: str
    key: str
    count: int
    of: int


FIELDS = ("number", "title", "status", "date", "authors", "supersedes", "superseded_by", "depends_on", "relates_to")
"""The fields of a record for which a convention is inferred."""


@dataclass(frozen=True, slots=True)
class Convention:
    """How a collection writes its records, by its majority.

    *places* has for each of `FIELDS` the locations in use, the one that is read first at the beginning; a field without
    any is not stated in this collection.
    """

    places: Mapping[str, Sequence[Support]]
    sections: Sequence[SectionSupport] = ()
    states: Sequence[StateMeaning] = ()
    corrected: Sequence[str] = ()
    """The fields that the project's configuration set."""

    @property
    def states_status(self) -> bool:
        """Whether the collection states statuses; if not, its records count as accepted."""
        return bool(self.places.get("status"))

    @property
    def schema(self) -> tuple[str, ...]:
        """The titles of the sections that a complete record has."""
        return tuple(section.title for section in self.sections)


class LinkKind(StrEnum):
    """The relation of a record to another one of the project."""

    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "superseded_by"
    DEPENDS_ON = "depends_on"
    RELATES_TO = "relates_to"


@dataclass(frozen=True, slots=True)
class Link:
    """A link from a record to the record at *target* (its main path); *found* is the target as written, and where.

    Either record may state it: ``superseded_by`` of one is ``supersedes`` of the other. *wording* is what the record
    says instead of merely relating to the other, as in `autology.model.relation_words`.
    """

    kind: LinkKind
    target: str
    located: LocatedValue
    wording: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A record, read by its collection's convention."""

    path: str
    """Its main file, from the project's root."""
    paths: tuple[str, ...]
    """All files that its text consists of: the main one first, then a sidecar."""
    id_path: str
    """What identifies it: its path, or for a folder record the folder's."""
    form: str
    """The form of its main file: ``markdown``, ``rst``, ``asciidoc``, ``org`` or ``text``."""
    number: int | None
    title: str
    status: DecisionStatus | None
    status_word: str | None
    """The status as written, on one line; None if the record states none."""
    date: str | None
    """ISO, from the record itself: never from git."""
    authors: tuple[str, ...]
    kind: str
    """``decision`` or ``proposal``, as its collection."""
    links: tuple[Link, ...] = ()
    missing: tuple[str, ...] = ()
    """The sections of the collection's schema that it lacks."""
    located: Mapping[str, LocatedValue] = field(default_factory=dict)
    """Where each of `FIELDS` was read, for those that are written in a file."""
    names_successor: bool = False
    """Whether it says itself which record replaces it."""

    def targets(self, kind: LinkKind) -> tuple[str, ...]:
        """Return the main paths of the records that it links to in this way, sorted."""
        return tuple(sorted({link.target for link in self.links if link.kind is kind}))


class Reason(StrEnum):
    """Why a file near records is not one."""

    INDEX = "README or index"
    TEMPLATE = "template"
    STUB = "moved elsewhere"
    ATTACHMENT = "attachment of a record"
    TRANSLATION = "translation of a record"
    FORM = "lacks the form of its neighbours"
    CHANGELOG = "changelog or news"
    POSTS = "posts"
    MINUTES = "minutes"
    PLAN = "plan of work"
    ACCOUNT = "journal, audit or other account"
    FIXTURE = "fixture or example"
    GENERATED = "vendored or generated"
    CONFIG = "switched off in the configuration"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file, or a folder of files, that was considered and is not a record."""

    path: str
    reason: Reason
    count: int = 1


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection of records."""

    folder: str
    """The folder that contains all of its records; "" is the project's root."""
    folders: tuple[str, ...]
    """The folders that its records lie in."""
    kind: str
    """``decision`` or ``proposal``."""
    form: str
    """The form of most records, as in :attr:`Record.form`."""
    naming: str
    """How most are named: ``ADR-<number>.md``, ``<number>-<words>/README.md + kep.yaml``."""
    convention: Convention
    records: tuple[Record, ...]
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """What the project's configuration says of the collection in a folder; fields that are None are inferred."""

    folder: str
    adopt: bool | None = None
    """Whether its records are adopted; None if that is decided by their form."""
    places: Mapping[str, Location] = field(default_factory=dict)
    """By field, as in `FIELDS`: read there first."""
    states: Mapping[str, DecisionStatus] = field(default_factory=dict)
    """By word, in lower case."""
    sections: tuple[str, ...] | None = None
    """The schema: () if no section is expected."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The collections of a project, by folder, and what was not looked at."""

    collections: tuple[Collection, ...]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of all collections."""
        return tuple(record for collection in self.collections for record in collection.records)
