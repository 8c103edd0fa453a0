"""Filters and recurring queries as SQL, each within one space."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.model.exchange import trusted_as
from autology.model.hit import SOURCE_FIELDS
from autology.model.query import Filter, author_key

COLUMNS = ", ".join(f"s.{name}" for name in SOURCE_FIELDS)

LISTED = (
    "(s.status = 'superseded'), s.confidence * 0.2 + CASE WHEN s.modified > ? THEN 0.1 ELSE 0 END DESC,"
    ' s.modified DESC, s.title COLLATE "C", s.id'
)
"""The order without query words: confident and recent sources first."""

_EDGES = "SELECT e.source, e.type, e.target, e.confidence, {} FROM autology.edge e WHERE e.space = ? AND e.{} = ?"
_KINDS = " AND e.kind IN ('node', 'memory')"
_TIE = _EDGES.replace("{}", "e.description", 1)
TIES = f"{_TIE.format('source')}{_KINDS} UNION {_TIE.format('target')}{_KINDS} LIMIT ?"
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

Condition = tuple[str, tuple[object, ...]]
"""A condition and its values."""


def numbered(sql: str) -> str:
    """Return *sql* with its question marks replaced by ``$1`` and so on."""
    numbers = iter(range(1, 10_000))
    return _PLACEHOLDER.sub(lambda _: f"${next(numbers)}", sql)


def packed(sql: str, columns: str) -> str:
    """Return a query for one JSON value with these *columns* of all rows of *sql*, called `y`.

    Parsing hundreds of rows value by value was the slowest part of the driver.
    """
    return f"SELECT coalesce(json_agg(json_build_array({columns})), '[]') FROM ({sql}) y"


def condition(space: str, where: Filter) -> tuple[str, list[object]]:
    """Return *where* as a condition on ``source s`` with its values; the space comes first."""
    parts = [("s.space = ?", (space,)), *_comparisons(where), *_lists(where), *_text(where), *_connected(space, where)]
    return " AND ".join(sql for sql, _ in parts), [value for _, values in parts for value in values]


def kinds_of(where: Filter) -> list[str] | None:
    """Return the kinds that *where* accepts; None for all."""
    return [where.kind] if where.kind else list(where.kinds) or None


def only_kinds(where: Filter) -> bool:
    """Whether *where* filters by nothing but kinds."""
    return where == Filter(kind=where.kind, kinds=where.kinds)


def _comparisons(where: Filter) -> Iterator[Condition]:
    if where.kind is not None:
        yield "s.kind = ?", (where.kind,)
    for column, operator, value in where.comparisons():
        yield f"s.{column} {operator} ?", (value,)
    if where.alive_at is not None:
        yield "(s.expires_at IS NULL OR s.expires_at > ?)", (where.alive_at,)


def _lists(where: Filter) -> Iterator[Condition]:
    for column, values in {"kind": where.kinds, "project": where.projects, "type": where.types}.items():
        if values:
            yield f"s.{column} = ANY(?)", (list(values),)
    if where.ids is not None:
        yield "s.id = ANY(?)", (list(where.ids),)
    if where.trust is not None:
        yield "s.trust = ANY(?)", (list(trusted_as(where.trust)),)


def _text(where: Filter) -> Iterator[Condition]:
    if where.path is not None:
        yield "(s.path = ? OR starts_with(s.path, ?))", (where.path, f"{where.path}/")
    if where.author is not None:
        yield "position(? IN s.authors) > 0", (author_key((where.author,)),)


def _connected(space: str, where: Filter) -> Iterator[Condition]:
    for tag in where.tags:
        yield (
            "EXISTS (SELECT FROM autology.tag t WHERE t.space = ? AND t.tag = ? AND t.source = s.number)",
            (space, tag),
        )
    if where.references:
        # The file itself, files in a folder of that name, and folders that contain it.
        one = "r.path = ? OR starts_with(r.path, ?) OR starts_with(?, r.path || '/')"
        values = tuple(value for path in where.references for value in (path, f"{path}/", f"{path}/"))
        some = " OR ".join([one] * len(where.references))
        yield (
            f"s.number IN (SELECT r.source FROM autology.reference r WHERE r.space = ? AND ({some}))",
            (space, *values),
        )
    if where.related_to is not None:
        ends = "SELECT e.{} FROM autology.edge e WHERE e.space = ? AND e.{} = ?"
        related = f"s.id IN ({ends.format('target', 'source')} UNION {ends.format('source', 'target')})"
        yield related, (space, where.related_to, space, where.related_to)
