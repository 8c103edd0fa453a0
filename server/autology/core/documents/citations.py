"""Following links in the texts of nodes: what their names mean is looked up when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from autology.core.documents.names import Names, asked_names
from autology.core.ports import Edge, Index
from autology.model.entry import CITATION, DOCUMENT
from autology.model.hit import Source
from autology.model.node import is_uuid4
from autology.text.links import Mention, mention_of
from autology.text.slug import last_part


def touching(index: Index, ids: Sequence[str]) -> tuple[list[Edge], list[Edge]]:
    """Return the edges that touch one of *ids*, and those of them that nodes' texts make, with what they mean."""
    known = index.by_ids(ids)
    names = {name for source in known.values() for name in _names(index, source)}
    written = index.edges([*ids, *sorted(names)], kind=CITATION)
    aside = {(edge.source, edge.type, edge.target) for edge in written}
    certain = [e for e in index.edges(ids, kind=None) if (e.source, e.type, e.target) not in aside]
    at = set(ids)
    meant = {}
    for edge in _meant(index, written):
        if edge.source in at or edge.target in at:
            meant[edge.source, edge.type, edge.target] = edge
    return certain, [meant[way] for way in sorted(meant)]


def _names(index: Index, source: Source) -> Iterator[str]:
    """What the last part of a link to *source* may be."""
    yield from map(last_part, (source.id, source.path, source.title))
    if source.type == DOCUMENT:
        for named in index.by_name([source.title], DOCUMENT):
            if named.id == source.id:
                yield from map(last_part, named.names)


def _meant(index: Index, edges: Sequence[Edge]) -> Iterator[Edge]:
    sources = index.by_ids(sorted({edge.source for edge in edges}))
    for edge in edges:
        if edge.source not in sources:
            continue
        for way in (edge.description or "").split("\n"):
            target = _target(index, mention_of(edge.type, way), sources[edge.source].path)
            if target != edge.source:
                yield replace(edge, target=target, description=way)


def _target(index: Index, mention: Mention, path: str) -> str:
    """Return the id that a link in the node at *path* leads to; without one, what its author wrote."""
    name = mention.target.strip()
    found = Names(index.by_name(asked_names(name), DOCUMENT)).leads_to(mention, path)
    if found:
        return found.id
    plain = last_part(name)
    titled = [plain] if is_uuid4(plain) else [source.id for source in index.by_title([name])]
    return titled[0] if len(titled) == 1 else name
