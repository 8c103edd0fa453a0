"""Following links in the texts of nodes: their names are resolved when the links are followed."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace

from autology.core.documents.references import Names, lookup_names
from autology.core.index.catalogue import Edge
from autology.core.index.index import Index
from autology.model.entry import CITATION, DOCUMENT
from autology.model.hit import Source
from autology.model.node import NODES, is_uuid4
from autology.model.query import Filter
from autology.text.markdown.links import Mention, mention_of
from autology.text.slug import TEXTS, last_part, without_fragment
from autology.text.slug import key as name_key


def touching(index: Index, ids: Sequence[str]) -> list[Edge]:
    """Return the edges that touch one of *ids*; at the end, in order, the resolved links in nodes' texts."""
    known = index.by_ids(ids)
    names = {name for source in known.values() for name in _names(index, source)}
    written = index.edges([*ids, *sorted(names)], kind=CITATION)
    unresolved = {_key(edge) for edge in written}
    certain = [edge for edge in index.edges(ids, kind=None) if _key(edge) not in unresolved]
    ends = set(ids)
    resolved = {_key(edge): edge for edge in _resolved(index, written) if edge.source in ends or edge.target in ends}
    return [*certain, *(resolved[key] for key in sorted(resolved))]


def every(index: Index) -> Iterator[Edge]:
    """Yield all links in nodes' texts, resolved with few queries."""
    written = index.edges(kind=CITATION)
    sources = index.by_ids(sorted({edge.source for edge in written}))
    names = Names(index.named(DOCUMENT)) if written else Names()
    links = list(_links(written, sources))
    titles: dict[str, list[str]] = {}
    for source in index.by_title(sorted({mention.target.strip() for _, _, mention in links})):
        titles.setdefault(name_key(source.title), []).append(source.id)
    every_node = index.listed(Filter(), -1, "") if links else ()
    records = {source.path: source.id for source in every_node if not source.path.startswith(NODES)}
    for edge, text, mention in links:
        place = sources[edge.source].path
        named = names.leads_to(mention, place)
        record = next((records[path] for path in _places(mention, place) if path in records), "")
        if record and not place.startswith(NODES):
            continue  # links between records are relations already
        target = named.id if named else record or _titled(mention, lambda name: titles.get(name_key(name), []))
        if target != edge.source:
            yield replace(edge, target=target, description=text)


def _links(edges: Iterable[Edge], sources: Container[str]) -> Iterator[tuple[Edge, str, Mention]]:
    """Yield each link behind *edges* of known sources, with its text: one edge lists all its spellings."""
    for edge in edges:
        if edge.source in sources:
            for text in (edge.description or "").split("\n"):
                yield edge, text, mention_of(edge.type, text)


def _key(edge: Edge) -> tuple[str, str, str]:
    return edge.source, edge.type, edge.target


def _names(index: Index, source: Source) -> Iterator[str]:
    """Return the possible last parts of a link to *source*."""
    yield from map(last_part, (source.id, source.path, source.title))
    if source.kind == DOCUMENT:
        for named in index.by_name([source.title], DOCUMENT):
            if named.id == source.id:
                yield from map(last_part, named.names)


def _resolved(index: Index, edges: Sequence[Edge]) -> Iterator[Edge]:
    sources = index.by_ids(sorted({edge.source for edge in edges}))
    for edge, text, mention in _links(edges, sources):
        place = sources[edge.source].path
        if not place.startswith(NODES) and _record_at(index, mention, place):
            continue  # links between records are relations already
        target = _target(index, mention, place)
        if target != edge.source:
            yield replace(edge, target=target, description=text)


def _target(index: Index, mention: Mention, path: str) -> str:
    """Return the id that a link in the node at *path* leads to; if there is none, the link's text."""
    name = mention.target.strip()
    named = Names(index.by_name(lookup_names(name), DOCUMENT)).leads_to(mention, path)
    if named:
        return named.id
    return _record_at(index, mention, path) or _titled(
        mention, lambda name: [source.id for source in index.by_title([name])]
    )


def _record_at(index: Index, mention: Mention, path: str) -> str:
    """Return the id of the record whose file a link in the note at *path* leads to, "" if it leads to none."""
    for place in _places(mention, path):
        for source in index.listed(Filter(path=place), 1, ""):
            if source.path == place:
                return source.id
    return ""


def _places(mention: Mention, path: str) -> Iterator[str]:
    """Yield the paths that a link in the note at *path* may mean as a file's: from the root, and from the note.

    A note's links are mostly written from the root, a record's from its own folder.
    """
    target = without_fragment(mention.target.strip().replace("\\", "/"))
    if not target.lower().endswith(TEXTS) or ":" in target:
        return
    ways = (target.lstrip("/"), posixpath.join(posixpath.dirname(path), target))
    for joined in ways if path.startswith(NODES) else ways[::-1]:
        place = posixpath.normpath(joined)
        if not place.startswith(("..", NODES)):
            yield place


def _titled(mention: Mention, ids: Callable[[str], Sequence[str]]) -> str:
    """Return the id of the only node whose id or title *mention* is; otherwise the mention's text."""
    name = mention.target.strip()
    plain = last_part(name)
    titled = [plain] if is_uuid4(plain) else ids(name)
    return titled[0] if len(titled) == 1 else name
