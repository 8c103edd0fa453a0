"""The graph in formats for other tools: every node and relation, in a deterministic order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from autology.core.content.codec import clean
from autology.core.documents.library import Library
from autology.core.nodes.graph import Graph
from autology.model.entry import DOCUMENT
from autology.model.node import Node
from autology.model.query import Filter
from autology.text.documents.client_memory import is_client_memory, is_of_client
from autology.text.notes import graph_formats
from autology.text.notes.graph_formats import Exported, Row
from autology.text.sanitising import each_text, visible_lines

FORMATS: Mapping[str, Callable[[Exported], str]] = {
    "graphml": graph_formats.graphml,
    "cytoscape": graph_formats.cytoscape,
    "dot": graph_formats.dot,
    "mermaid": graph_formats.mermaid,
    "json": graph_formats.json_text,
    "csv": graph_formats.csv_text,
}
MISSING = "missing"
"""The type of a relation's missing target."""


@dataclass(frozen=True, slots=True)
class Export:
    """A text in the requested format, its counts, and what was left out of it."""

    text: str
    nodes: int
    relations: int
    secrets: tuple[str, ...] = ()
    unreadable: int = 0


def export(graph: Graph, form: str, library: Library | None = None) -> Export:
    """Return the whole graph in one of :data:`FORMATS`; with a *library*, its documents and their links too.

    Secrets are redacted and listed by kind; invisible characters are removed.
    """
    graph.refresh(walk=True)
    kinds: list[str] = []
    read = [node for node, _ in graph.readable(graph.index.listed(Filter(), -1, ""))] if graph.files.exists() else []
    nodes = [_node(node, kinds) for node in read]
    relations = [
        _relation(node.id, r.target, r.type.value, r.description, r.confidence, kinds)
        for node in read
        for r in node.relations
    ]
    if library:
        library.refresh(walk=True)
        _add_documents(library, nodes, relations, kinds, with_instructions=form == "json")
    ids = {row["id"] for row in nodes}
    lost = {str(row["target"]) for row in relations} - ids
    nodes += [{"id": id, "type": MISSING, "title": id} for id in lost]
    nodes.sort(key=lambda row: str(row["id"]))
    relations.sort(key=lambda row: [str(row[key]) for key in ("source", "target", "type")])
    text = FORMATS[form](Exported(tuple(nodes), tuple(relations)))
    return Export(text, len(ids), len(relations), tuple(sorted(set(kinds))), graph.index.counts().faults)


def _node(node: Node, kinds: list[str]) -> Row:
    return {
        "id": node.id,
        "type": node.type.value,
        "title": _clean(node.title, kinds),
        "status": node.status.value,
        "decision_status": node.decision_status.value if node.decision_status else "",
        "confidence": node.confidence,
        "tags": [_clean(tag, kinds) for tag in node.tags],
        "created": node.created or None,
        "modified": node.modified or None,
        "source": node.source,
        "session": node.session or "",
        "references": [_clean(path, kinds) for path in node.references],
        "content": _clean(node.content, kinds),
        "extra": each_text(dict(sorted(node.extra.items())), lambda text: _clean(text, kinds)),
    }


def _relation(source: str, target: str, type: str, fields: str | None, confidence: float, kinds: list[str]) -> Row:
    description = _clean(fields or "", kinds)
    target = _clean(target, kinds)
    return {"source": source, "target": target, "type": type, "confidence": confidence, "description": description}


def _add_documents(
    library: Library, nodes: list[Row], relations: list[Row], kinds: list[str], with_instructions: bool
) -> None:
    """Add the documents with their links; instructions to agents only for programs: others' tools publish graphs."""
    index = library.graph.index
    is_left_out = is_client_memory if with_instructions else is_of_client
    ids = [named.id for named in index.named(DOCUMENT) if not is_left_out(named.path)]
    shown = set(ids)
    nodes += [
        {
            "id": source.id,
            "type": source.type,
            "title": _clean(source.title, kinds),
            "references": [_clean(source.path, kinds)],
        }
        for source in index.by_ids(ids).values()
    ]
    relations += [
        _relation(edge.source, edge.target, edge.type, edge.description, edge.confidence, kinds)
        for edge in index.edges(kind=DOCUMENT)
        if edge.source in shown and not is_client_memory(edge.target)
    ]


def _clean(text: str, kinds: list[str]) -> str:
    return clean(visible_lines(text), kinds)
