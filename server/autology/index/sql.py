"""SQL statements and filter conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autology.core.filter_sql import Condition, Dialect, joined, kind_and_project, other_columns
from autology.model.hit import SOURCE_FIELDS
from autology.model.query import Filter

COLUMNS = ", ".join(f"s.{name}" for name in SOURCE_FIELDS)


VECTOR = """
SELECT m.row FROM source s JOIN passage p ON p.source = s.rowid JOIN {table} m ON m.passage = p.rowid
WHERE s.id = ? AND p.start = ?"""


ROWS = """
SELECT s.id, m.row FROM source s JOIN passage p ON p.source = s.rowid JOIN meaning m ON m.passage = p.rowid
WHERE {} ORDER BY s.modified DESC, s.rowid DESC LIMIT ?"""


def passages_of(where: str) -> str:
    """Return the query for the passage rows of all sources that pass *where*."""
    return f"SELECT p.rowid FROM source s JOIN passage p ON p.source = s.rowid WHERE {where}"


EVERYTHING = "1"
"""The condition that is always true."""

# The order without search words: confidence and recency, the boosts of ranking/plain_formula.py.
LISTED = (
    "s.status = 'superseded', s.confidence * 0.2 + CASE WHEN s.modified > ? THEN 0.1 ELSE 0 END DESC,"
    " s.modified DESC, s.title, s.id"
)

TAGS = """
SELECT t.tag, count(*) FROM tag t JOIN source s ON s.rowid = t.source
WHERE s.kind = 'node' GROUP BY t.tag ORDER BY t.tag"""

TAGGED = """
SELECT s.id, t.tag FROM tag t JOIN source s ON s.rowid = t.source WHERE s.kind = 'node' ORDER BY s.id, t.tag"""
SPANS = """
SELECT s.id, p.start, p.stop FROM source s JOIN passage p ON p.source = s.rowid
WHERE s.id IN ({}) AND p.start IS NOT NULL ORDER BY p.start"""

NAMED = """
SELECT s.id, s.path, a.alias FROM source s LEFT JOIN alias a ON a.source = s.rowid
WHERE s.kind = ? ORDER BY s.path, a.alias"""


def named(many: int) -> str:
    """Return the query for sources with one of *many* aliases, each with all of its aliases."""
    which = f"SELECT source FROM alias WHERE alias IN ({', '.join('?' * many)})"
    return NAMED.replace("WHERE s.kind = ?", f"WHERE s.kind = ? AND s.rowid IN ({which})")


SHARED = """
SELECT t.source FROM {table} t JOIN source s ON s.rowid = t.source
WHERE t.{column} = ? AND s.kind = 'node' ORDER BY t.source DESC LIMIT ?"""

_LINK = "SELECT source, type, target, confidence FROM edge WHERE {} = :id AND type NOT IN ('TAGGED_AS', 'EXEMPLIFIES')"
LINKED = f"{_LINK.format('source')} UNION ALL {_LINK.format('target')} LIMIT :most"
"""The edges that touch a source; tag edges are excluded because they repeat what its words say."""

_TIES = "SELECT source, type, target, confidence, description FROM edge WHERE {} = :id AND kind IN ('node', 'memory')"
TIES = f"{_TIES.format('source')} UNION {_TIES.format('target')} LIMIT :most"
"""The edges from nodes and memories that touch a source."""

DANGLING = "FROM edge e LEFT JOIN source s ON s.id = e.target WHERE s.id IS NULL AND e.kind = 'node'"


def condition(where: Filter, marked: bool = True) -> Condition:
    """Return *where* as a condition on ``source s`` with its values; *marked* includes kind and project."""
    # Segments already restrict kind and project.
    columns = (*(kind_and_project(where, _SQLITE) if marked else ()), *other_columns(where, _SQLITE))
    conditions = [*columns, *_local(where), *_connected(where)]
    return joined(conditions) if conditions else (EVERYTHING, ())


def _one_of(column: str, values: Sequence[object]) -> Condition:
    return f"{column} IN ({', '.join('?' * len(values))})", tuple(values)


_SQLITE = Dialect("instr({}, ?) = 1", "instr({}, ?) > 0", _one_of)


def _local(where: Filter) -> Iterator[Condition]:
    """Yield the conditions that concern this machine alone: what the conversation has in sight, and placed memories."""
    if where.in_sight is not None:
        yield "(s.session IS NOT ? OR s.modified < ?)", (where.in_sight.session, where.in_sight.since)
    if where.placed:  # what lies in the project is of that one's branch
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


EXPIRED = "SELECT rowid FROM source WHERE expires_at IS NOT NULL AND expires_at <= ?"

# The file itself, files in the requested folder, and a folder that a note refers to as a whole.
_REFERENCE = (
    "SELECT r.source FROM reference r WHERE r.path = ? OR instr(r.path, ?) = 1 OR instr(? || '/', r.path || '/') = 1"
)

_RELATED = "s.id IN (SELECT target FROM edge WHERE source = ? UNION SELECT source FROM edge WHERE target = ?)"
