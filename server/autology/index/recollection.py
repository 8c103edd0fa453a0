"""A look into the index of what was said that changes nothing and waits for nobody: for hooks."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import namedtuple

from autology.index import version as version_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PATIENCE = 0.02
"""Seconds to wait for a lock; readers of a write-ahead log meet one only while it is recovered."""
_DEADLINE = 0.04
"""Seconds that one look may take; what takes longer finds nothing."""
_STEPS = 1000
"""SQLite instructions between two looks at the clock."""
_COMMON = 3_000
"""Chunks that a word may stand in to be looked for; one in more is counted no further."""

Found = namedtuple(
    "Found", ("score", "id", "kind", "trust", "at", "project", "folder", "session", "question", "path", "text")
)
"""A chunk: how well it answers (the higher the better, comparable within one look), and what it is.

``at`` is a stamp in UTC; ``trust`` is ``user``, ``assistant`` or ``tool``, whoever of its writers is trusted least;
``project`` is an identity as `Home` has it; ``question`` and ``path`` may be "".
"""


class Recollection:
    """An open index of what was said. An index that fails answers with nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._end = 0.0
        self.failed = False

    def __enter__(self) -> Recollection:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def best(
        self,
        terms: Sequence[tuple[str, ...]],
        limit: int,
        kinds: Sequence[str] = (),
        project: str = "",
        since: str = "",
        but: str = "",
        tools: bool = False,
    ) -> list[Found]:
        """Return at most *limit* chunks that hold some of *terms*, the best first.

        *terms* are as `text.tokens.query_terms` makes them. Of one of *kinds*, of the project with that identity,
        said *since* that stamp, in another session than *but*; what a tool put out only if *tools*. Empty filters
        ask for nothing; all are met before the cut.
        """
        self._end = time.monotonic() + _DEADLINE
        asked = " OR ".join(_term(term) for term in self._rare(terms))
        if not asked:
            return []
        marked = "".join(f" AND kind : ({each})" for each in self._marks(kinds, project))
        conditions, values = ["1"], []
        for condition, value in (("s.created >= ?", since), ("s.session <> ?", but)):
            if value:
                conditions.append(condition)
                values.append(value)
        if not tools:
            conditions.append("c.trust <> 'tool'")
        ask = (
            "SELECT -f.rank, s.id, s.kind, c.trust, s.created, s.project, c.folder, s.session, c.question,"
            " coalesce(c.path, ''), c.text"
            " FROM (SELECT rowid, rank FROM passage_fts WHERE passage_fts MATCH ?) f"
            " JOIN passage p ON p.rowid = f.rowid JOIN source s ON s.rowid = p.source"
            " JOIN chunk c ON c.source = s.rowid"
            f" WHERE {' AND '.join(conditions)} ORDER BY f.rank LIMIT ?"
        )
        return [Found(*row) for row in self._rows(ask, (f"{{body}} : ({asked}){marked}", *values, limit))]

    def project(self, folder: str) -> str:
        """Return the identity of the project that sessions in *folder* were of, "" where there was none."""
        rows = self._rows(
            "SELECT s.project FROM transcript t JOIN chunk c ON c.transcript = t.rowid"
            " JOIN source s ON s.rowid = c.source WHERE c.folder = ? LIMIT 1",
            (folder,),
        )
        return str(rows[0][0]) if rows else ""

    def _rare(self, terms: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Return *terms* without those that very many chunks hold, unless all are such."""
        often = []
        for term in terms:
            ask = "SELECT count(*) FROM (SELECT 1 FROM passage_fts WHERE passage_fts MATCH ? LIMIT ?)"
            rows = self._rows(ask, (f"{{body}} : {_term(term)}", _COMMON))
            often.append((rows[0][0] if rows else 0, term))
        rare = [term for many, term in often if 0 < many < _COMMON]
        return rare or [term for many, term in often if many]

    def _marks(self, kinds: Sequence[str], project: str) -> list[str]:
        marks = [" OR ".join(_quoted(kind) for kind in kinds)] if kinds else []
        if project:
            rows = self._rows("SELECT rowid FROM project WHERE identity = ?", (project,))
            marks.append(_quoted(f"p{rows[0][0] if rows else 0}"))
        return marks

    def _rows(self, ask: str, values: Sequence[object]) -> list:  # type: ignore[type-arg]
        self._end = self._end or time.monotonic() + _DEADLINE
        self._db.set_progress_handler(lambda: time.monotonic() > self._end, _STEPS)
        try:
            return [row for row in self._db.execute(ask, values) if all(isinstance(x, (str, int, float)) for x in row)]
        except sqlite3.Error:
            self.failed = True
            return []


def open(file: str) -> Recollection | None:  # noqa: A001 - read as `recollection.open`
    """Return a look into the index in *file*; None where there is none to be used."""
    if not os.path.isfile(file) or not os.path.getsize(file):
        return None
    path = os.path.abspath(file).replace("\\", "/").replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    for how in ("mode=ro", "mode=ro&immutable=1"):  # the second where nothing may be written beside the file
        try:
            db = sqlite3.connect(
                f"file:{path if path.startswith('/') else '/' + path}?{how}",
                uri=True,
                timeout=_PATIENCE,
                isolation_level=None,
            )
        except sqlite3.Error:
            continue
        try:
            db.execute("PRAGMA trusted_schema=OFF")
            if db.execute("PRAGMA user_version").fetchone()[0] // 1000 == version_of.TABLES:
                return Recollection(db)
        except sqlite3.Error:
            db.close()
            continue
        db.close()
        return None
    return None


def _term(tokens: tuple[str, ...]) -> str:
    if len(tokens) == 1:
        return _quoted(tokens[0])
    return f"({_quoted(tokens[-1])} OR ({' AND '.join(_quoted(token) for token in tokens[:-1])}))"


def _quoted(token: str) -> str:
    return '"' + token.replace('"', '""') + '"'
