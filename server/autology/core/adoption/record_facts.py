"""What is known of adopted records between two readings: small values, stored beside the index."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from autology.core.content.files import Stamp
from autology.model.node import DecisionStatus

if TYPE_CHECKING:  # a start that reads no collection need not load what does
    from autology.core.records.collection import Collection, Convention, Record

FORMAT = 9
Where = tuple[str, str]
"""A place in a record and the key there, as in :class:`~autology.core.records.collection.Location`."""
_NONE: Mapping[str, Any] = MappingProxyType({})


class Manner(NamedTuple):
    """How a collection writes its records, as far as reading and changing a single one needs it."""

    folder: str
    places: Mapping[str, Where]
    words: Mapping[str, str]
    """By status, the word that most of its records use."""
    meanings: Mapping[str, str]
    """By word in lower case, the status."""
    prefixes: frozenset[str]
    stated: bool
    schema: tuple[str, ...] = ()
    configured: bool = False
    """Whether the configuration gives the schema."""


class Adopted(NamedTuple):
    """A record as its collection's convention reads it; *check* is a checksum of the bytes that it was read from."""

    path: str
    paths: tuple[str, ...]
    id_path: str
    form: str
    number: str
    title: str
    status: str
    word: str
    date: str
    authors: tuple[str, ...]
    kind: str
    links: tuple[tuple[str, str, str], ...]
    """Each link's kind, target and wording."""
    missing: tuple[str, ...]
    located: Mapping[str, Where]
    check: int
    manner: int
    names_successor: bool
    """Whether it says itself which record replaces it."""

    @property
    def decision_status(self) -> DecisionStatus | None:
        """Its status, None if its word is unknown."""
        return DecisionStatus(self.status) if self.status else None

    def targets(self, kind: str) -> tuple[str, ...]:
        """Return the main paths of the records that it links to in this way."""
        return tuple(target for one, target, _ in self.links if one == kind)


class Beside(NamedTuple):
    """A sidecar: its stamp, the id that it keeps, the path and title of its record, and where that is *now*.

    *now* differs from *record* after a rename, until the sidecar is written again; it is "" if the record is missing.
    """

    path: str
    stamp: Stamp
    id: str
    record: str
    title: str
    now: str = ""


class Snapshot(NamedTuple):
    """The adopted records by path, and what they were read from."""

    settings: str = ""
    files: Mapping[str, Stamp] = _NONE
    records: Mapping[str, Adopted] = _NONE
    manners: tuple[Manner, ...] = ()
    sidecars: Mapping[str, Beside] = _NONE


def adopted(record: Record, manner: int, check: int) -> Adopted:
    """Return what is kept of a *record*, whose collection's manner has that number."""
    return Adopted(
        record.path,
        record.paths,
        record.id_path,
        record.form,
        "" if record.number is None else str(record.number),
        record.title,
        record.status.value if record.status else "",
        record.status_word or "",
        record.date or "",
        record.authors,
        record.kind,
        tuple(sorted({(link.kind.value, link.target, link.wording) for link in record.links})),
        record.missing,
        {name: (located.location.place.value, located.location.key) for name, located in record.located.items()},
        check,
        manner,
        record.names_successor,
    )


def manner(collection: Collection) -> Manner:
    """Return how *collection* writes its records."""
    convention = collection.convention
    from autology.text.records.file_names import shared_prefixes

    firsts = ((name, supports[0].location) for name, supports in convention.places.items() if supports)
    places = {name: (location.place.value, location.key) for name, location in firsts}
    stems = [record.id_path.rpartition("/")[2].rpartition(".")[0] for record in collection.records]
    return Manner(
        collection.folder,
        places,
        _words(convention),
        {state.word.lower(): state.status.value for state in convention.states if state.status},
        frozenset(prefix for prefix in shared_prefixes(stems) if prefix),
        convention.states_status,
        convention.schema,
        any(not section.of for section in convention.sections),
    )


def _words(convention: Convention) -> dict[str, str]:
    words: dict[str, str] = {}
    for state in sorted(convention.states, key=lambda state: -state.count):
        if state.status and len(state.word.split()) <= 2:
            words.setdefault(state.status.value, state.word)
    return words


def own_id(id_path: str) -> str:
    """Return the id of a record that no sidecar names: a hash of its path, in the form of a UUID of version 4."""
    digits = hashlib.sha256(f"autology record\n{id_path}".encode()).hexdigest()
    return (
        f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{'89ab'[int(digits[16], 16) % 4]}{digits[17:20]}-{digits[20:32]}"
    )


def digest(values: Iterable[object]) -> int:
    """Return a hash of *values* that fits into a stamp."""
    return int.from_bytes(hashlib.blake2b(repr(tuple(values)).encode(), digest_size=7).digest(), "big")


# ---- as text -------------------------------------------------------------------------------------------


def written(snapshot: Snapshot) -> str:
    """Return *snapshot* as text, for :func:`read`."""
    return json.dumps(
        {
            "format": FORMAT,
            "settings": snapshot.settings,
            "files": {path: list(at) for path, at in snapshot.files.items()},
            "manners": [
                [
                    one.folder,
                    dict(one.places),
                    dict(one.words),
                    dict(one.meanings),
                    sorted(one.prefixes),
                    one.stated,
                    one.schema,
                    one.configured,
                ]
                for one in snapshot.manners
            ],
            "records": [_row(one) for one in snapshot.records.values()],
            "sidecars": [[one.path, list(one.stamp), *one[2:]] for one in snapshot.sidecars.values()],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def read(text: str) -> Snapshot | None:
    """Return the snapshot in *text*; None if there is none, or another version wrote it."""
    if not text:
        return None
    try:
        values = json.loads(text)
        if values["format"] != FORMAT:
            return None
        records = [_record(row) for row in values["records"]]
        return Snapshot(
            values["settings"],
            {path: Stamp(*at) for path, at in values["files"].items()},
            {record.path: record for record in records},
            tuple(
                Manner(
                    folder, _locations(places), words, meanings, frozenset(prefixes), stated, tuple(schema), configured
                )
                for folder, places, words, meanings, prefixes, stated, schema, configured in values["manners"]
            ),
            {row[0]: Beside(row[0], Stamp(*row[1]), *row[2:]) for row in values["sidecars"]},
        )
    except (ValueError, KeyError, TypeError):
        return None


def _locations(rows: Mapping[str, Sequence[str]]) -> dict[str, Where]:
    return {name: (place, key) for name, (place, key) in rows.items()}


def _row(one: Adopted) -> list[Any]:
    return [
        one.path, one.paths, one.id_path, one.form, one.number, one.title, one.status, one.word, one.date, one.authors,
        one.kind, one.links, one.missing, dict(one.located), one.check, one.manner,
        one.names_successor,
    ]  # fmt: skip


def _record(row: Sequence[Any]) -> Adopted:
    path, paths, id_path, form, number, title, status, word, date, authors, kind, links, missing, located = row[:14]
    check, at, names_successor = row[14:]
    pairs = tuple((kind, target, wording) for kind, target, wording in links)
    return Adopted(
        path, tuple(paths), id_path, form, number, title, status, word, date, tuple(authors), kind, pairs,
        tuple(missing), _locations(located), check, at, names_successor,
    )  # fmt: skip
