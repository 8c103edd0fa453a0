"""Questions as SQL: what to match, and the conditions that every answer meets."""

from __future__ import annotations

from collections.abc import Iterator

from autology.model.query import Filter, Terms
from autology.text.tokens import exact_forms, is_run

_NAMES = (
    "id type title status confidence created modified path decision_status session origin kind project language"
    " org scope_project branch expires_at"
)
COLUMNS = ", ".join(f"s.{name}" for name in _NAMES.split())
WIDTH = len(_NAMES.split())

RANKS = {"title_fts": "bm25(4.0, 2.0, 0.5, 0.0)", "passage_fts": "bm25(1.0, 0.15, 0.0)"}
"""Weights of title, tags, headings: a word in the title says most about a note, one in a heading least.

Of a passage's words, and of those that stand in it letter for letter: bench/quality gains 0.3 nDCG@10 with
0.15 over none, and loses 0.5 with 0.4.
"""

# FTS5 sorts by its own rank without looking a source up; only what is left is joined. A filter has
# to be met before the cut, and then every match is joined.
_TITLE_ROWS = "SELECT rowid, rank FROM title_fts WHERE title_fts MATCH ?"
_BODY_ROWS = "SELECT rowid, rank FROM passage_fts WHERE passage_fts MATCH ?"
# A rank counts first in how many rows each word stands; where all words are there, the newest rows do instead.
_NEWEST = "ORDER BY f.rowid DESC LIMIT ?"
_PASSAGE = "JOIN passage p ON p.rowid = f.rowid"
_SOURCE = "JOIN source s ON s.rowid = p.source"


def title_words(where: str, every: bool) -> str:
    """Return the question for the rows of sources whose title, tags or headings match, with their ranks."""
    if every:
        rows = "title_fts f JOIN source s ON s.rowid = f.rowid"
        return f"SELECT f.rowid, 0.0 FROM {rows} WHERE f.title_fts MATCH ? AND {where} {_NEWEST}"
    if where == EVERYTHING:
        return f"{_TITLE_ROWS} ORDER BY rank LIMIT ?"
    join = "JOIN source s ON s.rowid = f.rowid"
    return f"SELECT f.rowid, f.rank FROM ({_TITLE_ROWS}) f {join} WHERE {where} ORDER BY f.rank LIMIT ?"


def body_words(where: str, every: bool) -> str:
    """Return the question for passages that match, as (source, start, stop, passage, rank)."""
    columns = "p.source, p.start, p.stop, f.rowid, f.rank"
    if every:
        columns = "p.source, p.start, p.stop, f.rowid, 0.0"
        rows = f"passage_fts f {_PASSAGE} {_SOURCE}"
        return f"SELECT {columns} FROM {rows} WHERE f.passage_fts MATCH ? AND {where} {_NEWEST}"
    if where == EVERYTHING:
        return f"SELECT {columns} FROM ({_BODY_ROWS} ORDER BY rank LIMIT ?) f {_PASSAGE} ORDER BY f.rank"
    return f"SELECT {columns} FROM ({_BODY_ROWS}) f {_PASSAGE} {_SOURCE} WHERE {where} ORDER BY f.rank LIMIT ?"


VECTOR = """
SELECT m.row FROM source s JOIN passage p ON p.source = s.rowid JOIN {table} m ON m.passage = p.rowid
WHERE s.id = ? AND p.start = ?"""


ROWS = """
SELECT s.id, m.row FROM source s JOIN passage p ON p.source = s.rowid JOIN meaning m ON m.passage = p.rowid
WHERE {} ORDER BY s.modified DESC, s.rowid DESC LIMIT ?"""


def passages_of(where: str) -> str:
    """Return the question for the rows of all passages whose source passes *where*."""
    return f"SELECT p.rowid FROM source s JOIN passage p ON p.source = s.rowid WHERE {where}"


PAIRS = "SELECT rowid, -rank FROM passage_fts WHERE passage_fts MATCH ? ORDER BY rank LIMIT ?"
"""The passages with words of the question side by side, and how rare these pairs are."""

FREQUENT = "SELECT count(*) FROM (SELECT 1 FROM passage_fts WHERE passage_fts MATCH ? LIMIT ?)"
"""In how many passages a term stands, without counting beyond a limit."""


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

SPANS = """
SELECT s.id, p.start, p.stop FROM source s JOIN passage p ON p.source = s.rowid
WHERE s.id IN ({}) AND p.start IS NOT NULL ORDER BY p.start"""

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

_TIES = "SELECT source, type, target, confidence, description FROM edge WHERE {} = :id AND kind IN ('node', 'memory')"
TIES = f"{_TIES.format('source')} UNION {_TIES.format('target')} LIMIT :most"
"""The edges from nodes and memories that touch a source."""

