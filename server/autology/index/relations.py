"""Looking up the edges between sources, and what nodes have in common."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from autology.core.index.catalogue import Counts, Edge
from autology.index.checked_rows import EDGE, INTEGER, TEXT, batches, checked, checked_texts, count_by_name
from autology.index.open_index import IndexPart
from autology.index.readonly import placeholders
from autology.model.entry import NODE
from autology.text.tokens import fold

_COLUMNS = "source, type, target, confidence, description"
# Tag edges are excluded because they repeat what a source's words say.
_LINK = "SELECT source, type, target, confidence FROM edge WHERE {} = :id AND type NOT IN ('TAGGED_AS', 'EXEMPLIFIES')"
_LINKS = f"{_LINK.format('source')} UNION ALL {_LINK.format('target')} LIMIT :limit"
_NOTE_EDGE = f"SELECT {_COLUMNS} FROM edge WHERE {{}} = :id AND kind IN ('node', 'memory')"
_NOTE_EDGES = f"{_NOTE_EDGE.format('source')} UNION {_NOTE_EDGE.format('target')} LIMIT :limit"
_DANGLING = "FROM edge e LEFT JOIN source s ON s.id = e.target WHERE s.id IS NULL AND e.kind = 'node'"
_TAG_ROWS = "FROM tag t JOIN source s ON s.rowid = t.source WHERE s.kind = 'node'"
_SHARED = """
SELECT t.source FROM {table} t JOIN source s ON s.rowid = t.source
WHERE t.{column} = ? AND s.kind = 'node' ORDER BY t.source DESC LIMIT ?"""
# Rendered by SQLite, while other threads run: a loop over 30,000 edges has each of them wait at every step, 0.3 s in
# all. Only what JSON escapes is left to Python.
_QUOTED = """
CASE WHEN {0} GLOB '*[' || char(1) || '-' || char(31) || '\"]*' THEN json_text({0}) ELSE '"' || {0} || '"' END"""
_NUMBER = "CASE WHEN CAST({0} || '' AS REAL) = {0} THEN {0} || '' ELSE json_text({0}) END"
_LINE = f"""'{{"source": ' || {_QUOTED.format("source")} || ', "target": ' || {_QUOTED.format("target")}
|| ', "type": ' || {_QUOTED.format("type")}
|| CASE WHEN description IS NULL THEN '' ELSE ', "description": ' || {_QUOTED.format("description")} END
|| ', "confidence": ' || {_NUMBER.format("confidence")} || '}}'"""
# Without the limit, SQLite might leave out the order.
_LINES = f"""
SELECT coalesce(group_concat(line, char(10)), '') FROM (
SELECT {_LINE} AS line FROM edge WHERE kind = 'node' ORDER BY source, target, type LIMIT -1)"""
_MORE = "SELECT 1 FROM edge WHERE kind = 'node' LIMIT 1 OFFSET ?"
_json = json.JSONEncoder(ensure_ascii=False).encode


class SqliteRelations(IndexPart):
    """The :class:`~autology.core.index.catalogue.Relations` of an index file, also as lines of text."""

    def edges(self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE) -> list[Edge]:
        """Return sorted edges of that kind that touch one of *ids*, or all edges, at most *limit*."""
        select = f"SELECT {_COLUMNS} FROM edge WHERE coalesce(?, kind) = kind"

        def read(db: sqlite3.Connection) -> list[Edge]:
            if ids is None:
                sql = f"{select} ORDER BY source, type, target LIMIT ?"
                return [_edge(row) for row in db.execute(sql, (kind, -1 if limit is None else limit))]
            by_key = {}
            for batch in batches(ids):
                for side in ("source", "target"):
                    for row in db.execute(f"{select} AND {side} IN ({placeholders(batch)})", (kind, *batch)):
                        by_key[row[:3]] = _edge(row)
            return [by_key[key] for key in sorted(by_key)][:limit]

        return self._file.query(read)

    def relation_lines(self, most: int | None = None) -> str | None:
        """Return a JSON object a line for each edge of a node, sorted by source, target and type.

        None if there are more than *most*.
        """

        def read(db: sqlite3.Connection) -> str | None:
            if most is not None and db.execute(_MORE, (most,)).fetchone():
                return None
            db.create_function("json_text", 1, _json, deterministic=True)
            return str(checked_texts(db.execute(_LINES).fetchone(), 1)[0])

        return self._file.query(read)

    def linked(self, ids: Sequence[str], max_links: int) -> list[Edge]:
        """Return edges that touch one of *ids*, except to tags; none for an id with more than *max_links* links."""

        def read(db: sqlite3.Connection) -> list[Edge]:
            per_id = [db.execute(_LINKS, {"id": id, "limit": max_links + 1}).fetchall() for id in ids]
            return [_edge(row) for rows in per_id if len(rows) <= max_links for row in rows]

        return self._file.snapshot(read) if ids else []

    def note_edges(self, ids: Sequence[str], limit: int) -> list[Edge]:
        """Return edges from nodes and memories that touch one of *ids*, at most *limit* each."""

        def read(db: sqlite3.Connection) -> list[Edge]:
            by_key = {row[:3]: _edge(row) for id in ids for row in db.execute(_NOTE_EDGES, {"id": id, "limit": limit})}
            return [by_key[key] for key in sorted(by_key)]

        return self._file.snapshot(read) if ids else []

    def dangling(self, limit: int) -> list[Edge]:
        """Return edges whose target does not exist."""
        sql = f"SELECT e.source, e.type, e.target, e.confidence, e.description {_DANGLING} LIMIT ?"
        return self._file.query(lambda db: [_edge(row) for row in db.execute(sql, (limit,))])

    def tags(self) -> dict[str, int]:
        """Return every tag with its number of nodes."""
        sql = f"SELECT t.tag, count(*) {_TAG_ROWS} GROUP BY t.tag ORDER BY t.tag"
        return self._file.query(lambda db: count_by_name(db, sql))

    def tagged(self) -> list[tuple[str, str]]:
        """Return sorted (node id, tag) pairs."""
        sql = f"SELECT s.id, t.tag {_TAG_ROWS} ORDER BY s.id, t.tag"
        return self._file.query(lambda db: [checked_texts(row, 2) for row in db.execute(sql)])

    def sharing(self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes that share a tag, a reference or a title word, most shared first.

        For each of these only the newest *limit* nodes are considered, so that the cost does not grow with the graph;
        rare ones weigh more."""
        keys = [("tag", "tag", tag) for tag in tags] + [("reference", "path", path) for path in references]
        keys += [("title_word", "word", fold(word)) for word in words]

        def read(db: sqlite3.Connection) -> list[str]:
            weights: dict[int, float] = {}
            for table, column, key in keys:
                rows = db.execute(_SHARED.format(table=table, column=column), (key, limit)).fetchall()
                for (row,) in rows:
                    weights[row] = weights.get(row, 0.0) + 1 / len(rows)
            first = sorted(weights, key=lambda row: (-weights[row], -row))[:limit]
            ids: dict[int, str] = {}
            for batch in batches(first):
                sql = f"SELECT rowid, id FROM source WHERE rowid IN ({placeholders(batch)})"
                ids.update(checked(row, (INTEGER, TEXT)) for row in db.execute(sql, batch))
            return [ids[row] for row in first if row in ids]

        return self._file.query(read)

    def counts(self) -> Counts:
        """Return the counts of nodes, statuses, relations and faults."""

        def read(db: sqlite3.Connection) -> Counts:
            return Counts(
                nodes=count_by_name(db, "SELECT type, count(*) FROM source WHERE kind = 'node' GROUP BY type"),
                statuses=count_by_name(db, "SELECT status, count(*) FROM source WHERE kind = 'node' GROUP BY status"),
                relations=count_by_name(db, "SELECT type, count(*) FROM edge WHERE kind = 'node' GROUP BY type"),
                dangling=db.execute(f"SELECT count(*) {_DANGLING}").fetchone()[0],
                faults=db.execute("SELECT count(*) FROM problem WHERE kind = 'node'").fetchone()[0],
            )

        return self._file.query(read)


def _edge(row: tuple[object, ...]) -> Edge:
    return Edge(*checked(row, EDGE))
