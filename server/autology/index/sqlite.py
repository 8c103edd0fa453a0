"""The index in one SQLite file: made anew whenever it is missing, old or damaged."""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from autology.core.ports import Counts, Due, Edge, Embedded, Encoder, Fault, Gone, Named, Put, Stamp
from autology.index import meaning, schema, sql, waiting
from autology.index.found import (
    EDGE,
    FAULT,
    INTEGER,
    MATCH,
    RANKED,
    ROW,
    VECTOR,
    Scored,
    Sources,
    batches,
    best,
    fitting,
    marks,
    sound,
    source,
    tally,
)
from autology.index.meaning import MODEL, TABLE, Asked, Codes
from autology.index.tiers import Tiers
from autology.model.entry import NODE
from autology.model.errors import EncodingError, StorageError
from autology.model.hit import Candidate, Place, Source
from autology.model.query import Filter, Terms
from autology.ranking.feedback import moved
from autology.text.slug import key as name_key
from autology.text.tokens import apart, exact_forms, fold, index_text, index_tokens, title_words

PATIENCE_MS = 5_000
"""How long a call waits for another process's transaction; the longest measured (10,000 files) takes 4 s."""
IDLE = 0 if os.name == "nt" else 2  # there an open file cannot be deleted
"""Connections kept between calls: opening one costs 0.5 ms, closing the last one 1.2 (it empties the log)."""
LOG = 2_000_000
"""Bytes that the log keeps once it was taken in: the first indexing leaves it as large as the index."""
PASSAGES = 400
"""Passages of which the best sources are taken: 100 sources with four each."""
PAIRS = 0.5
"""What a pair of words side by side adds, of its rank as one term (bench/quality: 0.25 and 0.5 are level over the
sets, 0.5 gains 0.8 MRR on pooled conversations, 1.0 loses 0.3 nDCG@10)."""
POSTINGS = 2_500
"""Places of words looked at for each word of a question, shared among them, the rarest words' first.

1.2 ms a word; 5,000 are level in bench/quality, on long proposals too. Leaving out what stands in 5 % of passages
costs nothing on small notes, and 5 points of nDCG@10 on long proposals, whose every word is common: so only what would
take too long is left out.
"""
MANY = 12
"""A term that takes up the share of so many others is counted no further."""
REMEMBERED = 10_000
"""Terms whose frequency is remembered."""

T = TypeVar("T")


