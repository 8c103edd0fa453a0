"""The picture of the whole graph as one file to share: it asks nothing of anybody and changes nothing."""

from __future__ import annotations

import base64
import json
import os
import re
from hashlib import sha256
from html import escape

from autology.core.atlas.whole import Whole
from autology.drawn import data
from autology.text.redact import redact

PICTURE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "picture")
MODULES = ("elements.js", "links.js", "layout.js", "canvas.js", "explorer.js", "file.js")
"""The picture's own modules, each after those that it imports."""
STYLES = ("theme.css", "picture.css")
_IMPORT = re.compile(r"^import .* from .*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def html(shown: Whole, name: str) -> str:
    """Return *shown*, the graph of the project called *name*, as a page."""
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", _text(module))) for module in MODULES)
    style = "\n".join(_text(sheet) for sheet in STYLES)
    told = data.whole(shown)
    for node in told["nodes"]:  # whoever gets the file may see less than whoever wrote the titles
        node["title"] = redact(node["title"])[0]
    # Nothing in a text may end the element that it stands in.
    graph = json.dumps({"name": name, **told}, ensure_ascii=False).replace("<", "\\u003c")
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)} — knowledge graph</title>\n<style>{style}</style>\n"
        f'<script type="application/json" id="graph">{graph}</script>\n'
        f'<main id="picture"></main>\n<script type="module">{script}</script>\n</html>\n'
    )


def _text(name: str) -> str:
    # Newlines as a browser reads them, or the hash would be of another text.
    with open(os.path.join(PICTURE, name), encoding="utf-8", newline=None) as file:
        return file.read()


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
