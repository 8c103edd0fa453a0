"""Where the prose of a text begins: after its headings, header fields, definitions of links, tables and code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.markdown.blocks import without_blocks

_PARAGRAPH = re.compile(r"(?:^[ \t]*\S.*\n?)+", re.MULTILINE)
_LIST = ("- ", "* ", "+ ")
_OTHER = ("#", "---", "***", "===", "<", ">", "|", "+-", "!", "[!", ".. ", "```")
"""The beginnings of headings, rules, markup, quotations, tables, images, directives and code."""
_DEFINITION = re.compile(r"\[[^\]\n]+\]:\s")
_FIELD = re.compile(r":?[*_]{0,2}[A-Z][\w-]*(?: [\w-]+){0,3}[*_]{0,2}:[*_]{0,2}(?:\s|$)")
_UNDERLINE = re.compile(r"[^\w\s]{3,}[ \t]*\Z")
_ENDS = (".", "!", "?", ":", ")", "。", "！", "？", "：")
_WORDS = 5
"""Words from which a line without the end of a sentence is prose too; a status is shorter."""


def from_first_prose(text: str) -> str:
    """Return *text* from its first paragraph or list on; "" if it has neither."""
    start = next((start for start, part in _paragraphs(text) if part.startswith(_LIST) or _is_prose(part)), len(text))
    return text[start:].strip()


def first_paragraph(text: str) -> str:
    """Return the first paragraph of *text* that is a sentence or more of prose; "" if there is none."""
    return next((part for _, part in _paragraphs(text) if _is_prose(part) and _is_sentence(part)), "")


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each paragraph begins, and the paragraph; comments and fenced code are left out."""
    for match in _PARAGRAPH.finditer(without_blocks(text)):
        part = match[0].strip()
        yield match.start() + match[0].index(part), part


def _is_prose(part: str) -> bool:
    if part.startswith((*_OTHER, *_LIST)) or _DEFINITION.match(part):
        return False
    if _FIELD.match(part) and not part.endswith(_ENDS):  # not "Note: this holds for tests, too."
        return False
    return not _UNDERLINE.match(part.rpartition("\n")[2].strip())


def _is_sentence(part: str) -> bool:
    return part.endswith(_ENDS) or len(part.split()) >= _WORDS
