"""``autology show``: print a node, a document, a memory or a passage of a conversation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress

from autology import wire
from autology.cli import memory_show, project
from autology.cli.screen import Screen
from autology.core.content.codec import Stored
from autology.core.documents.library import Library
from autology.core.graph import Graph
from autology.core.ports import Edge
from autology.core.watch import changes, standing
from autology.model.entry import DOCUMENT
from autology.model.errors import (
    DocumentNotFoundError,
    MemoryNotFoundError,
    NotFoundError,
    PassageNotFoundError,
    ValidationError,
)
from autology.model.hit import Source
from autology.model.node import Node, NodeStatus, is_id_prefix, turn_of
from autology.text.marked import marked

EXAMPLES = """\
autology show 3f2a91c0
autology show 3f2a91c0 --raw > node.md
autology show docs/guide.md
autology show 5b1f0c9ad2e34c77a0b1c2d3"""
JSON = """\
{node: {id, type, title, content, tags, relations, …}, path, incoming: [{source, type}]}, or for a document
 {document: {id, title, path, content}, links: [{target, type}], incoming: [{source, type}]}, or for a memory
 {memory: {id, kind, title, path, content, scope, data, metadata, tags, created_at, updated_at, expires_at, …}},
 or for a passage
 {id, type, content, context, before?, after?, captured_from_it?, captured_in_session?}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the node, and how to print it."""
    told = (
        "the id of a node, memory or passage, or its first eight characters; "
        "a document's id, path or title, or a node's title"
    )
    parser.add_argument("id", help=told)
    parser.add_argument("--raw", action="store_true", help="print the file as it is, secrets included")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print the node, or the document if no node has that id."""
    root = project.root(asked)
    graph = wire.graph(root)
    graph.catch_up()
    try:
        stored = graph.stored(graph.source(project.known(graph, asked.id)))
    except NotFoundError as unknown:
        return _other(graph, root, asked, screen, unknown)
    _node(graph, root, stored, asked, screen)
    return 0


def _node(graph: Graph, root: str, stored: Stored[Node], asked: argparse.Namespace, screen: Screen) -> None:
    if screen.json:
        from autology import render  # loads every use case, which words need not

        incoming = [edge for edge in graph.index.edges([stored.entry.id]) if edge.target == stored.entry.id]
        sources = [{"source": edge.source, "type": edge.type} for edge in incoming]
        told = {**render.node(stored.entry), **standing(stored.entry, _drifted(graph, root, stored.entry))}
        screen.data({"node": told, "path": stored.path, "incoming": sources})
    elif asked.raw:
        screen.raw(stored.data)
    else:
        _show(graph, stored.entry, stored.path, screen, _drifted(graph, root, stored.entry))


def _drifted(graph: Graph, root: str, node: Node) -> Sequence[str]:
    """Return what drifted of what *node* refers to."""
    return wire.watch(graph, root).of([node]).get(node.id, ())


def _other(graph: Graph, root: str, asked: argparse.Namespace, screen: Screen, unknown: NotFoundError) -> int:
    """Print what is no node: a memory, a document, or a passage of a conversation."""
    memories = wire.memories(graph, root)
    memories.refresh()
    with suppress(MemoryNotFoundError):
        memory_show.show(memories, memories.meant(asked.id), asked.raw, screen)
        return 0
    try:
        return _named(graph, root, asked, screen)
    except (NotFoundError, DocumentNotFoundError) as no_document:
        from autology.cli import passages

        try:
            return passages.show(wire.conversations(root), root, asked.id, screen)
        except (PassageNotFoundError, ValidationError):
            raise (unknown if isinstance(no_document, NotFoundError) else no_document) from None


