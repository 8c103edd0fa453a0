"""Reading a document of any form: its metadata, title, sections, links, and where its text begins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autology.text.adr.plain import plain
from autology.text.documents import mdx, references
from autology.text.markdown import links
from autology.text.markdown.links import Mention
from autology.text.markdown.sections import Section, sections
from autology.text.notes import frontmatter
from autology.text.notes.yaml_subset import Value, YamlError
from autology.text.records import reading
from autology.text.records.blocks import bare_header, yaml_fields
from autology.text.records.field_labels import key_of
from autology.text.records.outline import ASCIIDOC, FORMS, MARKDOWN, ORG, RST, TEXT, Outline, Place

HEAD = 20_000
"""Characters from the beginning in which a title is looked for."""
_TOML = re.compile(r"\ufeff?\+\+\+[ \t]*\r?\n(?P<front>.*?)^\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_ROLE = re.compile(r":[a-z]+:`([^`]*)`|``([^`]*)``")
_MACRO = re.compile(r"(?:link|xref):\S+?\[([^\]]*)\]")
_ORG_LINK = re.compile(r"\[\[[^\[\]]{1,500}\]\[([^\[\]]{1,500})\]\]")
_ORG_HEAD = re.compile(r"\ufeff?(?:[ \t]*(?::[\w-]+:[^\r\n]*|#\+[\w-]+:[^\r\n]*|# [^\r\n]*)?\r?\n)*", re.IGNORECASE)
_LISTED = re.compile(r"[,;\s]+")
_QUOTED = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document: *front* is its metadata, *title* what it states as one, or ""; *body* where its text begins."""

    front: Mapping[str, Value]
    title: str
    body: int
    sections: tuple[Section, ...]
    mentions: tuple[Mention, ...]
    aliases: tuple[str, ...] = ()


def form_of(path: str) -> str:
    """Return the form of the document at *path*; any other text is plain."""
    name = path.rpartition("/")[2]
    return MARKDOWN if name.endswith(".mdc") else FORMS.get(name[name.rfind(".") :].lower(), TEXT)


def read(text: str, path: str) -> ReadDocument:
    """Return the document in *text*, the file at *path*. Any text is one."""
    form = form_of(path)
    return _read_markdown(text) if form == MARKDOWN else _read_outlined(text, form)


def body_start(text: str, path: str) -> int:
    """Return where the text of the document at *path* begins, after its metadata."""
    form = form_of(path)
    if form == ORG:
        match = _ORG_HEAD.match(text)
        return match.end() if match else 0
    if start := frontmatter.body_start(text):
        return start
    if form == MARKDOWN and (toml := _TOML.match(text)):
        return toml.end()
    return 0


def shown_text(text: str, path: str) -> str:
    """Return a passage of the document at *path* as people read it, of any length."""
    return mdx.without_components(text) if path.lower().endswith(".mdx") else text


def _read_markdown(text: str) -> ReadDocument:
    body = frontmatter.body_start(text)
    front: Mapping[str, Value] = {}
    if body:
        front = _yaml(text)
    elif toml := _TOML.match(text):
        body = toml.end()
        fields = yaml_fields(text, toml.start("front"), toml.end("front"), Place.FRONTMATTER)
        front = {field.label: field.value for field in fields}
    divided = tuple(section for section in sections(text) if section.start >= body)
    title = _text(front.get("title")) or _heading_title(divided)
    if not body and not title:
        header, _ = bare_header(text[:HEAD], 0)
        title = next((field.value for field in header if key_of(field.label) == "title"), "")
    return ReadDocument(front, title, body, divided, links.mentions(text))


def _heading_title(divided: Sequence[Section]) -> str:
    """Return the first heading of the highest level near the beginning, else the first heading."""
    near = [section for section in divided if section.start < HEAD]
    top = next((section.title for section in near if section.level == 1 and section.title), "")
    return top or next((section.title for section in near[:1]), "")


def _yaml(text: str) -> Mapping[str, Value]:
    parts = frontmatter.split(text)
    if parts is None:
        return {}
    try:
        return frontmatter.read(parts.front)
    except YamlError:
        return {}  # perhaps being edited; its text is searched anyway


def _read_outlined(text: str, form: str) -> ReadDocument:
    outline = reading.read(text, form)
    front = dict(_front(outline)) | dict(_yaml(text))
    stops = [*(heading.start for heading in outline.headings[1:]), len(text)]
    divided = tuple(
        Section(heading.level, _plain(heading.title), heading.start, heading.body, max(heading.body, stop))
        for heading, stop in zip(outline.headings, stops, strict=False)
    )
    title = _plain(_text(front.get("title"))) or _outlined_title(outline)
    body = body_start(text, "x.org") if form == ORG else frontmatter.body_start(text)
    mentions = references.mentions(text, form)
    aliases: tuple[str, ...] = ()
    if form == ORG:
        aliases = tuple(references.org_ids(text))
        quoted = _QUOTED.findall(_text(front.get("roam_aliases")))
        aliases += tuple(name or word for name, word in quoted)
    tags = _LISTED.split(_text(front.get("filetags")).strip(":").replace(":", " "))
    tags += _LISTED.split(_text(front.get("tags")) if form == RST else "")
    tagged = tuple(Mention(links.TAGGED_AS, tag, links.NOWHERE, links.NOWHERE, links.TAG) for tag in tags if tag)
    return ReadDocument(front, title, body, divided, (*tagged, *mentions), aliases)


def _front(outline: Outline) -> Sequence[tuple[str, str]]:
    """Return what the text says of itself before its first section, by label."""
    stop = outline.headings[1].start if len(outline.headings) > 1 else outline.length
    places = (Place.HEADER, Place.FIELD_LIST, Place.FRONTMATTER)
    return [
        (field.label.lower(), field.value) for field in outline.fields if field.place in places and field.start < stop
    ]


def _outlined_title(outline: Outline) -> str:
    if outline.form == ASCIIDOC:
        top = next((heading.title for heading in outline.headings if heading.level == 1), "")
        return _plain(top or next((heading.title for heading in outline.headings), ""))
    return _plain(next((heading.title for heading in outline.headings if heading.start < HEAD), ""))


def _plain(title: str) -> str:
    """Return a title in any form's mark-up as text."""
    if not title:
        return ""
    title = _ORG_LINK.sub(r"\1", _MACRO.sub(r"\1", _ROLE.sub(lambda match: match[1] or match[2], title)))
    return plain(title)


def _text(value: object) -> str:
    return value if isinstance(value, str) and value.strip() else ""
