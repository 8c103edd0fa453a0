"""Filters as SQL conditions on the columns of a source, for indexes in any dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from autology.model.conversation import trusted_as
from autology.model.query import Filter, author_key

Condition = tuple[str, tuple[object, ...]]
"""A condition on ``source s``, and its values."""


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """How a database tests whether a column begins with a text, contains it, or is one of several values."""

    begins_with: str
    contains: str
    one_of: Callable[[str, Sequence[object]], Condition]


def kind_and_project(where: Filter, dialect: SqlDialect) -> Iterator[Condition]:
    """Yield the conditions on kind and project."""
    if where.kind is not None:
        yield "s.kind = ?", (where.kind,)
    if where.kinds:
        yield dialect.one_of("s.kind", where.kinds)
    if where.projects:
        yield dialect.one_of("s.project", where.projects)


def other_columns(where: Filter, dialect: SqlDialect) -> Iterator[Condition]:
    """Yield the conditions on the other columns, except on what a conversation has in sight and on stray memories."""
    for column, operator, value in where.comparisons():
        yield f"s.{column} {operator} ?", (value,)
    if where.until is not None:
        yield "s.created <> ''", ()  # what is undated began at no known time
    if where.types:
        yield dialect.one_of("s.type", where.types)
    if where.ids is not None:
        yield dialect.one_of("s.id", where.ids)
    if where.trust is not None:
        yield dialect.one_of("s.trust", trusted_as(where.trust))
    if where.path is not None:
        yield f"(s.path = ? OR {dialect.begins_with.format('s.path')})", (where.path, f"{where.path}/")
    if where.author is not None:
        yield dialect.contains.format("s.authors"), (author_key((where.author,)),)
    if where.alive_at is not None:
        yield "(s.expires_at IS NULL OR s.expires_at > ?)", (where.alive_at,)


def joined(conditions: Sequence[Condition]) -> Condition:
    """Return the condition that all *conditions* hold, which are one or more."""
    return " AND ".join(sql for sql, _ in conditions), tuple(value for _, values in conditions for value in values)
