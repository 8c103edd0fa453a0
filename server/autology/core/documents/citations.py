"""Following links in the texts of nodes: what their names mean is looked up when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from autology.core.documents.names import Names, asked_names
from autology.core.index.catalogue import Edge
from autology.core.index.index import Index
from autology.model.entry import CITATION, DOCUMENT
from autology.model.hit import Source
from autology.model.node import is_uuid4
from autology.text.markdown.links import Mention, mention_of
from autology.text.slug import key as name_key
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


def every(index: Index) -> Iterator[Edge]:
    """Yield all edges that nodes' texts make, with what they mean: many at the cost of few questions."""
    written = index.edges(kind=CITATION)
    sources = index.by_ids(sorted({edge.source for edge in written}))
    names = Names(index.named(DOCUMENT)) if written else Names()
    told = [
        (edge, way, mention_of(edge.type, way))
        for edge in written
        if edge.source in sources
        for way in (edge.description or "").split("\n")
    ]
    titles: dict[str, list[str]] = {}
    for source in index.by_title(sorted({mention.target.strip() for _, _, mention in told})):
        titles.setdefault(name_key(source.title), []).append(source.id)
    for edge, way, mention in told:
        found = names.leads_to(mention, sources[edge.source].path)
        target = found.id if found else _titled(mention, lambda name: titles.get(name_key(name), []))
        if target != edge.source:
            yield replace(edge, target=target, description=way)


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
    return found.id if found else _titled(mention, lambda name: [source.id for source in index.by_title([name])])


def _titled(mention: Mention, ids: Callable[[str], Sequence[str]]) -> str:
    """Return the id of the one node that *mention* names, by its own or its title; else what its author wrote."""
    name = mention.target.strip()
    plain = last_part(name)
    titled = [plain] if is_uuid4(plain) else ids(name)
    return titled[0] if len(titled) == 1 else name
