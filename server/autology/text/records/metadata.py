"""Where the metadata of a text stands among its headings: one rule for every form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autology.text.adr.fields import badges
from autology.text.records.blocks import HEAD, boxed_header, labelled_fields
from autology.text.records.field_labels import key_of, normal
from autology.text.records.outline import Field, Heading, Place

_METADATA = re.compile(
    r"(?:meta|metadata|meta ?data|preamble|header|document (?:info|information|control|details)|info|details|about"
    r"|metadaten|métadonnées|metadatos|metadados|метаданные|元数据|メタデータ)\Z",
    re.IGNORECASE,
)
_STATED = ("status", "date", "history", "authors", "deciders", "supersedes", "superseded_by", "relates_to")
_OTHERWISE = frozenset("updates extends modifies clarifies replacement editor owner editors since published".split())
"""Titles of sections that are about something else."""
LONGEST_SECTION = 3_000
"""Characters read of a section that states a field."""


def fields_among(text: str, headings: Sequence[Heading], start: int, whole: str = "") -> Iterator[Field]:
    """Yield the labelled lines before the first section, and in sections called Metadata, and sections such as Status.

    *start* is where the text after a header block begins; *whole* is the text with its code, if *text* is without.
    """
    stops = [*(heading.start for heading in headings[1:]), len(text)]
    first = headings[0].start if headings else len(text)
    yield from labelled_fields(text, start, min(first, start + HEAD))
    second = min(headings[1].start if len(headings) > 1 else len(text), start + HEAD)
    yield from (Field(Place.LINE, label, value, start, start) for label, value in badges(text[start:second]))
    for at, (heading, stop) in enumerate(zip(headings, stops, strict=False)):
        is_metadata = _METADATA.match(heading.title.strip(" :"))
        body = max(heading.body, start)
        if (at == 0 or is_metadata) and body < stop:
            if is_metadata and (boxed := boxed_header(whole or text, body, min(stop, body + HEAD))[0]):
                yield from boxed
            yield from labelled_fields(text, body, min(stop, body + HEAD))
        is_section = at or any(other.level == heading.level for other in headings[1:])
        stated = is_section and key_of(heading.title) in _STATED and normal(heading.title) not in _OTHERWISE
        if stated and (field := _stated(text, heading, stop)):
            yield field


def _stated(text: str, heading: Heading, stop: int) -> Field | None:
    """Return the text of a section such as Status as a field."""
    body = text[heading.body : min(stop, heading.body + LONGEST_SECTION)]
    value = body.strip()
    start = heading.body + len(body) - len(body.lstrip())
    return Field(Place.SECTION, heading.title, value, start, start + len(value)) if value else None