DANGLING = "FROM edge e LEFT JOIN source s ON s.id = e.target WHERE s.id IS NULL AND e.kind = 'node'"


Marked = tuple[tuple[str, ...], ...]
"""Words that mark a row, its kind and its project: one of each group must be there."""


def in_title(terms: Terms, every: bool, marked: Marked) -> str:
    """Return *terms* in title, tags and headings as an FTS5 expression, all or any; empty where nothing can match."""
    return _marked("{title tags headings}", _joined(terms, every), marked)


def in_body(terms: Terms, every: bool, marked: Marked) -> str:
    """Return *terms* in passages as an FTS5 expression, all or any; empty where nothing can match."""
    exact = [] if every else [_quoted(form) for group in terms.terms if len(group) == 1 for form in exact_forms(group)]
    asked = f"{{body}} : ({_joined(terms, every)})"
    return _marked("", f"{asked} OR {{exact}} : ({' OR '.join(exact)})" if exact else asked, marked) if terms else ""


def pairs(terms: Terms, marked: Marked) -> str:
    """Return the pairs of *terms* as an FTS5 expression; empty where there are none."""
    return _marked("{body}", " OR ".join(_quoted(" ".join(pair)) for pair in terms.pairs), marked)


def _joined(terms: Terms, every: bool) -> str:
    return (" AND " if every else " OR ").join(term(group) for group in terms.terms)


def _marked(columns: str, asked: str, marked: Marked) -> str:
    if not asked:
        return ""
    # Kind and project are words of every row, so that FTS5 itself leaves others out before it cuts.
    alike = (" OR ".join(_quoted(word) for word in words) for words in marked)
    return f"{columns}{' : ' if columns else ''}({asked})" + "".join(f" AND kind : ({each})" for each in alike)


def term(tokens: tuple[str, ...]) -> str:
    """Return one term as an FTS5 expression."""
    quoted = [_quoted(token) for token in tokens]
    if len(tokens) == 1:
        # A letter of a script without spaces begins a token wherever it stands.
        return f"{quoted[0]} *" if len(tokens[0]) == 1 and is_run(tokens[0]) else quoted[0]
    if is_run(tokens[0]):
        return _quoted(" ".join(tokens))  # bigrams of one run stand side by side
    # An identifier: its whole, or all of its parts.
    return f"({quoted[-1]} OR ({' AND '.join(quoted[:-1])}))"


def _quoted(token: str) -> str:
    return '"' + token.replace('"', '""') + '"'


def condition(where: Filter, marked: bool = True) -> tuple[str, tuple[object, ...]]:
    """Return *where* as a condition on ``source s`` with its values; without what rows are *marked* with if told."""
    parts: list[str] = []
    values: list[object] = []

    def need(text: str, *given: object) -> None:
        parts.append(text)
        values.extend(given)

    if marked and where.kind is not None:
        need("s.kind = ?", where.kind)
    if marked and where.kinds:
        need(f"s.kind IN ({', '.join('?' * len(where.kinds))})", *where.kinds)
    if marked and where.projects:
        need(f"s.project IN ({', '.join('?' * len(where.projects))})", *where.projects)
    for text, *given in (*_compared(where), *_of_memories(where)):
        need(text, *given)
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


def _compared(where: Filter) -> Iterator[tuple[str, object]]:
    for name, comparison in _COMPARED.items():
        if (value := getattr(where, name)) is not None:
            yield f"s.{comparison} ?", value


def _of_memories(where: Filter) -> Iterator[tuple[str, *tuple[object, ...]]]:
    if where.types:
        yield (f"s.type IN ({', '.join('?' * len(where.types))})", *where.types)
    for name, part in where.scope.given().items() if where.scope else ():
        yield f"s.{_SCOPED[name]} = ?", part
    if where.alive_at is not None:
        yield "(s.expires_at IS NULL OR s.expires_at > ?)", where.alive_at


_COMPARED = {
    "type": "type =",
    "status": "status =",
    "min_confidence": "confidence >=",
    "since": "modified >=",  # what began before and went on until then is of that time too
    "until": "created <",
    "session": "session =",
    "language": "language =",
}

EXPIRED = "SELECT 1 FROM source WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT 1"
_SCOPED = {"org": "org", "project": "scope_project", "branch": "branch"}

# The file itself, what lies in the folder asked for, and the folder that a note speaks of as a whole.
_REFERENCE = (
    "SELECT r.source FROM reference r WHERE r.path = ? OR instr(r.path, ?) = 1 OR instr(? || '/', r.path || '/') = 1"
)

_RELATED = "s.id IN (SELECT target FROM edge WHERE source = ? UNION SELECT source FROM edge WHERE target = ?)"
