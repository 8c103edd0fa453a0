"""Writing sources into a hub: what they are, what they speak of, their words and their vectors, in few statements."""

from __future__ import annotations

import base64
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import md5
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
AVERAGE = {BODY: 120, TITLE: 12}
"""The length of a usual text: what a word counts in others is put down beside its place, which orders the places. The
texts that come out of these are scored by the lengths of that moment."""
WORTH = 1 << 14
"""What a word counts as a whole number; `ranking.bm25` counts none of them over 2.2."""
MOST_WORDS = 16_000
"""Different words of a text that are counted: a vector takes no more."""
LONGEST = 600
"""Characters of what is looked up as a whole: an index of the server's takes 2,700 bytes, with all else that is in it.
No text is refused for a longer word: it is found by its others."""
REMEMBERED = 30_000
"""Words whose numbers are kept at hand."""
CALLED = 1 << 28
"""How many numbers there are for words in a vector of counts."""
_COLUMNS = (
    "id kind type title status decision_status confidence created modified session origin project language trust"
    " org scope_project branch expires_at"
)


Postings = dict[tuple[str, str, str, str], list[int]]
"""The places of words, by field, kind, branch and word."""


@dataclass(frozen=True, slots=True)
class Text:
    """What is searched as one: its place, how often each of its words stands there, their order, its vector."""

    field: str
    place: tuple[int | None, int | None, str | None]
    times: Mapping[str, float]
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
    return Text(TITLE, (None, None, None), _plain(head), length)


def _body(
    place: tuple[int | None, int | None, str | None], text: str, says: str | None = None, vector: bytes = b""
) -> Text:
    tokens = index_tokens(text)
    found = Counter((*tokens.stems, *tokens.forms))
    length = found.total() + 1
    return Text(BODY, place, _plain(found), length, tokens.order, says, vector)


def _plain(words: Mapping[str, float]) -> dict[str, float]:
    return {plain(word): times for word, times in words.items()}


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
    posted: Postings = defaultdict(list)
    texts = sum(_insert(link, space, coming[at : at + TOGETHER], posted) for at in range(0, len(coming), TOGETHER))
    post(link, posted, texts)
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


def _insert(link: Link, space: str, coming: Sequence[Prepared], posted: Postings) -> int:
    """Take in the rows of *coming*, add to *posted* where their words stand, and return how many texts they have."""
    many = sum(len(ready.texts) for ready in coming)
    number = int(link.run("SELECT autology.number($1)", many + len(coming))[0][0])
    rows: dict[str, list[dict[str, object]]] = defaultdict(list)
    for ready in coming:
        number += 1
        own = number
        entry = ready.change.entry
        rows["source"].append(_source(ready.change, own))
        _about(rows, ready.change, own)
        for text in ready.texts:
            number += 1
            rows["text"].append(_text(text, number, own, entry.kind, entry.branch))
            if any(text.vector):
                rows["near"].append(_near(text, number, own, entry.kind, entry.branch))
            for word, place in places(text, number):
                posted[text.field, entry.kind, entry.branch or "", word].append(place)
    for table in ("source", "tag", "reference", "alias", "title_word", "edge", "text", "near"):
        _insert_rows(link, space, table, rows[table])
    return many


def places(text: Text, number: int) -> Iterator[tuple[str, int]]:
    """Yield the words of a text, each with its place: what it counts there, and the text's number."""
    least = bm25.K1 * (1 - bm25.B + bm25.B * text.length / AVERAGE[text.field])
    for word, times in text.times.items():
        if len(word) > LONGEST:
            continue
        yield word, int(WORTH * (bm25.K1 + 1) * times / (times + least)) << 32 | number


def post(link: Link, posted: Postings, texts: int) -> None:
    """Put down where the words of so many *texts* stand."""
    if posted:
        rows = [[*where, f"{{{','.join(map(str, sorted(some, reverse=True)))}}}"] for where, some in posted.items()]
        link.run("SELECT autology.post($1, $2)", json.dumps(rows), texts)


def _about(rows: dict[str, list[dict[str, object]]], change: Put, number: int) -> None:
    entry = change.entry
    rows["tag"] += [{"tag": tag, "source": number} for tag in _keys(entry.tags)]
    rows["reference"] += [{"path": path, "source": number} for path in _keys(entry.references)]
    rows["alias"] += [{"alias": alias, "source": number} for alias in _keys(map(name_key, entry.aliases))]
    rows["title_word"] += [{"word": word, "source": number} for word in _keys(title_words(entry.title))]
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


def _keys(words: Iterable[str]) -> dict[str, None]:
    """Return what is looked up, each once, as long as that may be."""
    return dict.fromkeys(word[:LONGEST] for word in words)


def _source(change: Put, number: int) -> dict[str, object]:
    entry = change.entry
    return {
        **{name: getattr(entry, name) for name in _COLUMNS.split()},
        "number": number,
        "title_key": name_key(entry.title)[:LONGEST],
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
        "counts": counts(text.times),
    }  # fmt: skip


def _near(text: Text, number: int, source: int, kind: str, branch: str | None) -> dict[str, object]:
    return {
        "text": number, "source": source, "kind": kind, "branch": branch,
        "start": text.place[0], "stop": text.place[1], "vector": vector(text.vector),
    }  # fmt: skip


def vector(row: bytes) -> str:
    """Return a row of signed bytes as a server takes it."""
    return f"[{','.join(map(str, memoryview(row).cast('b')))}]"


def counts(words: Mapping[str, float]) -> str:
    """Return how much each of *words* there is as a vector that a server takes: one place of it for every word."""
    numbers: dict[int, float] = {}
    for word, many in words.items():
        number = called(word)
        numbers[number] = numbers.get(number, 0) + many
    some = list(numbers.items())[:MOST_WORDS]
    return f"{{{','.join([f'{number}:{many:g}' for number, many in some])}}}/{CALLED}"


@lru_cache(maxsize=REMEMBERED)
def called(word: str) -> int:
    """Return what a vector of counts calls *word*."""
    return int(md5(word.encode("utf-8"), usedforsecurity=False).hexdigest()[:7], 16) + 1


_TYPES = {
    "source": {"number": "bigint", "confidence": "float8", "size": "bigint", "mtime_ns": "bigint"},
    "text": {"number": "bigint", "source": "bigint", "start": "integer", "stop": "integer", "length": "integer"},
    "near": {"text": "bigint", "source": "bigint", "start": "integer", "stop": "integer"},
    "edge": {"from_number": "bigint", "confidence": "float8"},
    "problem": {"size": "bigint", "mtime_ns": "bigint"},
}
_READ = {
    ("text", "words"): "decode(r.words, 'base64')",
    ("text", "counts"): "r.counts::sparsevec",
    ("near", "vector"): "r.vector::halfvec",
}


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
