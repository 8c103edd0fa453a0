"""The read-only site: one HTML file with everything in it, which opens from a disk or any static host."""

from __future__ import annotations

import os
from typing import Any

from autology.core.nodes.site import Site, SitePage
from autology.render import self_contained_html
from autology.render.graph import data
from autology.render.graph.html import EXPLORER

GENERATOR = '<meta name="generator" content="autology export site">\n'
"""What tells such a file from all others."""
STYLES = ("theme.css", "picture.css")
_BODY = """\
<a class="skip" href="#view">Skip to content</a>
<header class="top" id="top"></header>
<main id="view" tabindex="-1">
<noscript><p class="state">This site needs JavaScript. It loads nothing from other hosts.</p></noscript>
</main>
<div id="announcement" class="unseen" role="status" aria-live="polite"></div>"""


def html(site: Site, name: str) -> str:
    """Return *site*, of the project *name*, as a page."""
    graph = data.whole(site.graph)
    numbers = {node["id"]: number for number, node in enumerate(graph["nodes"])}
    pages = sorted(site.pages, key=lambda page: numbers[page.id])
    return self_contained_html.page(
        name,
        [
            *(os.path.join(self_contained_html.PICTURE, module) for module in EXPLORER),
            *(os.path.join(self_contained_html.SITE, module) for module in ("markdown.js", "site.js")),
        ],
        [
            *(os.path.join(self_contained_html.PICTURE, sheet) for sheet in STYLES),
            *(os.path.join(self_contained_html.SITE, sheet) for sheet in ("text.css", "frame.css", "site.css")),
        ],
        {
            "project": {"name": name},
            "graph": graph,
            "pages": [_page(page) for page in pages],
            "images": site.images.addresses,
        },
        _BODY,
        GENERATOR,
        # From a disk, some browsers do not take the files beside the page for its own.
        "'self' file: data:" if site.images.files else "data:",
    )


def _page(page: SitePage) -> dict[str, Any]:
    """Return what the graph's data, which have the id, the title and the type, lack; nothing empty."""
    values: dict[str, Any] = {
        "address": page.address,
        "path": page.path,
        "created": page.created,
        "decision_status": page.decision_status,
        "references": list(page.references),
        "descriptions": {f"{type} {target}": text for (type, target), text in page.descriptions.items()},
        "content": page.content,
    }
    return {name: value for name, value in values.items() if value}
