"""``autology show``: print a node."""

from __future__ import annotations

import argparse

from autology.cli import project
from autology.cli.screen import Screen
from autology.core.graph import Graph
from autology.model.node import Node

EXAMPLES = """\
autology show 3f2a91c0
autology show 3f2a91c0 --raw > node.md"""
JSON = "{node: {id, type, title, content, tags, relations, …}, path, incoming: [{source, type}]}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the node, and how to print it."""
    parser.add_argument("id", help="the node's id, its first eight characters or more, or its path")
    parser.add_argument("--raw", action="store_true", help="print the file as it is")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print the node."""
    graph = project.graph(asked)
    stored = graph.stored(graph.source(project.known(graph, asked.id)))
    if screen.json:
        from autology import render  # loads every use case, which words need not

        incoming = [edge for edge in graph.index.edges([stored.node.id]) if edge.target == stored.node.id]
        sources = [{"source": edge.source, "type": edge.type} for edge in incoming]
        screen.data({"node": render.node(stored.node), "path": stored.path, "incoming": sources})
    elif asked.raw:
        screen.raw(stored.data)
    else:
        _show(graph, stored.node, stored.path, screen)
    return 0


def _show(graph: Graph, node: Node, path: str, screen: Screen) -> None:
    screen.line(screen.styled(screen.safe(node.title), "bold"))
    facts = [node.type.value, node.status.value]
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
        "about": ", ".join(node.references),
    }
    origin = node.extra.get("origin")
    told["from"] = origin if isinstance(origin, str) else ""
    for name, value in told.items():
        if value:
            screen.line(f"{name:<9} {screen.safe(value, 1_000)}")
    screen.line()
    screen.block(node.content)
    _relations(graph, node, screen)


def _relations(graph: Graph, node: Node, screen: Screen) -> None:
    edges = graph.index.edges([node.id])
    if not edges:
        return
    titles = graph.titles(sorted({end for edge in edges for end in (edge.source, edge.target)}))
    screen.line()
    screen.line(screen.styled("Related", "bold"))
    for edge in edges:
        outgoing = edge.source == node.id
        other = edge.target if outgoing else edge.source
        arrow = f"—[{edge.type}]→" if outgoing else f"←[{edge.type}]—"
        title = screen.safe(titles.get(other, "(no such node)"))
        screen.line(f"  {arrow} {title} ({screen.safe(other[:8])})")
        if edge.description:
            screen.line(screen.styled(f"      {screen.safe(edge.description)}", "dim"))
