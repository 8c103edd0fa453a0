"""What memories lead to: the other ends of relations, what they are part of, and what is part of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.index.catalogue import Edge
from autology.core.index.index import Index
from autology.model.entry import NODE
from autology.model.hit import Source
from autology.model.query import Filter

RELATIONS, PARENTS, CHILDREN = "relations", "parents", "children"
WAYS = (RELATIONS, PARENTS, CHILDREN)
MOST = 50
"""Items at which an expansion ends, with those that it began from."""
EACH = 20
"""Relations of one item that are followed."""
BATCH = 500
LOOKED_AT = 200
"""Edges of one item that are looked at for them: some lead to what is of another scope, or over."""

SOURCE, TARGET = "source_id", "target_id"
"""The edges by which an item that is a relation leads to its ends."""
UPWARD = frozenset(
    "part_of belongs_to child_of member_of instance_of is_a subtype_of subtask_of observes observed_on describes"
    " derived_from contained_in contained_by owned_by inherits_from extends implements".split()
)
"""Relations whose target is the parent; of all others the source is."""
LEVEL = frozenset({"near_duplicate_of", "relates_to", "related_to", "similar_to", "same_as"})
"""Relations of which neither end is the parent."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """What was added, nearest first, and how many relations led there."""

    added: tuple[Source, ...] = ()
    relations: int = 0


@dataclass(frozen=True, slots=True)
class _Tie:
    source: str
    type: str
    target: str

    def leads(self, here: str, way: str) -> str | None:
        """Return where it leads from *here* on that way, if anywhere."""
        if self.source == self.target or here not in (self.source, self.target):
            return None
        there = self.target if here == self.source else self.source
        if way == RELATIONS:
            return there
        type = self.type.lower().replace("-", "_").replace(" ", "_")
        parent = self.target if type in UPWARD else self.source
        return None if type in LEVEL or (there == parent) != (way == PARENTS) else there


def expand(index: Index, roots: Sequence[Source], way: str, where: Filter, nodes: bool) -> Expanded:
    """Return what *roots* lead to that way, step by step; memories that pass *where*, and nodes if told."""
    return _Expansion(index, way, replace(where, types=()), nodes).of(roots)


@dataclass(slots=True)
class _Expansion:
    """One expansion; what may be seen is looked up once."""

    index: Index
    way: str
    where: Filter
    nodes: bool
    seen: dict[str, Source | None] = field(default_factory=dict)

    def of(self, roots: Sequence[Source]) -> Expanded:
        """Go from *roots* outward, a step at a time, each item once."""
        known: dict[str, Source] = {}
        for root in roots[:MOST]:
            known[root.id] = self.seen[root.id] = root
        began, relations = len(known), 0
        front = list(known)
        while front and len(known) < MOST:
            ties = self._ties(front)
            self._look([id for tie in ties for id in (tie.source, tie.target)])
            following: list[str] = []
            for here in front:
                for there in self._from(here, ties):
                    relations += 1
                    source = self.seen[there]
                    if source is not None and there not in known and len(known) < MOST:
                        known[there] = source
                        following.append(there)
            front = following
        return Expanded(tuple(known.values())[began:], relations)

    def _from(self, here: str, ties: Mapping[_Tie, None]) -> list[str]:
        """Return where the first EACH relations of *here* lead that lead to what may be seen."""
        led = (there for tie in ties if (there := tie.leads(here, self.way)) is not None)
        return list(dict.fromkeys(there for there in led if self.seen.get(there) is not None))[:EACH]

    def _ties(self, front: Sequence[str]) -> dict[_Tie, None]:
        """Return the relations that touch *front*; an item that is a relation stands for one between its ends."""
        edges = self.index.note_edges(front, LOOKED_AT)
        between = sorted({edge.source for edge in edges if edge.type in (SOURCE, TARGET)})
        self._look(between)
        ends: dict[str, dict[str, Edge]] = {id: {} for id in between if self.seen[id] is not None}
        for edge in self.index.note_edges(list(ends), LOOKED_AT):
            if edge.source in ends and edge.type in (SOURCE, TARGET):
                ends[edge.source][edge.type] = edge
        direct = [edge for edge in edges if edge.type not in (SOURCE, TARGET)]
        return dict.fromkeys([*_told(direct), *_through(ends, frozenset(front))])

    def _look(self, ids: Sequence[str]) -> None:
        """Learn which of *ids* may be seen."""
        new = [id for id in dict.fromkeys(ids) if id not in self.seen]
        if not new:
            return
        self.seen.update(dict.fromkeys(new))
        for at in range(0, len(new), BATCH):
            some = replace(self.where, ids=tuple(new[at : at + BATCH]))
            self.seen.update((source.id, source) for source in self.index.listed(some, -1, ""))
        if self.nodes:
            self.seen.update((s.id, s) for s in self.index.by_ids(new).values() if s.kind == NODE)


def _told(edges: Sequence[Edge]) -> Iterator[_Tie]:
    yield from (_Tie(edge.source, edge.type, edge.target) for edge in edges)


def _through(ends: Mapping[str, Mapping[str, Edge]], front: frozenset[str]) -> Iterator[_Tie]:
    """Yield each relation between its ends; whoever begins at the relation itself comes to both."""
    for id, found in ends.items():
        source, target = found.get(SOURCE), found.get(TARGET)
        if source and target:
            yield _Tie(source.target, source.description or "", target.target)
        if id in front:
            yield from (_Tie(id, "relates_to", end.target) for end in (source, target) if end)
