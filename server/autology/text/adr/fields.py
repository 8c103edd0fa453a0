"""A record's metadata in labelled lines, badges and its frontmatter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from autology.text.markdown.blocks import LINE_START
from autology.text.notes import frontmatter
from autology.text.notes.yaml_subset import YamlError

_LABEL = re.compile(
    LINE_START
    + r"[ \t>]*+(?:[-*+][ \t]++|\|[ \t]*+)?(?:<b>|<strong>)?[*_]{0,3}"
    + r"(?P<label>[^\W\d_](?:[^\W\d_]|[ \t/’'-]|\(s\)){1,30}?)[ \t]*"
    + r"(?:[*_]{1,3}[ \t]*[:：|][ \t]*|[:：|](?:[*_]{1,3}(?=[ \t]|[\r\n]|\Z))?[ \t]*|\*\*[ \t]+"
    + r"|(?::?</(?:b|strong)>:?)[ \t]*)"
    + r"(?P<value>[^\r\n]*)"
)
_BADGE = re.compile(
    r"!\[[^\[\]]{0,300}\]\([^()\s]{0,300}/badge/status-(?P<status>(?:[^-()\s/?]|--){1,200})-[^()\s]{0,300}\)",
    re.IGNORECASE,
)
_BADGE_WORDS = re.compile(r"!\[\W{0,3}(?P<label>status)\W{1,3}(?P<value>[^\[\]]{1,200})\]", re.IGNORECASE)
_CELL_END = re.compile(r"[ \t]*\|[ \t]*\Z")
_DANGLING = re.compile(r"\bby[ \t]*\Z", re.IGNORECASE)
_NEXT_LINE = re.compile(r"(?:\r\n?|\n)(?P<line>[^\r\n]+)")
_NEWLINE = re.compile(r"\r\n?|\n")
_SIMPLE_LINE = re.compile(
    r"(?P<key>[A-Za-z][\w -]{0,40}):(?:[ \t]+(?P<value>.*))?\Z|[ \t]*(?:#.*)?\Z|[ \t]+\S.*\Z|-[ \t].*\Z"
)


@dataclass(frozen=True, slots=True)
class RecordFront:
    """A frontmatter block: its exact *text*, its values, and the *body* after it."""

    text: str
    says: Mapping[str, object]
    body: str

    def first(self, *keys: str) -> object | None:
        """Return the value of the first of *keys* that has one; ignoring case, ``-`` and ``_``."""
        return next((value for key in keys if (value := self.says.get(key)) not in (None, "", [], {})), None)


def read_front(text: str) -> RecordFront:
    """Return *text* with its frontmatter parsed.

    A block that is not YAML is read line by line if each line looks like a key's (``author: @me`` is clear). Two rules
    with prose between them are not frontmatter.
    """
    parts = frontmatter.split(text)
    if parts is None:
        return RecordFront("", {}, text)
    says: Mapping[str, object] | None
    try:
        says = frontmatter.read(parts.front)
    except YamlError:
        says = _simple(parts.front)
    if says is None:
        return RecordFront("", {}, text)
    values = {_key(key): value for key, value in says.items()}
    return RecordFront(text[: len(text) - len(parts.body)], values, parts.body)


def words(value: object) -> list[str]:
    """Return a frontmatter value as texts: a list's items, or the single value."""
    if value is None or isinstance(value, Mapping):
        return []
    items = value if isinstance(value, (list, tuple)) else [value]
    return [text for item in items if not isinstance(item, (list, tuple, Mapping)) and (text := str(item).strip())]


def labelled(region: str) -> Iterator[tuple[str, str]]:
    """Yield (label in lower case, value) of each labelled line in *region*, and of each status badge.

    Supports ``Status: x``, ``* Status: x``, ``**Status:** x``, ``**Status**: x``, ``**Status** x``, ``> Status: x``,
    ``| Status | x |`` and images of badges.
    """
    for label, value, _, stop in labelled_spans(region):
        dangling = _NEXT_LINE.match(region, stop) if _DANGLING.search(value) else None
        yield " ".join(label.lower().split()), f"{value} {dangling['line'].strip()}" if dangling else value
    yield from badges(region)


def labelled_spans(region: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield (label as written, value, its start, its stop) of each labelled line in *region*, in order."""
    for match in _LABEL.finditer(region):
        value = _CELL_END.sub("", match["value"]).strip()
        start = match.start("value") + len(match["value"]) - len(match["value"].lstrip())
        yield match["label"], value, start, start + len(value)


def badges(region: str) -> Iterator[tuple[str, str]]:
    """Yield ("status", text) of each status badge in *region*."""
    for match in _BADGE.finditer(region):
        shown = match["status"].replace("--", "-").replace("_", " ").replace("%20", " ")
        yield "status", shown
    for match in _BADGE_WORDS.finditer(region):
        yield match["label"].lower(), match["value"]


def _key(key: str) -> str:
    # supersededBy, superseded-by and Superseded By are one key.
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[-\s]+", "_", key.strip()).lower()


def _simple(front: str) -> dict[str, object] | None:
    """Return the keys of a block whose lines all look like keys', or None."""
    keys: dict[str, object] = {}
    for line in _NEWLINE.split(front):
        match = _SIMPLE_LINE.match(line)
        if not match:
            return None
        if match["key"]:
            keys[match["key"]] = (match["value"] or "").strip().strip("\"'")
    return keys or None
