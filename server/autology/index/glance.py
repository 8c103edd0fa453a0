"""A look into the index that changes nothing and waits for nobody: for hooks, standard library only.

Rows come back as plain tuples, so that a look costs the opening of a file and no more.
"""

from __future__ import annotations

import os
import time

from autology.index import version as version_of

try:  # what `sqlite3` adds is for dates, and takes a hook 2 ms
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
_DEADLINE = 0.15
"""Seconds that one look may take. At 100,000 nodes each question here takes under 0.02."""
_STEPS = 2000
"""SQLite instructions between two looks at the clock, some 0.1 ms."""
_BATCH = 500
_SORTED = 10_000
"""Decisions that are sorted by their creation, in some 10 ms."""
_COMMON, _RAREST, _FEW = 2_000, 6, 4
"""Passages in which a word is too common to be looked for, and how many of the others are looked for together."""
_LOOKED = 50
"""Passages, and titles, that are taken for the best."""
_TYPES = "'decision', 'component', 'convention', 'concept', 'pattern', 'issue', 'session'"


class Glance:
    """An open index. Every answer is a list of tuples; an index that fails answers with nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.failed = False

    def __enter__(self) -> Glance:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def counts(self) -> list[tuple[str, str, int]]:
        """Return (type, status, how many)."""
        return self._rows("SELECT type, status, count(*) FROM source WHERE kind = 'node' GROUP BY type, status", ())

    def memories(self, now: str, org: str = "") -> int:
        """Return how many memories the project holds that have not expired by *now*, of *org* if one is named."""
        ask = (
            "SELECT count(*) FROM source WHERE kind = 'memory' AND substr(path, 1, 5) <> 'user:'"
            " AND coalesce(expires_at > ?, 1) AND (? = '' OR org = ?)"
        )
        ((many,),) = self._rows(ask, (now, org, org)) or [(0,)]
        return int(many)

    def newest_decisions(self, limit: int) -> list[tuple[str, str, str, str]]:
        """Return (id, title, decision status or "", created), the newest first, without superseded ones."""
        ((many,),) = self._rows("SELECT count(*) FROM source WHERE type = 'decision' AND kind = 'node'", ()) or [(0,)]
        # Sorting very many by their creation takes longer than a look may. The lately modified hold the newest, and
        # come in order from their index; the plus keeps the planner from the index of types.
        few = many <= _SORTED
        which, order = ("type", "created DESC, title, id") if few else ("+type", "modified DESC, title, id")
        rows = self._rows(
            f"SELECT id, title, coalesce(decision_status, ''), created FROM source WHERE {which} = 'decision'"
            " AND kind = 'node' AND status <> 'superseded'"
            " AND coalesce(decision_status, '') NOT IN ('superseded', 'rejected', 'deprecated')"
            f" ORDER BY {order} LIMIT ?",
            (max(limit, 100),),
        )
        return sorted(rows, key=lambda row: row[3], reverse=True)[:limit]

    def to_review(self, limit: int) -> list[tuple[str, str, str]]:
        """Return (id, type, title) of nodes that wait for a review, the oldest first."""
        # With the types the index of kinds is used; without, every node is read.
        which = f"type IN ({_TYPES}) AND status = 'needs_review' AND kind = 'node'"
        return self._rows(
            f"SELECT id, type, title FROM source WHERE {which} ORDER BY modified, title, id LIMIT ?", (limit,)
        )

    def drifted(self) -> dict[str, str]:
        """Return what drifted, by node's id, as it was found when somebody looked last: the first of its references."""
        ((kept,),) = self._rows("SELECT value FROM meta WHERE key = 'remark drifted'", ()) or [("",)]
        if '"nodes": {"' not in kept:
            return {}
        import json

        try:
            return {id: why[0] for id, why in json.loads(kept)["nodes"].items() if isinstance(why[0], str)}
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return {}

    def changed(self) -> dict[str, str]:
        """Return what of each sealed decision is not as it was accepted, by node's id."""
        ask = "SELECT id, changed FROM source WHERE changed IS NOT NULL ORDER BY id LIMIT 1000"
        return {id: f"accepted with another {what}" for id, what in self._rows(ask, ())}

    def unreadable(self, limit: int) -> list[tuple[str, str]]:
        """Return (path, reason) of files that could not be read."""
        return self._rows(
            "SELECT path, reason FROM problem WHERE coalesce(kind, 'node') = 'node' ORDER BY path LIMIT ?", (limit,)
        )

    def speaking_of(self, paths: Sequence[str]) -> list[tuple[str, str, str, str, str]]:
        """Return (id, type, title, status, reference) of nodes that speak of one of *paths*.

        A node speaks of a file if it names the file or a folder around it. Those that name the
        file come first, then the narrower folder; superseded nodes are left out.
        """
        wanted = sorted({name for path in paths for name in _names(path)})
        ask = (
            "SELECT s.id, s.type, s.title, s.status, r.path FROM reference r JOIN source s ON s.rowid = r.source"
            " WHERE s.kind = 'node' AND s.status <> 'superseded' AND r.path IN ({}) LIMIT 500"
        )
        rows: list[tuple[str, str, str, str, str]] = []
        for at in range(0, len(wanted), _BATCH):
            some = wanted[at : at + _BATCH]
            rows += self._rows(ask.format(", ".join("?" * len(some))), some)
        rows.sort(key=lambda row: (-row[4].strip("/").count("/"), row[1] != "decision", row[2]))
        first: dict[str, tuple[str, str, str, str, str]] = {}
        for row in rows:
            first.setdefault(row[0], row)
        return list(first.values())

    def naming(self, paths: Sequence[str], since: str) -> bool:
        """Return whether a node that was modified *since* that stamp names one of *paths* or a folder around it."""
        wanted = sorted({name for path in paths for name in _names(path)})[:_BATCH]
        ask = (
            "SELECT s.id FROM reference r JOIN source s ON s.rowid = r.source WHERE s.kind = 'node'"
            f" AND r.path IN ({', '.join('?' * len(wanted))}) AND s.modified >= ? LIMIT 1"
        )
        return bool(self._rows(ask, (*wanted, since)))

    def governing(self, terms: Sequence[str]) -> list[tuple[str, str, str, str, str, str]]:
        """Return (what, term, id, type, title, trust) of the nodes that govern one of *terms*."""
        ask = (
            "SELECT r.what, r.term, s.id, s.type, s.title, s.trust FROM rule r JOIN source s ON s.rowid = r.source"
            " WHERE r.term IN ({}) LIMIT 200"
        )
        some = list(dict.fromkeys(terms))
        return [
            row
            for at in range(0, len(some), _BATCH)
            for row in self._rows(ask.format(", ".join("?" * len(some[at : at + _BATCH]))), some[at : at + _BATCH])
        ]

    def governed(self, id: str) -> list[tuple[str, str]]:
        """Return (what, term) of all that the node of that *id* governs."""
        return self._rows(
            "SELECT r.what, r.term FROM source s JOIN rule r ON r.source = s.rowid WHERE s.id = ? LIMIT 200", (id,)
        )

    def captured(self, session: str, since: str, limit: int) -> list[tuple[str, str, str, str]]:
        """Return (id, type, title, modified) of nodes that *session* captured, the newest last.

        A node that names no session counts if it was made or changed after *since* (ISO 8601, UTC), one of another
        session if it is older and was changed after that.
        """
        rows = self._rows(
            "SELECT id, type, title, modified FROM source WHERE session = ? AND kind = 'node'"
            " ORDER BY modified DESC, title LIMIT ?",
            (session, limit),
        )
        if since:
            rows += self._rows(
                "SELECT id, type, title, modified FROM source WHERE modified >= ? AND kind = 'node'"
                " AND (session IS NULL OR (session <> ? AND created < ?)) ORDER BY modified DESC, title LIMIT ?",
                (since, session, since, limit),
            )
        return sorted(rows, key=lambda row: (row[3], row[2]))[-limit:]

    def about(self, terms: Sequence[tuple[str, ...]], limit: int) -> list[tuple[str, str, str, str, str]]:
        """Return (id, type, title, status, path) of nodes that speak of *terms*, made as by `text.tokens.query_terms`.

        One that does holds two of the rarest of them together, or three where many are asked for; superseded nodes
        are left out.
        """
        from autology.index import lookup
        from autology.index.postings import BODY, TITLE, Postings
        from autology.ranking.bm25 import PASSAGES, TITLES

        def sources() -> list[int]:
            bodies, titles = (Postings(self._db, field, ("node",)) for field in (BODY, TITLE))
            often = lookup.frequencies(bodies, lookup.units(bodies, terms))
            counted = sorted((many, at) for at, many in enumerate(often) if many < _COMMON)
            rare = [terms[at] for _, at in counted[:_RAREST]]
            least = 3 if len(rare) > _FEW else min(2, len(rare))
            found: dict[int, None] = {}
            for postings, scale in ((titles, TITLES), (bodies, PASSAGES)):
                best = lookup.Look(postings, lookup.units(postings, rare), scale=scale).best(_LOOKED, least)
                found.update((postings.sources(row)[at], None) for _, _, row, at in best)
            return list(found)

        some = self._looked(sources)
        ask = (
            "SELECT rowid, id, type, title, status, path FROM source"
            f" WHERE rowid IN ({', '.join('?' * len(some))}) AND status <> 'superseded'"
        )
        rows = {row[0]: row[1:] for row in self._rows(ask, some)}
        return [rows[source] for source in some if source in rows][:limit]

    def titles(self, ids: Sequence[str]) -> list[tuple[str, str, str]]:
        """Return (id, type, title) of those *ids* that are nodes."""
        some = list(ids)[:_BATCH]
        return self._rows(f"SELECT id, type, title FROM source WHERE id IN ({', '.join('?' * len(some))})", some)

    def _rows(self, ask: str, values: Sequence[object]) -> list:  # type: ignore[type-arg]
        return [row for row in self._looked(lambda: self._db.execute(ask, values).fetchall()) if _plain(row)]

    def _looked(self, look: Callable[[], Sequence[T]]) -> Sequence[T]:
        """Return what *look* finds; nothing where that fails or takes too long."""
        end = time.monotonic() + _DEADLINE
        self._db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
        try:
            return look()
        except sqlite3.Error:
            self.failed = True
            return []


