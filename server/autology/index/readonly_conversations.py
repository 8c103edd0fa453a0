"""Look-ups in the conversation index for hooks: read-only and non-blocking."""

from __future__ import annotations

from collections import namedtuple

from autology.index.readonly import ReadOnlyFile, connect, placeholders
from autology.index.text import posting_search
from autology.index.text.postings import BODY, Postings

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

COMMON = 1_000
"""The document frequency from which a word is too common to search for; counting stops there."""
_POSTINGS = 4_000
"""Postings read per search, rarest words first: some 9 ms among 100,000 chunks."""
_MAX_PARTS = 7
"""Parts of an identifier beyond which only the whole is looked up: the common parts together cost 50 ms."""
_CANDIDATE_FACTOR = 12
"""Lexical candidates per requested chunk, because filters remove some."""
_TIME_FACTOR = 4
"""The additional factor when filtering by time."""
_SPAN_LIMIT = 20_000
"""Chunks of a time span inspected to bound their rows, in some 2 ms; with more, most words match some anyway."""
_MAX_DURATION = "+1 day"
"""The maximum duration of a chunk; a silence of five minutes ends it."""

ChunkHit = namedtuple(
    "ChunkHit", ("score", "id", "kind", "trust", "at", "project", "folder", "session", "question", "path", "text")
)
"""A chunk with its score (higher is better, comparable within one search).

``at`` is a UTC stamp; ``trust`` is that of its least trusted writer: ``user``, ``assistant`` or ``tool``;
``project`` is an identity as `Home` returns it; ``question`` and ``path`` may be ""."""


