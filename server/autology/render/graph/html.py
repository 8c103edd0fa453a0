"""The whole graph as a self-contained, read-only HTML file."""

from __future__ import annotations

import base64
import json
import os
import re
from hashlib import sha256
from html import escape

from autology.core.atlas.display import DisplayGraph
from autology.render.graph import data
from autology.text.redaction import redact

PICTURE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "picture")
MODULES = ("elements.js", "links.js", "layout.js", "canvas.js", "explorer.js", "file.js")
"""The picture's JavaScript modules, in dependency order."""
STYLES = ("theme.css", "picture.css")
_IMPORT = re.compile(r"^import .* from .*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def html(graph: DisplayGraph, name: str) -> str:
    """Return *graph*, the graph of the project *name*, as a page."""
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", _text(module))) for module in MODULES)
    style = "\n".join(_text(sheet) for sheet in STYLES)
    graph_data = data.whole(graph)
    for node in graph_data["nodes"]:  # recipients of the file may not be allowed to see secrets in titles
        node["title"] = redact(node["title"])[0]
    # Escaped, so that no text can close the script element.
    graph_json = json.dumps({"name": name, **graph_data}, ensure_ascii=False).replace("<", "\\u003c")
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)} — knowledge graph</title>\n<style>{style}</style>\n"
        f'<script type="application/json" id="graph">{graph_json}</script>\n'
        f'<main id="picture"></main>\n<script type="module">{script}</script>\n</html>\n'
    )


def _text(name: str) -> str:
    # Universal newlines, as browsers normalise them before hashing.
    with open(os.path.join(PICTURE, name), encoding="utf-8", newline=None) as file:
        return file.read()


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
