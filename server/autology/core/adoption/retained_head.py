"""A new text for an adopted record keeps the record's title and status if it brings none of its own."""

from __future__ import annotations

import re

from autology.core.adoption import reread_record
from autology.core.adoption.record_facts import Adopted
from autology.text.records.field_labels import is_known, normal
from autology.text.records.outline import Field, Heading, Outline, Place

_OUTSIDE = (Place.SIDECAR, Place.FRONTMATTER, Place.NAME, Place.FOLDER)
"""Places that a new text does not replace; a node's text does not include markdown's front matter."""
_STATUS = "status"
_BLANK_LINE = re.compile(r"(?<=\n)[ \t]*\r?\n")


def with_head(one: Adopted, text: str, outline: Outline, start: int, after: str, replacement: Outline) -> str:
    """Return the text *after*, with the outline *replacement*, for what follows *start* in *text*, the record's own.

    If it has no title, the head of the record comes before it: title, metadata and the sections that state them. If it
    has a title and no status, the metadata below the record's title follows that title.
    """
    status = _field(one, outline, _STATUS)
    title = _title(one, outline)
    has_title = title is None or _brings_title(outline, replacement)
    has_status = status is None or _field(one, replacement, _STATUS) is not None
    if has_title and has_status:
        return after
    end = _end_of_head(one, outline, text)
    under_title = title.body if title else start
    if not has_title:
        if status is not None and _field(one, replacement, _STATUS) is not None:
            end = under_title
        return _joined(text[start:end] + _section(outline, text, status, end), after)
    at = replacement.headings[0].body if title and replacement.headings else 0
    retained = text[under_title:end] + _section(outline, text, status, end)
    return _joined(after[:at], _joined(retained.strip("\r\n"), after[at:]))


def _title(one: Adopted, outline: Outline) -> Heading | None:
    """Return the heading that is the record's title; None if it has its title elsewhere."""
    location = one.located.get("title")
    is_heading = location is not None and location[0] == Place.HEADING
    return reread_record.heading_of(outline) if is_heading else None


def _brings_title(outline: Outline, replacement: Outline) -> bool:
    """Whether *replacement* begins with a title, and not with the heading of a section as the record has them."""
    if not replacement.headings or replacement.headings[0].level > 1:
        return False
    sections = {normal(heading.title) for heading in outline.headings[1:]}
    return normal(replacement.headings[0].title) not in sections


def _field(one: Adopted, outline: Outline, name: str) -> Field | None:
    """Return the field of *outline* that the record's value *name* is read from, if a new text replaces it."""
    location = one.located.get(name)
    if location is None or location[0] in _OUTSIDE:
        return None
    field = reread_record.field_at(outline, location)
    return field if field and field.value.strip() else None


def _end_of_head(one: Adopted, outline: Outline, text: str) -> int:
    """Return where the paragraph with the last of the metadata ends that stands before any other section."""
    title = _title(one, outline)
    stating = {normal(field.label) for field in outline.fields if field.place is Place.SECTION}
    others = (heading for heading in outline.headings if heading is not title and normal(heading.title) not in stating)
    first = next((heading.start for heading in others), outline.length)
    stops = [
        field.stop
        for field in outline.fields
        if field.place not in _OUTSIDE and field.stop <= first and is_known(field.label)
    ]
    if not stops:
        return title.body if title else 0
    ending = _BLANK_LINE.search(text, max(stops), first)
    return ending.start() if ending else first


def _section(outline: Outline, text: str, field: Field | None, end: int) -> str:
    """Return the section that *field* is the text of, if that lies after *end*."""
    if field is None or field.place is not Place.SECTION or field.start < end:
        return ""
    index = max(at for at, heading in enumerate(outline.headings) if heading.body <= field.start)
    return text[outline.headings[index].start : outline.stop(index)]


def _joined(head: str, rest: str) -> str:
    """Return *head* and *rest* with an empty line between them."""
    ending = "\r\n" if "\r\n" in head else "\n"
    return f"{head.rstrip()}{ending}{ending}{rest.lstrip()}" if head.strip() and rest.strip() else head or rest
