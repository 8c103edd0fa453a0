"""The sources of an index in memory, and the relations between them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from autology.core.index.catalogue import Counts, Edge, Named
from autology.core.index.changes import Put
from autology.model.entry import MEMORY, NODE, Entry
from autology.model.hit import Source
from autology.model.query import Filter
from autology.text.tokens import fold, title_words
from tests.fakes.index_files import MemoryFiles, source_of


class MemoryCatalogue(MemoryFiles):
    """The :class:`~autology.core.index.catalogue.Catalogue` of a project that is on no disk."""

    def by_prefix(self, prefix: str, limit: int) -> Sequence[Source]:
        return [source_of(put) for put in self.puts(lambda put: put.entry.id.startswith(prefix))][:limit]

    def by_ids(self, ids: Sequence[str]) -> Mapping[str, Source]:
        return {put.entry.id: source_of(put) for put in self._puts.values() if put.entry.id in set(ids)}

    def by_title(self, titles: Sequence[str]) -> Sequence[Source]:
        keys = {_key(title) for title in titles}
        return [source_of(put) for put in self.puts(lambda put: _key(put.entry.title) in keys)]

    def by_name(self, names: Sequence[str], kind: str) -> Sequence[Named]:
        keys = {_key(name) for name in names}
        return [named for named in self.named(kind) if keys & set(named.names)]

    def named(self, kind: str) -> Sequence[Named]:
        result = [put for put in self._puts.values() if put.entry.kind == kind]
        result.sort(key=lambda put: put.path)
        return [Named(p.entry.id, p.path, tuple(sorted({_key(a) for a in p.entry.aliases}))) for p in result]

    def by_origin(self) -> Mapping[str, str]:
        result = {put.entry.origin: put.entry.id for put in self._puts.values()}
        return {origin: id for origin, id in result.items() if origin}

    def of_session(self, sessions: Sequence[str], limit: int) -> Sequence[str]:
        result = self.puts(lambda put: put.entry.session is not None and put.entry.session in sessions)
        return [put.entry.id for put in sorted(result, key=lambda put: (put.entry.created, put.entry.id))][:limit]

    def listed(self, where: Filter, limit: int, recent: str) -> Sequence[Source]:
        def rank(put: Put) -> tuple[bool, float]:
            node = put.entry
            return (node.status == "superseded", -(node.confidence * 0.2 + (0.1 if node.modified > recent else 0)))

        passing = self.puts(lambda put: self.passes(put, where))
        passing.sort(key=lambda put: put.entry.title)
        passing.sort(key=lambda put: put.entry.modified, reverse=True)
        passing.sort(key=rank)
        return [source_of(put) for put in (passing if limit < 0 else passing[:limit])]

    def changed(self) -> Mapping[str, str]:
        entries = sorted((put.entry.id, ", ".join(put.entry.changed)) for put in self._puts.values())
        return {id: result for id, result in entries if result}


class MemoryRelations(MemoryFiles):
    """The :class:`~autology.core.index.catalogue.Relations` of a project that is on no disk."""

    def edges(
        self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE
    ) -> Sequence[Edge]:
        result = {(edge.source, edge.type, edge.target): edge for edge in self.every_edge(kind)}
        some = set(ids or ())
        kept = [result[key] for key in sorted(result) if ids is None or key[0] in some or key[2] in some]
        return kept[:limit]

    def relation_lines(self, most: int | None = None) -> str | None:
        edges = sorted(self.edges(), key=lambda edge: (edge.source, edge.target, edge.type))
        return "\n".join(map(_line, edges)) if most is None or len(edges) <= most else None

    def linked(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        edges = [edge for edge in self.every_edge(None) if edge.type not in ("TAGGED_AS", "EXEMPLIFIES")]
        touching = [[edge for edge in edges if id in (edge.source, edge.target)] for id in ids]
        return [edge for result in touching if len(result) <= most for edge in result]

    def note_edges(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        every = sorted([*self.every_edge(NODE), *self.every_edge(MEMORY)], key=lambda e: (e.source, e.type, e.target))
        each = ([edge for edge in every if id in (edge.source, edge.target)][:most] for id in ids)
        result = {(edge.source, edge.type, edge.target): edge for edges in each for edge in edges}
        return [result[key] for key in sorted(result)]

    def dangling(self, limit: int) -> Sequence[Edge]:
        known = {put.entry.id for put in self._puts.values()}
        result = [edge for edge in self.edges() if edge.target not in known]
        return result if limit < 0 else result[:limit]

    def tags(self) -> Mapping[str, int]:
        return Counter(tag for put in self._puts.values() for tag in set(put.entry.tags))

    def tagged(self) -> Sequence[tuple[str, str]]:
        entries = [put.entry for put in self._puts.values() if put.entry.kind == NODE]
        return sorted((entry.id, tag) for entry in entries for tag in set(entry.tags))

    def sharing(
        self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int
    ) -> Sequence[str]:
        keys = [("tag", tag) for tag in tags] + [("reference", path) for path in references]
        shared: dict[str, float] = {}
        for kind, key in [*keys, *(("word", fold(word)) for word in words)]:
            having = [put.entry.id for put in self._puts.values() if key in _keys(put.entry)[kind]]
            for id in having:
                shared[id] = shared.get(id, 0.0) + 1 / len(having)
        return sorted(shared, key=lambda id: (-shared[id], id))[:limit]

    def counts(self) -> Counts:
        nodes = [put.entry for put in self._puts.values() if put.entry.kind == NODE]
        return Counts(
            nodes=Counter(node.type for node in nodes),
            statuses=Counter(node.status for node in nodes),
            relations=Counter(edge.type for edge in self.edges()),
            dangling=len(self.dangling(-1)),
            faults=len(self.faults()),
        )


def _keys(node: Entry) -> dict[str, Sequence[str]]:
    return {"tag": node.tags, "reference": node.references, "word": title_words(node.title)}


def _key(title: str) -> str:
    return " ".join(fold(title).split())


def _line(edge: Edge) -> str:
    about = {} if edge.description is None else {"description": edge.description}
    ends = {"source": edge.source, "target": edge.target, "type": edge.type}
    return json.dumps({**ends, **about, "confidence": edge.confidence}, ensure_ascii=False)
