"""Writing sources into a hub: what they are, what they speak of, their words and their vectors, in few statements."""

from __future__ import annotations

import base64
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autology.core.ports import Encoder, Fault, Gone, Put
from autology.hub.link import Link, plain
from autology.hub.questions import written_by
from autology.ranking import bm25
from autology.text.slug import key as name_key
from autology.text.tokens import index_tokens, title_words

BODY, TITLE = "body", "title"
TWICE = "has the same id as"
TOGETHER = 500
"""Files whose rows go into one statement."""
STALE = 0.25
"""Share of texts that are gone from which the lists of words are written anew."""
_COLUMNS = (
    "id kind type title status decision_status confidence created modified session origin project language trust"
    " org scope_project branch expires_at"
)


@dataclass(frozen=True, slots=True)
class Text:
    """What is searched as one: its place, its words with what each counts, their order, its vector."""

    field: str
    place: tuple[int | None, int | None, str | None]
    codes: Mapping[str, int]
    length: int
    words: bytes = b""
    says: str | None = None
    vector: bytes = b""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file as the tables take it."""

    change: Put
    texts: tuple[Text, ...]


def prepared(change: Put, encoder: Encoder | None) -> Prepared:
    """Return *change* as the tables take it: nine tenths of the work, for which nobody need wait."""
    texts = change.texts
    vectors = encoder.encode(texts) if encoder else [b""] * len(texts)
    made = [_title(change)]
    for passage, text, vector in zip(change.passages, texts, vectors, strict=True):
        made.append(_body((passage.start, passage.stop, passage.heading), text, passage.text, vector))
    if change.entry.told:
        made.append(_body((None, None, None), change.entry.told))
    return Prepared(change, tuple(made))


def _title(change: Put) -> Text:
    headings = " \n".join(dict.fromkeys(passage.heading for passage in change.passages))
    head: dict[str, float] = {}
    length = 1
    for weight, text in zip(bm25.WEIGHTS, (change.entry.title, " \n".join(change.entry.tags), headings), strict=True):
        stems = index_tokens(text).stems
        length += len(stems)
        for word in stems:
            head[word] = head.get(word, 0) + weight
    return Text(TITLE, (None, None, None), _codes(head, length, bm25.TITLES), length)


def _body(
    place: tuple[int | None, int | None, str | None], text: str, says: str | None = None, vector: bytes = b""
) -> Text:
    tokens = index_tokens(text)
    found = Counter((*tokens.stems, *tokens.forms))
    length = found.total() + 1
    return Text(BODY, place, _codes(found, length, bm25.PASSAGES), length, tokens.order, says, vector)


def _codes(words: Mapping[str, float], length: int, scale: bm25.Scale) -> dict[str, int]:
    sizes, bits = bm25.length_bits(scale), bm25.times_bits(scale)
    size = sizes[min(length, len(sizes) - 1)]
    return {plain(word): bits.get(times, bm25.MOST_TIMES) | size for word, times in words.items()}


@dataclass(slots=True)
class Plan:
    """What a transaction does, file by file, put together: what goes, what is taken in, which files have faults."""

    owners: dict[str, str]
    """The path of every id that is known."""
    ids: dict[str, str]
    """The id of every path that is known."""
    going: set[str] = field(default_factory=set)
    coming: dict[str, Prepared] = field(default_factory=dict)
    faults: dict[str, Fault] = field(default_factory=dict)
    looked_again: bool = False
    """Whether files that had another's id are to be read again: that one has left it."""

    def put(self, ready: Prepared) -> None:
        """Take in a file."""
        path, entry = ready.change.path, ready.change.entry
        other = self.owners.get(entry.id)
        self.drop(path, entry.id)
        self.faults.pop(path, None)
        if other is not None and other != path:
            reason = f"{TWICE} {other}; give one of them a new id"
            self.faults[path] = Fault(path, ready.change.stamp, reason, entry.kind)
            return
        self.coming[path] = ready
        self.owners[entry.id], self.ids[path] = path, entry.id

    def drop(self, path: str, kept_id: str = "") -> None:
        """Forget what the file at *path* held; unless it keeps its id, another file may have that to itself now."""
        id = self.ids.pop(path, None)
        if id is None:
            return
        self.owners.pop(id, None)
        if self.coming.pop(path, None) is None:
            self.going.add(path)
        if id != kept_id:
            self.looked_again = True
            self.faults = {at: fault for at, fault in self.faults.items() if not fault.reason.startswith(TWICE)}


def write(link: Link, space: str, changes: Sequence[Prepared | Fault | Gone]) -> None:
    """Take in *changes*, all of them within the transaction that *link* is in."""
    link.run("SELECT autology.number(0)")  # one writer at a time in a space
    paths = [change.change.path if isinstance(change, Prepared) else change.path for change in changes]
    plan = _planned(link, space, changes, paths)
    link.run("DELETE FROM autology.problem WHERE space = $1 AND path = ANY($2)", space, paths)
    if plan.looked_again:
        link.run("DELETE FROM autology.problem WHERE space = $1 AND reason LIKE $2", space, f"{TWICE}%")
    if plan.going:
        link.run("DELETE FROM autology.source WHERE space = $1 AND path = ANY($2)", space, sorted(plan.going))
    coming = list(plan.coming.values())
    for at in range(0, len(coming), TOGETHER):
        _insert(link, space, coming[at : at + TOGETHER])
    _insert_rows(link, space, "problem", [_fault(fault) for fault in plan.faults.values()])
    if plan.going:
        link.run("SELECT autology.tidy($1)", STALE)