class ConversationLookup(ReadOnlyFile):
    """The conversation index, open for look-ups; one deadline for all of them."""

    deadline = 0.1
    types = (str, int, float)
    steps = 1000

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__(db)
        self._postings: dict[tuple[str, ...], Postings] = {}
        self._common_end = 0.0

    def size(self) -> int:
        """Return the approximate number of chunks."""
        rows = self._rows("SELECT max(rowid) FROM passage", ())
        return int(rows[0][0]) if rows else 0

    def often(self, terms: Sequence[tuple[str, ...]]) -> list[int]:
        """Return the document frequency of each of *terms*, capped at COMMON."""
        return [min(frequency, COMMON) for frequency in self._run(lambda: self._often(terms)) or [0] * len(terms)]

    def spelled(self, words: Sequence[str]) -> dict[str, str]:
        """Return, for each of *words* that may be a misspelling, the most frequent word of the index that it may mean.

        *words* are in lower case and do not occur in the index.
        """
        return dict(self._run(lambda: self._spelled(words)) or ())

    def _spelled(self, words: Sequence[str]) -> list[tuple[str, str]]:
        from autology.index.text.spelling import spelled

        return spelled(self._postings_of(), words)

    def best(
        self,
        terms: Sequence[tuple[str, ...]],
        limit: int,
        kinds: Sequence[str] = (),
        projects: Sequence[str] = (),
        since: str = "",
        until: str = "",
        but: str = "",
        unless: str = "",
        tools: bool = False,
        often: Sequence[int] = (),
    ) -> list[ChunkHit]:
        """Return at most *limit* chunks that contain some of *terms*, best first.

        *terms* are as `text.tokens.query_terms` returns them, *often* as :meth:`often` does. Filters: one of *kinds*, a
        project with one of the identities *projects*, from *since* until before *until*, in another session than *but*
        *unless* said before that stamp, tool output only if *tools*. Empty filters match everything."""
        often = often or self.often(terms)
        # If all terms are common, many chunks contain any of them and few contain all.
        every = not any(frequency < COMMON for frequency in often if frequency)
        rare = self._rare(terms, often)
        factor = _CANDIDATE_FACTOR * (_TIME_FACTOR if since or until else 1)
        rows_of_span = self._row_range(since, until)
        matches = (
            self._run(lambda: self._matches(rare, every, kinds, projects, rows_of_span, limit * factor)) if rare else []
        )
        scores = {number: score for score, number, *_ in matches}
        where, values = _conditions(since, until, but, unless, tools)
        sql = (
            f"SELECT p.rowid, {_COLUMNS} FROM passage p {_JOINED} WHERE p.rowid IN ({placeholders(scores)}) AND {where}"
        )
        rows = [ChunkHit(scores[row[0]], *row[1:]) for row in self._rows(sql, (*scores, *values))]
        return sorted(rows, key=lambda hit: -hit.score)[:limit]

    def _often(self, terms: Sequence[tuple[str, ...]]) -> list[int]:
        postings = self._postings_of()
        return posting_search.frequencies(postings, _term_queries(postings, terms))

    def _postings_of(self, kinds: Sequence[str] = ()) -> Postings:
        """Return the postings of chunks of *kinds*, or of all."""
        key = tuple(kinds)
        if key not in self._postings:
            self._postings[key] = Postings(self._db, BODY, key)
        return self._postings[key]

    def _matches(
        self,
        terms: Sequence[tuple[str, ...]],
        every: bool,
        kinds: Sequence[str],
        projects: Sequence[str],
        rows_of_span: tuple[int, int] | None,
        count: int,
    ) -> Sequence[posting_search.Match]:
        postings = self._postings_of(kinds)
        queries = _term_queries(postings, terms)
        filters = []
        if projects:
            rows = self._rows(f"SELECT rowid FROM project WHERE identity IN ({placeholders(projects)})", projects)
            filters.append(posting_search.within(postings, {row for (row,) in rows}))
        if rows_of_span:
            filters.append(posting_search.between(postings, *rows_of_span))
        min_terms = len(queries) if every else 1
        return posting_search.TermSearch(postings, queries).best(count, min_terms, posting_search.all_of(*filters))

    def latest(
        self,
        limit: int,
        projects: Sequence[str],
        but: str = "",
        unless: str = "",
        since: str = "",
        until: str = "",
    ) -> list[ChunkHit]:
        """Return the latest conversation chunk of each of the last *limit* sessions of the project.

        *projects* are the identities of the project.
        """
        where, values = _conditions(since, until, but, unless, False)
        sql = (
            f"SELECT 0.0, {_COLUMNS} FROM source s JOIN chunk c ON c.source = s.rowid"
            f" WHERE s.project IN ({placeholders(projects)}) AND s.kind = 'conversation' AND {where}"
            " ORDER BY s.modified DESC LIMIT ?"
        )
        sessions: dict[str, ChunkHit] = {}
        for row in self._rows(sql, (*projects, *values, limit * _CANDIDATE_FACTOR)):
            chunk = ChunkHit(*row)
            sessions.setdefault(chunk.session, chunk)
        return list(sessions.values())[:limit]

    def touching(
        self, paths: Sequence[str], limit: int, projects: Sequence[str], but: str = "", unless: str = ""
    ) -> list[ChunkHit]:
        """Return the project's latest chunks whose files are *paths* or end in one of them."""
        where, values = _conditions("", "", but, unless, False)
        # Suffixes cannot use an index: every path is compared, a tenth of a millisecond per thousand.
        suffixes = " OR ".join("r.path = ? OR substr(r.path, ?) = ?" for _ in paths)
        sql = (
            f"SELECT 0.0, {_COLUMNS} FROM (SELECT DISTINCT r.source FROM reference r WHERE {suffixes}) f"
            " JOIN source s ON s.rowid = f.source JOIN chunk c ON c.source = s.rowid"
            f" WHERE s.project IN ({placeholders(projects)}) AND {where} ORDER BY s.modified DESC LIMIT ?"
        )
        path_values = [value for path in paths for value in (path, -1 - len(path), f"/{path}")]
        return [ChunkHit(*row) for row in self._rows(sql, (*path_values, *projects, *values, limit))] if paths else []

    def has_others(self, projects: Sequence[str]) -> bool:
        """Return whether a project without the identities *projects* has a past."""
        sql = f"SELECT 1 FROM project WHERE identity NOT IN ({placeholders(projects)}) LIMIT 1"
        return bool(self._rows(sql, projects))

    def named(self, ids: Sequence[str]) -> list[ChunkHit]:
        """Return the chunks with these ids, in that order, without tool output."""
        sql = (
            f"SELECT 0.0, {_COLUMNS} FROM source s JOIN chunk c ON c.source = s.rowid"
            f" WHERE s.id IN ({placeholders(ids)}) AND c.trust <> 'tool'"
        )
        by_id = {row[1]: ChunkHit(*row) for row in self._rows(sql, ids)} if ids else {}
        return [by_id[id] for id in ids if id in by_id]

    def rows(self, ids: Sequence[str]) -> tuple[str, dict[str, bytes]]:
        """Return the name of the encoder, and its row of each of the chunks with these *ids* that has one."""
        sql = (
            "SELECT s.id, m.row, (SELECT value FROM meta WHERE key = 'encoder') FROM source s"
            " JOIN passage p ON p.source = s.rowid JOIN meaning m ON m.passage = p.rowid"
            f" WHERE s.id IN ({placeholders(ids)})"
        )
        matches = self._run(lambda: self._db.execute(sql, ids).fetchall())
        rows = {id: row for id, row, _ in matches if isinstance(id, str) and isinstance(row, bytes)}
        return str(matches[0][2] if matches else ""), rows

    def _rare(self, terms: Sequence[tuple[str, ...]], often: Sequence[int]) -> list[tuple[str, ...]]:
        """Return those of *terms* that occur, rarest first, within the budget of one search."""
        counted = sorted((frequency, at) for at, frequency in enumerate(often) if frequency)
        rare: list[tuple[str, ...]] = []
        total = 0
        if counted and counted[0][0] >= COMMON:
            return [terms[at] for _, at in counted]
        for frequency, at in counted:
            total += frequency
            if rare and (total > _POSTINGS or frequency >= COMMON):
                break
            rare.append(terms[at])
        return rare

    def _row_range(self, since: str, until: str) -> tuple[int, int] | None:
        """Return the range of passage rows that a time span covers; None if that is too many.

        Transcripts are mostly indexed in the order of time, so the range includes few chunks of other times.
        """
        if not since and not until:
            return None
        in_time = "modified >= ? AND modified < coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', ?, ?), '~')"
        in_span = f"SELECT rowid FROM source WHERE {in_time} LIMIT ?"
        rows = self._rows(
            f"SELECT count(*), coalesce(min(rowid), 0), coalesce(max(rowid), 0) FROM ({in_span})",
            (since, until or None, _MAX_DURATION, _SPAN_LIMIT),
        )
        if not rows or rows[0][0] == _SPAN_LIMIT:
            return None
        sql = "SELECT coalesce(min(rowid), 0) FROM passage WHERE source = ?"
        (first,), (last,) = (self._rows(sql, (row,))[0] for row in rows[0][1:])
        return first, last

    def _deadline_time(self) -> float:
        self._common_end = self._common_end or super()._deadline_time()
        return self._common_end


