"""The search index of one space, shared by many machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from autology.core.content.files import Stamp
from autology.core.index.catalogue import Counts, Edge, Named
from autology.core.index.changes import Fault, Gone, Put
from autology.core.index.retrieval import Encoder, EncoderState
from autology.hub.postgres import filters, ingest, lexical, semantic
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.filters import condition, numbered
from autology.hub.postgres.lexical import ScoredSource
from autology.hub.postgres.prepare import PreparedFile, prepare
from autology.model.entry import NODE
from autology.model.hit import Candidate, Place, Source
from autology.model.query import Filter, Terms
from autology.text.slug import key as name_key
from autology.text.tokens import fold

WRITE_SECONDS = 120.0
"""Seconds for one write: the first push of a project has thousands of files."""


class PostgresIndex:
    """The :class:`~autology.core.index.index.SearchIndex` of one space; it contains what the caller may see."""

    def __init__(self, pool: ConnectionPool, space: UUID, encoder: Callable[[], Encoder | None] = lambda: None) -> None:
        self._pool = pool
        self._space = str(space)
        self._encoder = encoder

    def keep_open(self) -> AbstractContextManager[None]:
        """Use one connection for all calls of this thread in the block."""
        return self._pool.pinned()

    def generation(self) -> str:
        """Return the name of this index; it changes when the index is rebuilt and incomplete."""
        return str(self._pool.query("SELECT autology.generation()")[0][0])

    def stamps(self, kind: str = NODE) -> dict[str, Stamp]:
        """Return the stamps of all indexed files of that kind, unreadable ones included."""
        stamps = "SELECT path, size, mtime_ns FROM autology.{} WHERE space = ? AND kind = ?"
        sql = f"{stamps.format('source')} UNION ALL {stamps.format('problem')}"
        return {
            path: Stamp(size, mtime) for path, size, mtime in self._query(sql, self._space, kind, self._space, kind)
        }

    def prepare(self, change: Put, vectors: bool = True) -> Put:
        """Return *change* unchanged: :meth:`apply` prepares it."""
        del vectors
        return change

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        """Apply *changes* in one transaction."""
        ordered = sorted(changes, key=lambda change: not isinstance(change, Gone))  # a moved file is deleted first
        if not ordered:
            return
        encoder = self._encoder() if any(isinstance(change, Put) for change in ordered) else None
        prepared = [prepare(change, encoder) if isinstance(change, Put) else change for change in ordered]

        def write(connection: Connection) -> None:
            if any(isinstance(change, PreparedFile) for change in prepared):
                self._set_encoder(connection, encoder.name if encoder else "")
            ingest.write(connection, self._space, prepared)

        self._pool.write(write, WRITE_SECONDS)

    def _set_encoder(self, connection: Connection, name: str) -> None:
        """Delete the vectors of another encoder, and have all files indexed again."""
        known = connection.run("SELECT text FROM autology.remark WHERE space = $1 AND name = 'encoder'", self._space)
        if known == [[name]]:
            return
        if known:
            connection.run("DELETE FROM autology.near WHERE space = $1", self._space)
            connection.run("UPDATE autology.source SET mtime_ns = -1 WHERE space = $1", self._space)
            connection.run("SELECT autology.renew()")
        self._remark(connection, "encoder", name)

    def by_prefix(self, prefix: str, limit: int) -> list[Source]:
        """Return the sources whose id starts with *prefix*."""
        tail = "WHERE s.space = ? AND s.kind = ? AND starts_with(s.id, ?) ORDER BY s.id LIMIT ?"
        return self._sources(tail, self._space, NODE, prefix, limit)

    def by_ids(self, ids: Sequence[str]) -> dict[str, Source]:
        """Return the sources with these ids."""
        sources = self._sources("WHERE s.space = ? AND s.id = ANY(?)", self._space, list(ids))
        return {source.id: source for source in sources}

    def by_title(self, titles: Sequence[str]) -> list[Source]:
        """Return the sources with one of these titles, ignoring case."""
        keys = [name_key(title) for title in titles]
        return self._sources("WHERE s.space = ? AND s.kind = ? AND s.title_key = ANY(?)", self._space, NODE, keys)

    def by_name(self, names: Sequence[str], kind: str) -> list[Named]:
        """Return the sources of that kind with one of *names* as an alias, ignoring case."""
        keys = list({name_key(name) for name in names})
        matching = "SELECT source FROM autology.alias WHERE space = ? AND alias = ANY(?)"
        return self._named(f" AND s.number IN ({matching})", kind, self._space, keys)

    def named(self, kind: str) -> list[Named]:
        """Return every source of that kind with its aliases."""
        return self._named("", kind)

    def _named(self, condition: str, kind: str, *values: object) -> list[Named]:
        sql = (
            "SELECT s.id, s.path, a.alias FROM autology.source s"
            " LEFT JOIN autology.alias a ON a.space = s.space AND a.source = s.number"
            f" WHERE s.space = ? AND s.kind = ?{condition} ORDER BY s.path, a.alias"
        )
        named: dict[tuple[str, str], list[str]] = {}
        for id, path, alias in self._query(sql, self._space, kind, *values):
            aliases = named.setdefault((id, path), [])
            if alias is not None:
                aliases.append(alias)
        return [Named(id, path, tuple(aliases)) for (id, path), aliases in named.items()]

    def set_metadata(self, name: str, text: str) -> None:
        """Store a remark about the index itself; it is deleted with the index."""
        self._pool.write(lambda connection: self._remark(connection, f"remark {name}", text))

    def _remark(self, connection: Connection, name: str, text: str) -> None:
        sql = (
            "INSERT INTO autology.remark(space, name, text) VALUES ($1, $2, $3)"
            " ON CONFLICT (space, name) DO UPDATE SET text = excluded.text"
        )
        connection.run(sql, self._space, name, text)

    def metadata(self, name: str) -> str:
        """Return the remark called *name*, or ""."""
        sql = "SELECT text FROM autology.remark WHERE space = ? AND name = ?"
        rows = self._query(sql, self._space, f"remark {name}")
        return str(rows[0][0]) if rows else ""

    def by_origin(self) -> dict[str, str]:
        """Return node ids by the path that they were imported from."""
        sql = "SELECT origin, id FROM autology.source WHERE space = ? AND origin IS NOT NULL"
        return dict(self._query(sql, self._space))

    def lexical_candidates(self, terms: Terms, where: Filter, every: bool, limit: int) -> list[Candidate]:
        """Return the best matches by title and by body among *where*; with *every*, those that contain all terms."""
        if not terms:
            return []

        def read(connection: Connection) -> list[Candidate]:
            titles, bodies = lexical.search(connection, self._space, terms, where, every, limit)
            scored = [("title", source) for source in titles] + [("body", source) for source in bodies]
            return self._candidates(connection, scored)

        return self._pool.read(read)

    def semantic_candidates(self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()) -> list[Candidate]:
        """Return the sources nearest to *text*, and to the passages *like*, among *where*."""
        encoder = self._encoder()
        query = encoder.encode([text])[0] if encoder else b""
        if encoder is None or not any(query):
            return []

        def read(connection: Connection) -> list[Candidate]:
            sources = semantic.search(connection, self._space, encoder, query, where, limit, like)
            return self._candidates(connection, [("meaning", source) for source in sources])

        return self._pool.read(read)

    def vectors(self, where: Filter, limit: int) -> list[tuple[str, bytes]]:
        """Return ids and vectors of the passages that pass *where*, newest first."""
        filtered, values = condition(self._space, where)
        sql = (
            f"SELECT s.id, n.vector::text FROM autology.source s JOIN autology.text t ON t.space = s.space"
            " AND t.source = s.number JOIN autology.near n ON n.space = t.space AND n.text = t.number"
            f" WHERE {filtered} ORDER BY s.modified DESC, s.number DESC LIMIT ?"
        )
        return [(id, semantic.vector_row(text)) for id, text in self._query(sql, *values, limit)]

    def encoder(self, kind: str | None = None) -> tuple[str, float]:  # noqa: ARG002 - the same for every kind
        """Return the name and the weight of the encoder of the passages."""
        encoder = self._encoder()
        return (encoder.name, encoder.share) if encoder else ("", 0.0)

    def encoder_state(self, kind: str | None = None) -> EncoderState:  # noqa: ARG002 - the same for every kind
        """Return the encoder of the passages: all are encoded when they are indexed."""
        encoder = self._encoder()
        return EncoderState(encoder.name, encoder.share) if encoder else EncoderState()

    def vector_count(self) -> int:
        """Return the number of encoded passages."""
        sql = "SELECT count(*) FROM autology.near WHERE space = ?"
        return int(self._query(sql, self._space)[0][0])

    def listed(self, where: Filter, limit: int, recent: str) -> list[Source]:
        """Return the sources that pass *where*: current before superseded, confident and *recent* ones first."""
        filtered, values = condition(self._space, where)
        tail = f"WHERE {filtered} ORDER BY {filters.LISTED} LIMIT ?"
        return self._sources(tail, *values, recent, None if limit < 0 else limit)

    def edges(self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE) -> list[Edge]:
        """Return the edges from that kind at one of *ids*, or all of them, at most *limit*; sorted."""
        touching = "" if ids is None else " AND (e.source = ANY(?) OR e.target = ANY(?))"
        sql = (
            "SELECT e.source, e.type, e.target, e.confidence, e.description FROM autology.edge e"
            f" WHERE e.space = ? AND coalesce(?, e.kind) = e.kind{touching} ORDER BY e.source, e.type, e.target LIMIT ?"
        )
        ends = [] if ids is None else [list(ids), list(ids)]
        return [Edge(*row) for row in self._query(sql, self._space, kind, *ends, limit)]

    def linked(self, ids: Sequence[str], max_links: int) -> list[Edge]:
        """Return the edges at *ids*, except to tags; none of an id with more than *max_links* links."""

        def read(connection: Connection) -> list[Edge]:
            by_id: dict[str, list[Edge]] = {}
            values = self._space, list(dict.fromkeys(ids)), max_links + 1
            for id, *edge in connection.run("SELECT * FROM autology.linked($1, $2, $3)", *values):
                by_id.setdefault(id, []).append(Edge(*edge))
            return [edge for edges in by_id.values() if len(edges) <= max_links for edge in edges]

        return self._pool.read(read) if ids else []

    def note_edges(self, ids: Sequence[str], limit: int) -> list[Edge]:
        """Return the edges of nodes and memories at *ids*, at most *limit* of each id."""
        sql = numbered(filters.NOTE_EDGES)

        def read(connection: Connection) -> list[Edge]:
            rows = (row for id in ids for row in connection.run(sql, self._space, id, self._space, id, limit))
            edges = {tuple(row[:3]): Edge(*row) for row in rows}
            return [edges[key] for key in sorted(edges)]

        return self._pool.read(read) if ids else []

    def spans(self, ids: Sequence[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return the offsets of the passages of these sources, in order."""
        sql = (
            "SELECT s.id, t.start, t.stop FROM autology.source s JOIN autology.text t ON t.space = s.space"
            " AND t.source = s.number WHERE s.space = ? AND s.id = ANY(?) AND t.start IS NOT NULL ORDER BY t.start"
        )
        by_id: dict[str, list[tuple[int, int]]] = {}
        for id, start, stop in self._query(sql, self._space, list(ids)) if ids else ():
            by_id.setdefault(id, []).append((start, stop))
        return {id: tuple(spans) for id, spans in by_id.items()}

    def tags(self) -> dict[str, int]:
        """Return all tags, each with the number of nodes that have it."""
        return self._tally(
            "t.tag, count(*) FROM autology.tag t JOIN autology.source s ON s.space = t.space AND s.number = t.source"
            " WHERE s.space = ? AND s.kind = 'node' GROUP BY t.tag ORDER BY t.tag"
        )

    def tagged(self) -> list[tuple[str, str]]:
        """Return the id of each node with each of its tags, sorted."""
        sql = (
            "SELECT s.id, t.tag FROM autology.tag t JOIN autology.source s ON s.space = t.space"
            " AND s.number = t.source WHERE s.space = ? AND s.kind = 'node' ORDER BY s.id, t.tag"
        )
        return [(id, tag) for id, tag in self._query(sql, self._space)]

    def sharing(self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes that share a tag, a reference or a title word, most shared first.

        Of each tag, reference or word only the newest *limit* nodes are considered; those that few nodes have weigh
        more.
        """
        keys = [("tag", "tag", tag) for tag in tags] + [("reference", "path", path) for path in references]
        keys += [("title_word", "word", fold(word)) for word in words]

        def read(connection: Connection) -> list[str]:
            shared: dict[int, float] = {}
            for table, column, key in keys:
                sql = numbered(filters.SHARED.format(table=table, column=column))
                rows = connection.run(sql, self._space, key, limit)
                for (number,) in rows:
                    shared[number] = shared.get(number, 0.0) + 1 / len(rows)
            first = sorted(shared, key=lambda number: (-shared[number], -number))[:limit]
            sql = "SELECT number, id FROM autology.source WHERE space = $1 AND number = ANY($2)"
            ids = dict(connection.run(sql, self._space, first))
            return [ids[number] for number in first if number in ids]

        return self._pool.read(read)

    def of_session(self, sessions: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes captured in one of these sessions."""
        sql = "SELECT id FROM autology.source WHERE space = ? AND session = ANY(?) ORDER BY created, id LIMIT ?"
        return [id for (id,) in self._query(sql, self._space, list(sessions), limit)]

    def counts(self) -> Counts:
        """Return the numbers of nodes, relations and faults."""
        nodes = "count(*) FROM autology.source WHERE space = ? AND kind = 'node' GROUP BY 1"
        return Counts(
            nodes=self._tally(f"type, {nodes}"),
            statuses=self._tally(f"status, {nodes}"),
            relations=self._tally("type, count(*) FROM autology.edge WHERE space = ? AND kind = 'node' GROUP BY 1"),
            dangling=int(self._query(f"SELECT count(*) {filters.DANGLING}", self._space)[0][0]),
            faults=len(self.faults()),
        )

    def faults(self, kind: str = NODE) -> list[tuple[str, str]]:
        """Return the unreadable files of that kind as (path, reason)."""
        sql = "SELECT path, reason FROM autology.problem WHERE space = ? AND kind = ? ORDER BY path"
        return [(path, reason) for path, reason in self._query(sql, self._space, kind)]

    def changed(self) -> dict[str, str]:
        """Return nothing: a hub stores no seals."""
        return {}

    def dangling(self, limit: int) -> list[Edge]:
        """Return edges whose target does not exist."""
        sql = f"SELECT e.source, e.type, e.target, e.confidence, e.description {filters.DANGLING} LIMIT ?"
        return [Edge(*row) for row in self._query(sql, self._space, None if limit < 0 else limit)]

    def _candidates(self, connection: Connection, scored: Sequence[tuple[str, ScoredSource]]) -> list[Candidate]:
        numbers = f"{{{','.join({str(hit.source) for _, hit in scored})}}}"  # a list would be converted item by item
        rows = connection.run("SELECT autology.sources($1, $2)", self._space, numbers) if scored else [[[]]]
        sources = {number: Source(*row) for number, *row in rows[0][0]}
        return [
            Candidate(sources[hit.source], field, hit.score, hit.passage, tuple(hit.others), hit.query_score)
            for field, hit in scored
            if hit.source in sources
        ]

    def _sources(self, tail: str, *values: object) -> list[Source]:
        rows = self._query(f"SELECT {filters.COLUMNS} FROM autology.source s {tail}", *values)
        return [Source(*row) for row in rows]

    def _tally(self, columns: str) -> dict[str, int]:
        return {name: int(count) for name, count in self._query(f"SELECT {columns}", self._space)}

    def _query(self, sql: str, *values: object) -> list[list[Any]]:
        return self._pool.query(numbered(sql), *values)
