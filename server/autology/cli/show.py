"""``autology show``: print a note, a document or a passage of a conversation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress

from autology.cli import memory_show
from autology.cli.note_names import node_id
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.content.codec import Stored
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.core.index.catalogue import Edge
from autology.core.nodes.graph import Graph
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
from autology.render.next_steps import command
from autology.render.review_status import changes, keeping, standing
from autology.text.notes.secret_markers import marked
from autology.wire.project import Project

UNDATED = "undated"

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
    """Add the note and the format."""
    about = (
        "the id of a note, memory or passage, or its first eight characters; "
        "a document's id, path or title, or a note's title"
    )
    parser.add_argument("id", help=about)
    parser.add_argument("--raw", action="store_true", help="print the file unchanged, including secrets")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the node, or the document if no node has that id."""
    project = project_of(args)
    graph = project.graph
    graph.catch_up()
    try:
        stored = graph.stored(graph.source(node_id(graph, args.id)))
    except NotFoundError as error:
        return _print_other(project, args, screen, error)
    _node(project, stored, args, screen)
    return 0


def _node(project: Project, stored: Stored[Node], args: argparse.Namespace, screen: Screen) -> None:
    graph = project.graph
    if screen.json:
        from autology.render import nodes

        incoming = [edge for edge in graph.index.edges([stored.entry.id]) if edge.target == stored.entry.id]
        sources = [{"source": edge.source, "type": edge.type} for edge in incoming]
        node = {**nodes.node(stored.entry), **standing(stored.entry, _drifted(project, stored.entry))}
        screen.data({"node": node, "path": stored.path, "incoming": sources})
    elif args.raw:
        screen.raw(stored.data)
    else:
        _show(graph, stored.entry, stored.path, screen, _drifted(project, stored.entry))


def _drifted(project: Project, node: Node) -> Sequence[str]:
    """Return how the references of *node* drifted."""
    return project.watch.of([node]).get(node.id, ())


def _print_other(project: Project, args: argparse.Namespace, screen: Screen, not_found: NotFoundError) -> int:
    """Print anything but a node by its id: a memory, a document, or a passage of a conversation."""
    memories = project.memories
    memories.catch_up()
    with suppress(MemoryNotFoundError):
        memory_show.show(memories, memories.find(args.id), args.raw, screen)
        return 0
    try:
        return _print_named(project, args, screen)
    except (NotFoundError, DocumentNotFoundError) as error:
        from autology.cli import passages

        try:
            return passages.show(project, args.id, screen)
        except (PassageNotFoundError, ValidationError):
            raise (not_found if isinstance(error, NotFoundError) else error) from None


def _print_named(project: Project, args: argparse.Namespace, screen: Screen) -> int:
    """Print the document with this id, path or title, or the node with this title."""
    library = project.library
    library.catch_up()
    try:
        source = find(library, args.id)
    except DocumentNotFoundError:
        if is_id_prefix(args.id.strip().lower()):
            project.graph.source(args.id)  # for an id, the error is about notes
        raise
    if source.kind == DOCUMENT:
        _document(library, source, args, screen)
    else:
        _node(project, project.graph.stored(source), args, screen)
    return 0


def _document(library: Library, source: Source, args: argparse.Namespace, screen: Screen) -> None:
    stored = library.stored(source)
    marked_text = marked(stored.entry.text)
    edges = library.graph.index.edges([source.id], kind=None)
    if screen.json:
        screen.data(
            {
                "document": {
                    "id": source.id,
                    "title": source.title,
                    "path": source.path,
                    "content": marked_text.text,
                },
                "links": [{"target": e.target, "type": e.type} for e in edges if e.source == source.id],
                "incoming": [{"source": e.source, "type": e.type} for e in edges if e.target == source.id],
            }
        )
    elif args.raw:
        screen.raw(stored.data)
    else:
        screen.line(screen.safe(source.title), "bold")
        screen.line(f"{source.type} · {screen.safe(source.path)}", "cyan")
        screen.line()
        screen.block(marked_text.text)
        if edges:
            screen.line()
        for edge in edges:
            outgoing = edge.source == source.id
            linked = screen.safe(edge.target if outgoing else edge.source)
            screen.line(
                f"  —[{screen.safe(edge.type)}]→ {linked}" if outgoing else f"  ←[{screen.safe(edge.type)}]— {linked}"
            )


def _show(graph: Graph, node: Node, path: str, screen: Screen, drifted: Sequence[str]) -> None:
    screen.line(screen.safe(node.title), "bold")
    review_reasons = (*changes(node), *drifted)
    facts = [node.type.value, (NodeStatus.NEEDS_REVIEW if review_reasons else node.status).value]
    if node.decision_status:
        facts.append(node.decision_status.value)
    screen.line(f"{' · '.join(facts)} · confidence {node.confidence:g}", "cyan")
    fields = {
        "id": node.id,
        "file": path,
        "tags": ", ".join(node.tags),
        "created": node.created or UNDATED,
        "modified": node.modified or UNDATED,
        "source": node.source,
        "session": node.session or "",
        "turn": turn_of(node) or "",
        "about": ", ".join(node.references),
    }
    origin = node.extra.get("origin")
    fields["from"] = origin if isinstance(origin, str) else ""
    if node.record:
        fields["number"] = str(node.extra.get("record_number") or "")
        fields["status"] = str(node.extra.get("status_word") or "")
    screen.fields(fields)
    for line in review_reasons:
        screen.line(f"needs review: {screen.safe(line, 300)}", "yellow")
    if review_reasons:
        screen.line(f"  `{command(keeping(node))}` if it is still valid", "dim")
    screen.line()
    screen.block(marked(node.content).text)
    _relations(graph, node, screen)


def _relations(graph: Graph, node: Node, screen: Screen) -> None:
    edges = graph.index.edges([node.id])
    if not edges:
        return
    titles = graph.titles(sorted({end for edge in edges for end in (edge.source, edge.target)}))

    def order(edge: Edge) -> tuple[bool, str, str, str]:
        """Outgoing relations first, then by type and titles; ids are random."""
        return (edge.source != node.id, edge.type, titles.get(edge.source, ""), titles.get(edge.target, ""))

    screen.line()
    screen.line("Related", "bold")
    for edge in sorted(edges, key=order):
        outgoing = edge.source == node.id
        linked = edge.target if outgoing else edge.source
        arrow = f"—[{edge.type}]→" if outgoing else f"←[{edge.type}]—"
        title = screen.safe(titles.get(linked, "(no such note)"))
        screen.line(f"  {arrow} {title} ({screen.safe(linked[:8])})")
        if edge.description:
            screen.line(f"      {screen.safe(edge.description)}", "dim")
