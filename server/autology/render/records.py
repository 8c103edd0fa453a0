"""Records and their collections as JSON, and a collection's convention explained in lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autology.core.records.collection import FIELDS, Collection, Discovery, LeftOut, LinkKind, Record, Support
from autology.model.hit import Source
from autology.text.language.plural import counted

Json = dict[str, Any]

MOST_STATES = 12
MOST_PLACES = 3
MOST_LEFT = 3


def as_data(discovery: Discovery, nodes: Mapping[str, Source]) -> Json:
    """Return every record with what it states, and the collections; *nodes* are those of adopted ones, by path."""
    ordered = sorted(discovery.records, key=lambda record: record.path)
    return {
        "records": [record_data(record, nodes.get(record.path)) for record in ordered],
        "collections": [{"folder": one.folder, "count": len(one.records)} for one in discovery.collections],
    }


def record_data(record: Record, node: Source | None) -> Json:
    """Return a record's fields; statuses and dates that it does not state are null, as is what only a *node* has."""
    return {
        "path": record.path,
        "id": node.id if node else None,
        "number": None if record.number is None else str(record.number),
        "title": record.title,
        "status": None if record.status is None else record.status.value,
        "status_word": record.status_word,
        "date": record.date,
        "authors": list(record.authors),
        "kind": record.kind,
        **{kind.value: list(record.targets(kind)) for kind in LinkKind},
        "missing": list(record.missing),
        "node_status": node.status if node else None,
    }


def collection_data(collection: Collection) -> Json:
    """Return a collection with its convention, and what was left out of it."""
    convention = collection.convention
    return {
        "folder": collection.folder,
        "folders": list(collection.folders),
        "kind": collection.kind,
        "form": collection.form,
        "naming": collection.naming,
        "count": len(collection.records),
        "places": {name: [_place(one) for one in convention.places.get(name, ())] for name in FIELDS},
        "corrected": list(convention.corrected),
        "states": [
            {
                "word": state.word,
                "status": state.status.value if state.status else None,
                "count": state.count,
                "source": state.source,
            }
            for state in convention.states
        ],
        "sections": [{"title": one.title, "count": one.count, "of": one.of} for one in convention.sections],
        "left_out": [_left(one) for one in collection.left_out],
    }


def explanation(collection: Collection) -> Iterator[tuple[str, str]]:
    """Yield (label, text) for each part of a collection's convention."""
    convention = collection.convention
    yield "named", collection.naming
    for name in FIELDS:
        if supports := convention.places.get(name):
            set_by_hand = " (set in .autology/config.yaml)" if name in convention.corrected else ""
            yield name.replace("_", " "), "; ".join(map(_words, supports[:MOST_PLACES])) + set_by_hand
        elif name == "status":
            yield name, "not stated: its records count as accepted"
    if convention.states:
        shown = convention.states[:MOST_STATES]
        states = (
            f"{state.word} ({state.count}) → {state.status.value if state.status else 'unknown'}" for state in shown
        )
        more = len(convention.states) - len(shown)
        yield "states", ", ".join(states) + (f", and {more} more" if more else "")
    if convention.sections:
        yield "sections", ", ".join(f"{one.title} ({one.count} of {one.of})" for one in convention.sections)
    if collection.left_out:
        yield "left out", left_out(collection.left_out)


def left_out(entries: Sequence[LeftOut]) -> str:
    """Return what was left out, by reason, with examples."""
    by_reason: dict[str, list[LeftOut]] = {}
    for entry in entries:
        by_reason.setdefault(entry.reason.value, []).append(entry)
    parts = []
    for reason, some in by_reason.items():
        names = ", ".join(entry.path.rpartition("/")[2] or entry.path for entry in some[:MOST_LEFT])
        more = ", …" if len(some) > MOST_LEFT else ""
        parts.append(f"{counted(sum(entry.count for entry in some), 'file')}: {reason} ({names}{more})")
    return "; ".join(parts)


def _place(support: Support) -> Json:
    return {
        "place": support.location.place.value,
        "key": support.location.key,
        "count": support.count,
        "of": support.of,
    }


def _words(support: Support) -> str:
    key = f" {support.location.key}" if support.location.key else ""
    return f"{support.location.place.value}{key} ({support.count} of {support.of})"


def _left(entry: LeftOut) -> Json:
    return {"path": entry.path, "reason": entry.reason.value, "count": entry.count}
