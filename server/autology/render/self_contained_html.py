"""A self-contained HTML file: scripts, styles and data inside it, and a policy that allows nothing else."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
PICTURE = os.path.join(_HERE, "graph", "picture")
SITE = os.path.join(_HERE, "site")
_IMPORT = re.compile(r"^import .* from .*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def page(
    title: str,
    scripts: Sequence[str],
    styles: Sequence[str],
    data: Mapping[str, Any],
    body: str,
    head: str = "",
    images: str = "data:",
) -> str:
    """Return a page of the *scripts*, modules in dependency order, the *styles* and the *data*, each with its id.

    *head* and *body* are HTML of our own; *images* are the sources of images that the policy allows.
    """
    script = "\n".join(_EXPORT.sub("", _IMPORT.sub("", _text(module))) for module in scripts)
    style = "\n".join(_text(sheet) for sheet in styles)
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src {images}; "
        "base-uri 'none'; form-action 'none'"
    )
    # Escaped, so that no text can close the script element.
    stored = "".join(
        f'<script type="application/json" id="{id}">'
        + json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
        + "</script>\n"
        for id, value in data.items()
    )
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{head}'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n"
        f'{stored}{body}\n<script type="module">{script}</script>\n</html>\n'
    )


def _text(path: str) -> str:
    # Universal newlines, as browsers normalise them before hashing.
    with open(path, encoding="utf-8", newline=None) as file:
        return file.read()


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
