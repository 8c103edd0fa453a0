"""Questions as SQL: what to match, and the conditions that every answer meets."""

from __future__ import annotations

from autology.model.query import Filter, Terms

_NAMES = "id type title status confidence created modified path decision_status session origin"
COLUMNS = ", ".join(f"s.{name}" for name in _NAMES.split())
WIDTH = len(_NAMES.split())

RANKS = {"title_fts": "bm25(4.0, 2.0, 1.0, 0.0)", "passage_fts": "bm25(1.0, 0.0)"}
"""Weights of title, tags, headings: a word in the title says most about a note, one in a heading least."""

# FTS5 sorts by its own rank without looking a source up; only what is left is joined. A filter has
# to be met before the cut, and then every match is joined.
_TITLE_ROWS = "SELECT rowid, rank FROM title_fts WHERE title_fts MATCH ?"
_BODY_ROWS = "SELECT rowid, rank FROM passage_fts WHERE passage_fts MATCH ?"
_TITLE_JOIN = "JOIN source s ON s.rowid = f.rowid"
_BODY_JOIN = "JOIN passage p ON p.rowid = f.rowid JOIN source s ON s.rowid = p.source"


def title_words(where: str) -> str:
    """Return the question for sources whose title, tags or headings match; its last column is the rank."""
    return _ranked(f"{COLUMNS}, f.rank", _TITLE_ROWS, _TITLE_JOIN, where)


def body_words(where: str) -> str:
    """Return the question for passages that match; its last columns are start, stop and rank."""
    return _ranked(f"{COLUMNS}, p.start, p.stop, f.rank", _BODY_ROWS, _BODY_JOIN, where)


def _ranked(columns: str, rows: str, join: str, where: str) -> str:
    if where == EVERYTHING:
        return f"SELECT {columns} FROM ({rows} ORDER BY rank LIMIT ?) f {join} ORDER BY f.rank"
    return f"SELECT {columns} FROM ({rows}) f {join} WHERE {where} ORDER BY f.rank LIMIT ?"


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

DANGLING = "FROM edge e LEFT JOIN source s ON s.id = e.target WHERE s.id IS NULL AND e.kind = 'node'"


TITLE = "{title tags headings}"
BODY = "{body}"


def match(terms: Terms, every: bool, columns: str, kind: str | None) -> str:
    """Return *terms* in *columns* as an FTS5 expression, all of them or any; empty where nothing can match."""
    asked = (" AND " if every else " OR ").join(_group(group) for group in terms.terms)
    if not asked:
        return ""
    # The kind is a word of every row, so that FTS5 itself leaves other kinds out before it cuts.
    return f"{columns} : ({asked})" + (f" AND kind : {_quoted(kind)}" if kind else "")


def _group(tokens: tuple[str, ...]) -> str:
    quoted = [_quoted(token) for token in tokens]
    if len(tokens) == 1:
        return quoted[0]
    if all(len(token) == 2 for token in tokens) and not tokens[0].isascii():
        return _quoted(" ".join(tokens))  # bigrams of one run stand side by side
    # An identifier: its whole, or all of its parts.
    return f"({quoted[-1]} OR ({' AND '.join(quoted[:-1])}))"


def _quoted(token: str) -> str:
    return '"' + token.replace('"', '""') + '"'


def condition(where: Filter, kind: bool = True) -> tuple[str, tuple[object, ...]]:
    """Return *where* as a condition on ``source s`` with its values; without its *kind* if that is seen to."""
    parts: list[str] = []
    values: list[object] = []

    def need(text: str, *given: object) -> None:
        parts.append(text)
        values.extend(given)

    if kind and where.kind is not None:
        need("s.kind = ?", where.kind)
    if where.type is not None:
        need("s.type = ?", where.type)
    if where.status is not None:
        need("s.status = ?", where.status)
    if where.min_confidence is not None:
        need("s.confidence >= ?", where.min_confidence)
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


# The file itself, what lies in the folder asked for, and the folder that a note speaks of as a whole.
_REFERENCE = (
    "SELECT r.source FROM reference r WHERE r.path = ? OR instr(r.path, ?) = 1 OR instr(? || '/', r.path || '/') = 1"
)

_RELATED = "s.id IN (SELECT target FROM edge WHERE source = ? UNION SELECT source FROM edge WHERE target = ?)"
