"""The outline of a markdown text: frontmatter in YAML or TOML, ATX and setext headings."""

from __future__ import annotations

import re

from autology.text.markdown.blocks import without_blocks
from autology.text.markdown.sections import sections
from autology.text.notes import frontmatter
from autology.text.records.blocks import HEAD, bare_header, boxed_header, yaml_fields
from autology.text.records.metadata import fields_among
from autology.text.records.outline import MARKDOWN, Field, Heading, Outline, Place

_TOML = re.compile(r"\ufeff?\+\+\+[ \t]*\n(?P<front>.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


def outline(text: str) -> Outline:
    """Return the outline of *text*, whose lines end in ``\\n``."""
    fields: list[Field] = []
    start = 0
    if parts := frontmatter.split(text):
        start = len(text) - len(parts.body)
        fields += yaml_fields(text, len(parts.opening), start - len(parts.closing), Place.FRONTMATTER)
    elif toml := _TOML.match(text):
        start = toml.end()
        fields += yaml_fields(text, toml.start("front"), toml.end("front"), Place.FRONTMATTER)
    prose = without_blocks(text)
    headings = tuple(
        Heading(section.level, section.title, section.start, section.body)
        for section in sections(text, prose)
        if section.start >= start
    )
    begin = start + len(text[start:]) - len(text[start:].lstrip("\ufeff \t\n"))
    header, start = bare_header(prose, begin) if not headings or headings[0].start > begin else ([], start)
    if not header:
        first = headings[1].start if len(headings) > 1 else len(text)
        header, start = boxed_header(text, start, min(first, start + HEAD))
    fields += header
    fields += fields_among(prose, headings, start, text)
    return Outline(MARKDOWN, tuple(fields), headings, len(text))
