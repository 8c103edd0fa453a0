"""Finding a project's collections of records: the entry of this package."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from autology.core.records import grouping, relations, units
from autology.core.records.collection import (
    Collection,
    Correction,
    Discovery,
    LeftOut,
    Link,
    LinkKind,
    Reason,
    Record,
    Texts,
)
from autology.core.records.lapses import lapses
from autology.core.records.reader import Entry, ReadCollection, read_collection
from autology.core.records.resolving import Resolver
from autology.model.node import DecisionStatus
from autology.text.records.file_names import parsed
from autology.text.records.outline import form_of

README_HEAD = 2_000
"""Bytes of a README in which it says that the project is archived."""
_CLOSED = re.compile(
    r"\b(?:this|the|our) (?:\w+ ){0,2}(?:repo(?:sitory)?|project|process)\W{1,4}(?:is|was|has been) (?:\w+ ){0,2}"
    r"(?:archived|frozen|ended|retired|discontinued|no longer (?:active|maintained))",
    re.IGNORECASE,
)


def find_collections(paths: Iterable[str], texts: Texts, corrections: Sequence[Correction] = ()) -> Discovery:
    """Return the collections of records among a project's files.

    *paths* are all of its files, from the root, with ``/``, in any order: sidecars are recognised among them. Only
    heads of files are read until a folder turns out to hold records.
    """
    every = sorted(set(paths))
    groups, skipped = units.groups(every)
    by_folder = {correction.folder: correction for correction in corrections}
    guides = [path for path in every if form_of(path) and (_explains(path) or units.is_template(path))]
    read: list[ReadCollection] = []
    for located in grouping.collections(groups, texts, corrections):
        folders = (located.folder, *sorted({candidate.unit.folder for candidate in located.candidates}))
        correction = next((by_folder[folder] for folder in folders if folder in by_folder), None)
        nearby = [path for path in guides if _is_near(path, located.folder)]
        if collection := read_collection(located, texts, correction, nearby):
            read.append(collection)
    entries = {entry.unit.path: entry for collection in read for entry in collection.entries}
    resolver = Resolver((entry.unit, entry.number) for entry in entries.values())
    stated: dict[str, list[Link]] = {}
    for collection in read:
        stated.update(relations.links(collection, resolver, entries))
    links = relations.completed(stated)
    off = [LeftOut(correction.folder, Reason.CONFIG) for correction in corrections if correction.adopt is False]
    is_closed = _is_closed(guides, texts)
    return Discovery(
        tuple(_collection(one, lapses(one, is_closed=is_closed), links, entries) for one in read),
        (*skipped, *off),
    )


def _is_closed(guides: Iterable[str], texts: Texts) -> bool:
    """Whether the project's README says at its beginning that the project is archived or has ended."""
    readmes = [path for path in guides if "/" not in path and path.lower().startswith("readme.")]
    return any(_CLOSED.search(texts.head(path, README_HEAD) or "") for path in readmes)


def _explains(path: str) -> bool:
    return path.rpartition("/")[2].lower().partition(".")[0] in ("readme", "index", "contributing")


def _is_near(path: str, folder: str) -> bool:
    """Whether the text at *path* lies in *folder*, in a folder above it, or is a template below it."""
    home = path.rpartition("/")[0]
    if home == folder or not home or folder.startswith(f"{home}/"):
        return True
    return bool(folder) and home.startswith(f"{folder}/") and units.is_template(path)


def _collection(
    one: ReadCollection,
    missing: Mapping[str, tuple[str, ...]],
    links: Mapping[str, tuple[Link, ...]],
    entries: Mapping[str, Entry],
) -> Collection:
    records = tuple(
        _record(entry, one, links[entry.unit.path], missing.get(entry.unit.path, ()), entries) for entry in one.entries
    )
    folders = sorted({entry.unit.folder for entry in one.entries})
    whole = posixpath.commonpath(folders) if all(folders) else ""
    form = Counter(entry.outline.form for entry in one.entries).most_common(1)[0][0]
    return Collection(
        whole,
        tuple(folders),
        one.kind,
        form,
        _naming(one.entries),
        one.convention,
        tuple(sorted(records, key=lambda record: record.path)),
        tuple(sorted(one.left_out, key=lambda left: left.path)),
    )


def _record(
    entry: Entry, one: ReadCollection, links: tuple[Link, ...], missing: tuple[str, ...], entries: Mapping[str, Entry]
) -> Record:
    record = Record(
        path=entry.unit.path,
        paths=entry.unit.paths,
        id_path=entry.unit.id_path,
        form=entry.outline.form,
        number=entry.number,
        title=entry.title,
        status=entry.status,
        status_word=entry.stands.words if entry.stands else None,
        date=entry.date,
        authors=entry.authors,
        kind=one.kind,
        links=links,
        missing=missing,
        located=entry.located,
        names_successor=any(
            link.kind is LinkKind.SUPERSEDED_BY and link.located.path in entry.unit.paths for link in links
        ),
    )
    # A collection without states says by its links alone that a record no longer holds.
    if not one.convention.states_status and record.status is DecisionStatus.ACCEPTED:
        newer = (entries[link.target].status for link in links if link.kind is LinkKind.SUPERSEDED_BY)
        if any(status in (DecisionStatus.ACCEPTED, DecisionStatus.SUPERSEDED) for status in newer):
            return replace(record, status=DecisionStatus.SUPERSEDED)
    return record


def _naming(entries: Sequence[Entry]) -> str:
    """Return how most of the records are named, as ``ADR-<number>.md``."""
    shapes: Counter[str] = Counter()
    for entry in entries:
        name = parsed(entry.unit.stem)
        parts = [name.prefix.upper() if len(name.prefix) > 1 else "<letter>" if name.prefix else ""]
        parts += [
            "<date>" if name.date else "",
            "<number>" if name.number is not None else "",
            "<words>" if name.words else "",
        ]
        shape = "-".join(part for part in parts if part)
        if entry.unit.is_folder:
            shape += f"/{entry.unit.path.rpartition('/')[2]}"
        else:
            shape += entry.unit.path[entry.unit.path.rfind(".") :]
        if entry.unit.sidecar:
            shape += f" + {entry.unit.sidecar.rpartition('/')[2] if entry.unit.is_folder else '.yaml'}"
        shapes[shape] += 1
    return shapes.most_common(1)[0][0]
