"""The outline of an AsciiDoc text: ``=`` titles, attributes, labelled lists and tables of metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.notes import frontmatter
from autology.text.records.blocks import HEAD, bare_header, yaml_fields
from autology.text.records.field_labels import is_known
from autology.text.records.metadata import fields_among
from autology.text.records.outline import ASCIIDOC, Field, Heading, Outline, Place
from autology.text.records.verbatim import without_verbatim

_HEADING = re.compile(r"^(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S[^\n]*?)(?:[ \t]+(?P=marks))?[ \t]*$", re.MULTILINE)
_FENCES = re.compile(r"^(?P<both>-{4,}|\.{4,}|`{3,}|\+{4,}|/{4,})[ \t]*[\w, -]*$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"^:(?P<key>[A-Za-z][\w-]{0,40}):[ \t]+(?P<value>[^\n]*)$", re.MULTILINE)
_LIST = re.compile(
    r"^[ \t]*(?:\*\*?|__?)?(?P<key>[^\W\d_][\w /-]{0,40}?)(?:\*\*?|__?)?::[ \t]+(?P<value>[^\n]+)$", re.MULTILINE
)
_TABLE = re.compile(r"^[|,!]===[ \t]*\n(?P<rows>.*?)^[|,!]===[ \t]*$", re.MULTILINE | re.DOTALL)
_CELL = re.compile(
    r"(?:(?<=\n)|(?<=\s)|^)(?:\d+[+*])?[.<^>]*[aehlmsdv]?\|(?P<cell>(?:(?!(?:(?<=\n)|(?<=\s))(?:\d+[+*])?[.<^>]*[aehlmsdv]?\|).)*)",
    re.DOTALL,
)
_LINE_BREAK = re.compile(r" \+$", re.MULTILINE)
_REVISION = re.compile(r"^(?:v?\d[\w.]*,[ \t]*)?(?P<date>\d{4}-\d{2}-\d{2})\b[^\n]*$", re.MULTILINE)


def outline(text: str) -> Outline:
    """Return the outline of *text*, whose lines end in ``\\n``."""
    fields: list[Field] = []
    start = 0
    if parts := frontmatter.split(text):
        start = len(text) - len(parts.body)
        fields += yaml_fields(text, len(parts.opening), start - len(parts.closing), Place.FRONTMATTER)
    prose = _LINE_BREAK.sub("  ", without_verbatim(text, _FENCES))
    headings = tuple(
        Heading(len(match["marks"]), match["title"], match.start(), min(match.end() + 1, len(text)))
        for match in _HEADING.finditer(prose, start)
    )
    header, after = bare_header(prose, start)
    fields += header
    start = max(start, after)
    stop = min(headings[1].start if len(headings) > 1 else len(text), start + HEAD)
    for form in (_ATTRIBUTE, _LIST):
        for match in form.finditer(prose, start, stop):
            fields.append(_field(Place.FIELD_LIST, match["key"], match["value"], match.start("value")))
    for table in _TABLE.finditer(text, start, stop):
        fields += _table_fields(text, table.start("rows"), table.end("rows"))
    fields += fields_among(_TABLE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), prose), headings, start)
    if headings and (revision := _REVISION.search(prose, headings[0].body, min(stop, headings[0].body + 300))):
        fields.append(_field(Place.LINE, "revision date", revision["date"], revision.start("date")))
    return Outline(ASCIIDOC, tuple(fields), headings, len(text))


def _table_fields(text: str, start: int, stop: int) -> Iterator[Field]:
    """Yield the rows of a table of two columns as fields."""
    cells = list(_CELL.finditer(text[start:stop]))
    for label, value in zip(cells[::2], cells[1::2], strict=False):
        name = label["cell"].strip(" \t\n*_")
        if is_known(name) or (name.isalpha() and len(name) <= 5):
            yield _field(Place.TABLE, name, value["cell"], start + value.start("cell"))


def _field(place: Place, label: str, value: str, start: int) -> Field:
    begin = start + len(value) - len(value.lstrip())
    shown = value.strip()
    return Field(place, label, shown, begin, begin + len(shown))
