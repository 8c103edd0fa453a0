"""The whole graph as a self-contained, read-only HTML file."""

from __future__ import annotations

import os

from autology.core.atlas.display import DisplayGraph
from autology.render import self_contained_html
from autology.render.graph import data
from autology.text.redaction import redact

EXPLORER = (
    *("elements.js", "relations.js", "links.js", "graph.js", "grouping.js", "repulsion.js", "layout.js"),
    *("labels.js", "painter.js", "canvas.js", "filters.js", "card.js", "unlinked.js", "keeping.js"),
    *("explorer.js", "nearby.js"),
)
"""The modules of the interactive graph and of the one around a note, in dependency order."""
MODULES = (*EXPLORER, "file.js")
STYLES = ("theme.css", "picture.css")


def html(graph: DisplayGraph, name: str) -> str:
    """Return *graph*, the graph of the project *name*, as a page."""
    graph_data = data.whole(graph)
    for node in graph_data["nodes"]:  # recipients of the file may not be allowed to see secrets in titles
        node["title"] = redact(node["title"])[0]
    graph_data["folders"] = [redact(folder)[0] for folder in graph_data["folders"]]
    return self_contained_html.page(
        f"{name} — knowledge graph",
        [os.path.join(self_contained_html.PICTURE, module) for module in MODULES],
        [os.path.join(self_contained_html.PICTURE, sheet) for sheet in STYLES],
        {"graph": {"name": name, **graph_data}},
        '<main id="picture"></main>',
    )
