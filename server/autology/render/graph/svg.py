"""Rendering a picture as a self-contained SVG file, for light and dark backgrounds."""

from __future__ import annotations

import math
from html import escape

from autology.core.atlas.picture import Picture
from autology.graphs.layout import layout
from autology.render.graph.colours import colour
from autology.render.graph.data import labels

LABEL = 32
SPACING, MARGIN = 120, 90
"""Pixels between neighbours, and around the picture."""
RADIUS = 9
_STYLE = (
    "text{font:11px system-ui,sans-serif;fill:#222}.k{font-size:9px;fill:#777}line{stroke:#999;stroke-width:1.2}"
    "circle{stroke:#444}.c{stroke-width:3}svg{background:#fff}"
    "@media(prefers-color-scheme:dark){svg{background:#1b1d21}text{fill:#eee}.k{fill:#aaa}line{stroke:#777}}"
)
_ARROW = (
    '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0L8 4L0 8z" fill="#999"/></marker></defs>'
)


def svg(picture: Picture) -> str:
    """Return *picture* as an SVG image; vertices and links have tooltips."""
    spots = layout(len(picture.vertices), [(source, target) for source, _, target in picture.links])
    left, top = (min((spot[axis] for spot in spots), default=0.0) for axis in (0, 1))
    positions = [(MARGIN + SPACING * (x - left), MARGIN + SPACING * (y - top)) for x, y in spots]
    width, height = (max((spot[axis] for spot in positions), default=0.0) + MARGIN for axis in (0, 1))
    names = labels(picture.vertices, LABEL)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{len(picture.vertices)} nodes, {len(picture.links)} links</title>",
        f"<style>{_STYLE}</style>",
        _ARROW,
    ]
    labelled: set[tuple[int, int]] = set()
    for source, type, target in picture.links:
        lines.append(
            _link(
                positions[source], positions[target], type, (target, source) in labelled or (source, target) in labelled
            )
        )
        labelled.add((source, target))
    for number, (vertex, name, (x, y)) in enumerate(zip(picture.vertices, names, positions, strict=True)):
        tooltip = escape(f"{labels([vertex], 300)[0]} ({vertex.type})")
        css_class = ' class="c"' if picture.centred and number == 0 else ""
        circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{colour(vertex.type)}"{css_class}/>'
        below = f'<text x="{x:.1f}" y="{y + RADIUS + 12:.1f}" text-anchor="middle">{escape(name)}</text>'
        lines.append(f"<g><title>{tooltip}</title>{circle}{below}</g>")
    return "\n".join([*lines, "</svg>"])


def _link(source: tuple[float, float], target: tuple[float, float], type: str, crowded: bool) -> str:
    """Draw a link that ends at its target's rim; only one label between two vertices."""
    dx, dy = target[0] - source[0], target[1] - source[1]
    length = math.hypot(dx, dy) or 1.0
    end_x, end_y = target[0] - dx / length * (RADIUS + 2), target[1] - dy / length * (RADIUS + 2)
    line = (
        f'<g><title>{escape(type)}</title><line x1="{source[0]:.1f}" y1="{source[1]:.1f}" x2="{end_x:.1f}" '
        f'y2="{end_y:.1f}" marker-end="url(#a)"/>'
    )
    middle = f'<text class="k" x="{(source[0] + target[0]) / 2:.1f}" y="{(source[1] + target[1]) / 2 - 3:.1f}"'
    return line + ("" if crowded else f'{middle} text-anchor="middle">{escape(type)}</text>') + "</g>"
