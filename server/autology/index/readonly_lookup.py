"""Look-ups in a project's index for hooks: read-only, non-blocking, standard library only."""

from __future__ import annotations

from autology.index.readonly import ReadOnlyFile, connect, placeholders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BATCH = 500
_SORTED = 10_000
"""Maximum number of decisions sorted by creation, in some 10 ms."""
_COMMON, _RAREST, _FEW = 2_000, 6, 4
"""The passage count from which a word is too common to search for, and how many rarer words are combined."""
_TOP = 50
"""Top passages, and top titles, considered."""
_TYPES = "'decision', 'component', 'convention', 'concept', 'pattern', 'issue', 'session'"


class IndexLookup(ReadOnlyFile):
    """A project's index, open for look-ups."""

    def counts(self) -> list[tuple[str, str, int]]:
        """Return (type, status, count)."""
        return self._rows("SELECT type, status, count(*) FROM source WHERE kind = 'node' GROUP BY type, status", ())

    def memories(self, now: str, org: str = "") -> int:
        """Return how many of the project's memories have not expired by *now*, optionally of one *org* only."""
        sql = (
            "SELECT count(*) FROM source WHERE kind = 'memory' AND substr(path, 1, 5) <> 'user:'"
            " AND coalesce(expires_at > ?, 1) AND (? = '' OR org = ?)"
        )
        ((count,),) = self._rows(sql, (now, org, org)) or [(0,)]
        return int(count)

    def newest_decisions(self, limit: int) -> list[tuple[str, str, str, str]]:
        """Return (id, title, decision status or "", created), newest first, without superseded ones."""
        ((count,),) = self._rows("SELECT count(*) FROM source WHERE type = 'decision' AND kind = 'node'", ()) or [(0,)]
        # Sorting many decisions by creation exceeds the deadline. The recently modified include the newest and come
        # sorted from their index; the plus sign keeps the planner from using the type index.
        is_small = count <= _SORTED
        type_column, order = ("type", "created DESC, title, id") if is_small else ("+type", "modified DESC, title, id")
        rows = self._rows(
            f"SELECT id, title, coalesce(decision_status, ''), created FROM source WHERE {type_column} = 'decision'"
            " AND kind = 'node' AND status <> 'superseded'"
            " AND coalesce(decision_status, '') NOT IN ('superseded', 'rejected', 'deprecated')"
            f" ORDER BY {order} LIMIT ?",
            (max(limit, 100),),
        )
        return sorted(rows, key=lambda row: row[3], reverse=True)[:limit]

    def to_review(self, limit: int) -> list[tuple[str, str, str]]:
        """Return (id, type, title) of nodes that need a review, oldest first."""
        # Listing the types makes the planner use the kind index; otherwise it reads every node.
        condition = f"type IN ({_TYPES}) AND status = 'needs_review' AND kind = 'node'"
        return self._rows(
            f"SELECT id, type, title FROM source WHERE {condition} ORDER BY modified, title, id LIMIT ?", (limit,)
        )

    def drifted(self) -> dict[str, str]:
        """Return the first drifted reference of each drifted node, by node id, as of the last check."""
        ((stored,),) = self._rows("SELECT value FROM meta WHERE key = 'remark drifted'", ()) or [("",)]
        if '"nodes": {"' not in stored:
            return {}
        import json

        try:
            return {
                id: references[0]
                for id, references in json.loads(stored)["nodes"].items()
                if isinstance(references[0], str)
            }
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return {}

    def changed(self) -> dict[str, str]:
        """Return a message for each sealed decision whose frozen text was changed, by node id."""
        sql = "SELECT id, changed FROM source WHERE changed IS NOT NULL ORDER BY id LIMIT 1000"
        return {id: f"accepted with another {part}" for id, part in self._rows(sql, ())}

    def unreadable(self, limit: int) -> list[tuple[str, str]]:
        """Return (path, reason) of unreadable files."""
        return self._rows(
            "SELECT path, reason FROM problem WHERE coalesce(kind, 'node') = 'node' ORDER BY path LIMIT ?", (limit,)
        )

    def speaking_of(self, paths: Sequence[str]) -> list[tuple[str, str, str, str, str]]:
        """Return (id, type, title, status, reference) of nodes that refer to one of *paths* or a parent folder.

        References to the file come first, then the closest folder; superseded nodes are excluded.
        """
        names = sorted({name for path in paths for name in _names(path)})
        sql = (
            "SELECT s.id, s.type, s.title, s.status, r.path FROM reference r JOIN source s ON s.rowid = r.source"
            " WHERE s.kind = 'node' AND s.status <> 'superseded' AND r.path IN ({}) LIMIT 500"
        )
        rows = self._in_batches(sql, names)
        rows.sort(key=lambda row: (-row[4].strip("/").count("/"), row[1] != "decision", row[2]))
        first: dict[str, tuple[str, str, str, str, str]] = {}
        for row in rows:
            first.setdefault(row[0], row)
        return list(first.values())

    def naming(self, paths: Sequence[str], since: str) -> bool:
        """Return whether a node modified *since* that stamp refers to one of *paths* or a parent folder."""
        names = sorted({name for path in paths for name in _names(path)})[:_BATCH]
        sql = (
            "SELECT s.id FROM reference r JOIN source s ON s.rowid = r.source WHERE s.kind = 'node'"
            f" AND r.path IN ({placeholders(names)}) AND s.modified >= ? LIMIT 1"
        )
        return bool(self._rows(sql, (*names, since)))

    def governing(self, terms: Sequence[str]) -> list[tuple[str, str, str, str, str, str, str]]:
        """Return (what, term, detail, id, type, title, trust) of nodes that govern one of *terms*."""
        sql = (
            "SELECT r.what, r.term, r.detail, s.id, s.type, s.title, s.trust FROM rule r"
            " JOIN source s ON s.rowid = r.source WHERE r.term IN ({}) LIMIT 200"
        )
        return self._in_batches(sql, list(dict.fromkeys(terms)))

    def ruled_commands(self) -> list[tuple[str, str, str, str, str, str, str]]:
        """Return (what, term, detail, id, type, title, trust) of the commands that are ruled out."""
        sql = (
            "SELECT r.what, r.term, r.detail, s.id, s.type, s.title, s.trust FROM rule r"
            " JOIN source s ON s.rowid = r.source WHERE r.what = 'command' LIMIT 2000"
        )
        return self._rows(sql, ())

    def governed(self, id: str) -> list[tuple[str, str, str]]:
        """Return (what, term, detail) of everything that node *id* governs."""
        return self._rows(
            "SELECT r.what, r.term, r.detail FROM source s JOIN rule r ON r.source = s.rowid WHERE s.id = ? LIMIT 200",
            (id,),
        )

    def captured(self, session: str, since: str, limit: int) -> list[tuple[str, str, str, str]]:
        """Return (id, type, title, modified) of the nodes captured in *session*, oldest first.

        A node without a session counts if it was modified after *since* (ISO 8601, UTC), a node of another session
        if it is older than that and was modified after it.
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

    def about(
        self, terms: Sequence[tuple[str, ...]], limit: int, least: int = 0
    ) -> list[tuple[str, str, str, str, str]]:
        """Return (id, type, title, status, path) of nodes about *terms*, as `text.tokens.query_terms` returns them.

        A node must contain *least* of the rarest terms together; without that two, or three if there are many.
        Superseded nodes are excluded.
        """
        from autology.index.text import posting_search
        from autology.index.text.postings import BODY, TITLE, Postings
        from autology.ranking.bm25 import PASSAGES, TITLES

        def sources() -> list[int]:
            bodies, titles = (Postings(self._db, field, ("node",)) for field in (BODY, TITLE))
            often = posting_search.frequencies(bodies, posting_search.term_queries(bodies, terms))
            counted = sorted((frequency, at) for at, frequency in enumerate(often) if frequency < _COMMON)
            rare = [terms[at] for frequency, at in counted if frequency][:_RAREST]
            min_terms = least or (3 if len(counted) > _FEW else min(2, len(counted)))
            rows_found: dict[int, None] = {}
            if len(rare) < min_terms:
                return []
            for postings, scale in ((titles, TITLES), (bodies, PASSAGES)):
                search = posting_search.TermSearch(postings, posting_search.term_queries(postings, rare), scale=scale)
                rows_found.update((postings.sources(row)[at], None) for _, _, row, at in search.best(_TOP, min_terms))
            return list(rows_found)

        source_rows = self._run(sources)
        sql = (
            "SELECT rowid, id, type, title, status, path FROM source"
            f" WHERE rowid IN ({placeholders(source_rows)}) AND status <> 'superseded'"
        )
        rows = {row[0]: row[1:] for row in self._rows(sql, source_rows)}
        return [rows[source] for source in source_rows if source in rows][:limit]

    def titles(self, ids: Sequence[str]) -> list[tuple[str, str, str]]:
        """Return (id, type, title) of those *ids* that exist."""
        batch = list(ids)[:_BATCH]
        return self._rows(f"SELECT id, type, title FROM source WHERE id IN ({placeholders(batch)})", batch)

    def _in_batches(self, sql: str, values: Sequence[str]) -> list:  # type: ignore[type-arg]
        batches = (values[at : at + _BATCH] for at in range(0, len(values), _BATCH))
        return [row for batch in batches for row in self._rows(sql.format(placeholders(batch)), batch)]


def open(file: str) -> IndexLookup | None:  # noqa: A001 - read as `readonly_lookup.open`
    """Open the index in *file*; None if it is unusable."""
    db = connect(file)
    return None if isinstance(db, str) else IndexLookup(db)


def state(file: str) -> str:
    """Return `ready`, or why :func:`open` returns None: `missing`, `old`, `newer`, `damaged`."""
    db = connect(file)
    if isinstance(db, str):
        return db
    db.close()
    return "ready"


def _names(path: str) -> list[str]:
    """Return the reference names that cover *path*: the file, and its parent folders."""
    parts = path.split("/")
    folders = ["/".join(parts[:end]) for end in range(1, len(parts))]
    return [path, *folders, *(f"{folder}/" for folder in folders)]
