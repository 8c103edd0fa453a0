"""Questions to a hub as SQL: the conditions that every answer meets, each of them within one space."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autology.model.exchange import trusted_as
from autology.model.query import Filter

_NAMES = (
    "id type title status confidence created modified path decision_status session origin kind project language"
    " org scope_project branch expires_at"
)
COLUMNS = ", ".join(f"s.{name}" for name in _NAMES.split())

LISTED = (
    "(s.status = 'superseded'), s.confidence * 0.2 + CASE WHEN s.modified > ? THEN 0.1 ELSE 0 END DESC,"
    ' s.modified DESC, s.title COLLATE "C", s.id'
)
"""What is sure and what is new first, as without words to look for."""

_EDGES = "SELECT e.source, e.type, e.target, e.confidence, {} FROM autology.edge e WHERE e.space = ? AND e.{} = ?"
_KINDS = " AND e.kind IN ('node', 'memory')"
_TIE = _EDGES.replace("{}", "e.description", 1)
TIES = f"{_TIE.format('source')}{_KINDS} UNION {_TIE.format('target')}{_KINDS} LIMIT ?"
"""The edges from nodes and memories that touch a source."""
DANGLING = (
    "FROM autology.edge e LEFT JOIN autology.source s ON s.space = e.space AND s.id = e.target"
    " WHERE e.space = ? AND s.id IS NULL AND e.kind = 'node'"
)
SHARED = (
    "SELECT t.source FROM autology.{table} t JOIN autology.source s ON s.space = t.space AND s.number = t.source"
    " WHERE t.space = ? AND t.{column} = ? AND s.kind = 'node' ORDER BY t.source DESC LIMIT ?"
)
_MARK = re.compile(r"\?")

Part = tuple[str, tuple[object, ...]]
"""A condition, and its values."""


def numbered(sql: str) -> str:
    """Return *sql* with its question marks as a server counts them: ``$1`` and so on."""
    at = iter(range(1, 10_000))
    return _MARK.sub(lambda _: f"${next(at)}", sql)


def packed(sql: str, columns: str) -> str:
    """Return *sql*, whose rows are called `y`, as a question for one value: these *columns* of all its rows.

    Taking in hundreds of rows value by value is what took the driver longest.
    """
    return f"SELECT coalesce(json_agg(json_build_array({columns})), '[]') FROM ({sql}) y"


def condition(space: str, where: Filter) -> tuple[str, list[object]]:
    """Return *where* as a condition on ``source s`` with its values; the space comes first."""
    parts: list[Part] = [("s.space = ?", (space,)), *_compared(where), *_lists(where), *_written(where)]
    parts += [*_of_memories(where), *_connected(space, where)]
    return " AND ".join(text for text, _ in parts), [value for _, given in parts for value in given]


def kinds_of(where: Filter) -> list[str] | None:
    """Return the kinds that *where* lets pass; None for all."""
    return [where.kind] if where.kind else list(where.kinds) or None


def of_kinds(where: Filter) -> bool:
    """Whether *where* asks for nothing but kinds."""
    return where == Filter(kind=where.kind, kinds=where.kinds)


def _compared(where: Filter) -> Iterator[Part]:
    for name, comparison in _COMPARED.items():
        if (value := getattr(where, name)) is not None:
            yield f"s.{comparison} ?", (value,)


def _lists(where: Filter) -> Iterator[Part]:
    given = {"kind": where.kinds, "project": where.projects, "type": where.types}
    for name, values in given.items():
        if values:
            yield f"s.{name} = ANY(?)", (list(values),)
    if where.ids is not None:
        yield "s.id = ANY(?)", (list(where.ids),)


def _connected(space: str, where: Filter) -> Iterator[Part]:
    for tag in where.tags:
        yield (
            "EXISTS (SELECT FROM autology.tag t WHERE t.space = ? AND t.tag = ? AND t.source = s.number)",
            (space, tag),
        )
    if where.references:
        # The file itself, what lies in the folder asked for, and the folder that a note speaks of as a whole.
        each = "r.path = ? OR starts_with(r.path, ?) OR starts_with(?, r.path || '/')"
        asked = tuple(path for one in where.references for path in (one, f"{one}/", f"{one}/"))
        some = " OR ".join([each] * len(where.references))
        yield f"s.number IN (SELECT r.source FROM autology.reference r WHERE r.space = ? AND ({some}))", (space, *asked)
    if where.related_to is not None:
        ends = "SELECT e.{} FROM autology.edge e WHERE e.space = ? AND e.{} = ?"
        related = f"s.id IN ({ends.format('target', 'source')} UNION {ends.format('source', 'target')})"
        yield related, (space, where.related_to, space, where.related_to)


def _written(where: Filter) -> Iterator[Part]:
    if where.path is not None:
        yield "(s.path = ? OR starts_with(s.path, ?))", (where.path, f"{where.path}/")
    if where.author is not None:
        yield "position(? IN s.authors) > 0", (written_by((where.author,)),)
    if where.trust is not None:
        yield "s.trust = ANY(?)", (list(trusted_as(where.trust)),)


def _of_memories(where: Filter) -> Iterator[Part]:
    for name, part in where.scope.given().items() if where.scope else ():
        yield f"s.{_SCOPED[name]} = ?", (part,)
    if where.alive_at is not None:
        yield "(s.expires_at IS NULL OR s.expires_at > ?)", (where.alive_at,)


def written_by(authors: Sequence[str]) -> str:
    """Return the names of *authors* as a source keeps them, so that one of them is found whole."""
    return "".join(f"\n{' '.join(name.casefold().split())}\n" for name in authors)


_COMPARED = {
    "kind": "kind =",
    "type": "type =",
    "status": "status =",
    "min_confidence": "confidence >=",
    "since": "modified >=",  # what began before and went on until then is of that time too
    "until": "created <",
    "session": "session =",
    "language": "language =",
}
_SCOPED = {"org": "org", "project": "scope_project", "branch": "branch"}
