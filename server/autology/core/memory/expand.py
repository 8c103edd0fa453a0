"""Expanding a search from its results: to related memories, to their parents, or to their children."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.index.catalogue import Edge
from autology.core.index.index import Index
from autology.model.argument_limits import EXPAND_PARENTS, EXPAND_RELATIONS
from autology.model.entry import NODE
from autology.model.hit import Source
from autology.model.query import Filter

LIMIT = 50
"""The size of an expansion, including the items that it starts from."""
FOLLOWED = 20
"""Relations followed from one item."""
BATCH = 500
LOOKED_AT = 200
"""Edges of one item checked for those: some lead to expired items, or to another scope."""

SOURCE, TARGET = "source_id", "target_id"
"""The edges from an item that is a relation to its ends."""
UPWARD = frozenset(
    "part_of belongs_to child_of member_of instance_of is_a subtype_of subtask_of observes observed_on describes"
    " derived_from contained_in contained_by owned_by inherits_from extends implements".split()
)
"""Relations whose target is the parent; of all others the source is."""
LEVEL = frozenset({"near_duplicate_of", "relates_to", "related_to", "similar_to", "same_as"})
"""Relations of which neither end is the parent."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The added sources, nearest first, and how many relations led to them."""

    added: tuple[Source, ...] = ()
    relations: int = 0


@dataclass(frozen=True, slots=True)
class _Relation:
    source: str
    type: str
    target: str

    def leads(self, here: str, direction: str) -> str | None:
        """Return the target from *here* in that direction, if any."""
        if self.source == self.target or here not in (self.source, self.target):
            return None
        there = self.target if here == self.source else self.source
        if direction == EXPAND_RELATIONS:
            return there
        type = self.type.lower().replace("-", "_").replace(" ", "_")
        parent = self.target if type in UPWARD else self.source
        return None if type in LEVEL or (there == parent) != (direction == EXPAND_PARENTS) else there


def expand(index: Index, roots: Sequence[Source], direction: str, where: Filter, nodes: bool) -> Expansion:
    """Return what is reachable from *roots* in that direction: memories that pass *where*, and *nodes* if true."""
    return _MemoryWalk(index, direction, replace(where, types=()), nodes).of(roots)


@dataclass(slots=True)
class _MemoryWalk:
    """One expansion; each item's visibility is looked up once."""

    index: Index
    direction: str
    where: Filter
    nodes: bool
    visible: dict[str, Source | None] = field(default_factory=dict)

    def of(self, roots: Sequence[Source]) -> Expansion:
        """Expand breadth-first from *roots*, visiting each item once."""
        known: dict[str, Source] = {}
        for root in roots[:LIMIT]:
            known[root.id] = self.visible[root.id] = root
        start, relations = len(known), 0
        front = list(known)
        while front and len(known) < LIMIT:
            nearby = self._relations(front)
            self._look([id for relation in nearby for id in (relation.source, relation.target)])
            following: list[str] = []
            for here in front:
                for there in self._from(here, nearby):
                    relations += 1
                    source = self.visible[there]
                    if source is not None and there not in known and len(known) < LIMIT:
                        known[there] = source
                        following.append(there)
            front = following
        return Expansion(tuple(known.values())[start:], relations)

    def _from(self, here: str, nearby: Mapping[_Relation, None]) -> list[str]:
        """Return the visible targets of the first FOLLOWED relations of *here*."""
        ends = (there for relation in nearby if (there := relation.leads(here, self.direction)) is not None)
        return list(dict.fromkeys(there for there in ends if self.visible.get(there) is not None))[:FOLLOWED]

    def _relations(self, front: Sequence[str]) -> dict[_Relation, None]:
        """Return the relations that touch *front*; an item that is a relation stands for one between its ends."""
        edges = self.index.note_edges(front, LOOKED_AT)
        between = sorted({edge.source for edge in edges if edge.type in (SOURCE, TARGET)})
        self._look(between)
        ends: dict[str, dict[str, Edge]] = {id: {} for id in between if self.visible[id] is not None}
        for edge in self.index.note_edges(list(ends), LOOKED_AT):
            if edge.source in ends and edge.type in (SOURCE, TARGET):
                ends[edge.source][edge.type] = edge
        direct = [_Relation(e.source, e.type, e.target) for e in edges if e.type not in (SOURCE, TARGET)]
        return dict.fromkeys([*direct, *_through(ends, frozenset(front))])

    def _look(self, ids: Sequence[str]) -> None:
        """Look up the visibility of *ids*."""
        new = [id for id in dict.fromkeys(ids) if id not in self.visible]
        if not new:
            return
        self.visible.update(dict.fromkeys(new))
        for at in range(0, len(new), BATCH):
            some = replace(self.where, ids=tuple(new[at : at + BATCH]))
            self.visible.update((source.id, source) for source in self.index.listed(some, -1, ""))
        if self.nodes:
            self.visible.update((s.id, s) for s in self.index.by_ids(new).values() if s.kind == NODE)


def _through(ends: Mapping[str, Mapping[str, Edge]], front: frozenset[str]) -> Iterator[_Relation]:
    """Yield each relation between its ends; from the relation itself, one to each."""
    for id, edges in ends.items():
        source, target = edges.get(SOURCE), edges.get(TARGET)
        if source and target:
            yield _Relation(source.target, source.description or "", target.target)
        if id in front:
            yield from (_Relation(id, "relates_to", end.target) for end in (source, target) if end)