class SqliteIndex:
    """The :class:`~autology.core.ports.Index` of one project.

    *place* tells the file, anew for every call: a project gets its own folder only when
    something is first written to it. *encoder* gives what passages are encoded with, when the
    first of them is; *model* what the user chose to have them encoded with as well, in time.
    """

    def __init__(
        self,
        place: Callable[[], str],
        encoder: Callable[[], Encoder | None] = lambda: None,
        model: Callable[[], Encoder | None] = lambda: None,
    ) -> None:
        self._place = place
        self._tiers = Tiers(encoder, model)
        self._codes = {table: Codes(table) for table in (TABLE, MODEL)}
        self._known = Sources()
        self._held = threading.local()
        self._asked_last = ("", "", b"")
        self._idle: list[tuple[sqlite3.Connection, str, int]] = []
        self._lock = threading.Lock()
        self._frequencies: dict[tuple[str, ...], tuple[int, int]] = {}

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep one connection for the calls that this thread makes meanwhile."""
        if getattr(self._held, "on", False):
            yield
            return
        self._held.on = True
        try:
            yield
        finally:
            self._held.on = False
            self._give_back()

    def generation(self) -> str:
        """Return what names this index; another one means that it was made anew and is behind."""

        return self._ask(_generation)

    def stamps(self, kind: str = NODE) -> dict[str, Stamp]:
        """Return what the index believes of every file of that kind that it has seen."""
        some = "SELECT path, size, mtime_ns FROM {} WHERE kind = ?"
        both = f"{some.format('source')} UNION ALL {some.format('problem')}"

        def read(db: sqlite3.Connection) -> dict[str, Stamp]:
            found = {path: Stamp(size, mtime) for path, size, mtime in db.execute(both, (kind, kind))}
            sound(tuple(found), len(found))
            return found

        return self._ask(read)

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        """Take in *changes* in one transaction."""
        taken = sorted(changes, key=lambda change: not isinstance(change, Gone))  # a moved file leaves first

        def write(db: sqlite3.Connection) -> None:
            encoder = self._settled(db) if any(isinstance(change, Put) for change in taken) else None
            for change in taken:
                if isinstance(change, Put):
                    _put(db, change, encoder)
                elif isinstance(change, Fault):
                    _drop(db, change.path)
                    _report(db, change)
                else:
                    _drop(db, change.path)
                    db.execute("DELETE FROM problem WHERE path = ?", (change.path,))

        if taken:
            self._write(write)

    def _settled(self, db: sqlite3.Connection) -> Encoder | None:
        """Return the encoder, once vectors that another one made are gone and every file is to be read again."""
        encoder = self._tiers.table()
        name = encoder.name if encoder else ""
        known = db.execute("SELECT value FROM meta WHERE key='encoder'").fetchone()
        if known != (name,):
            if known:
                db.execute("DELETE FROM meaning")
                db.execute("UPDATE source SET mtime_ns = -1")
                db.execute("UPDATE meta SET value = ? WHERE key = 'generation'", (secrets.token_hex(8),))
            db.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (name,))
        if (model := self._tiers.model()) is not None:
            # Where none is chosen, what there is stays: another process may have other settings.
            waiting.settle(db, model.name)
        return encoder

    def by_prefix(self, prefix: str, limit: int) -> list[Source]:
        """Return the sources whose id begins with *prefix*."""
        return self._sources("WHERE s.kind = ? AND s.id >= ? AND s.id < ? LIMIT ?", (NODE, prefix, prefix + "~", limit))

    def by_ids(self, ids: Sequence[str]) -> dict[str, Source]:
        """Return the sources with these ids."""
        found: dict[str, Source] = {}
        for some in batches(ids):
            rows = self._sources(f"WHERE s.id IN ({marks(some)})", some)
            found.update((source.id, source) for source in rows)
        return found

    def by_title(self, titles: Sequence[str]) -> list[Source]:
        """Return the sources with one of these titles, whatever their case."""
        keys = [name_key(title) for title in titles]
        return [
            source
            for some in batches(keys)
            for source in self._sources(f"WHERE s.kind = ? AND s.title_key IN ({marks(some)})", (NODE, *some))
        ]

    def by_name(self, names: Sequence[str], kind: str) -> list[Named]:
        """Return the sources of that kind that one of *names* is an alias of, whatever its case."""
        keys = list(dict.fromkeys(name_key(name) for name in names))

        def read(db: sqlite3.Connection) -> list[Named]:
            rows = [row for some in batches(keys) for row in db.execute(sql.named(len(some)), (kind, *some))]
            return _named(rows)

        return self._ask(read)

    def named(self, kind: str) -> list[Named]:
        """Return every source of that kind with its aliases."""
        return self._ask(lambda db: _named(db.execute(sql.NAMED, (kind,))))

    def remark(self, name: str, text: str) -> None:
        """Keep a word about the index itself; it goes with the index."""
        self._write(lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"remark {name}", text)))

    def remarked(self, name: str) -> str:
        """Return what was kept under *name*, or ""."""

        def read(db: sqlite3.Connection) -> str:
            found = db.execute("SELECT value FROM meta WHERE key = ?", (f"remark {name}",)).fetchone()
            return str(sound(found or ("",), 1)[0])

        return self._ask(read)

    def by_origin(self) -> dict[str, str]:
        """Return node ids by the path of the record that they were imported from."""
        ask = "SELECT origin, id FROM source WHERE origin IS NOT NULL"
        return self._ask(lambda db: dict(sound(row, 2) for row in db.execute(ask)))

    def words(self, terms: Terms, where: Filter, every: bool, limit: int) -> list[Candidate]:
        """Return, for title and body, the sources that best match, or hold *every* term, and pass *where*."""
        if not terms:
            return []

        def read(db: sqlite3.Connection) -> list[Candidate]:
            where_sql, values = sql.condition(_needed(db, where), marked=False)
            marked = _marked(db, where)
            if marked is None:
                return []
            asked = terms if every else self._rarer(db, Terms(apart(terms.terms), terms.pairs))
            head = (sql.in_title(asked, every, marked), *values, limit)
            title = db.execute(sql.title_words(where_sql, every), head)
            titles = [Scored(row, -rank) for row, rank in (fitting(found, RANKED) for found in title)]
            # Several passages of one source may come first: ask for more, keep the best of each.
            body = (sql.in_body(asked, every, marked), *values, limit * 4 if every else max(limit * 4, PASSAGES))
            rows = [fitting(found, MATCH) for found in db.execute(sql.body_words(where_sql, every), body)]
            beside = {} if every else _pairs(db, asked, marked)
            bodies = best([(PAIRS * beside.get(row[3], 0.0) - row[4], *row[:3]) for row in rows])[:limit]
            generation = _generation(db)
            return [
                *self._known.candidates(db, generation, "title", titles),
                *self._known.candidates(db, generation, "body", bodies),
            ]

        return self._seen(read)

    def meaning(self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()) -> list[Candidate]:
        """Return the sources nearest to *text*, and *like* these passages, among those that pass *where*."""
        table, encoder, own = self._meant(text, where.kind)
        if encoder is None or not any(own):
            return []
        vector = sql.VECTOR.format(table=table)

        def read(db: sqlite3.Connection) -> list[Candidate]:
            among = None
            where_sql, values = sql.condition(replace(_needed(db, where), kind=None, kinds=()))
            if where_sql != sql.EVERYTHING:
                among = {row for (row,) in db.execute(sql.passages_of(where_sql), values)}
            likely = [
                (place.score, fitting(row, (VECTOR,))[0])
                for place in like
                for row in db.execute(vector, (place.id, place.passage[0]))
            ]
            asked = moved(own, likely, encoder.moves)
            generation = _generation(db)
            made = f"{generation} {encoder.name}"
            kinds = (where.kind,) if where.kind else where.kinds
            scored = self._codes[table].nearest(db, made, Asked(own, asked, kinds, among), limit)
            return self._known.candidates(db, generation, "meaning", scored)

        return self._seen(read)

    def _meant(self, text: str, kind: str | None) -> tuple[str, Encoder | None, bytes]:
        """Return the table of vectors to look into, what made them, and the vector of *text* to look for."""
        model = self._tiers.model()
        if model is not None and self._ask(lambda db: waiting.nearly_none(db, model.name, kind)):
            try:
                return MODEL, model, self._encoded(model, text)
            except EncodingError as error:
                self._tiers.failed(model, error)
        table = self._tiers.table()
        return TABLE, table, table.encode([text])[0] if table else b""

    def _encoded(self, model: Encoder, text: str) -> bytes:
        """Return the vector of *text*; a question is looked for twice, and a model takes milliseconds for it."""
        name, known, row = self._asked_last
        if (name, known) != (model.name, text):
            row = model.encode([text])[0]
            self._asked_last = (model.name, text, row)
        return row

    def rows(self, where: Filter, limit: int) -> list[tuple[str, bytes]]:
        """Return the rows of the encoder that is built in, of what passes *where*, the latest first."""
        condition, values = sql.condition(where)
        ask = sql.ROWS.format(condition)
        return self._ask(lambda db: [fitting(row, ROW) for row in db.execute(ask, (*values, limit))])

    def encoder(self) -> str | None:
        """Return the name of what is searched by meaning with, or None where that cannot be done."""
        return self.embedded().by or None

    def embedded(self, kind: str | None = None) -> Embedded:
        """Return what passages of that kind, or of all, are searched by meaning with, and what is still to come."""
        table, model = self._tiers.table(), self._tiers.model()
        by, share = (table.name, table.share) if table else ("", 0.0)
        if model is None:
            return Embedded(by, share, fault=self._tiers.fault)

        def read(db: sqlite3.Connection) -> Embedded:
            best = (model.name, model.share) if waiting.nearly_none(db, model.name, kind) else (by, share)
            wait, there = waiting.counted(db, model.name, kind)
            return Embedded(*best, model.name if wait else "", there - wait, there)

        return self._ask(read)

    def due(self, kinds: Sequence[str], limit: int) -> list[Due]:
        """Return passages of these kinds that wait for the model that was chosen, the newest first."""
        model = self._tiers.model()
        found: list[Due] = []

        def take(db: sqlite3.Connection) -> None:
            assert model is not None
            waiting.settle(db, model.name)
            found[:] = waiting.take(db, kinds, limit)

        if model is not None and self._ask(lambda db: waiting.any_of(db, model.name, kinds)):
            self._write(take)
        return found

    def embed(self, texts: Mapping[int, str | None]) -> None:
        """Encode the texts of passages that were due, by number; None where there is none to be had any more.

        Raises:
            EncodingError: the model cannot be used after all.
        """
        model = self._tiers.model()
        if model is None:
            return
        try:
            made = iter(model.encode([text for text in texts.values() if text is not None]))
        except EncodingError as error:
            self._tiers.failed(model, error)
            raise
        rows = [(number, None if text is None else next(made)) for number, text in texts.items()]

        def write(db: sqlite3.Connection) -> None:
            if waiting.model(db) == model.name:  # else another one was chosen meanwhile
                waiting.keep(db, rows)

        self._write(write)

    def _rarer(self, db: sqlite3.Connection, terms: Terms) -> Terms:
        """Return the rarest of *terms*, as many as may be looked for at once."""
        (passages,) = db.execute("SELECT coalesce(max(rowid), 0) FROM passage").fetchone()
        if passages <= POSTINGS:
            return terms
        often = [self._often(db, group, passages.bit_length()) for group in terms.terms]
        kept: set[int] = set()
        left = POSTINGS * len(terms.terms)
        for at in sorted(range(len(often)), key=often.__getitem__):
            left -= often[at]
            if left < 0 and kept:
                break
            kept.add(at)
        return Terms(tuple(group for at, group in enumerate(terms.terms) if at in kept), terms.pairs)

    def _often(self, db: sqlite3.Connection, group: tuple[str, ...], size: int) -> int:
        """Return in how many passages a term stands, or that it does in very many; asked again as the index doubles."""
        known = self._frequencies.get(group)
        if known is None or known[0] != size:
            (many,) = db.execute(sql.FREQUENT, (f"{{body}} : {sql.term(group)}", POSTINGS * MANY)).fetchone()
            if len(self._frequencies) >= REMEMBERED:
                self._frequencies.clear()
            self._frequencies[group] = known = (size, many)
        return known[1]

    def vectors(self) -> int:
        """Return how many passages are found by meaning."""
        return self._ask(lambda db: int(db.execute("SELECT count(*) FROM meaning").fetchone()[0]))

    def listed(self, where: Filter, limit: int, recent: str) -> list[Source]:
        """Return the sources that pass *where*: current before superseded, confident and *recent* ones first."""
        condition, values = sql.condition(where)
        return self._sources(f"WHERE {condition} ORDER BY {sql.LISTED} LIMIT ?", (*values, recent, limit))

    def edges(self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE) -> list[Edge]:
        """Return the edges from that kind that touch one of *ids*, or all of them, at most *limit*; sorted."""
        every = "SELECT source, type, target, confidence, description FROM edge WHERE coalesce(?, kind) = kind"

        def read(db: sqlite3.Connection) -> list[Edge]:
            if ids is None:
                rows = db.execute(
                    f"{every} ORDER BY source, type, target LIMIT ?", (kind, -1 if limit is None else limit)
                )
                return [Edge(*fitting(row, EDGE)) for row in rows]
            found: dict[tuple[str, str, str], Edge] = {}
            for some in batches(ids):
                for side in ("source", "target"):
                    for row in db.execute(f"{every} AND {side} IN ({marks(some)})", (kind, *some)):
                        found[row[:3]] = Edge(*fitting(row, EDGE))
            return [found[key] for key in sorted(found)][:limit]

        return self._ask(read)

    def linked(self, ids: Sequence[str], most: int) -> list[Edge]:
        """Return the edges that touch one of *ids*, but not to tags; none of an id that more than *most* touch."""

        def read(db: sqlite3.Connection) -> list[Edge]:
            found = [db.execute(sql.LINKED, {"id": id, "most": most + 1}).fetchall() for id in ids]
            return [Edge(*fitting(row, EDGE)) for rows in found if len(rows) <= most for row in rows]

        return self._seen(read) if ids else []

    def ties(self, ids: Sequence[str], most: int) -> list[Edge]:
        """Return edges from nodes and memories that touch one of *ids*, at most *most* of each."""

        def read(db: sqlite3.Connection) -> list[Edge]:
            found = (db.execute(sql.TIES, {"id": id, "most": most}) for id in ids)
            edges = {row[:3]: Edge(*fitting(row, EDGE)) for rows in found for row in rows}
            return [edges[key] for key in sorted(edges)]

        return self._seen(read) if ids else []

    def spans(self, ids: Sequence[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return where the passages of these sources begin and end, in order."""
        found: dict[str, list[tuple[int, int]]] = {}

        def read(db: sqlite3.Connection) -> None:
            for some in batches(ids):
                for id, start, stop in db.execute(sql.SPANS.format(marks(some)), some):
                    sound((id,), 1)
                    found.setdefault(id, []).append(fitting((start, stop), (INTEGER, INTEGER)))

        if ids:
            self._ask(read)
        return {id: tuple(spans) for id, spans in found.items()}

    def tags(self) -> dict[str, int]:
        """Return every tag with the number of nodes that bear it."""
        return self._ask(lambda db: tally(db, sql.TAGS))

    def sharing(self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes that share a tag, a reference or a title word, most shared first.

        At most *limit* nodes are taken for any one tag, reference or word, the newest, so that
        the cost does not grow with the graph; what few nodes have counts for more.
        """
        keys = [("tag", "tag", tag) for tag in tags] + [("reference", "path", path) for path in references]
        keys += [("title_word", "word", fold(word)) for word in words]

        def read(db: sqlite3.Connection) -> list[str]:
            shared: dict[int, float] = {}
            for table, column, key in keys:
                ask = sql.SHARED.format(table=table, column=column)
                rows = db.execute(ask, (key, limit)).fetchall()
                for (row,) in rows:
                    shared[row] = shared.get(row, 0.0) + 1 / len(rows)
            first = sorted(shared, key=lambda row: (-shared[row], -row))[:limit]
            ids = [db.execute("SELECT id FROM source WHERE rowid = ?", (row,)).fetchone() for row in first]
            return [sound(found, 1)[0] for found in ids if found]

        return self._ask(read)

    def of_session(self, sessions: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes captured in one of these sessions."""
        ask = f"SELECT id FROM source WHERE session IN ({marks(sessions)}) ORDER BY created, id LIMIT ?"
        return self._ask(lambda db: [sound(row, 1)[0] for row in db.execute(ask, (*sessions, limit))])

    def counts(self) -> Counts:
        """Return how much of everything there is."""

        def read(db: sqlite3.Connection) -> Counts:
            return Counts(
                nodes=tally(db, "SELECT type, count(*) FROM source WHERE kind = 'node' GROUP BY type"),
                statuses=tally(db, "SELECT status, count(*) FROM source WHERE kind = 'node' GROUP BY status"),
                relations=tally(db, "SELECT type, count(*) FROM edge WHERE kind = 'node' GROUP BY type"),
                dangling=db.execute(f"SELECT count(*) {sql.DANGLING}").fetchone()[0],
                faults=db.execute("SELECT count(*) FROM problem WHERE kind = 'node'").fetchone()[0],
            )

        return self._ask(read)

    def faults(self, kind: str = NODE) -> list[tuple[str, str]]:
        """Return the unreadable files of that kind as (path, reason)."""
        ask = "SELECT path, reason FROM problem WHERE kind = ? ORDER BY path"
        return self._ask(lambda db: [fitting(row, FAULT) for row in db.execute(ask, (kind,))])

    def dangling(self, limit: int) -> list[Edge]:
        """Return edges whose target is no node."""
        ask = f"SELECT e.source, e.type, e.target, e.confidence, e.description {sql.DANGLING} LIMIT ?"
        return self._ask(lambda db: [Edge(*fitting(row, EDGE)) for row in db.execute(ask, (limit,))])

    # ---- the file --------------------------------------------------------------------------------

    def _sources(self, tail: str, values: Sequence[object]) -> list[Source]:
        ask = f"SELECT {sql.COLUMNS} FROM source s {tail}"
        return self._ask(lambda db: [source(row) for row in db.execute(ask, tuple(values))])

    def _ask(self, read: Callable[[sqlite3.Connection], T]) -> T:
        return self._with(read)

    def _seen(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what *read* finds with several questions, of one state of the index."""

        def transaction(db: sqlite3.Connection) -> T:
            db.execute("BEGIN")
            found = read(db)
            db.execute("COMMIT")
            return found

        return self._with(transaction)

    def _write(self, write: Callable[[sqlite3.Connection], object]) -> None:
        def transaction(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            write(db)
            db.execute("COMMIT")

        self._with(transaction)

    def _with(self, act: Callable[[sqlite3.Connection], T]) -> T:
        path = self._place()
        for last in (False, True):
            try:
                return self._act(path, act)
            except sqlite3.DatabaseError as error:
                transient = isinstance(error, sqlite3.OperationalError) and not _damaged(error)
                if last or transient:
                    raise _refusal(path, error) from None
            except OSError as error:
                raise _refusal(path, error) from None
            except (UnicodeDecodeError, MemoryError) as error:  # what garbage makes of texts and lengths
                if last:
                    raise _refusal(path, error) from None
            _discard(path)
        raise AssertionError("unreachable")

    def _act(self, path: str, act: Callable[[sqlite3.Connection], T]) -> T:
        held = getattr(self._held, "db", None)
        if held is None or held[1] != path:
            self._give_back()
            self._held.db = held = self._take(path)
        try:
            return act(held[0])
        except BaseException:
            self._held.db = None  # whatever went wrong, the next call begins afresh
            held[0].close()
            raise
        finally:
            if not getattr(self._held, "on", False):
                self._give_back()

    def _take(self, path: str) -> tuple[sqlite3.Connection, str, int]:
        """Return an idle connection if it still leads to the file at *path*, else a new one."""
        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            if idle is None:
                db = _open(path)
                return (db, path, _inode(path))
            if idle[1:] == (path, _inode(path)) and _current(idle[0]):
                return idle
            idle[0].close()  # the file was deleted, replaced or made anew meanwhile

    def _give_back(self) -> None:
        held, self._held.db = getattr(self._held, "db", None), None
        if held is None:
            return
        with self._lock:
            if len(self._idle) < IDLE:
                self._idle.append(held)
                return
        held[0].close()


def _open(path: str) -> sqlite3.Connection:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    db = sqlite3.connect(path, timeout=PATIENCE_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA journal_size_limit={LOG}")
        if db.execute("PRAGMA user_version").fetchone()[0] != schema.STAMP:
            _make(db)
    except BaseException:
        db.close()
        raise
    return db


def _current(db: sqlite3.Connection) -> bool:
    try:
        return bool(db.execute("PRAGMA user_version").fetchone()[0] == schema.STAMP)
    except sqlite3.Error:
        return False


def _inode(path: str) -> int:
    try:
        return os.stat(path).st_ino
    except OSError:
        return -1


def _discard(path: str) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + suffix)
        except OSError:
            continue


def _refusal(path: str, error: Exception) -> StorageError:
    step = "The notes are safe; make the folder writable, or run `autology doctor`."
    return StorageError(path, f"the index cannot be used: {error}", step)


_TWICE = "has the same id as"


def _make(db: sqlite3.Connection) -> None:
    """Make every table anew, unless another process just did."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("BEGIN EXCLUSIVE")
    if db.execute("PRAGMA user_version").fetchone()[0] != schema.STAMP:
        old = "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%' AND sql NOTNULL"
        names = [name for (name,) in db.execute(old) if "_fts_" not in name]
        for name in names:
            db.execute(f'DROP TABLE IF EXISTS "{name}"')
        for statement in schema.TABLES.split(";\n"):
            if statement.strip():
                db.execute(statement)
        for table, rank in sql.RANKS.items():
            db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('rank', ?)", (rank,))
        db.execute("INSERT INTO meta VALUES ('generation', ?)", (secrets.token_hex(8),))
    db.execute("COMMIT")


_DAMAGE = ("no such", "malformed", "not a database", "disk I/O", "corrupt", "no column", "decode", "invalid fts5")


def _damaged(error: sqlite3.OperationalError) -> bool:
    """Whether a file made anew would help; a lock, a full disk or a read-only folder stay what they are."""
    text = str(error)
    return any(sign in text for sign in _DAMAGE)


def _put(db: sqlite3.Connection, change: Put, encoder: Encoder | None) -> None:
    entry = change.entry
    other = db.execute("SELECT path FROM source WHERE id = ? AND path <> ?", (entry.id, change.path)).fetchone()
    _drop(db, change.path, entry.id)
    db.execute("DELETE FROM problem WHERE path = ?", (change.path,))
    if other:
        reason = f"{_TWICE} {other[0]}; give one of them a new id"
        _report(db, Fault(change.path, change.stamp, reason, entry.kind))
        return
    row = _insert_source(db, change)
    db.executemany("INSERT OR IGNORE INTO tag VALUES (?, ?)", [(tag, row) for tag in entry.tags])
    db.executemany("INSERT OR IGNORE INTO reference VALUES (?, ?)", [(path, row) for path in entry.references])
    db.executemany("INSERT OR IGNORE INTO title_word VALUES (?, ?)", [(w, row) for w in title_words(entry.title)])
    db.executemany("INSERT OR IGNORE INTO alias VALUES (?, ?)", [(name_key(alias), row) for alias in entry.aliases])
    edges = [(entry.id, e.type, e.target, e.confidence, e.description, e.kind or entry.kind) for e in entry.links]
    db.executemany("INSERT OR REPLACE INTO edge VALUES (?, ?, ?, ?, ?, ?)", edges)
    _insert_words(db, row, change, encoder)


def _insert_source(db: sqlite3.Connection, change: Put) -> int:
    entry = change.entry
    values = {
        **{name: getattr(entry, name) for name in _COLUMNS.split()},
        "title_key": name_key(entry.title),
        "path": change.path,
        "size": change.stamp.size,
        "mtime_ns": change.stamp.mtime_ns,
    }
    names = ", ".join(values)
    cursor = db.execute(f"INSERT INTO source({names}) VALUES ({marks(list(values))})", tuple(values.values()))
    assert cursor.lastrowid is not None
    return cursor.lastrowid


_COLUMNS = (
    "id kind type title status decision_status confidence created modified session origin project language"
    " org scope_project branch expires_at"
)


def _marked(db: sqlite3.Connection, where: Filter) -> sql.Marked | None:
    """Return what rows that pass *where* are marked with; None where its projects are unknown."""
    kinds = (where.kind,) if where.kind else where.kinds
    marked: sql.Marked = (kinds,) if kinds else ()
    if not where.projects:
        return marked
    ask = f"SELECT rowid FROM project WHERE identity IN ({marks(where.projects)})"
    words = tuple(project_mark(row) for (row,) in db.execute(ask, where.projects))
    return (*marked, words) if words else None


def _needed(db: sqlite3.Connection, where: Filter) -> Filter:
    """Return *where* without what everything meets: while nothing has expired, no hit need be looked up for it."""
    if where.alive_at is None or db.execute(sql.EXPIRED, (where.alive_at,)).fetchone():
        return where
    return replace(where, alive_at=None)


def marks_of(db: sqlite3.Connection, kind: str, project: str | None) -> str:
    """Return the words that mark what is of that kind and project."""
    if project is None:
        return kind
    row = db.execute("SELECT rowid FROM project WHERE identity = ?", (project,)).fetchone()
    if row is None:
        row = (db.execute("INSERT INTO project(identity) VALUES (?)", (project,)).lastrowid,)
    return f"{kind} {project_mark(row[0])}"


def project_mark(row: int) -> str:
    """Return the word that marks what belongs to the project of that row."""
    return f"p{row}"


def _pairs(db: sqlite3.Connection, terms: Terms, marked: sql.Marked) -> dict[int, float]:
    asked = sql.pairs(terms, marked)
    return dict(fitting(row, RANKED) for row in db.execute(sql.PAIRS, (asked, PASSAGES))) if asked else {}


def _generation(db: sqlite3.Connection) -> str:
    found = db.execute("SELECT value FROM meta WHERE key='generation'").fetchone()
    return str(sound(found or (None,), 1)[0])


def _insert_words(db: sqlite3.Connection, row: int, change: Put, encoder: Encoder | None) -> None:
    entry = change.entry
    headings = index_text(" \n".join(dict.fromkeys(p.heading for p in change.passages)))
    marked = marks_of(db, entry.kind, entry.project)
    line = (row, index_text(entry.title), index_text(" \n".join(entry.tags)), headings, marked)
    db.execute("INSERT INTO title_fts(rowid, title, tags, headings, kind) VALUES (?, ?, ?, ?, ?)", line)
    texts = change.texts
    vectors = encoder.encode(texts) if encoder else []
    modelled = bool(waiting.model(db))
    for number, passage in enumerate(change.passages):
        at = _insert_passage(db, (row, passage.start, passage.stop, passage.heading), texts[number], marked)
        if vectors and at is not None:
            meaning.put(db, at, entry.kind, vectors[number])
        if modelled:
            db.execute("INSERT INTO due VALUES (?, ?, 0)", (at, entry.kind))
    if entry.told:
        _insert_passage(db, (row, None, None, None), entry.told, marked)


def _insert_passage(db: sqlite3.Connection, place: tuple[object, ...], text: str, marked: str) -> int | None:
    body, exact = index_tokens(text)
    packed = zlib.compress(body.encode("utf-8", "surrogatepass"), 1)
    ask = "INSERT INTO passage(source, start, stop, heading, tokens) VALUES (?, ?, ?, ?, ?)"
    row = db.execute(ask, (*place, packed)).lastrowid
    words = (row, body, exact, marked)
    db.execute("INSERT INTO passage_fts(rowid, body, exact, kind) VALUES (?, ?, ?, ?)", words)
    return row


def _forget_words(db: sqlite3.Connection, source: int, marked: str) -> None:
    """Tell the full-text index which words its passages of that source had: it holds no text of its own."""
    rows = db.execute("SELECT rowid, tokens FROM passage WHERE source = ?", (source,)).fetchall()
    for row, packed in rows:
        try:
            body = zlib.decompress(packed).decode("utf-8", "surrogatepass")
        except (zlib.error, TypeError, UnicodeDecodeError):
            raise sqlite3.DatabaseError("malformed tokens") from None
        ask = "INSERT INTO passage_fts(passage_fts, rowid, body, exact, kind) VALUES ('delete', ?, ?, ?, ?)"
        db.execute(ask, (row, body, _exact(body), marked))


def _exact(body: str) -> str:
    return " ".join(exact_forms(body.split()))


def _drop(db: sqlite3.Connection, path: str, kept_id: str = "") -> None:
    """Forget what the file at *path* held; unless it keeps its id, another file may have that to itself now."""
    found = db.execute("SELECT rowid, id, kind, project FROM source WHERE path = ?", (path,)).fetchone()
    if not found:
        return
    row, id, kind, project = found
    for table in ("tag", "reference", "title_word", "alias"):
        db.execute(f"DELETE FROM {table} WHERE source = ?", (row,))
    db.execute("DELETE FROM edge WHERE source = ?", (id,))
    db.execute("DELETE FROM title_fts WHERE rowid = ?", (row,))
    _forget_words(db, row, marks_of(db, kind, project))
    for table in (TABLE, MODEL, "due"):
        db.execute(f"DELETE FROM {table} WHERE passage IN (SELECT rowid FROM passage WHERE source = ?)", (row,))
    db.execute("DELETE FROM passage WHERE source = ?", (row,))
    db.execute("DELETE FROM source WHERE rowid = ?", (row,))
    if id != kept_id:
        db.execute("DELETE FROM problem WHERE reason LIKE ?", (f"{_TWICE}%",))  # looked at again, then


def _report(db: sqlite3.Connection, fault: Fault) -> None:
    values = (fault.path, fault.reason, fault.stamp.size, fault.stamp.mtime_ns, fault.kind)
    db.execute("INSERT OR REPLACE INTO problem VALUES (?, ?, ?, ?, ?)", values)


def _named(rows: Iterable[tuple[Any, ...]]) -> list[Named]:
    """Put *rows* of (id, path, alias) together, each source once."""
    found: dict[tuple[str, str], list[str]] = {}
    for id, path, alias in rows:
        sound((id, path), 2)
        aliases = found.setdefault((id, path), [])
        if alias is not None:
            aliases.append(alias)
    return [Named(id, path, tuple(aliases)) for (id, path), aliases in found.items()]
