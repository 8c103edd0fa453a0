"""Writing prepared files into the index of a space, in few statements."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autology.core.index.changes import Fault, Gone, Put
from autology.hub.postgres.connection import Connection, storable_text
from autology.hub.postgres.prepare import (
    LONGEST_KEY,
    IndexedText,
    PreparedFile,
    postings_of,
    sparse_counts,
    vector_literal,
)
from autology.model.hit import SOURCE_FIELDS
from autology.model.query import author_key
from autology.text.slug import key as name_key
from autology.text.tokens import title_words

DUPLICATE = "has the same id as"
"""The start of the reason for not indexing a file with the id of another file."""
BATCH = 500
"""Files per INSERT."""
STALE_SHARE = 0.25
"""Share of deleted texts from which the posting lists are rewritten."""
_ENTRY_COLUMNS = (*(name for name in SOURCE_FIELDS if name != "path"), "trust")

Postings = dict[tuple[str, str, str, str], list[int]]
"""Posting lists by field, kind, branch and term."""


@dataclass(slots=True)
class WritePlan:
    """The effect of a series of changes: the files to delete, to insert, and the faults."""

    owners: dict[str, str]
    """The path of each known id."""
    ids: dict[str, str]
    """The id of each known path."""
    deleted: set[str] = field(default_factory=set)
    inserted: dict[str, PreparedFile] = field(default_factory=dict)
    faults: dict[str, Fault] = field(default_factory=dict)
    freed_ids: bool = False
    """Whether an id became free, so that files refused as duplicates have to be read again."""

    def put(self, prepared: PreparedFile) -> None:
        """Insert or replace a file."""
        path, entry = prepared.change.path, prepared.change.entry
        other = self.owners.get(entry.id)
        self.drop(path, entry.id)
        self.faults.pop(path, None)
        if other is not None and other != path:
            reason = f"{DUPLICATE} {other}; give one of them a new id"
            self.faults[path] = Fault(path, prepared.change.stamp, reason, entry.kind)
            return
        self.inserted[path] = prepared
        self.owners[entry.id], self.ids[path] = path, entry.id

    def drop(self, path: str, new_id: str = "") -> None:
        """Delete the file at *path*; unless *new_id* is its id, another file may have that now."""
        id = self.ids.pop(path, None)
        if id is None:
            return
        self.owners.pop(id, None)
        if self.inserted.pop(path, None) is None:
            self.deleted.add(path)
        if id != new_id:
            self.freed_ids = True
            self.faults = {at: fault for at, fault in self.faults.items() if not fault.reason.startswith(DUPLICATE)}


def write(connection: Connection, space: str, changes: Sequence[PreparedFile | Fault | Gone]) -> None:
    """Apply *changes* within the current transaction."""
    connection.run("SELECT autology.number(0)")  # locks the space: one writer at a time
    paths = [change.change.path if isinstance(change, PreparedFile) else change.path for change in changes]
    plan = _plan(connection, space, changes, paths)
    connection.run("DELETE FROM autology.problem WHERE space = $1 AND path = ANY($2)", space, paths)
    if plan.freed_ids:
        connection.run("DELETE FROM autology.problem WHERE space = $1 AND reason LIKE $2", space, f"{DUPLICATE}%")
    if plan.deleted:
        connection.run("DELETE FROM autology.source WHERE space = $1 AND path = ANY($2)", space, sorted(plan.deleted))
    files = list(plan.inserted.values())
    postings: Postings = defaultdict(list)
    texts = sum(_insert(connection, space, files[at : at + BATCH], postings) for at in range(0, len(files), BATCH))
    write_postings(connection, postings, texts)
    _insert_rows(connection, space, "problem", [_problem_row(fault) for fault in plan.faults.values()])
    if plan.deleted:
        connection.run("SELECT autology.tidy($1)", STALE_SHARE)


def write_postings(connection: Connection, postings: Postings, texts: int) -> None:
    """Write the posting lists of so many *texts* as one batch."""
    if postings:
        rows = [[*key, f"{{{','.join(map(str, sorted(list_, reverse=True)))}}}"] for key, list_ in postings.items()]
        connection.run("SELECT autology.post($1, $2)", json.dumps(rows), texts)


def _plan(
    connection: Connection, space: str, changes: Iterable[PreparedFile | Fault | Gone], paths: list[str]
) -> WritePlan:
    ids = [change.change.entry.id for change in changes if isinstance(change, PreparedFile)]
    affected = "SELECT id, path FROM autology.source WHERE space = $1 AND (path = ANY($2) OR id = ANY($3))"
    known = connection.run(affected, space, paths, ids)
    plan = WritePlan(dict(known), {path: id for id, path in known})
    for change in changes:
        if isinstance(change, PreparedFile):
            plan.put(change)
            continue
        plan.drop(change.path)
        plan.faults.pop(change.path, None)
        if isinstance(change, Fault):
            plan.faults[change.path] = change
    return plan


def _insert(connection: Connection, space: str, files: Sequence[PreparedFile], postings: Postings) -> int:
    """Insert the rows of *files*, add to *postings*, and return the number of their texts."""
    texts = sum(len(prepared.texts) for prepared in files)
    number = int(connection.run("SELECT autology.number($1)", texts + len(files))[0][0])
    rows: dict[str, list[dict[str, object]]] = defaultdict(list)
    for prepared in files:
        number += 1
        source = number
        entry = prepared.change.entry
        rows["source"].append(_source_row(prepared.change, source))
        _add_key_rows(rows, prepared.change, source)
        for text in prepared.texts:
            number += 1
            rows["text"].append(_text_row(text, number, source, entry.kind, entry.branch))
            if any(text.vector):
                rows["near"].append(_vector_row(text, number, source, entry.kind, entry.branch))
            for term, posting in postings_of(text, number):
                postings[text.field, entry.kind, entry.branch or "", term].append(posting)
    for table in ("source", "tag", "reference", "alias", "title_word", "edge", "text", "near"):
        _insert_rows(connection, space, table, rows[table])
    return texts


def _add_key_rows(rows: dict[str, list[dict[str, object]]], change: Put, source: int) -> None:
    entry = change.entry
    rows["tag"] += [{"tag": tag, "source": source} for tag in _keys(entry.tags)]
    rows["reference"] += [{"path": path, "source": source} for path in _keys(entry.references)]
    rows["alias"] += [{"alias": alias, "source": source} for alias in _keys(map(name_key, entry.aliases))]
    rows["title_word"] += [{"word": word, "source": source} for word in _keys(title_words(entry.title))]
    edges: dict[tuple[str, str], dict[str, object]] = {
        (link.type, link.target): {
            "from_number": source,
            "source": entry.id,
            "type": link.type,
            "target": link.target,
            "confidence": link.confidence,
            "description": link.description,
            "kind": link.kind or entry.kind,
        }
        for link in entry.links
    }
    rows["edge"] += edges.values()


def _keys(keys: Iterable[str]) -> dict[str, None]:
    """Return *keys* without duplicates, each short enough for an index."""
    return dict.fromkeys(key[:LONGEST_KEY] for key in keys)


def _problem_row(fault: Fault) -> dict[str, object]:
    stamp = fault.stamp
    return {
        "path": fault.path, "reason": fault.reason, "size": stamp.size, "mtime_ns": stamp.mtime_ns, "kind": fault.kind,
    }  # fmt: skip


def _source_row(change: Put, number: int) -> dict[str, object]:
    entry = change.entry
    return {
        **{name: getattr(entry, name) for name in _ENTRY_COLUMNS},
        "number": number,
        "title_key": name_key(entry.title)[:LONGEST_KEY],
        "authors": author_key(entry.authors),
        "path": change.path,
        "size": change.stamp.size,
        "mtime_ns": change.stamp.mtime_ns,
    }


def _text_row(text: IndexedText, number: int, source: int, kind: str, branch: str | None) -> dict[str, object]:
    start, stop, heading = text.place
    return {
        "number": number, "source": source, "field": text.field, "kind": kind, "branch": branch,
        "start": start, "stop": stop, "heading": heading, "length": text.length,
        "words": f"\\x{text.words.hex()}", "says": text.says,
        "counts": sparse_counts(text.counts),
    }  # fmt: skip


def _vector_row(text: IndexedText, number: int, source: int, kind: str, branch: str | None) -> dict[str, object]:
    return {
        "text": number, "source": source, "kind": kind, "branch": branch,
        "start": text.place[0], "stop": text.place[1], "vector": vector_literal(text.vector),
    }  # fmt: skip


_UPDATES = {
    "problem": " ON CONFLICT (space, path) DO UPDATE SET reason = excluded.reason, kind = excluded.kind,"
    " size = excluded.size, mtime_ns = excluded.mtime_ns"
}


def _insert_rows(connection: Connection, space: str, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        return
    columns = ", ".join(rows[0])
    connection.run(
        f"INSERT INTO autology.{table}(space, {columns}) SELECT $1::uuid, {columns}"
        f" FROM jsonb_populate_recordset(NULL::autology.{table}, $2::jsonb){_UPDATES.get(table, '')}",
        space,
        json.dumps([{name: _storable(value) for name, value in row.items()} for row in rows]),
    )


def _storable(value: object) -> object:
    return storable_text(value) if isinstance(value, str) else value
