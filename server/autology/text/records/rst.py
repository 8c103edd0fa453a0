"""The outline of a reStructuredText: underlined titles, field lists, directives, and the header block of PEPs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.records.blocks import HEAD, bare_header
from autology.text.records.field_labels import is_known
from autology.text.records.metadata import fields_among
from autology.text.records.outline import RST, Field, Heading, Outline, Place

_HEADING = re.compile(
    r"^(?:(?P<over>([=\-~#*^+`.:\"'_])\2{2,})[ \t]*\n)?(?P<title>[^\n]*\S)[ \t]*\n"
    r"(?P<under>([=\-~#*^+`:\"'_])\5{2,})[ \t]*$",
    re.MULTILINE,
)
_ATX = re.compile(r"^(?P<hashes>#{1,6})[ \t]+(?P<title>[^\n]+?)[ \t#]*$", re.MULTILINE)
_FIELD = re.compile(r"^[ \t]?:(?P<key>[A-Za-z][^:\n]{0,40}):[ \t]*(?P<value>[^\n]*(?:\n[ \t]+[^\n]+)*)", re.MULTILINE)
_DIRECTIVE = re.compile(r"^\.\. (?P<key>[a-z][\w-]{0,40})::[ \t]*(?P<value>[^\n]*)", re.MULTILINE)
_LIST_TABLE = re.compile(
    r"^(?P<indent>[ \t]+)\* - (?P<key>[^\n]+)\n(?P=indent)[ ]{2}-(?:[ ](?P<value>[^\n]*(?:\n(?P=indent)["
    r" ]{3,}[^\n]+)*))",
    re.MULTILINE,
)
SHORTEST = 4
"""Characters of an underline that is shorter than its title: docutils warns of it, and accepts it."""


def outline(text: str) -> Outline:
    """Return the outline of *text*, whose lines end in ``\\n``."""
    begin = len(text) - len(text.lstrip("\ufeff \t\n"))
    header, start = bare_header(text, begin)
    headings = tuple(_headings(text, start))
    fields: list[Field] = list(header)
    stop = min(headings[1].start if len(headings) > 1 else len(text), start + HEAD)
    for match in _FIELD.finditer(text, start, stop):
        value = match["value"].rstrip()
        shown = "\n".join(line.strip() for line in value.splitlines())
        begin = match.start("value")
        fields.append(Field(Place.FIELD_LIST, match["key"], shown, begin, begin + len(value)))
    for match in _DIRECTIVE.finditer(text, start, stop):
        value, begin = match["value"].strip(), match.start("value")
        fields.append(Field(Place.FIELD_LIST, match["key"], value, begin, begin + len(value)))
    for match in _LIST_TABLE.finditer(text, start, stop):
        if is_known(match["key"]):
            value, begin = match["value"].rstrip(), match.start("value")
            shown = "\n".join(line.strip() for line in value.splitlines())
            fields.append(Field(Place.TABLE, match["key"].strip(), shown, begin, begin + len(value)))
    fields += fields_among(text, headings, start)
    return Outline(RST, tuple(fields), headings, len(text))


def _headings(text: str, start: int) -> Iterator[Heading]:
    """Yield the titles; their levels are the order in which their adornments first appear."""
    levels: dict[str, int] = {}
    for match in _HEADING.finditer(text, start):
        title, under = match["title"], match["under"]
        is_overlined = match["over"] is not None
        if len(under) < min(SHORTEST, len(title.strip())) or (is_overlined and match["over"][0] != under[0]):
            continue
        if title[0] in " \t" and not is_overlined:
            continue  # an indented block, such as a table's
        if not is_overlined and not _starts_paragraph(text, match.start("title"), start):
            continue
        if not any(map(str.isalnum, title)):
            continue
        adornment = under[0] * (2 if is_overlined else 1)
        level = levels.setdefault(adornment, len(levels) + 1)
        yield Heading(level, title.strip(), match.start(), min(match.end() + 1, len(text)))
    if not levels:
        for match in _ATX.finditer(text, start):
            body = min(match.end() + 1, len(text))
            yield Heading(len(match["hashes"]), match["title"], match.start(), body)


def _starts_paragraph(text: str, at: int, start: int) -> bool:
    """Whether the line before *at* is blank, an explicit mark-up's, or a header's."""
    if at <= start or at < 2:
        return True
    line = text[text.rfind("\n", 0, at - 1) + 1 : at - 1]
    return not line.strip() or line.startswith(("..", "  ", ":"))
