"""The outline of a MediaWiki text: ``==`` headings and the header block in ``<pre>``."""

from __future__ import annotations

import re

from autology.text.records.blocks import HEAD, bare_header, boxed_header
from autology.text.records.metadata import fields_among
from autology.text.records.outline import WIKI, Heading, Outline

_HEADING = re.compile(r"^(?P<marks>={1,6})[ \t]*(?P<title>[^=\n][^\n]*?)[ \t]*(?P=marks)[ \t]*$", re.MULTILINE)


def outline(text: str) -> Outline:
    """Return the outline of *text*, whose lines end in ``\\n``."""
    headings = tuple(
        Heading(len(match["marks"]), match["title"], match.start(), min(match.end() + 1, len(text)))
        for match in _HEADING.finditer(text)
    )
    stop = min(headings[1].start if len(headings) > 1 else len(text), HEAD)
    header, start = boxed_header(text, 0, stop)
    if not header:
        header, start = bare_header(text, 0)
    return Outline(WIKI, (*header, *fields_among(text, headings, start)), headings, len(text))
