"""Looking up indexed sources by what identifies them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from autology.core.index.catalogue import Named
from autology.index.checked_rows import (
    COLUMNS,
    FAULT,
    INTEGER,
    TEXT,
    Shape,
    batches,
    checked,
    checked_texts,
    read_source,
)
from autology.index.filter_sql import condition
from autology.index.open_index import IndexPart, generation_of
from autology.index.readonly import placeholders
from autology.model.entry import NODE
from autology.model.hit import Source
from autology.model.query import Filter
from autology.text.slug import key as name_key

# The order without search words: confidence and recency, the boosts of ranking/exact_mode_score.py.
_ORDER = (
    "s.status = 'superseded', s.confidence * 0.2 + CASE WHEN s.modified > ? THEN 0.1 ELSE 0 END DESC,"
    " s.modified DESC, s.title, s.id"
)
_NAMED = """
SELECT s.id, s.path, a.alias FROM source s LEFT JOIN alias a ON a.source = s.rowid
WHERE s.kind = ? {} ORDER BY s.path, a.alias"""
_ID_AND_PATH: Shape = (TEXT, TEXT)


class SqliteCatalogue(IndexPart):
    """The :class:`~autology.core.index.catalogue.Catalogue` of an index file."""

    def by_prefix(self, prefix: str, limit: int) -> list[Source]:
        """Return the sources whose id starts with *prefix*."""
        return self._sources("WHERE s.kind = ? AND s.id >= ? AND s.id < ? LIMIT ?", (NODE, prefix, prefix + "~", limit))

    def by_ids(self, ids: Sequence[str]) -> dict[str, Source]:
        """Return the sources with these ids."""
        by_id: dict[str, Source] = {}

        def read(db: sqlite3.Connection) -> None:
            cache = self._opened.cache(generation_of(db))
            for batch in batches(ids):
                sql = f"SELECT s.rowid FROM source s WHERE s.id IN ({placeholders(batch)})"
                rows = [checked(row, (INTEGER,))[0] for row in db.execute(sql, batch)]
                sources = cache.sources(db, rows)
                by_id.update((sources[row].id, sources[row]) for row in rows if row in sources)

        if ids:
            self._file.snapshot(read)
        return by_id

    def by_title(self, titles: Sequence[str]) -> list[Source]:
        """Return the sources with one of these titles, ignoring case."""
        keys = [name_key(title) for title in titles]
        return [
            source
            for batch in batches(keys)
            for source in self._sources(f"WHERE s.kind = ? AND s.title_key IN ({placeholders(batch)})", (NODE, *batch))
        ]

    def by_name(self, names: Sequence[str], kind: str) -> list[Named]:
        """Return the sources of that kind that have one of *names* as an alias, ignoring case."""
        keys = list(dict.fromkeys(name_key(name) for name in names))

        def read(db: sqlite3.Connection) -> list[Named]:
            rows = []
            for batch in batches(keys):
                having = f"AND s.rowid IN (SELECT source FROM alias WHERE alias IN ({placeholders(batch)}))"
                rows += db.execute(_NAMED.format(having), (kind, *batch)).fetchall()
            return _by_source(rows)

        return self._file.query(read)

    def named(self, kind: str) -> list[Named]:
        """Return every source of that kind with its aliases."""
        return self._file.query(lambda db: _by_source(db.execute(_NAMED.format(""), (kind,))))

    def by_origin(self) -> dict[str, str]:
        """Return node ids by the path of the record they were imported from."""
        sql = "SELECT origin, id FROM source WHERE origin IS NOT NULL"
        return self._file.query(lambda db: dict(checked_texts(row, 2) for row in db.execute(sql)))

    def of_session(self, sessions: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes captured in one of these sessions."""
        sql = f"SELECT id FROM source WHERE session IN ({placeholders(sessions)}) ORDER BY created, id LIMIT ?"
        return self._file.query(lambda db: [checked_texts(row, 1)[0] for row in db.execute(sql, (*sessions, limit))])

    def listed(self, where: Filter, limit: int, recent: str) -> list[Source]:
        """Return the sources that pass *where*: current before superseded, then by confidence and recency."""
        filtered, values = condition(where)
        return self._sources(f"WHERE {filtered} ORDER BY {_ORDER} LIMIT ?", (*values, recent, limit))

    def changed(self) -> dict[str, str]:
        """Return the changed parts of sealed decisions, by id; usually empty."""
        sql = "SELECT id, changed FROM source WHERE changed IS NOT NULL ORDER BY id"
        return self._file.query(lambda db: dict(checked(row, FAULT) for row in db.execute(sql)))

    def _sources(self, clauses: str, values: Sequence[object]) -> list[Source]:
        sql = f"SELECT {COLUMNS} FROM source s {clauses}"
        return self._file.query(lambda db: [read_source(row) for row in db.execute(sql, tuple(values))])


def _by_source(rows: Iterable[tuple[Any, ...]]) -> list[Named]:
    """Group *rows* of (id, path, alias) by source."""
    aliases_by_source: dict[tuple[str, str], tuple[str, ...]] = {}
    for id, path, alias in rows:
        source = (id, path)
        known = aliases_by_source.get(source)
        if known is None:
            checked(source, _ID_AND_PATH)
            known = ()
        aliases_by_source[source] = known if alias is None else (*known, alias)
    return [Named(id, path, aliases) for (id, path), aliases in aliases_by_source.items()]