def open(file: str) -> Glance | None:  # noqa: A001 - read as `glance.open`
    """Return a look into the index in *file*; None where there is none to be used."""
    look = _open(file)
    return look if isinstance(look, Glance) else None


def state(file: str) -> str:
    """Return `ready`, or why :func:`open` gives none: `missing`, `old`, `newer`, `damaged`."""
    look = _open(file)
    if isinstance(look, str):
        return look
    with look:
        return "ready"


def _open(file: str) -> Glance | str:
    # A pipe of that name would be waited for; an empty file is one that nobody has filled yet.
    if not os.path.isfile(file) or not os.path.getsize(file):
        return "missing"
    for how in ("mode=ro", "mode=ro&immutable=1"):
        address = f"file:{quoted(os.path.abspath(file))}?{how}"
        try:
            db = sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)
        except sqlite3.Error:
            continue
        found = _looked_at(db)
        if isinstance(found, Glance):
            return found
        db.close()
        if found != "unusable":
            return found
    return "damaged"


def _looked_at(db: sqlite3.Connection) -> Glance | str:
    """Return the look, what is wrong with the index, or `unusable` where it cannot be opened in this way."""
    try:
        db.execute("PRAGMA trusted_schema=OFF")
        version = db.execute("PRAGMA user_version").fetchone()[0] // 1000
        needed = "type = 'table' AND name IN ('source', 'reference', 'problem')"
        tables = db.execute(f"SELECT count(*) FROM sqlite_master WHERE {needed}").fetchone()[0]
    except sqlite3.OperationalError:
        # Nothing can be written beside the file, as a shared log needs: it is read as it lies.
        return "unusable"
    except sqlite3.Error:
        return "damaged"
    if version != version_of.TABLES:
        return "newer" if version > version_of.TABLES else "old"
    return Glance(db) if tables == 3 else "damaged"


def quoted(path: str) -> str:
    """Return *path* as the path of a ``file:`` address."""
    path = path.replace("\\", "/").replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return path if path.startswith("/") else "/" + path


def _names(path: str) -> list[str]:
    """Return how a node may name *path* or a folder around it."""
    parts = path.split("/")
    folders = ["/".join(parts[:end]) for end in range(1, len(parts))]
    return [path, *folders, *(f"{folder}/" for folder in folders)]


def _plain(row: tuple[object, ...]) -> bool:
    # A file that somebody else wrote may hold anything anywhere.
    return all(isinstance(value, (str, int)) for value in row)
