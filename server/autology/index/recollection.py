"""A look into the index of what was said that changes nothing and waits for nobody: for hooks."""

from __future__ import annotations

import os
import time
from collections import namedtuple

from autology.index import lookup
from autology.index import version as version_of
from autology.index.postings import BODY, Postings

try:  # what `sqlite3` adds is for dates, and takes a prompt's hook 2 ms
    import _sqlite3 as sqlite3
except ImportError:
    import sqlite3  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    T = TypeVar("T")

_PATIENCE = 0.02
"""Seconds to wait for a lock; readers of a write-ahead log meet one only while it is recovered."""
_DEADLINE = 0.1
"""Seconds that one look may take; what takes longer finds nothing."""
_STEPS = 1000
"""SQLite instructions between two looks at the clock."""
COMMON = 1_000
"""Chunks that a word may stand in to be looked for; counting goes no further."""
_POSTINGS = 4_000
"""Places of words that one look goes through, the rarest words' first: some 9 ms among 100,000 chunks."""
_PARTS = 7
"""Parts of an address past which only its whole is looked for: each part is common, and all together cost 50 ms."""
_MORE = 12
"""Times as many as are asked for are taken from the words, for others to be left out of."""
_OF_A_TIME = 4
"""Times as many again where only what was said at a time counts."""
_SPAN = 20_000
"""Chunks of a time that are looked at for where they lie, in some 2 ms; where there are more, most words find some."""
_LATER = "+1 day"
"""How long after it began a chunk may have ended; a silence of five minutes ends it."""

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
        self._postings: dict[tuple[str, ...], Postings] = {}
        self._end = 0.0
        self.failed = False

    def __enter__(self) -> Recollection:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def size(self) -> int:
        """Return about how many chunks there are."""
        rows = self._rows("SELECT max(rowid) FROM passage", ())
        return int(rows[0][0]) if rows else 0

    def often(self, terms: Sequence[tuple[str, ...]]) -> list[int]:
        """Return for each of *terms* how many chunks hold it, at most COMMON."""
        return [min(many, COMMON) for many in self._looked(lambda: self._often(terms)) or [0] * len(terms)]

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
    ) -> list[Found]:
        """Return at most *limit* chunks that hold some of *terms*, the best first.

        *terms* are as `text.tokens.query_terms` makes them, and *often* what :meth:`often` said of them. Of one of
        *kinds*, of the project that has the identities *projects*, said *since* that stamp and before *until*, in
        another session than *but*, *unless* it was said before that stamp; what a tool put out only if *tools*. Empty
        filters ask for nothing.
        """
        often = often or self.often(terms)
        # Where all are common, many hold each and few hold all.
        every = not any(many < COMMON for many in often if many)
        rare = self._rare(terms, often)
        most = limit * _MORE * (_OF_A_TIME if since or until else 1)
        lies = self._lying(since, until)
        matches = self._looked(lambda: self._matches(rare, every, kinds, projects, lies, most)) if rare else []
        scores = {number: score for score, number, *_ in matches}
        where, values = _conditions(since, until, but, unless, tools)
        ask = (
            f"SELECT p.rowid, {_COLUMNS} FROM passage p {_JOINED}"
            f" WHERE p.rowid IN ({', '.join('?' * len(scores))}) AND {where}"
        )
        rows = [Found(scores[row[0]], *row[1:]) for row in self._rows(ask, (*scores, *values))]
        return sorted(rows, key=lambda found: -found.score)[:limit]

    def _often(self, terms: Sequence[tuple[str, ...]]) -> list[int]:
        postings = self._of()
        return lookup.frequencies(postings, _units(postings, terms))

    def _of(self, kinds: Sequence[str] = ()) -> Postings:
        """Return the words of chunks of one of *kinds*, or of all."""
        some = tuple(kinds)
        if some not in self._postings:
            self._postings[some] = Postings(self._db, BODY, some)
        return self._postings[some]

    def _matches(
        self,
        terms: Sequence[tuple[str, ...]],
        every: bool,
        kinds: Sequence[str],
        projects: Sequence[str],
        lies: tuple[int, int] | None,
        most: int,
    ) -> Sequence[lookup.Match]:
        postings = self._of(kinds)
        asked = _units(postings, terms)
        narrows = []
        if projects:
            rows = self._rows(f"SELECT rowid FROM project WHERE identity IN ({_many(projects)})", projects)
            narrows.append(lookup.within(postings, {row for (row,) in rows}))
        if lies:
            narrows.append(lookup.between(postings, *lies))
        least = len(asked) if every else 1
        return lookup.Look(postings, asked).best(most, least, lookup.all_of(*narrows))

    def latest(
        self,
        limit: int,
        projects: Sequence[str],
        but: str = "",
        unless: str = "",
        since: str = "",
        until: str = "",
    ) -> list[Found]:
        """Return what was said last in the project that has the identities *projects*.

        Of each of *limit* sessions that is the last talk.
        """
        where, values = _conditions(since, until, but, unless, False)
        ask = (
            f"SELECT 0.0, {_COLUMNS} FROM source s JOIN chunk c ON c.source = s.rowid"
            f" WHERE s.project IN ({_many(projects)}) AND s.kind = 'conversation' AND {where}"
            " ORDER BY s.modified DESC LIMIT ?"
        )
        sessions: dict[str, Found] = {}
        for row in self._rows(ask, (*projects, *values, limit * _MORE)):
            found = Found(*row)
            sessions.setdefault(found.session, found)
        return list(sessions.values())[:limit]

    def touching(
        self, paths: Sequence[str], limit: int, projects: Sequence[str], but: str = "", unless: str = ""
    ) -> list[Found]:
        """Return the latest chunks of the project whose files are *paths*, or end in one of them."""
        where, values = _conditions("", "", but, unless, False)
        # A name's end is in no order: every path is looked at, a tenth of a millisecond for a thousand.
        ends = " OR ".join("r.path = ? OR substr(r.path, ?) = ?" for _ in paths)
        ask = (
            f"SELECT 0.0, {_COLUMNS} FROM (SELECT DISTINCT r.source FROM reference r WHERE {ends}) f"
            " JOIN source s ON s.rowid = f.source JOIN chunk c ON c.source = s.rowid"
            f" WHERE s.project IN ({_many(projects)}) AND {where} ORDER BY s.modified DESC LIMIT ?"
        )
        asked = [value for path in paths for value in (path, -1 - len(path), f"/{path}")]
        return [Found(*row) for row in self._rows(ask, (*asked, *projects, *values, limit))] if paths else []

    def named(self, ids: Sequence[str]) -> list[Found]:
        """Return the chunks with these ids, in their order; what a tool put out is none of them."""
        ask = (
            f"SELECT 0.0, {_COLUMNS} FROM source s JOIN chunk c ON c.source = s.rowid"
            f" WHERE s.id IN ({', '.join('?' * len(ids))}) AND c.trust <> 'tool'"
        )
        found = {row[1]: Found(*row) for row in self._rows(ask, ids)} if ids else {}
        return [found[id] for id in ids if id in found]

    def _rare(self, terms: Sequence[tuple[str, ...]], often: Sequence[int]) -> list[tuple[str, ...]]:
        """Return those of *terms* that stand anywhere, the rarest first, as far as one look can go through them."""
        some = sorted((many, at) for at, many in enumerate(often) if many)
        rare: list[tuple[str, ...]] = []
        places = 0
        if some and some[0][0] >= COMMON:
            return [terms[at] for _, at in some]
        for many, at in some:
            places += many
            if rare and (places > _POSTINGS or many >= COMMON):
                break
            rare.append(terms[at])
        return rare

    def _lying(self, since: str, until: str) -> tuple[int, int] | None:
        """Return between which numbers passages of a time lie; None where that leaves too many.

        What was said later was mostly read later: between the first and the last of them lie few of other times.
        """
        if not since and not until:
            return None
        ended = "modified >= ? AND modified < coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', ?, ?), '~')"
        among = f"SELECT rowid FROM source WHERE {ended} LIMIT ?"
        rows = self._rows(
            f"SELECT count(*), coalesce(min(rowid), 0), coalesce(max(rowid), 0) FROM ({among})",
            (since, until or None, _LATER, _SPAN),
        )
        if not rows or rows[0][0] == _SPAN:
            return None
        ask = "SELECT coalesce(min(rowid), 0) FROM passage WHERE source = ?"
        (first,), (last,) = (self._rows(ask, (row,))[0] for row in rows[0][1:])
        return first, last

    def _rows(self, ask: str, values: Sequence[object]) -> list:  # type: ignore[type-arg]
        rows = self._looked(lambda: self._db.execute(ask, values).fetchall())
        return [row for row in rows if all(isinstance(value, (str, int, float)) for value in row)]

    def _looked(self, look: Callable[[], Sequence[T]]) -> Sequence[T]:
        """Return what *look* finds; nothing where that fails or takes too long."""
        self._end = self._end or time.monotonic() + _DEADLINE  # of all that is asked
        self._db.set_progress_handler(lambda: time.monotonic() > self._end, _STEPS)
        try:
            return look()
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
                db.execute("BEGIN")  # all that is asked is asked of one state: segments are put together meanwhile
                return Recollection(db)
        except sqlite3.Error:
            db.close()
            continue
        db.close()
        return None
    return None


_COLUMNS = "s.id, s.kind, c.trust, s.created, s.project, c.folder, s.session, c.question, coalesce(c.path, ''), c.text"
_JOINED = "JOIN source s ON s.rowid = p.source JOIN chunk c ON c.source = s.rowid"


def _many(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _conditions(since: str, until: str, but: str, unless: str, tools: bool) -> tuple[str, list[str]]:
    conditions, values = ["1"], []
    if since:
        conditions.append("s.modified >= ?")  # what began before and went on until then is of that time too
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


def _units(postings: Postings, terms: Sequence[tuple[str, ...]]) -> list[lookup.Unit]:
    return lookup.units(postings, [term if len(term) <= _PARTS else term[-1:] for term in terms])