def open(file: str) -> ConversationLookup | None:  # noqa: A001 - read as `readonly_conversations.open`
    """Open the index in *file*; None if it is unusable."""
    db = connect(file)
    if isinstance(db, str):
        return None
    db.execute("BEGIN")  # one snapshot for all queries: segments may be merged meanwhile
    return ConversationLookup(db)


_COLUMNS = "s.id, s.kind, c.trust, s.created, s.project, c.folder, s.session, c.question, coalesce(c.path, ''), c.text"
_JOINED = "JOIN source s ON s.rowid = p.source JOIN chunk c ON c.source = s.rowid"


def _conditions(since: str, until: str, but: str, unless: str, tools: bool) -> tuple[str, list[str]]:
    conditions, values = ["1"], []
    if since:
        conditions.append("s.modified >= ?")  # includes chunks that started earlier and lasted until then
        values.append(since)
    if until:
        conditions.append("s.created < ?")
        values.append(until)
    if but:
        conditions.append("(s.session <> ? OR c.until < ?)")
        values += [but, unless]
    if not tools:
        conditions.append("c.trust <> 'tool'")
    return " AND ".join(conditions), values


def _term_queries(postings: Postings, terms: Sequence[tuple[str, ...]]) -> list[posting_search.TermQuery]:
    return posting_search.term_queries(postings, [term if len(term) <= _MAX_PARTS else term[-1:] for term in terms])
