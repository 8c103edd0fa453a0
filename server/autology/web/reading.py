"""Calls: a single node, document, memory or passage; title completion; the trash."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

from autology.core.content.codec import Stored, Trashed
from autology.core.documents import backlinks, citations
from autology.core.documents.codec import DocumentFile
from autology.core.documents.lookup import find
from autology.core.index.namesakes import namesakes
from autology.core.index.worded_relations import as_worded
from autology.core.memory import trash as memory_trash
from autology.core.nodes.delete_restore import trashed
from autology.core.nodes.review import REVIEWS
from autology.core.recall import passage
from autology.model.entry import NODE
from autology.model.errors import (
    DocumentNotFoundError,
    NotFoundError,
    PassageNotFoundError,
    ValidationError,
)
from autology.model.hit import Source
from autology.model.node import TITLE_LIMIT, Node, NodeStatus, NodeType, RelationType
from autology.model.query import Filter
from autology.model.relation_words import ACTIVE
from autology.render import memory_items, nodes, recall_results, review_status
from autology.render.next_steps import command
from autology.text.adr.sections import empty_sections, missing_sections
from autology.text.markdown.links import TAGGED_AS
from autology.text.notes.frontmatter import texts
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
_REVIEW = re.compile(
    r"(?P<at>\S{10,40}) (?P<outcome>amended|kept|superseded|left for later|set to [a-z]+)(?:: (?P<reason>.*))?"
)


def opened(project: PageProject, id: str) -> Json:
    """Return the node, document, memory or passage with that *id*, and its links; of a deleted node, that it was."""
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
        with suppress(NotFoundError):
            return {"kind": "deleted", **_trashed(trashed(graph, id))}
        raise


def titles(project: Project, beginning: str) -> Json:
    """Return nodes whose title contains every word of *beginning*, recently changed ones first."""
    project.graph.catch_up()
    words = beginning.casefold().split()
    sources = sorted(project.graph.index.listed(Filter(), -1, ""), key=lambda source: source.modified, reverse=True)
    matching = (source for source in sources if all(word in source.title.casefold() for word in words))
    marks = namesakes(sources)
    named = [(source, _named(source.id, source.title, source.type)) for source in islice(matching, CHOICES)]
    return {"titles": [{**one, **_mark(marks, source.id)} for source, one in named]}


def trash(project: Project) -> Json:
    """Return the deleted nodes, latest first, and the number of deleted memories, which the command line restores."""
    deleted = project.graph.trash.items()
    return {"nodes": [_trashed(item) for item in deleted], "memories": len(memory_trash.trash(project.memories))}


def _trashed(item: Trashed) -> Json:
    return {**_named(item.id, item.title, item.type), "deleted": item.deleted}


def _node(project: Project, stored: Stored[Node]) -> Json:
    node = stored.entry
    data: Json = {"kind": "node", "node": nodes.node(node, stored.path), "path": stored.path}
    data |= {"version": stored.version, "links": _links(project, node.id)}
    data["targets"] = targets(project, data["node"]["content"], stored.path)
    superseding = [link for link in data["links"] if link["type"] == "supersedes" and not link["out"]]
    reasons = project.watch.of([node]).get(node.id, ())
    changed = review_status.changes(node)
    drifted = [*changed, *(clean_line(redact(line)[0], 400) for line in reasons)]
    data |= {"superseded_by": superseding, "drifted": drifted, "settle": command(review_status.keeping(node))}
    data["needs_reason"] = bool(changed)
    data |= _mark(namesakes(project.graph.index.by_title([node.title])), node.id)
    return {**data, "marked": _marked(node), "reviews": list(_reviews(node))}


def _marked(node: Node) -> str:
    """Return why a node is marked for review, "" if it is not."""
    if node.status is not NodeStatus.NEEDS_REVIEW:
        return ""
    missing = missing_sections(node.content) if node.type is NodeType.DECISION and not node.record else ()
    if not missing:
        return "it was marked so"
    empty = empty_sections(node.content)
    absent = [part for part in missing if part not in empty]
    parts = [f"it has no section {' and no '.join(absent)}"] if absent else []
    if empty:
        sections, verb = ("section", "is") if len(empty) == 1 else ("sections", "are")
        parts.append(f"its {sections} {' and '.join(empty)} {verb} empty")
    return "; ".join(parts)


def _reviews(node: Node) -> Iterator[Json]:
    """Yield the outcomes of a node's reviews, the latest first, each with its time and reason."""
    for entry in reversed([*texts(node.extra.get(REVIEWS))]):
        if read := _REVIEW.fullmatch(entry):
            yield {
                "at": read["at"],
                "outcome": read["outcome"],
                "reason": clean_line(redact(read["reason"] or "")[0], 500),
            }


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
    touching = [edge for edge in citations.touching(index, [id]) if edge.type != TAGGED_AS]
    stored = {frozenset((edge.source, edge.target)): edge for edge in touching if edge.type == RelationType.RELATES_TO}
    edges = as_worded(touching)
    here = index.by_ids([id]).get(id)
    ends = index.by_ids(sorted({end for edge in edges for end in (edge.source, edge.target)}))
    marks = namesakes([*ends.values(), *([here] if here and id not in ends else [])])
    incoming = [edge for edge in edges if edge.source != id]
    quotes = dict(backlinks.backlinks(project.library, here, incoming)) if here and incoming else {}
    links = []
    for edge in edges:
        outgoing = edge.source == id
        other = ends.get(edge.target if outgoing else edge.source)
        if other is None:
            shown: Json = {"id": clean_line(edge.target if outgoing else edge.source, 200), "title": None}
        else:
            shown = {**_named(other.id, other.title, other.type), "is": other.type, "status": other.status}
            shown |= _mark(marks, other.id)
        shown |= {"type": clean_line(edge.type, 100), "out": outgoing}
        if not outgoing and (sentences := quotes.pop(edge.source, ())):
            shown["quotes"] = [[quote.before, quote.link, quote.after] for quote in sentences]
        relation = stored.get(frozenset((edge.source, edge.target))) if edge.type in ACTIVE else None
        if relation:
            shown["stored"] = {"source": relation.source, "target": relation.target, "type": relation.type}
        elif edge.description and edge.type in set(RelationType):
            shown["description"] = clean_line(redact(edge.description)[0], 500)
        links.append(shown)
    return links


def _mark(marks: Mapping[str, str], id: str) -> Json:
    return {"mark": marks[id]} if id in marks else {}


def _named(id: str, title: str, type: str) -> Json:
    return {"id": id, "title": clean_line(redact(title)[0], TITLE_LIMIT), "type": type}
