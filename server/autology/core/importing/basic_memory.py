"""Importing notes of basic-memory: markdown with observations and relations as lists, kept unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from autology.core.importing.originals import Original, Refused
from autology.core.importing.other_tool_data import ForeignData, ForeignItem, ForeignLink
from autology.core.importing.relation_names import relation_of
from autology.model.node import DecisionStatus, NodeType, RelationType
from autology.text.language.timestamps import parse_stamp
from autology.text.markdown.blocks import without_code
from autology.text.markdown.sections import sections
from autology.text.notes import frontmatter
from autology.text.notes.yaml_subset import Value, YamlError

KIND = "basic-memory"
_RELATION = re.compile(
    r"^[ \t]*[-*] +(?:\"([^\"\n]+)\"|([^\[\n]*?)) *\[\[([^\]\n]+)\]\](?: *\(([^)\n]*)\))? *\r?$", re.MULTILINE
)
_WIKI = re.compile(r"\[\[([^\]|#\n]+)(?:[|#][^\]\n]*)?\]\]")
_OBSERVATION = re.compile(r"^[ \t]*[-*] +\[[^\]\n]{2,60}\] .*$", re.MULTILINE)
_HASHTAG = re.compile(r"(?<![\w/])#([A-Za-z][\w-]*)")
_OWN = ("title", "tags", "created", "modified")


def read(originals: Sequence[Original], refused: Sequence[Refused]) -> ForeignData:
    """Return the notes: their text word for word, their relations and tags as ours."""
    items, remarks = [], []
    for original in originals:
        try:
            items.append(_item(original))
        except YamlError as error:
            items.append(_as_text(original))
            remarks.append(f"{original.path}: frontmatter {error}; imported as plain text, without its relations")
    return ForeignData(KIND, tuple(items), tuple(refused), tuple(remarks))


def _item(original: Original) -> ForeignItem:
    parts = frontmatter.split(original.text)
    front = frontmatter.read(parts.front) if parts else {}
    body = parts.body if parts else original.text
    stem = original.path.rpartition("/")[2].rpartition(".")[0]
    heading = next((section for section in sections(body) if section.level == 1), None)
    if heading and body[: heading.start].strip():
        heading = None
    title = _text(front.get("title")) or (heading.title if heading else "") or stem
    content = body[heading.body :].lstrip() if heading and heading.title == title else body
    permalink = _text(front.get("permalink"))
    path = original.path.rpartition(".")[0]
    below = path.partition("/")[2]
    plain = without_code(body)
    return ForeignItem(
        key=original.path,
        names=tuple(name for name in (stem, path, below, title, permalink) if name),
        title=title,
        content=content.strip("\r\n"),
        moment=_moment(front, original.changed),
        type=_type(front),
        tags=tuple(dict.fromkeys([*_tags(front.get("tags")), *_observed_tags(plain)])),
        links=tuple(_links(plain)),
        extra=_extra(front),
        decision_status=_decided(front),
    )


def _as_text(original: Original) -> ForeignItem:
    stem = original.path.rpartition("/")[2].rpartition(".")[0]
    return ForeignItem(original.path, stem, original.text, original.changed, (stem,))


def _links(body: str) -> Iterator[ForeignLink]:
    """The relations of the lists, and all other links of the text."""
    targets = set()
    for match in _RELATION.finditer(body):
        word = " ".join((match[1] or match[2] or "").split())
        target = match[3].partition("|")[0].partition("#")[0].strip()
        type, description = relation_of(word or RelationType.RELATES_TO.value)
        context = f"{description or ''} ({match[4]})".strip() if match[4] else description
        targets.add(target)
        yield ForeignLink(target, type, context, written=True)
    for target in dict.fromkeys(link[1].strip() for link in _WIKI.finditer(body)):
        if target not in targets:
            yield ForeignLink(target, RelationType.RELATES_TO, "links_to", 0.7, written=True)


def _type(front: Mapping[str, Value]) -> NodeType | None:
    word = _text(front.get("type")).lower()
    return NodeType(word) if word in {type.value for type in NodeType} else None


def _decided(front: Mapping[str, Value]) -> DecisionStatus | None:
    word = _text(front.get("status")).lower()
    return DecisionStatus(word) if word in {status.value for status in DecisionStatus} else None


def _tags(value: Value | None) -> list[str]:
    values = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    # The tool's command line writes several as one, separated by commas.
    split = (tag.strip().lstrip("#") for item in values if isinstance(item, str) for tag in item.split(","))
    return [tag for tag in split if tag]


def _observed_tags(body: str) -> list[str]:
    return [tag for line in _OBSERVATION.finditer(body) for tag in _HASHTAG.findall(line[0])]


def _extra(front: Mapping[str, Value]) -> dict[str, object]:
    """Every key that is not ours, under a name that cannot collide with one of ours."""
    return {f"basic_memory_{key}": value for key, value in front.items() if key not in _OWN and value}


def _moment(front: Mapping[str, Value], changed: str) -> str:
    for key in ("created", "modified"):
        try:
            return parse_stamp(_text(front.get(key)))
        except (ValueError, OverflowError):
            continue
    return changed


def _text(value: Value | None) -> str:
    return value.strip() if isinstance(value, str) else ""