def _named(graph: Graph, root: str, asked: argparse.Namespace, screen: Screen) -> int:
    """Print the document of that id, path or title, or the node of that title."""
    library = wire.library(graph, root)
    library.catch_up()
    try:
        source = library.find(asked.id)
    except DocumentNotFoundError:
        if is_id_prefix(asked.id.strip().lower()):
            graph.source(asked.id)  # whoever writes a node's id is told about nodes
        raise
    if source.type == DOCUMENT:
        _document(library, source, asked, screen)
    else:
        _node(graph, root, graph.stored(source), asked, screen)
    return 0


def _document(library: Library, source: Source, asked: argparse.Namespace, screen: Screen) -> None:
    stored = library.stored(source)
    shown = marked(stored.entry.text)
    edges = library.graph.index.edges([source.id], kind=None)
    if screen.json:
        screen.data(
            {
                "document": {
                    "id": source.id,
                    "title": source.title,
                    "path": source.path,
                    "content": shown.text,
                },
                "links": [{"target": e.target, "type": e.type} for e in edges if e.source == source.id],
                "incoming": [{"source": e.source, "type": e.type} for e in edges if e.target == source.id],
            }
        )
    elif asked.raw:
        screen.raw(stored.data)
    else:
        screen.line(screen.styled(screen.safe(source.title), "bold"))
        screen.line(screen.styled(f"{source.type} · {screen.safe(source.id)} · {screen.safe(source.path)}", "cyan"))
        screen.line()
        screen.block(shown.text)
        if edges:
            screen.line()
        for edge in edges:
            out = edge.source == source.id
            other = screen.safe(edge.target if out else edge.source)
            screen.line(f"  —[{screen.safe(edge.type)}]→ {other}" if out else f"  ←[{screen.safe(edge.type)}]— {other}")


def _show(graph: Graph, node: Node, path: str, screen: Screen, drifted: Sequence[str]) -> None:
    screen.line(screen.styled(screen.safe(node.title), "bold"))
    why = (*changes(node), *drifted)
    facts = [node.type.value, (NodeStatus.NEEDS_REVIEW if why else node.status).value]
    if node.decision_status:
        facts.append(node.decision_status.value)
    screen.line(screen.styled(f"{' · '.join(facts)} · confidence {node.confidence:g}", "cyan"))
    told = {
        "id": node.id,
        "file": path,
        "tags": ", ".join(node.tags),
        "created": node.created,
        "modified": node.modified,
        "source": node.source,
        "session": node.session or "",
        "turn": turn_of(node) or "",
        "about": ", ".join(node.references),
    }
    origin = node.extra.get("origin")
    told["from"] = origin if isinstance(origin, str) else ""
    for name, value in told.items():
        if value:
            screen.line(f"{name:<9} {screen.safe(value, 1_000)}")
    for line in why:
        screen.line(screen.styled(f"needs review: {screen.safe(line, 300)}", "yellow"))
    if why:
        reason = ' --reason "…"' if changes(node) else ""
        screen.line(screen.styled(f"  `autology review {node.id[:8]} --keep{reason}` if it still holds", "dim"))
    screen.line()
    screen.block(marked(node.content).text)
    _relations(graph, node, screen)


def _relations(graph: Graph, node: Node, screen: Screen) -> None:
    edges = graph.index.edges([node.id])
    if not edges:
        return
    titles = graph.titles(sorted({end for edge in edges for end in (edge.source, edge.target)}))

    def order(edge: Edge) -> tuple[bool, str, str, str]:
        """What leads on first, then by what it says and whom it means; ids are chance."""
        return (edge.source != node.id, edge.type, titles.get(edge.source, ""), titles.get(edge.target, ""))

    screen.line()
    screen.line(screen.styled("Related", "bold"))
    for edge in sorted(edges, key=order):
        outgoing = edge.source == node.id
        other = edge.target if outgoing else edge.source
        arrow = f"—[{edge.type}]→" if outgoing else f"←[{edge.type}]—"
        title = screen.safe(titles.get(other, "(no such node)"))
        screen.line(f"  {arrow} {title} ({screen.safe(other[:8])})")
        if edge.description:
            screen.line(screen.styled(f"      {screen.safe(edge.description)}", "dim"))