def _planned(link: Link, space: str, changes: Iterable[Prepared | Fault | Gone], paths: list[str]) -> Plan:
    ids = [change.change.entry.id for change in changes if isinstance(change, Prepared)]
    ask = "SELECT id, path FROM autology.source WHERE space = $1 AND (path = ANY($2) OR id = ANY($3))"
    known = link.run(ask, space, paths, ids)
    plan = Plan(dict(known), {path: id for id, path in known})
    for change in changes:
        if isinstance(change, Prepared):
            plan.put(change)
            continue
        plan.drop(change.path)
        plan.faults.pop(change.path, None)
        if isinstance(change, Fault):
            plan.faults[change.path] = change
    return plan


def _fault(fault: Fault) -> dict[str, object]:
    stamp = fault.stamp
    return {
        "path": fault.path, "reason": fault.reason, "size": stamp.size, "mtime_ns": stamp.mtime_ns, "kind": fault.kind,
    }  # fmt: skip


def _insert(link: Link, space: str, coming: Sequence[Prepared]) -> None:
    many = sum(len(ready.texts) for ready in coming) + len(coming)
    number = int(link.run("SELECT autology.number($1)", many)[0][0])
    rows: dict[str, list[dict[str, object]]] = defaultdict(list)
    posted: dict[tuple[str, str, str], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for ready in coming:
        number += 1
        own = number
        entry = ready.change.entry
        rows["source"].append(_source(ready.change, own))
        _about(rows, ready.change, own)
        for text in ready.texts:
            number += 1
            rows["text"].append(_text(text, number, own, entry.kind, entry.branch))
            for word, code in text.codes.items():
                texts, codes = posted[text.field, entry.kind, word]
                texts.append(number)
                codes.append(code)
    for table in ("source", "tag", "reference", "alias", "title_word", "edge", "text"):
        _insert_rows(link, space, table, rows[table])
    if posted:
        link.run("SELECT autology.post($1)", json.dumps([[*where, *lists] for where, lists in posted.items()]))


def _about(rows: dict[str, list[dict[str, object]]], change: Put, number: int) -> None:
    entry = change.entry
    rows["tag"] += [{"tag": tag, "source": number} for tag in dict.fromkeys(entry.tags)]
    rows["reference"] += [{"path": path, "source": number} for path in dict.fromkeys(entry.references)]
    rows["alias"] += [{"alias": alias, "source": number} for alias in dict.fromkeys(map(name_key, entry.aliases))]
    rows["title_word"] += [{"word": word, "source": number} for word in dict.fromkeys(title_words(entry.title))]
    edges: dict[tuple[str, str], dict[str, object]] = {
        (link.type, link.target): {
            "from_number": number,
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


def _source(change: Put, number: int) -> dict[str, object]:
    entry = change.entry
    return {
        **{name: getattr(entry, name) for name in _COLUMNS.split()},
        "number": number,
        "title_key": name_key(entry.title),
        "authors": written_by(entry.authors),
        "path": change.path,
        "size": change.stamp.size,
        "mtime_ns": change.stamp.mtime_ns,
    }


def _text(text: Text, number: int, source: int, kind: str, branch: str | None) -> dict[str, object]:
    start, stop, heading = text.place
    return {
        "number": number, "source": source, "field": text.field, "kind": kind, "branch": branch,
        "start": start, "stop": stop, "heading": heading, "length": text.length,
        "words": base64.b64encode(text.words).decode("ascii"), "says": text.says,
        "vector": vector(text.vector) if any(text.vector) else None,
    }  # fmt: skip


def vector(row: bytes) -> str:
    """Return a row of signed bytes as a server takes it."""
    return f"[{','.join(map(str, memoryview(row).cast('b')))}]"


_TYPES = {
    "source": {"number": "bigint", "confidence": "float8", "size": "bigint", "mtime_ns": "bigint"},
    "text": {"number": "bigint", "source": "bigint", "start": "integer", "stop": "integer", "length": "integer"},
    "edge": {"from_number": "bigint", "confidence": "float8"},
    "problem": {"size": "bigint", "mtime_ns": "bigint"},
}
_READ = {("text", "words"): "decode(r.words, 'base64')", ("text", "vector"): "r.vector::halfvec"}


def _insert_rows(link: Link, space: str, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        return
    names = list(rows[0])
    types = _TYPES.get(table, {"source": "bigint"})
    columns = ", ".join(f"{name} {types.get(name, 'text')}" for name in names)
    values = ", ".join(_READ.get((table, name), f"r.{name}") for name in names)
    over = " ON CONFLICT (space, path) DO UPDATE SET reason = excluded.reason, kind = excluded.kind" * (
        table == "problem"
    )
    over += ", size = excluded.size, mtime_ns = excluded.mtime_ns" * (table == "problem")
    link.run(
        f"INSERT INTO autology.{table}(space, {', '.join(names)}) SELECT $1::uuid, {values}"
        f" FROM jsonb_to_recordset($2::jsonb) AS r({columns}){over}",
        space,
        json.dumps([{name: _clean(value) for name, value in row.items()} for row in rows]),
    )


def _clean(value: object) -> object:
    return plain(value) if isinstance(value, str) else value
