"""Filters and recurring queries as SQL, each within one space."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.core.index.filter_sql import Condition, SqlDialect, joined, kind_and_project, other_columns
from autology.model.hit import SOURCE_FIELDS
from autology.model.query import Filter

COLUMNS = ", ".join(f"s.{name}" for name in SOURCE_FIELDS)

LISTED = (
    "(s.status = 'superseded'), s.confidence * 0.2 + CASE WHEN s.modified > ? THEN 0.1 ELSE 0 END DESC,"
    ' s.modified DESC, s.title COLLATE "C", s.id'
)
"""The order without query words: confident and recent sources first."""

_EDGES = "SELECT e.source, e.type, e.target, e.confidence, {} FROM autology.edge e WHERE e.space = ? AND e.{} = ?"
_KINDS = " AND e.kind IN ('node', 'memory')"
_NOTE_EDGE = _EDGES.replace("{}", "e.description", 1)
NOTE_EDGES = f"{_NOTE_EDGE.format('source')}{_KINDS} UNION {_NOTE_EDGE.format('target')}{_KINDS} LIMIT ?"
"""The edges of nodes and memories at a source."""
DANGLING = (
    "FROM autology.edge e LEFT JOIN autology.source s ON s.space = e.space AND s.id = e.target"
    " WHERE e.space = ? AND s.id IS NULL AND e.kind = 'node'"
)
SHARED = (
    "SELECT t.source FROM autology.{table} t JOIN autology.source s ON s.space = t.space AND s.number = t.source"
    " WHERE t.space = ? AND t.{column} = ? AND s.kind = 'node' ORDER BY t.source DESC LIMIT ?"
)
_PLACEHOLDER = re.compile(r"\?")

_POSTGRES = SqlDialect(
    "starts_with({}, ?)", "strpos({}, ?) > 0", lambda column, values: (f"{column} = ANY(?)", (list(values),))
)


def numbered(sql: str) -> str:
    """Return *sql* with its question marks replaced by ``$1`` and so on."""
    numbers = iter(range(1, 10_000))
    return _PLACEHOLDER.sub(lambda _: f"${next(numbers)}", sql)


def packed(sql: str, columns: str) -> str:
    """Return a query for one JSON value with these *columns* of all rows of *sql*, called `y`.

    Parsing hundreds of rows value by value was the slowest part of the driver.
    """
    return f"SELECT coalesce(json_agg(json_build_array({columns})), '[]') FROM ({sql}) y"


def condition(space: str, where: Filter) -> Condition:
    """Return *where* as a condition on ``source s`` with its values; the space comes first."""
    columns = (*kind_and_project(where, _POSTGRES), *other_columns(where, _POSTGRES))
    return joined([("s.space = ?", (space,)), *columns, *_connected(space, where)])


def kinds_of(where: Filter) -> list[str] | None:
    """Return the kinds that *where* accepts; None for all."""
    return [where.kind] if where.kind else list(where.kinds) or None


def only_kinds(where: Filter) -> bool:
    """Whether *where* filters by nothing but kinds."""
    return where == Filter(kind=where.kind, kinds=where.kinds)


def _connected(space: str, where: Filter) -> Iterator[Condition]:
    for tag in where.tags:
        yield (
            "EXISTS (SELECT FROM autology.tag t WHERE t.space = ? AND t.tag = ? AND t.source = s.number)",
            (space, tag),
        )
    if where.references:
        # The file itself, files in a folder of that name, and folders that contain it.
        reference = "r.path = ? OR starts_with(r.path, ?) OR starts_with(?, r.path || '/')"
        values = tuple(value for path in where.references for value in (path, f"{path}/", f"{path}/"))
        condition = " OR ".join([reference] * len(where.references))
        yield (
            f"s.number IN (SELECT r.source FROM autology.reference r WHERE r.space = ? AND ({condition}))",
            (space, *values),
        )
    if where.related_to is not None:
        ends = "SELECT e.{} FROM autology.edge e WHERE e.space = ? AND e.{} = ?"
        related = f"s.id IN ({ends.format('target', 'source')} UNION {ends.format('source', 'target')})"
        yield related, (space, where.related_to, space, where.related_to)
