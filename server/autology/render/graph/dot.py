"""Rendering a picture as DOT, the language of Graphviz."""

from __future__ import annotations

from autology.core.atlas.picture import Picture
from autology.render.graph.data import labels
from autology.render.graph.kinds import colour

LABEL = 60


def dot(shown: Picture) -> str:
    """Return *shown* as a directed graph."""
    lines = [
        "digraph autology {",
        "  rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
    ]
    for place, name in zip(shown.vertices, labels(shown.vertices, LABEL), strict=True):
        shape = ", shape=ellipse" if place.type == "tag" else ""
        lines.append(f"  {_quoted(place.id)} [label={_quoted(name)}, fillcolor={_quoted(colour(place.type))}{shape}];")
    ids = [_quoted(place.id) for place in shown.vertices]
    lines += [f"  {ids[source]} -> {ids[target]} [label={_quoted(type)}];" for source, type, target in shown.links]
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(plain.split())}"'
