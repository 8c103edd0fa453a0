"""Following links whose names are resolved only then: links in the texts of nodes, and of documents to notes."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace

from autology.core.documents.link_resolution import Names, lookup_names
from autology.core.index.catalogue import Edge
from autology.core.index.index import Index
from autology.model.entry import CITATION, DOCUMENT, NODE
from autology.model.hit import Source
from autology.model.node import NODES, is_uuid4
from autology.model.query import Filter
from autology.text.markdown.links import CITES, RELATED_TO, VALUE, Mention, mention_of
from autology.text.slug import TEXTS, last_part, without_fragment
from autology.text.slug import key as name_key


def touching(index: Index, ids: Sequence[str]) -> list[Edge]:
    """Return the edges that touch one of *ids*; at the end, in order, the resolved links in nodes' texts.

    A document that links to a note by its title, which no other note has, touches the note.
    """
    known = index.by_ids(ids)
    names = {name for source in known.values() for name in _names(index, source)}
    written = index.edges([*ids, *sorted(names)], kind=CITATION)
    unresolved = {_key(edge) for edge in written}
    ends = set(ids)
    titles = sorted({source.title for source in known.values() if source.kind == NODE})
    stated = index.edges([*ids, *titles], kind=DOCUMENT)
    titled = _titled_targets(index, stated, index.by_ids(sorted({edge.target for edge in stated})))
    following = {_key(old): new for old, new in zip(stated, titled, strict=True)}
    certain = [following.pop(_key(edge), edge) for edge in index.edges(ids, kind=None) if _key(edge) not in unresolved]
    certain += [edge for edge in following.values() if edge.target in ends]
    resolved = {_key(edge): edge for edge in _resolved(index, written) if edge.source in ends or edge.target in ends}
    return [*{_key(edge): edge for edge in certain}.values(), *(resolved[key] for key in sorted(resolved))]


def of_documents(index: Index, known: Container[str]) -> Sequence[Edge]:
    """Return all edges of documents; those to the title of one note lead to it. *known* are the ids of all sources."""
    return _titled_targets(index, index.edges(kind=DOCUMENT), known)


def is_tag(edge: Edge) -> bool:
    """Whether a document's unresolved edge is a tag: an unknown relation, or the value of a custom key."""
    if edge.description is None:
        return True
    usual = edge.type in (CITES, RELATED_TO)
    return not usual and all(mention_of(edge.type, way).form == VALUE for way in edge.description.split("\n"))


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
    targets: dict[tuple[str, str, str, str], tuple[str, str]] = {}
    for edge, text, mention in links:
        place = sources[edge.source].path
        folder, _, name = place.rpartition("/")
        key = (mention.form, mention.target, folder, name.rpartition(".")[2])  # the same there, for every file's links
        if key not in targets:
            named = names.leads_to(mention, place)
            record = next((records[path] for path in _places(mention, place) if path in records), "")
            target = named.id if named else record or _titled(mention, lambda name: titles.get(name_key(name), []))
            targets[key] = record, target
        record, target = targets[key]
        if record and not place.startswith(NODES):
            continue  # a relation already
        if target != edge.source:
            yield Edge(edge.source, edge.type, target, edge.confidence, text)


def _titled_targets(index: Index, edges: Sequence[Edge], known: Container[str]) -> Sequence[Edge]:
    """Return *edges* of documents; one to nothing *known* leads to the note with that title, if there is just one."""
    named = sorted({edge.target for edge in edges if edge.target not in known and not is_tag(edge)})
    titled: dict[str, list[str]] = {}
    for source in index.by_title(named) if named else ():
        titled.setdefault(name_key(source.title), []).append(source.id)
    notes = {name: ids[0] for name in named if len(ids := titled.get(name_key(name), [])) == 1}
    return [replace(edge, target=notes.get(edge.target, edge.target)) if not is_tag(edge) else edge for edge in edges]


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
        record = _record_at(index, mention, place)
        if record and not place.startswith(NODES):
            continue  # a relation already
        target = _target(index, mention, place, record)
        if target != edge.source:
            yield replace(edge, target=target, description=text)


def _target(index: Index, mention: Mention, path: str, record: str) -> str:
    """Return the id that a link in the node at *path* leads to, if to no document to *record*; else the link's text."""
    named = Names(index.by_name(lookup_names(mention.target.strip()), DOCUMENT)).leads_to(mention, path)
    if named:
        return named.id
    return record or _titled(mention, lambda name: [source.id for source in index.by_title([name])])


def _record_at(index: Index, mention: Mention, path: str) -> str:
    """Return the id of the record that a link in the node at *path* leads to by its path; "" if there is none."""
    for place in _places(mention, path):
        for source in index.listed(Filter(path=place), 1, ""):
            if source.path == place:
                return source.id
    return ""


def _places(mention: Mention, path: str) -> Iterator[str]:
    """Yield the paths that a link in the note at *path* may mean as a file's: from the root, then from the note."""
    target = without_fragment(mention.target.strip().replace("\\", "/"))
    if not target.lower().endswith(TEXTS) or ":" in target:
        return
    for joined in (target.lstrip("/"), posixpath.join(posixpath.dirname(path), target)):
        place = posixpath.normpath(joined)
        if not place.startswith(("..", NODES)):
            yield place


def _titled(mention: Mention, ids: Callable[[str], Sequence[str]]) -> str:
    """Return the id of the only node whose id or title *mention* is; otherwise the mention's text."""
    name = mention.target.strip()
    plain = last_part(name)
    titled = [plain] if is_uuid4(plain) else ids(name)
    return titled[0] if len(titled) == 1 else name
