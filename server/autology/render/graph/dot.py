"""Rendering a picture as DOT, the language of Graphviz."""

from __future__ import annotations

from autology.core.atlas.picture import Picture
from autology.render.graph.colours import colour
from autology.render.graph.data import labels

LABEL = 60


def dot(picture: Picture) -> str:
    """Return *picture* as a directed graph."""
    lines = [
        "digraph autology {",
        "  rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
    ]
    for vertex, name in zip(picture.vertices, labels(picture.vertices, LABEL), strict=True):
        shape = ", shape=ellipse" if vertex.type == "tag" else ""
        lines.append(
            f"  {_quoted(vertex.id)} [label={_quoted(name)}, fillcolor={_quoted(colour(vertex.type))}{shape}];"
        )
    ids = [_quoted(vertex.id) for vertex in picture.vertices]
    lines += [f"  {ids[source]} -> {ids[target]} [label={_quoted(type)}];" for source, type, target in picture.links]
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(plain.split())}"'
