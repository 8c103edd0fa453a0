"""Calls: a single node, document, memory or passage; title completion; the trash."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any

from autology.core.content.codec import Stored
from autology.core.documents import backlinks, citations
from autology.core.documents.codec import DocumentFile
from autology.core.documents.lookup import find
from autology.core.memory import trash as memory_trash
from autology.core.recall import passage
from autology.model.entry import NODE
from autology.model.errors import (
    DocumentNotFoundError,
    NotFoundError,
    PassageNotFoundError,
    ValidationError,
)
from autology.model.hit import Source
from autology.model.node import TITLE_LIMIT, Node, RelationType
from autology.model.query import Filter
from autology.render import memory_items, nodes, recall_results, review_status
from autology.render.next_steps import command
from autology.text.markdown.links import TAGGED_AS
from autology.text.notes.secret_markers import marked
from autology.text.redaction import redact
from autology.text.sanitising import clean_line, visible
from autology.web.link_targets import targets
from autology.web.project import PageProject
from autology.wire.project import Project

Json = dict[str, Any]

CHOICES = 12
"""Maximum titles offered."""
LONGEST = 1_000_000
"""Maximum characters of a document that are shown; an editor shows the rest."""


def opened(project: PageProject, id: str) -> Json:
    """Return the node, document, memory or passage with that *id*, and its links."""
    graph = project.graph
    project.catch_up()
    try:
        return _node(project, graph.stored(graph.source(id)))
    except NotFoundError:
        memories = project.memories
        memories.catch_up()
        if (stored := memories.stored(id)) is not None:
            memory = memory_items.memory(stored.entry, memories.stamp())
            return {"kind": "memory", "memory": memory, "path": stored.path, "links": _links(project, id)}
        with suppress(NotFoundError, DocumentNotFoundError):
            project.library.catch_up()
            source = find(project.library, id)
            if source.kind == NODE:
                return _node(project, graph.stored(source))
            return _document(project, source, project.library.stored(source))
        if len(named := graph.index.by_title([id])) == 1:  # as a wiki link names a node
            return _node(project, graph.stored(named[0]))
        with suppress(PassageNotFoundError, ValidationError):
            return {
                "kind": "passage",
                "passage": recall_results.opened(passage.opened(project.conversation_search, graph, id, True)),
            }
        raise


def titles(project: Project, beginning: str) -> Json:
    """Return nodes whose title contains every word of *beginning*, recently changed ones first."""
    project.graph.catch_up()
    words = beginning.casefold().split()
    sources = sorted(project.graph.index.listed(Filter(), -1, ""), key=lambda source: source.modified, reverse=True)
    matching = (source for source in sources if all(word in source.title.casefold() for word in words))
    return {"titles": [_named(source.id, source.title, source.type) for source in islice(matching, CHOICES)]}


def trash(project: Project) -> Json:
    """Return the deleted nodes, latest first, and the number of deleted memories, which the command line restores."""
    deleted = project.graph.trash.items()
    nodes = [{**_named(item.id, item.title, item.type), "deleted": item.deleted} for item in deleted]
    return {"nodes": nodes, "memories": len(memory_trash.trash(project.memories))}


def _node(project: Project, stored: Stored[Node]) -> Json:
    node = stored.entry
    data: Json = {"kind": "node", "node": nodes.node(node, stored.path), "path": stored.path}
    data |= {"version": stored.version, "links": _links(project, node.id)}
    data["targets"] = targets(project, data["node"]["content"], stored.path)
    superseding = [link for link in data["links"] if link["type"] == "supersedes" and not link["out"]]
    reasons = project.watch.of([node]).get(node.id, ())
    drifted = [*review_status.changes(node), *(clean_line(redact(line)[0], 400) for line in reasons)]
    return {**data, "superseded_by": superseding, "drifted": drifted, "settle": command(review_status.keeping(node))}


def _document(project: Project, source: Source, stored: Stored[DocumentFile]) -> Json:
    text = marked(visible(stored.entry.text)).text
    document = {
        **_named(source.id, source.title, source.type),
        "path": source.path,
        "modified": source.modified or None,
    }
    cut = {"cut": True} if len(text) > LONGEST else {}
    return {
        "kind": "document",
        "document": {**document, "content": text[:LONGEST], **cut},
        "links": _links(project, source.id),
        "targets": targets(project, text, source.path),
    }


def _links(project: Project, id: str) -> list[Json]:
    """Return the links of *id* in both directions, with titles; a missing target has none.

    The first one from a text has the sentences in which it links here.
    """
    index = project.graph.index
    edges = [edge for edge in citations.touching(index, [id]) if edge.type != TAGGED_AS]
    here = index.by_ids([id]).get(id)
    if here is not None and here.kind == NODE:
        edges += backlinks.titled(index, here)
    ends = index.by_ids(sorted({end for edge in edges for end in (edge.source, edge.target)}))
    incoming = [edge for edge in edges if edge.source != id]
    quotes = dict(backlinks.backlinks(project.library, here, incoming)) if here and incoming else {}
    links = []
    for edge in edges:
        outgoing = edge.source == id
        other = ends.get(edge.target if outgoing else edge.source)
        if other is None and outgoing and len(titled := index.by_title([edge.target])) == 1:
            other = titled[0]
        if other is None:
            shown: Json = {"id": clean_line(edge.target if outgoing else edge.source, 200), "title": None}
        else:
            shown = {**_named(other.id, other.title, other.type), "is": other.type, "status": other.status}
        shown |= {"type": clean_line(edge.type, 100), "out": outgoing}
        if not outgoing and (sentences := quotes.pop(edge.source, ())):
            shown["quotes"] = [[quote.before, quote.link, quote.after] for quote in sentences]
        if edge.description and edge.type in set(RelationType):
            shown["description"] = clean_line(redact(edge.description)[0], 500)
        links.append(shown)
    return links


def _named(id: str, title: str, type: str) -> Json:
    return {"id": id, "title": clean_line(redact(title)[0], TITLE_LIMIT), "type": type}
