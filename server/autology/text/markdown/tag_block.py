"""Tags in a comment of a markdown text, ``<!-- tags: KEY: value, … -->``: located, parsed and extended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autology.text.markdown.blocks import without_code

LONGEST = 20_000
"""Characters of a block; a longer comment is a text of its own."""

_BLOCK = re.compile(rf"<!--\s*+tags:(?P<body>(?:[^-<]|-(?!->)|<(?!!--)){{0,{LONGEST}}})-->", re.IGNORECASE)
_WIKI = r"\[\[[^\[\]\r\n]*\]\]"
_ITEM = re.compile(rf"\[(?P<bracketed>(?:{_WIKI}|[^\[\]])*)\]|(?P<plain>(?:{_WIKI}|[^,\[\]])+)")
_KEYED = re.compile(r"(?P<key>[^\W\d][\w .-]*?)[ \t]*:(?!//)[ \t]*(?P<value>\S.*)\Z", re.DOTALL)
_NEWLINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag; *key* is "" if it has none. *start* and *stop* are its value's position in the text."""

    key: str
    value: str
    start: int
    stop: int

    @property
    def same(self) -> tuple[str, str]:
        """Return a key that is equal for two equivalent tags."""
        return (self.key.casefold(), " ".join(self.value.split()).casefold())


@dataclass(frozen=True, slots=True)
class TagBlock:
    """A comment of tags: ``text[start:stop]``, each tag in brackets of its own or not."""

    start: int
    stop: int
    bracketed: bool
    tags: tuple[Tag, ...]


def blocks(text: str) -> tuple[TagBlock, ...]:
    """Return the blocks of *text* in order, except in code."""
    if "<!--" not in text:
        return ()
    matches = list(_BLOCK.finditer(text))
    if not matches:
        return ()
    # With comment delimiters blanked, those still visible are neither in code nor in another comment.
    open_ = _BLOCK.sub(lambda m: f"    {m[0][4:-3]}   ", text)
    visible = without_code(open_)
    return tuple(_block(m) for m in matches if visible[m.start("body") - 5 : m.start("body")].lower() == "tags:")


def left_out(text: str) -> str:
    """Return *text* without its blocks: they are for programs."""
    for block in reversed(blocks(text)):
        text = text[: block.start].rstrip() + text[block.stop :]
    return text


def read(tag: str) -> Tag:
    """Parse *tag*, written ``KEY: value`` or as a value alone."""
    return _tag(tag, 0)


def merged(text: str, tags: Sequence[str]) -> tuple[str, int]:
    """Return *text* with the missing ones of *tags* added to its last block, and their number.

    Without a block one is appended. Every other character is unchanged.
    """
    there = blocks(text)
    existing = {tag.same for block in there for tag in block.tags}
    lacking: dict[tuple[str, str], str] = {}
    for tag in tags:
        if (same := read(tag).same) not in existing:
            lacking.setdefault(same, tag.strip())
    if not lacking:
        return text, 0
    if there:
        return _added(text, there[-1], list(lacking.values())), len(lacking)
    newline = next((m[0] for m in _NEWLINE.finditer(text)), "\n")
    gap = "" if not text.strip("\ufeff") else newline if _NEWLINE.search(text[-2:]) else newline * 2
    return f"{text}{gap}<!-- tags: {', '.join(lacking.values())} -->{newline}", len(lacking)


def _added(text: str, block: TagBlock, tags: Sequence[str]) -> str:
    at = block.stop - len("-->")
    while text[at - 1].isspace():
        at -= 1
    written = [f"[{tag}]" for tag in tags] if block.bracketed else list(tags)
    begun = ", " if block.tags and text[at - 1] != "," else " "
    more = begun + ", ".join(written)
    return text[:at] + more + (text[at:] if text[at].isspace() else f" {text[at:]}")


def _block(match: re.Match[str]) -> TagBlock:
    tags, bracketed = [], False
    for item in _ITEM.finditer(match["body"]):
        inner = item["bracketed"] if item["bracketed"] is not None else item["plain"]
        if inner.strip():
            start = match.start("body") + item.start("bracketed" if item["bracketed"] is not None else "plain")
            tags.append(_tag(inner, start))
            bracketed = bracketed or item["bracketed"] is not None
    return TagBlock(match.start(), match.end(), bracketed, tuple(tags))


def _tag(written: str, start: int) -> Tag:
    inner = written.strip()
    at = start + written.index(inner)
    keyed = _KEYED.match(inner)
    if keyed:
        return Tag(keyed["key"].strip(), keyed["value"], at + keyed.start("value"), at + len(inner))
    return Tag("", inner, at, at + len(inner))


def can_be_appended_to(text: str) -> bool:
    """Whether a block at the end of *text* would be recognised: not after unclosed code or an unclosed comment."""
    probe = f"{text}\n\n<!-- tags: x -->\n"
    there = blocks(probe)
    return bool(there) and there[-1].start >= len(text)
