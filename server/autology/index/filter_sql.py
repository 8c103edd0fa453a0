"""Filters as SQL conditions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

from autology.index.readonly import placeholders
from autology.model.exchange import trusted_as
from autology.model.query import Filter, author_key

EVERYTHING = "1"
"""The condition that is always true."""
EXPIRED = "SELECT rowid FROM source WHERE expires_at IS NOT NULL AND expires_at <= ?"


def needed(db: sqlite3.Connection, where: Filter) -> Filter:
    """Drop the expiry condition from *where* if nothing has expired, so that no hit needs checking."""
    if where.alive_at is None or db.execute(EXPIRED, (where.alive_at,)).fetchone():
        return where
    return replace(where, alive_at=None)


def condition(where: Filter, segments: bool = True) -> tuple[str, tuple[object, ...]]:
    """Return *where* as a condition on ``source s`` with its values; *segments* includes kind and project."""
    own = (*_compared(where), *_written(where), *_of_memories(where), *_connected(where))
    parts = [*(_of_segments(where) if segments else ()), *own]
    return " AND ".join(text for text, _ in parts) or EVERYTHING, tuple(
        value for _, values in parts for value in values
    )


_Part = tuple[str, tuple[object, ...]]
"""A condition, and its values."""


def _of_segments(where: Filter) -> Iterator[_Part]:
    """Yield the conditions that segments already restrict: kind and project."""
    if where.kind is not None:
        yield "s.kind = ?", (where.kind,)
    if where.kinds:
        yield f"s.kind IN ({placeholders(where.kinds)})", where.kinds
    if where.projects:
        yield f"s.project IN ({placeholders(where.projects)})", where.projects


def _compared(where: Filter) -> Iterator[_Part]:
    """Yield the conditions that are comparisons with one value."""
    for column, operator, value in where.comparisons():
        yield f"s.{column} {operator} ?", (value,)


def _connected(where: Filter) -> Iterator[_Part]:
    """Yield the conditions on tags, references and related sources."""
    for tag in where.tags:
        yield "EXISTS (SELECT 1 FROM tag t WHERE t.tag = ? AND t.source = s.rowid)", (tag,)
    if where.references:
        selects = [_REFERENCE] * len(where.references)
        values = tuple(path for reference in where.references for path in (reference, reference + "/", reference))
        yield f"s.rowid IN ({' UNION '.join(selects)})", values
    if where.related_to is not None:
        yield _RELATED, (where.related_to, where.related_to)
    if where.ids is not None:
        yield f"s.id IN ({placeholders(where.ids)})", where.ids


def _written(where: Filter) -> Iterator[_Part]:
    """Yield the conditions on path, author, trust and session."""
    if where.path is not None:
        yield "(s.path = ? OR instr(s.path, ?) = 1)", (where.path, f"{where.path}/")
    if where.author is not None:
        yield "instr(s.authors, ?) > 0", (author_key((where.author,)),)
    if where.trust is not None:
        trusted = trusted_as(where.trust)
        yield f"s.trust IN ({placeholders(trusted)})", trusted
    if where.in_sight is not None:
        yield "(s.session IS NOT ? OR s.modified < ?)", (where.in_sight.session, where.in_sight.since)


def _of_memories(where: Filter) -> Iterator[_Part]:
    """Yield the conditions on the kind, scope and expiry of memories."""
    if where.types:
        yield f"s.type IN ({placeholders(where.types)})", where.types
    if where.placed:  # what lies in the project is of that one's branch
        yield "(s.branch IS NULL OR s.scope_project IS NOT NULL OR substr(s.path, 1, 5) <> 'user:')", ()
    if where.alive_at is not None:
        yield "(s.expires_at IS NULL OR s.expires_at > ?)", (where.alive_at,)


# The file itself, files in the requested folder, and a folder that a note refers to as a whole.
_REFERENCE = (
    "SELECT r.source FROM reference r WHERE r.path = ? OR instr(r.path, ?) = 1 OR instr(? || '/', r.path || '/') = 1"
)

_RELATED = "s.id IN (SELECT target FROM edge WHERE source = ? UNION SELECT source FROM edge WHERE target = ?)"
