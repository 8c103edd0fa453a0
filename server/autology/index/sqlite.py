"""The index in one SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from autology.core.content.files import Stamp
from autology.core.index.catalogue import Counts, Edge, Named
from autology.core.index.changes import Fault, Gone, Put
from autology.core.index.embedding_queue import QueuedPassage
from autology.core.index.vector_search import Encoder, EncoderState
from autology.index import sql
from autology.index.file import IndexFile
from autology.index.filter_cache import FilterCache
from autology.index.sources_of_passages import (
    EDGE,
    FAULT,
    INTEGER,
    ROW,
    VECTOR,
    RowCache,
    batches,
    fitting,
    marks,
    sound,
    source,
    tally,
)
from autology.index.text import lexical_search, posting_search
from autology.index.text.postings import BODY, Postings
from autology.index.vectors import embedding_queue
from autology.index.vectors.encoders import Encoders
from autology.index.vectors.vector_search import MODEL, TABLE, Codes, VectorQuery
from autology.index.writing import Prepared, Writer, prepared
from autology.model.entry import NODE
from autology.model.errors import EncodingError
from autology.model.hit import Candidate, Place, Source
from autology.model.query import Filter, Terms
from autology.ranking.relevance_feedback import moved
from autology.text.slug import key as name_key
from autology.text.tokens import fold


class SqliteIndex:
    """The :class:`~autology.core.index.index.Index` of one project.

    *place* returns the file's path on every call: a project gets its own folder only with the first write. *encoder*
    returns the built-in encoder lazily; *model* the one the user chose in addition. *save_codes* says whether
    codes of passages may be cached in files next to the index."""

    def __init__(
        self,
        place: Callable[[], str],
        encoder: Callable[[], Encoder | None] = lambda: None,
        model: Callable[[], Encoder | None] = lambda: None,
        save_codes: bool = True,
    ) -> None:
        self._file = IndexFile(place)
        self._tiers = Encoders(encoder, model)
        self._codes = {table: Codes(table, save_codes) for table in (TABLE, MODEL)}
        self._cache = RowCache()
        self._passing = FilterCache()
        self._last_query = ("", "", b"")

    def keep_open(self) -> AbstractContextManager[None]:
        """Reuse one connection for this thread's calls."""
        return self._file.held()

    def generation(self) -> str:
        """Return the index's generation; a different one means that it was rebuilt and is incomplete."""

        return self._file.ask(_generation)

    def stamps(self, kind: str = NODE) -> dict[str, Stamp]:
        """Return the recorded stamp of every file of that kind."""
        select = "SELECT path, size, mtime_ns FROM {} WHERE kind = ?"
        both = f"{select.format('source')} UNION ALL {select.format('problem')}"

        def read(db: sqlite3.Connection) -> dict[str, Stamp]:
            by_path = {path: Stamp(size, mtime) for path, size, mtime in db.execute(both, (kind, kind))}
            sound(tuple(by_path), len(by_path))
            return by_path

        return self._file.ask(read)

    def prepare(self, change: Put) -> Prepared:
        """Prepare *change* for :meth:`apply`, without its texts and without accessing the index."""
        return change if isinstance(change, Prepared) else prepared(change, self._tiers.table())

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        """Apply *changes* in one transaction."""
        taken = sorted(changes, key=lambda change: not isinstance(change, Gone))  # removals first, for moved files
        ready = [self.prepare(change) if isinstance(change, Put) else change for change in taken]

        def write(db: sqlite3.Connection) -> None:
            if any(isinstance(change, Prepared) for change in ready):
                self._settle(db, self._tiers.table())
            writer = Writer(db)
            for change in ready:
                if isinstance(change, Prepared):
                    writer.put(change)
                    continue
                writer.drop(change.path)
                if isinstance(change, Fault):
                    writer.report(change)
                else:
                    db.execute("DELETE FROM problem WHERE path = ?", (change.path,))
            writer.settle()

        if taken:
            self._file.write(write)

    def _settle(self, db: sqlite3.Connection, encoder: Encoder | None) -> None:
        """Make *encoder* current: vectors of another one are deleted, and every file is marked to be read again."""
        name = encoder.name if encoder else ""
        stored = db.execute("SELECT value FROM meta WHERE key='encoder'").fetchone()
        if stored != (name,):
            if stored:
                db.execute("DELETE FROM meaning")
                db.execute("UPDATE source SET mtime_ns = -1")
                db.execute("UPDATE meta SET value = ? WHERE key = 'generation'", (os.urandom(8).hex(),))
            db.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (name,))
        if (model := self._tiers.model()) is not None:
            # Without a chosen model its vectors stay: another process may have other settings.
            embedding_queue.settle(db, model.name)

    def by_prefix(self, prefix: str, limit: int) -> list[Source]:
        """Return the sources whose id starts with *prefix*."""
        return self._sources("WHERE s.kind = ? AND s.id >= ? AND s.id < ? LIMIT ?", (NODE, prefix, prefix + "~", limit))

    def by_ids(self, ids: Sequence[str]) -> dict[str, Source]:
        """Return the sources with these ids."""
        by_id: dict[str, Source] = {}
        for batch in batches(ids):
            rows = self._sources(f"WHERE s.id IN ({marks(batch)})", batch)
            by_id.update((source.id, source) for source in rows)
        return by_id

    def by_title(self, titles: Sequence[str]) -> list[Source]:
        """Return the sources with one of these titles, ignoring case."""
        keys = [name_key(title) for title in titles]
        return [
            source
            for batch in batches(keys)
            for source in self._sources(f"WHERE s.kind = ? AND s.title_key IN ({marks(batch)})", (NODE, *batch))
        ]

    def by_name(self, names: Sequence[str], kind: str) -> list[Named]:
        """Return the sources of that kind that have one of *names* as an alias, ignoring case."""
        keys = list(dict.fromkeys(name_key(name) for name in names))

        def read(db: sqlite3.Connection) -> list[Named]:
            rows = [row for batch in batches(keys) for row in db.execute(sql.named(len(batch)), (kind, *batch))]
            return _named(rows)

        return self._file.ask(read)

    def named(self, kind: str) -> list[Named]:
        """Return every source of that kind with its aliases."""
        return self._file.ask(lambda db: _named(db.execute(sql.NAMED, (kind,))))

    def set_metadata(self, name: str, text: str) -> None:
        """Store a value with the index; it is lost with the index."""
        self._file.write(lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"remark {name}", text)))

    def metadata(self, name: str) -> str:
        """Return the value stored under *name*, or ""."""

        def read(db: sqlite3.Connection) -> str:
            stored = db.execute("SELECT value FROM meta WHERE key = ?", (f"remark {name}",)).fetchone()
            return str(sound(stored or ("",), 1)[0])

        return self._file.ask(read)

    def by_origin(self) -> dict[str, str]:
        """Return node ids by the path of the record they were imported from."""
        ask = "SELECT origin, id FROM source WHERE origin IS NOT NULL"
        return self._file.ask(lambda db: dict(sound(row, 2) for row in db.execute(ask)))

    def lexical_candidates(self, terms: Terms, where: Filter, every: bool, limit: int) -> list[Candidate]:
        """Return lexical candidates, by title and by body, that pass *where*; if *every*, only those with all terms."""
        if not terms:
            return []

        def read(db: sqlite3.Connection) -> list[Candidate]:
            generation = _generation(db)
            cache, passing = self._cache_of(generation), self._passing.of(generation)
            query = lexical_search.LexicalQuery(terms, _needed(db, where), every, limit, cache.segments, passing)
            titles, bodies = lexical_search.retrieve(db, query)
            return [*cache.candidates(db, "title", titles), *cache.candidates(db, "body", bodies)]

        return self._file.snapshot(read)

    def semantic_candidates(self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()) -> list[Candidate]:
        """Return semantic candidates for *text*, with feedback from the passages *like*, that pass *where*."""
        table, encoder, own = self._meant(text, where.kind)
        if encoder is None or not any(own):
            return []
        vector = sql.VECTOR.format(table=table)

        def read(db: sqlite3.Connection) -> list[Candidate]:
            generation = _generation(db)
            cache = self._cache_of(generation)
            eligible = self._eligible(db, generation, _needed(db, where))
            likely = [
                (place.score, fitting(row, (VECTOR,))[0])
                for place in like
                for row in db.execute(vector, (place.id, place.passage[0]))
            ]
            query = moved(own, likely, encoder.moves)
            codes_generation = f"{generation} {encoder.name}"
            kinds = (where.kind,) if where.kind else where.kinds
            scored = self._codes[table].nearest(
                db, cache, codes_generation, VectorQuery(own, query, kinds, eligible), limit
            )
            return cache.candidates(db, "meaning", scored)

        return self._file.snapshot(read)

    def _cache_of(self, generation: str) -> RowCache:
        self._cache = cache = self._cache.of(generation)
        return cache

    def _eligible(self, db: sqlite3.Connection, generation: str, where: Filter) -> set[int] | None:
        """Return the passages that pass *where*, ignoring kind; None if all do."""
        condition, values = sql.condition(replace(where, kind=None, kinds=()))
        if condition == sql.EVERYTHING:
            return None
        few = where.ids is not None or where.projects
        if not few and (rows := self._passing.of(generation).rows(db, where)) is not None:
            kinds = (where.kind,) if where.kind else where.kinds
            return posting_search.passing(Postings(db, BODY, kinds, self._cache_of(generation).segments), rows)
        return {row for (row,) in db.execute(sql.passages_of(condition), values)}

    def _meant(self, text: str, kind: str | None) -> tuple[str, Encoder | None, bytes]:
        """Return the table of vectors to search, its encoder, and the vector of *text*."""
        model = self._tiers.model()
        if model is not None and self._file.ask(lambda db: embedding_queue.nearly_none(db, model.name, kind)):
            try:
                return MODEL, model, self._encoded(model, text)
            except EncodingError as error:
                self._tiers.failed(model, error)
        table = self._tiers.table()
        return TABLE, table, table.encode([text])[0] if table else b""

    def _encoded(self, model: Encoder, text: str) -> bytes:
        """Return the vector of *text*, cached: each query is encoded twice, which takes a model milliseconds."""
        name, cached_text, row = self._last_query
        if (name, cached_text) != (model.name, text):
            row = model.encode([text])[0]
            self._last_query = (model.name, text, row)
        return row

    def vectors(self, where: Filter, limit: int) -> list[tuple[str, bytes]]:
        """Return the built-in encoder's vectors of the sources that pass *where*, latest first."""
        condition, values = sql.condition(where)
        ask = sql.ROWS.format(condition)
        return self._file.ask(lambda db: [fitting(row, ROW) for row in db.execute(ask, (*values, limit))])

    def encoder_state(self, kind: str | None = None) -> EncoderState:
        """Return the encoder that searches use for *kind*, or for all, and the progress of the user's model."""
        table, model = self._tiers.table(), self._tiers.model()
        by, share = (table.name, table.share) if table else ("", 0.0)
        if model is None:
            return EncoderState(by, share, fault=self._tiers.fault)

        def read(db: sqlite3.Connection) -> EncoderState:
            best = (model.name, model.share) if embedding_queue.nearly_none(db, model.name, kind) else (by, share)
            wait, there = embedding_queue.counted(db, model.name, kind)
            return EncoderState(*best, model.name if wait else "", there - wait, there)

        return self._file.ask(read)

    def claim(self, kinds: Sequence[str], limit: int) -> list[QueuedPassage]:
        """Return passages of these kinds that wait for the user's model, newest first."""
        model = self._tiers.model()
        claimed: list[QueuedPassage] = []

        def take(db: sqlite3.Connection) -> None:
            assert model is not None
            embedding_queue.settle(db, model.name)
            claimed[:] = embedding_queue.take(db, kinds, limit)

        if model is not None and self._file.ask(lambda db: embedding_queue.any_of(db, model.name, kinds)):
            self._file.write(take)
        return claimed

    def embed(self, texts: Mapping[int, str | None]) -> None:
        """Encode the texts of due passages, by row; None for a text that is gone.

        Raises:
            EncodingError: the model cannot be used.
        """
        model = self._tiers.model()
        if model is None:
            return
        try:
            encoded = iter(model.encode([text for text in texts.values() if text is not None]))
        except EncodingError as error:
            self._tiers.failed(model, error)
            raise
        rows = [(number, None if text is None else next(encoded)) for number, text in texts.items()]

        def write(db: sqlite3.Connection) -> None:
            if embedding_queue.model(db) == model.name:  # else a different one was chosen meanwhile
                embedding_queue.keep(db, rows)

        self._file.write(write)

    def vector_count(self) -> int:
        """Return the number of passages with a vector."""
        return self._file.ask(lambda db: int(db.execute("SELECT count(*) FROM meaning").fetchone()[0]))

    def listed(self, where: Filter, limit: int, recent: str) -> list[Source]:
        """Return the sources that pass *where*: current before superseded, then by confidence and recency."""
        condition, values = sql.condition(where)
        return self._sources(f"WHERE {condition} ORDER BY {sql.LISTED} LIMIT ?", (*values, recent, limit))

    def edges(self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE) -> list[Edge]:
        """Return sorted edges of that kind that touch one of *ids*, or all edges, at most *limit*."""
        select = "SELECT source, type, target, confidence, description FROM edge WHERE coalesce(?, kind) = kind"

        def read(db: sqlite3.Connection) -> list[Edge]:
            if ids is None:
                rows = db.execute(
                    f"{select} ORDER BY source, type, target LIMIT ?", (kind, -1 if limit is None else limit)
                )
                return [Edge(*fitting(row, EDGE)) for row in rows]
            by_key: dict[tuple[str, str, str], Edge] = {}
            for batch in batches(ids):
                for side in ("source", "target"):
                    for row in db.execute(f"{select} AND {side} IN ({marks(batch)})", (kind, *batch)):
                        by_key[row[:3]] = Edge(*fitting(row, EDGE))
            return [by_key[key] for key in sorted(by_key)][:limit]

        return self._file.ask(read)

    def linked(self, ids: Sequence[str], most: int) -> list[Edge]:
        """Return edges that touch one of *ids*, except to tags; none for an id with more than *most*."""

        def read(db: sqlite3.Connection) -> list[Edge]:
            per_id = [db.execute(sql.LINKED, {"id": id, "most": most + 1}).fetchall() for id in ids]
            return [Edge(*fitting(row, EDGE)) for rows in per_id if len(rows) <= most for row in rows]

        return self._file.snapshot(read) if ids else []

    def note_edges(self, ids: Sequence[str], most: int) -> list[Edge]:
        """Return edges from nodes and memories that touch one of *ids*, at most *most* each."""

        def read(db: sqlite3.Connection) -> list[Edge]:
            results = (db.execute(sql.TIES, {"id": id, "most": most}) for id in ids)
            edges = {row[:3]: Edge(*fitting(row, EDGE)) for rows in results for row in rows}
            return [edges[key] for key in sorted(edges)]

        return self._file.snapshot(read) if ids else []

    def spans(self, ids: Sequence[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return the start and end of each passage of these sources, in order."""
        by_id: dict[str, list[tuple[int, int]]] = {}

        def read(db: sqlite3.Connection) -> None:
            for batch in batches(ids):
                for id, start, stop in db.execute(sql.SPANS.format(marks(batch)), batch):
                    sound((id,), 1)
                    by_id.setdefault(id, []).append(fitting((start, stop), (INTEGER, INTEGER)))

        if ids:
            self._file.ask(read)
        return {id: tuple(spans) for id, spans in by_id.items()}

    def tags(self) -> dict[str, int]:
        """Return every tag with its number of nodes."""
        return self._file.ask(lambda db: tally(db, sql.TAGS))

    def tagged(self) -> list[tuple[str, str]]:
        """Return sorted (node id, tag) pairs."""
        return self._file.ask(lambda db: [sound(row, 2) for row in db.execute(sql.TAGGED)])

    def sharing(self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes that share a tag, a reference or a title word, most shared first.

        For each of these only the newest *limit* nodes are considered, so that the cost does not grow with the graph;
        rare ones weigh more."""
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
            return [sound(id_row, 1)[0] for id_row in ids if id_row]

        return self._file.ask(read)

    def of_session(self, sessions: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes captured in one of these sessions."""
        ask = f"SELECT id FROM source WHERE session IN ({marks(sessions)}) ORDER BY created, id LIMIT ?"
        return self._file.ask(lambda db: [sound(row, 1)[0] for row in db.execute(ask, (*sessions, limit))])

    def counts(self) -> Counts:
        """Return the counts of nodes, statuses, relations and faults."""

        def read(db: sqlite3.Connection) -> Counts:
            return Counts(
                nodes=tally(db, "SELECT type, count(*) FROM source WHERE kind = 'node' GROUP BY type"),
                statuses=tally(db, "SELECT status, count(*) FROM source WHERE kind = 'node' GROUP BY status"),
                relations=tally(db, "SELECT type, count(*) FROM edge WHERE kind = 'node' GROUP BY type"),
                dangling=db.execute(f"SELECT count(*) {sql.DANGLING}").fetchone()[0],
                faults=db.execute("SELECT count(*) FROM problem WHERE kind = 'node'").fetchone()[0],
            )

        return self._file.ask(read)

    def faults(self, kind: str = NODE) -> list[tuple[str, str]]:
        """Return the unreadable files of that kind as (path, reason)."""
        ask = "SELECT path, reason FROM problem WHERE kind = ? ORDER BY path"
        return self._file.ask(lambda db: [fitting(row, FAULT) for row in db.execute(ask, (kind,))])

    def changed(self) -> dict[str, str]:
        """Return the changed parts of sealed decisions, by id; usually empty."""
        ask = "SELECT id, changed FROM source WHERE changed IS NOT NULL ORDER BY id"
        return self._file.ask(lambda db: dict(fitting(row, FAULT) for row in db.execute(ask)))

    def dangling(self, limit: int) -> list[Edge]:
        """Return edges whose target does not exist."""
        ask = f"SELECT e.source, e.type, e.target, e.confidence, e.description {sql.DANGLING} LIMIT ?"
        return self._file.ask(lambda db: [Edge(*fitting(row, EDGE)) for row in db.execute(ask, (limit,))])

    def _sources(self, tail: str, values: Sequence[object]) -> list[Source]:
        ask = f"SELECT {sql.COLUMNS} FROM source s {tail}"
        return self._file.ask(lambda db: [source(row) for row in db.execute(ask, tuple(values))])


def _needed(db: sqlite3.Connection, where: Filter) -> Filter:
    """Drop the expiry condition from *where* if nothing has expired, so that no hit needs checking."""
    if where.alive_at is None or db.execute(sql.EXPIRED, (where.alive_at,)).fetchone():
        return where
    return replace(where, alive_at=None)


def _generation(db: sqlite3.Connection) -> str:
    stored = db.execute("SELECT value FROM meta WHERE key='generation'").fetchone()
    return str(sound(stored or (None,), 1)[0])


def _named(rows: Iterable[tuple[Any, ...]]) -> list[Named]:
    """Group *rows* of (id, path, alias) by source."""
    aliases_by_source: dict[tuple[str, str], list[str]] = {}
    for id, path, alias in rows:
        sound((id, path), 2)
        aliases = aliases_by_source.setdefault((id, path), [])
        if alias is not None:
            aliases.append(alias)
    return [Named(id, path, tuple(aliases)) for (id, path), aliases in aliases_by_source.items()]
