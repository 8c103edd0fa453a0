"""A text of any form as its fields and headings, with their exact places: by them, records are recognised and read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MARKDOWN, RST, ASCIIDOC, ORG, WIKI, TEXT = "markdown", "rst", "asciidoc", "org", "mediawiki", "text"
FORMS = {
    ".md": MARKDOWN,
    ".mdx": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdown": MARKDOWN,
    ".mkd": MARKDOWN,
    ".rst": RST,
    ".adoc": ASCIIDOC,
    ".asciidoc": ASCIIDOC,
    ".asc": ASCIIDOC,
    ".org": ORG,
    ".mediawiki": WIKI,
    ".txt": TEXT,
}
"""The form of a text by the extension of its file."""


class Place(StrEnum):
    """Where in a record a value lies."""

    FRONTMATTER = "frontmatter"  # YAML or TOML at the top
    HEADER = "header"  # a block of ``Key: value`` lines, as in PEPs and BIPs, bare or in a code block
    SIDECAR = "sidecar"  # a YAML file beside the text
    FIELD_LIST = "field list"  # ``:Key: value`` of reStructuredText, AsciiDoc and Org, and rst directives
    TABLE = "table"  # a row of a table
    LINE = "labelled line"  # ``- Status: x``, ``**Status:** x``
    HEADING = "heading"  # the title's heading
    SECTION = "section"  # the text of a section, as Nygard's ``## Status``
    PROSE = "text"  # words anywhere in the text
    NAME = "file name"  # the name of the file, or of the record's folder
    FOLDER = "folder"  # the name of the folder that the record lies in: ``accepted/``


@dataclass(frozen=True, slots=True)
class Field:
    """A labelled value: ``text[start:stop]`` is the *value* with its mark-up; *label* is as written."""

    place: Place
    label: str
    value: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level (1 is the title's), title, and where it and the text under it begin."""

    level: int
    title: str
    start: int
    body: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A text's *form*, its fields and headings in order; *lead* is where the text after the metadata block begins."""

    form: str
    fields: tuple[Field, ...]
    headings: tuple[Heading, ...]
    length: int

    def stop(self, index: int) -> int:
        """Return where the text under the heading at *index* ends: at the next heading."""
        return self.headings[index + 1].start if index + 1 < len(self.headings) else self.length


def form_of(path: str) -> str | None:
    """Return the form of the text at *path* by its extension; None if it is not a text's."""
    name = path.rsplit("/", 1)[-1]
    return FORMS.get(name[name.rfind(".") :].lower()) if "." in name else None
