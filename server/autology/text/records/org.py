"""The outline of an Org text: ``*`` headings, ``#+KEY:`` lines, property drawers and description lists."""

from __future__ import annotations

import re

from autology.text.records.blocks import HEAD
from autology.text.records.metadata import fields_among
from autology.text.records.outline import ORG, Field, Heading, Outline, Place
from autology.text.records.verbatim import without_verbatim

_HEADING = re.compile(r"^(?P<stars>\*+)[ \t]+(?P<title>\S[^\n]*?)[ \t]*(?::[\w@:]+:)?[ \t]*$", re.MULTILINE)
_KEYWORD = re.compile(r"^[ \t]*#\+(?P<key>[A-Za-z][\w-]*):[ \t]*(?P<value>[^\n]+)$", re.MULTILINE)
_PROPERTY = re.compile(r"^[ \t]*:(?P<key>(?!PROPERTIES:|END:)[A-Za-z][\w-]*):[ \t]+(?P<value>[^\n]+)$", re.MULTILINE)
_ITEM = re.compile(
    r"^[ \t]*[-+][ \t]+\*?(?P<key>[^\W\d_][\w /-]{0,40}?)\*?[ \t]+::[ \t]+(?P<value>[^\n]+)$", re.MULTILINE
)
_FENCES = re.compile(r"^[ \t]*#\+(?:begin_(?P<opens>\w+)|end_(?P<closes>\w+))[^\n]*$", re.MULTILINE | re.IGNORECASE)


def outline(text: str) -> Outline:
    """Return the outline of *text*, whose lines end in ``\\n``; ``#+TITLE:`` is a heading above all others."""
    prose = without_verbatim(text, _FENCES)
    headings = tuple(
        Heading(len(match["stars"]), match["title"], match.start(), min(match.end() + 1, len(text)))
        for match in _HEADING.finditer(prose)
    )
    stop = min(headings[1].start if len(headings) > 1 else len(text), HEAD)
    fields: list[Field] = []
    for form in (_KEYWORD, _PROPERTY, _ITEM):
        for match in form.finditer(prose, 0, stop):
            value = match["value"].strip()
            begin = match.start("value")
            fields.append(Field(Place.FIELD_LIST, match["key"], value.strip("[]<>"), begin, begin + len(value)))
    fields += fields_among(prose, headings, 0)
    return Outline(ORG, tuple(fields), headings, len(text))
