"""The index of one space in a hub: all that its port promises, for many machines at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from autology.core.ports import Counts, Due, Edge, Embedded, Encoder, Fault, Gone, Named, Put, Stamp
from autology.hub import nearness, questions, words, writing
from autology.hub.link import Link, Links
from autology.hub.nearness import row
from autology.hub.questions import condition, numbered
from autology.hub.words import Scored
from autology.model.entry import NODE
from autology.model.hit import Candidate, Place, Source
from autology.model.query import Filter, Terms
from autology.text.slug import key as name_key
from autology.text.tokens import fold

LONG = 120.0
"""Seconds for one write: a project that is pushed for the first time has thousands of files."""


class PostgresIndex:
    """The :class:`~autology.core.ports.Index` of one space; what is in it is what may be seen by whoever asks."""

    def __init__(self, links: Links, space: UUID, encoder: Callable[[], Encoder | None] = lambda: None) -> None:
        self._links = links
        self._space = str(space)
        self._encoder = encoder

    def held(self) -> AbstractContextManager[None]:
        """Keep one connection for the calls that this thread makes meanwhile."""
        return self._links.held()

    def generation(self) -> str:
        """Return what names this index; another one means that it was made anew and is behind."""
        rows = self._links.read(lambda link: link.run("SELECT autology.generation()"))
        return str(rows[0][0])

    def stamps(self, kind: str = NODE) -> dict[str, Stamp]:
        """Return what the index believes of every file of that kind that it has seen."""
        some = "SELECT path, size, mtime_ns FROM autology.{} WHERE space = ? AND kind = ?"
        both = f"{some.format('source')} UNION ALL {some.format('problem')}"
        return {path: Stamp(size, mtime) for path, size, mtime in self._ask(both, self._space, kind, self._space, kind)}

    def ready(self, change: Put) -> Put:
        """Return *change* as it is: whoever writes to a hub has no other process to make it ready."""
        return change

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        """Take in *changes* in one transaction."""
        taken = sorted(changes, key=lambda change: not isinstance(change, Gone))  # a moved file leaves first
        if not taken:
            return
        encoder = self._encoder() if any(isinstance(change, Put) for change in taken) else None
        ready = [writing.prepared(change, encoder) if isinstance(change, Put) else change for change in taken]

        def write(link: Link) -> None:
            if any(isinstance(change, writing.Prepared) for change in ready):
                self._settle(link, encoder.name if encoder else "")
            writing.write(link, self._space, ready)

        self._links.write(write, LONG)

    def _settle(self, link: Link, name: str) -> None:
        """Have all vectors be that encoder's: those that another one made go, and every file is to be read again."""
        known = link.run("SELECT text FROM autology.remark WHERE space = $1 AND name = 'encoder'", self._space)
        if known == [[name]]:
            return
        if known:
            link.run("DELETE FROM autology.near WHERE space = $1", self._space)
            link.run("UPDATE autology.source SET mtime_ns = -1 WHERE space = $1", self._space)
            link.run("SELECT autology.renew()")
        self._remark(link, "encoder", name)

    def by_prefix(self, prefix: str, limit: int) -> list[Source]:
        """Return the sources whose id begins with *prefix*."""
        tail = "WHERE s.space = ? AND s.kind = ? AND starts_with(s.id, ?) ORDER BY s.id LIMIT ?"
        return self._sources(tail, self._space, NODE, prefix, limit)

    def by_ids(self, ids: Sequence[str]) -> dict[str, Source]:
        """Return the sources with these ids."""
        found = self._sources("WHERE s.space = ? AND s.id = ANY(?)", self._space, list(ids))
        return {source.id: source for source in found}

    def by_title(self, titles: Sequence[str]) -> list[Source]:
        """Return the sources with one of these titles, whatever their case."""
        keys = [name_key(title) for title in titles]
        return self._sources("WHERE s.space = ? AND s.kind = ? AND s.title_key = ANY(?)", self._space, NODE, keys)

    def by_name(self, names: Sequence[str], kind: str) -> list[Named]:
        """Return the sources of that kind that one of *names* is an alias of, whatever its case."""
        keys = list({name_key(name) for name in names})
        which = "SELECT source FROM autology.alias WHERE space = ? AND alias = ANY(?)"
        return self._named(f" AND s.number IN ({which})", kind, self._space, keys)

    def named(self, kind: str) -> list[Named]:
        """Return every source of that kind with its aliases."""
        return self._named("", kind)

    def _named(self, which: str, kind: str, *values: object) -> list[Named]:
        ask = (
            "SELECT s.id, s.path, a.alias FROM autology.source s"
            " LEFT JOIN autology.alias a ON a.space = s.space AND a.source = s.number"
            f" WHERE s.space = ? AND s.kind = ?{which} ORDER BY s.path, a.alias"
        )
        found: dict[tuple[str, str], list[str]] = {}
        for id, path, alias in self._ask(ask, self._space, kind, *values):
            aliases = found.setdefault((id, path), [])
            if alias is not None:
                aliases.append(alias)
        return [Named(id, path, tuple(aliases)) for (id, path), aliases in found.items()]

    def remark(self, name: str, text: str) -> None:
        """Keep a word about the index itself; it goes with the index."""
        self._links.write(lambda link: self._remark(link, f"remark {name}", text))

    def _remark(self, link: Link, name: str, text: str) -> None:
        ask = (
            "INSERT INTO autology.remark(space, name, text) VALUES ($1, $2, $3)"
            " ON CONFLICT (space, name) DO UPDATE SET text = excluded.text"
        )
        link.run(ask, self._space, name, text)

    def remarked(self, name: str) -> str:
        """Return what was kept under *name*, or ""."""
        ask = "SELECT text FROM autology.remark WHERE space = ? AND name = ?"
        found = self._ask(ask, self._space, f"remark {name}")
        return str(found[0][0]) if found else ""

    def by_origin(self) -> dict[str, str]:
        """Return node ids by the path of the record that they were imported from."""
        ask = "SELECT origin, id FROM autology.source WHERE space = ? AND origin IS NOT NULL"
        return dict(self._ask(ask, self._space))

    def words(self, terms: Terms, where: Filter, every: bool, limit: int) -> list[Candidate]:
        """Return, for title and body, the sources that best match, or hold *every* term, and pass *where*."""
        if not terms:
            return []

        def read(link: Link) -> list[Candidate]:
            titles, bodies = words.found(link, self._space, terms, where, every, limit)
            return self._candidates(link, [("title", one) for one in titles] + [("body", one) for one in bodies])

        return self._links.read(read)

    def meaning(self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()) -> list[Candidate]:
        """Return the sources nearest to *text*, and *like* these passages, among those that pass *where*."""
        encoder = self._encoder()
        own = encoder.encode([text])[0] if encoder else b""
        if encoder is None or not any(own):
            return []

        def read(link: Link) -> list[Candidate]:
            return self._candidates(link, nearness.found(link, self._space, encoder, own, where, limit, like))

        return self._links.read(read)

    def rows(self, where: Filter, limit: int) -> list[tuple[str, bytes]]:
        """Return the rows of the encoder, of what passes *where*, the latest first."""
        passes, values = condition(self._space, where)
        ask = (
            f"SELECT s.id, n.vector::text FROM autology.source s JOIN autology.text t ON t.space = s.space"
            " AND t.source = s.number JOIN autology.near n ON n.space = t.space AND n.text = t.number"
            f" WHERE {passes} ORDER BY s.modified DESC, s.number DESC LIMIT ?"
        )
        return [(id, row(text)) for id, text in self._ask(ask, *values, limit)]

    def encoder(self) -> str | None:
        """Return the name of what is searched by meaning with, or None where that cannot be done."""
        return self.embedded().by or None

    def embedded(self, kind: str | None = None) -> Embedded:  # noqa: ARG002 - every kind by the same
        """Return what passages are searched by meaning with: all are encoded as they are taken in."""
        encoder = self._encoder()
        return Embedded(encoder.name, encoder.share) if encoder else Embedded()

    def due(self, kinds: Sequence[str], limit: int) -> list[Due]:  # noqa: ARG002
        """Return nothing: no passage waits for its vector."""
        return []

    def embed(self, texts: Mapping[int, str | None]) -> None:
        """Do nothing, for nothing is ever due."""

    def vectors(self) -> int:
        """Return how many passages are found by meaning."""
        ask = "SELECT count(*) FROM autology.near WHERE space = ?"
        return int(self._ask(ask, self._space)[0][0])

    def listed(self, where: Filter, limit: int, recent: str) -> list[Source]:
        """Return the sources that pass *where*: current before superseded, confident and *recent* ones first."""
        passes, values = condition(self._space, where)
        tail = f"WHERE {passes} ORDER BY {questions.LISTED} LIMIT ?"
        return self._sources(tail, *values, recent, None if limit < 0 else limit)

    def edges(self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE) -> list[Edge]:
        """Return the edges from that kind that touch one of *ids*, or all of them, at most *limit*; sorted."""
        touching = "" if ids is None else " AND (e.source = ANY(?) OR e.target = ANY(?))"
        ask = (
            "SELECT e.source, e.type, e.target, e.confidence, e.description FROM autology.edge e"
            f" WHERE e.space = ? AND coalesce(?, e.kind) = e.kind{touching} ORDER BY e.source, e.type, e.target LIMIT ?"
        )
        some = [] if ids is None else [list(ids), list(ids)]
        return [Edge(*row) for row in self._ask(ask, self._space, kind, *some, limit)]

    def linked(self, ids: Sequence[str], most: int) -> list[Edge]:
        """Return the edges that touch one of *ids*, but not to tags; none of an id that more than *most* touch."""

        def read(link: Link) -> list[Edge]:
            found: dict[str, list[Edge]] = {}
            values = self._space, list(dict.fromkeys(ids)), most + 1
            for of, *edge in link.run("SELECT * FROM autology.linked($1, $2, $3)", *values):
                found.setdefault(of, []).append(Edge(*edge))
            return [edge for edges in found.values() if len(edges) <= most for edge in edges]

        return self._links.read(read) if ids else []

    def ties(self, ids: Sequence[str], most: int) -> list[Edge]:
        """Return edges from nodes and memories that touch one of *ids*, at most *most* of each."""
        ask = numbered(questions.TIES)

        def read(link: Link) -> list[Edge]:
            found = (row for id in ids for row in link.run(ask, self._space, id, self._space, id, most))
            edges = {tuple(row[:3]): Edge(*row) for row in found}
            return [edges[key] for key in sorted(edges)]

        return self._links.read(read) if ids else []

    def spans(self, ids: Sequence[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return where the passages of these sources begin and end, in order."""
        ask = (
            "SELECT s.id, t.start, t.stop FROM autology.source s JOIN autology.text t ON t.space = s.space"
            " AND t.source = s.number WHERE s.space = ? AND s.id = ANY(?) AND t.start IS NOT NULL ORDER BY t.start"
        )
        found: dict[str, list[tuple[int, int]]] = {}
        for id, start, stop in self._ask(ask, self._space, list(ids)) if ids else ():
            found.setdefault(id, []).append((start, stop))
        return {id: tuple(spans) for id, spans in found.items()}

    def tags(self) -> dict[str, int]:
        """Return every tag with the number of nodes that bear it."""
        return self._tally(
            "t.tag, count(*) FROM autology.tag t JOIN autology.source s ON s.space = t.space AND s.number = t.source"
            " WHERE s.space = ? AND s.kind = 'node' GROUP BY t.tag ORDER BY t.tag"
        )

    def tagged(self) -> list[tuple[str, str]]:
        """Return the id of every node with each tag that it bears, sorted."""
        ask = (
            "SELECT s.id, t.tag FROM autology.tag t JOIN autology.source s ON s.space = t.space"
            " AND s.number = t.source WHERE s.space = ? AND s.kind = 'node' ORDER BY s.id, t.tag"
        )
        return [(id, tag) for id, tag in self._ask(ask, self._space)]

    def sharing(self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes that share a tag, a reference or a title word, most shared first.

        At most *limit* nodes are taken for any one tag, reference or word, the newest; what few nodes have counts
        for more.
        """
        keys = [("tag", "tag", tag) for tag in tags] + [("reference", "path", path) for path in references]
        keys += [("title_word", "word", fold(word)) for word in words]

        def read(link: Link) -> list[str]:
            shared: dict[int, float] = {}
            for table, column, key in keys:
                rows = link.run(numbered(questions.SHARED.format(table=table, column=column)), self._space, key, limit)
                for (number,) in rows:
                    shared[number] = shared.get(number, 0.0) + 1 / len(rows)
            first = sorted(shared, key=lambda number: (-shared[number], -number))[:limit]
            ask = "SELECT number, id FROM autology.source WHERE space = $1 AND number = ANY($2)"
            ids = dict(link.run(ask, self._space, first))
            return [ids[number] for number in first if number in ids]

        return self._links.read(read)

    def of_session(self, sessions: Sequence[str], limit: int) -> list[str]:
        """Return ids of nodes captured in one of these sessions."""
        ask = "SELECT id FROM autology.source WHERE space = ? AND session = ANY(?) ORDER BY created, id LIMIT ?"
        return [id for (id,) in self._ask(ask, self._space, list(sessions), limit)]

    def counts(self) -> Counts:
        """Return how much of everything there is."""
        nodes = "count(*) FROM autology.source WHERE space = ? AND kind = 'node' GROUP BY 1"
        return Counts(
            nodes=self._tally(f"type, {nodes}"),
            statuses=self._tally(f"status, {nodes}"),
            relations=self._tally("type, count(*) FROM autology.edge WHERE space = ? AND kind = 'node' GROUP BY 1"),
            dangling=int(self._ask(f"SELECT count(*) {questions.DANGLING}", self._space)[0][0]),
            faults=len(self.faults()),
        )

    def faults(self, kind: str = NODE) -> list[tuple[str, str]]:
        """Return the unreadable files of that kind as (path, reason)."""
        ask = "SELECT path, reason FROM autology.problem WHERE space = ? AND kind = ? ORDER BY path"
        return [(path, reason) for path, reason in self._ask(ask, self._space, kind)]

    def changed(self) -> dict[str, str]:
        """Return nothing: a hub keeps no seals."""
        return {}

    def dangling(self, limit: int) -> list[Edge]:
        """Return edges whose target is no node."""
        ask = f"SELECT e.source, e.type, e.target, e.confidence, e.description {questions.DANGLING} LIMIT ?"
        return [Edge(*row) for row in self._ask(ask, self._space, None if limit < 0 else limit)]

    def _candidates(self, link: Link, scored: Sequence[tuple[str, Scored]]) -> list[Candidate]:
        numbers = f"{{{','.join({str(one.source) for _, one in scored})}}}"  # the driver looks at each of a list
        rows = link.run("SELECT autology.sources($1, $2)", self._space, numbers) if scored else [[[]]]
        known = {number: Source(*row) for number, *row in rows[0][0]}
        return [
            Candidate(known[one.source], field, one.score, one.passage, tuple(one.others), one.cosine)
            for field, one in scored
            if one.source in known
        ]

    def _sources(self, tail: str, *values: object) -> list[Source]:
        rows = self._ask(f"SELECT {questions.COLUMNS} FROM autology.source s {tail}", *values)
        return [Source(*row) for row in rows]

    def _tally(self, ask: str) -> dict[str, int]:
        return {name: int(many) for name, many in self._ask(f"SELECT {ask}", self._space)}

    def _ask(self, ask: str, *values: object) -> list[list[Any]]:
        return self._links.read(lambda link: link.run(numbered(ask), *values))
