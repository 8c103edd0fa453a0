"""Rendering a picture as Mermaid, which GitHub and many editors display."""

from __future__ import annotations

from autology.core.atlas.picture import Picture
from autology.render.graph.colours import COLOURS, colour
from autology.render.graph.data import labels

LABEL = 60


def mermaid(picture: Picture) -> str:
    """Return *picture* as a flowchart."""
    names = labels(picture.vertices, LABEL)
    lines = ["flowchart LR"]
    for number, (vertex, name) in enumerate(zip(picture.vertices, names, strict=True)):
        left, right = ('(["', '"])') if vertex.type == "tag" else ('["', '"]')
        lines.append(f"  n{number}{left}{_text(name)}{right}:::{vertex.type if vertex.type in COLOURS else 'other'}")
    lines += [f'  n{source} -->|"{_text(type)}"| n{target}' for source, type, target in picture.links]
    kinds = sorted({vertex.type if vertex.type in COLOURS else "other" for vertex in picture.vertices})
    lines += [f"  classDef {kind} fill:{colour(kind)},stroke:#444,color:#111" for kind in kinds]
    return "\n".join(lines)


def _text(text: str) -> str:
    """Quote *text*: characters special to Mermaid or HTML become entities."""
    return "".join(
        character if character.isalnum() or character in _SAFE else f"#{ord(character)};" for character in text
    )


_SAFE = " .,:-_/()+'…–—"
