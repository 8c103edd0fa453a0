"""Questions as SQL: what to match, and the conditions that every answer meets."""

from __future__ import annotations

from autology.model.query import Filter

_NAMES = "id type title status confidence created modified path decision_status session origin kind project language"
COLUMNS = ", ".join(f"s.{name}" for name in _NAMES.split())
WIDTH = len(_NAMES.split())


VECTOR = """
SELECT m.row FROM source s JOIN passage p ON p.source = s.rowid JOIN {table} m ON m.passage = p.rowid
WHERE s.id = ? AND p.start = ?"""


def passages_of(where: str) -> str:
    """Return the question for the rows of all passages whose source passes *where*."""
    return f"SELECT p.rowid FROM source s JOIN passage p ON p.source = s.rowid WHERE {where}"


EVERYTHING = "1"
"""The condition that everything meets."""

# Without words to look for: what is sure and what is new, the boosts of ranking/exact.py.
LISTED = (
    "s.status = 'superseded', s.confidence * 0.2 + CASE WHEN s.modified > ? THEN 0.1 ELSE 0 END DESC,"
    " s.modified DESC, s.id"
)

TAGS = """
SELECT t.tag, count(*) FROM tag t JOIN source s ON s.rowid = t.source
WHERE s.kind = 'node' GROUP BY t.tag ORDER BY t.tag"""

NAMED = """
SELECT s.id, s.path, a.alias FROM source s LEFT JOIN alias a ON a.source = s.rowid
WHERE s.kind = ? ORDER BY s.path, a.alias"""


def named(many: int) -> str:
    """Return the question for the sources, with all of their aliases, that bear one of so *many*."""
    which = f"SELECT source FROM alias WHERE alias IN ({', '.join('?' * many)})"
    return NAMED.replace("WHERE s.kind = ?", f"WHERE s.kind = ? AND s.rowid IN ({which})")


SHARED = """
SELECT t.source FROM {table} t JOIN source s ON s.rowid = t.source
WHERE t.{column} = ? AND s.kind = 'node' ORDER BY t.source DESC LIMIT ?"""

_LINK = "SELECT source, type, target, confidence FROM edge WHERE {} = :id AND type NOT IN ('TAGGED_AS', 'EXEMPLIFIES')"
LINKED = f"{_LINK.format('source')} UNION ALL {_LINK.format('target')} LIMIT :most"
"""The edges that touch a source; those to tags say only what it is about, as its words do."""

DANGLING = "FROM edge e LEFT JOIN source s ON s.id = e.target WHERE s.id IS NULL AND e.kind = 'node'"


def condition(where: Filter, marked: bool = True) -> tuple[str, tuple[object, ...]]:
    """Return *where* as a condition on ``source s`` with its values; without kind and projects unless *marked*."""
    parts: list[str] = []
    values: list[object] = []

    def need(text: str, *given: object) -> None:
        parts.append(text)
        values.extend(given)

    if marked and where.kind is not None:
        need("s.kind = ?", where.kind)
    if marked and where.projects:
        need(f"s.project IN ({', '.join('?' * len(where.projects))})", *where.projects)
    for name, comparison in _COMPARED.items():
        if (value := getattr(where, name)) is not None:
            need(f"s.{comparison} ?", value)
    for tag in where.tags:
        need("EXISTS (SELECT 1 FROM tag t WHERE t.tag = ? AND t.source = s.rowid)", tag)
    if where.references:
        each = [_REFERENCE] * len(where.references)
        asked = [path for reference in where.references for path in (reference, reference + "/", reference)]
        need(f"s.rowid IN ({' UNION '.join(each)})", *asked)
    if where.related_to is not None:
        need(_RELATED, where.related_to, where.related_to)
    if where.ids is not None:
        need(f"s.id IN ({', '.join('?' * len(where.ids))})", *where.ids)
    return " AND ".join(parts) or EVERYTHING, tuple(values)


_COMPARED = {
    "type": "type =",
    "status": "status =",
    "min_confidence": "confidence >=",
    "since": "modified >=",  # what began before and went on until then is of that time too
    "until": "created <",
    "session": "session =",
    "language": "language =",
}

# The file itself, what lies in the folder asked for, and the folder that a note speaks of as a whole.
_REFERENCE = (
    "SELECT r.source FROM reference r WHERE r.path = ? OR instr(r.path, ?) = 1 OR instr(? || '/', r.path || '/') = 1"
)

_RELATED = "s.id IN (SELECT target FROM edge WHERE source = ? UNION SELECT source FROM edge WHERE target = ?)"
