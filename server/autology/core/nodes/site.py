"""What a read-only site shows: the notes, with their links, and documents if wanted; nothing private."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from autology.core.atlas import display
from autology.core.atlas.atlas import Atlas, Vertex
from autology.core.atlas.display import DisplayGraph
from autology.core.atlas.similar import with_similar
from autology.core.content.codec import clean
from autology.core.documents.codec import DocumentFile
from autology.core.nodes.site_images import ImageFiles, SiteImages, site_images
from autology.model.entry import DOCUMENT
from autology.model.hit import Source
from autology.model.node import TITLE_LIMIT, Node
from autology.model.query import Filter
from autology.text.sanitising import clean_line, visible_lines
from autology.text.slug import slug

SLUG_LIMIT = 60
"""Maximum characters of a title in an address."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A note, or a document, as the site shows it; *descriptions* are its relations' own, by (type, target)."""

    id: str
    address: str
    type: str
    title: str
    content: str
    path: str
    created: str = ""
    modified: str = ""
    status: str = ""
    decision_status: str = ""
    tags: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    descriptions: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Site:
    """The pages in order of their ids, their graph, the kinds of secrets left out, the unreadable files, the images."""

    pages: tuple[SitePage, ...]
    graph: DisplayGraph
    secrets: tuple[str, ...]
    unreadable: int
    images: SiteImages = field(default_factory=SiteImages)


def site(atlas: Atlas, with_documents: bool, images: ImageFiles) -> Site:
    """Return the site of the project of *atlas*, with those of its *images* that the pages show.

    Secrets are redacted. Memories, conversations, instructions to agents and the session that a note came from are
    left out, and so are the times of documents: they differ between clones.
    """
    library = atlas.library
    graph = library.graph
    graph.refresh(walk=True)
    library.refresh(walk=True)
    kinds: list[str] = []
    nodes = graph.readable(graph.index.listed(Filter(), -1, "")) if graph.files.exists() else []
    pages = [_note(node, source, kinds) for node, source in nodes]
    if with_documents:
        listed = graph.index.listed(Filter(kind=None, kinds=(DOCUMENT,)), -1, "")
        pages += [
            _document(entry, source, kinds)
            for entry, source in library.readable([source for source in listed if source.type == DOCUMENT])
        ]
    pages = _addressed(sorted(pages, key=lambda page: page.id))
    graph.encode()
    drawn = atlas.read_current(lambda chart: display.graph_of(atlas, chart, {page.id for page in pages}))
    drawn = with_similar(graph.index, drawn)
    by_id = {page.id: page for page in pages}
    shown = site_images([(page.path, page.content) for page in pages], images)
    unreadable = graph.index.counts().faults
    return Site(tuple(pages), _cleaned(drawn, by_id), tuple(sorted(set(kinds))), unreadable, shown)


def _note(node: Node, source: Source, kinds: list[str]) -> SitePage:
    return SitePage(
        node.id,
        "",
        node.type.value,
        _line(node.title, kinds),
        clean(visible_lines(node.content), kinds),
        _line(source.path, kinds),
        node.created,
        node.modified,
        source.status,
        node.decision_status.value if node.decision_status else "",
        tuple(_line(tag, kinds) for tag in node.tags),
        tuple(_line(path, kinds) for path in node.references),
        {r.key: _line(r.description, kinds) for r in node.relations if r.description},
    )


def _document(entry: DocumentFile, source: Source, kinds: list[str]) -> SitePage:
    text = clean(visible_lines(entry.text), kinds)
    return SitePage(source.id, "", DOCUMENT, _line(source.title, kinds), text, _line(source.path, kinds))


def _addressed(pages: Iterable[SitePage]) -> list[SitePage]:
    """Return *pages* with their addresses: the title, and of a note the beginning of its id, as titles change."""
    addressed: list[SitePage] = []
    used: set[str] = set()
    for page in pages:
        title = slug(page.title.replace("/", " "))[:SLUG_LIMIT].strip("-")
        short = page.id[:8] if page.type != DOCUMENT else slug(page.id)
        address = "-".join(part for part in (title if page.type != DOCUMENT else "", short) if part)
        if address in used:
            address = page.id
        used.add(address)
        addressed.append(replace(page, address=address))
    return addressed


def _cleaned(drawn: DisplayGraph, pages: Mapping[str, SitePage]) -> DisplayGraph:
    """Return the graph with the titles, tags and times of *pages*, and its labels redacted."""
    vertices = []
    for vertex in drawn.vertices:
        page = pages[vertex.vertex.id]
        shown = Vertex(page.id, page.title, page.type)
        folder = clean(vertex.folder)
        vertices.append(replace(vertex, vertex=shown, modified=page.modified, tags=page.tags, folder=folder))
    labels = {number: [clean(word) for word in label] for number, label in drawn.communities.items()}
    return replace(drawn, vertices=vertices, communities=labels)


def _line(text: str, kinds: list[str]) -> str:
    return clean(clean_line(text, TITLE_LIMIT * 10), kinds)
