"""Filters as SQL conditions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace

from autology.core.index.filter_sql import Condition, SqlDialect, joined, kind_and_project, other_columns
from autology.index.readonly import placeholders
from autology.model.query import Filter

EVERYTHING = "1"
"""The condition that is always true."""
EXPIRED = "SELECT rowid FROM source WHERE expires_at IS NOT NULL AND expires_at <= ?"


def needed(db: sqlite3.Connection, where: Filter) -> Filter:
    """Drop the expiry condition from *where* if nothing has expired, so that no hit needs checking."""
    if where.alive_at is None or db.execute(EXPIRED, (where.alive_at,)).fetchone():
        return where
    return replace(where, alive_at=None)


def condition(where: Filter, segments: bool = True) -> Condition:
    """Return *where* as a condition on ``source s`` with its values; *segments* includes kind and project."""
    columns = (*(kind_and_project(where, _SQLITE) if segments else ()), *other_columns(where, _SQLITE))
    conditions = [*columns, *_local(where), *_connected(where)]
    return joined(conditions) if conditions else (EVERYTHING, ())


def _one_of(column: str, values: Sequence[object]) -> Condition:
    return f"{column} IN ({placeholders(values)})", tuple(values)


_SQLITE = SqlDialect("instr({}, ?) = 1", "instr({}, ?) > 0", _one_of)


def _local(where: Filter) -> Iterator[Condition]:
    """Yield the conditions that apply only to this machine: the conversation's context, and stray memories."""
    if where.in_sight is not None:
        yield "(s.session IS NOT ? OR s.modified < ?)", (where.in_sight.session, where.in_sight.since)
    if where.exclude_strays:  # what lies in the project is of that one's branch
        yield "(s.branch IS NULL OR s.scope_project IS NOT NULL OR substr(s.path, 1, 5) <> 'user:')", ()


def _connected(where: Filter) -> Iterator[Condition]:
    """Yield the conditions on tags, references and related sources."""
    for tag in where.tags:
        yield "EXISTS (SELECT 1 FROM tag t WHERE t.tag = ? AND t.source = s.rowid)", (tag,)
    if where.references:
        selects = [_REFERENCE] * len(where.references)
        values = tuple(path for reference in where.references for path in (reference, reference + "/", reference))
        yield f"s.rowid IN ({' UNION '.join(selects)})", values
    if where.related_to is not None:
        yield _RELATED, (where.related_to, where.related_to)


# The file itself, files in the requested folder, and a folder that a note refers to as a whole.
_REFERENCE = (
    "SELECT r.source FROM reference r WHERE r.path = ? OR instr(r.path, ?) = 1 OR instr(? || '/', r.path || '/') = 1"
)

_RELATED = "s.id IN (SELECT target FROM edge WHERE source = ? UNION SELECT source FROM edge WHERE target = ?)"
