"""MDX: markdown with components, whose text is read without them."""

from __future__ import annotations

import re

_MODULE = re.compile(
    r"^(?:import\s[^\r\n]*\bfrom\b[^\r\n]*|import\s+['\"][^\r\n]*|export\s+(?:\*|\{)[^\r\n]*)$", re.MULTILINE
)
_TAG = re.compile(r"</?[A-Z][\w.]{0,60}(?:\s[^<>]{0,2000})?/?>|</?>")
_COMMENT = re.compile(r"\{/\*.{0,2000}?\*/\}", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)


def without_components(text: str) -> str:
    """Return *text* without imports, exports, comments and the tags of components; what stands between them stays.

    Code blocks stay as they are.
    """
    parts = []
    done = 0
    marks = [match.start() for match in _FENCE.finditer(text)]
    for opening, closing in zip(marks[::2], [*marks[1::2], len(text)], strict=False):
        parts += [_cleaned(text[done:opening]), text[opening:closing]]
        done = closing
    return "".join([*parts, _cleaned(text[done:])])


def _cleaned(text: str) -> str:
    return _TAG.sub("", _COMMENT.sub("", _MODULE.sub("", text)))
