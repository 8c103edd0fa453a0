"""Markdown as one line of plain text."""

from __future__ import annotations

import re

from autology.text.sanitising import ELLIPSIS, clean_line

LONGEST = 10_000
"""Characters read of a stretch; the longest heading in five real collections has 192."""

_COMMENT = re.compile(r"<!--.{0,2000}?-->", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\[\]]{0,500}\](?:\([^()]{0,2000}\)|\[[^\[\]]{0,200}\])")
_LINK = re.compile(r"\[([^\[\]]{0,500})\](?:\((?:[^()]|\([^()]{0,200}\)){0,2000}\)|\[[^\[\]]{0,200}\])")
_WIKI_LINK = re.compile(r"\[\[([^\[\]|]{1,300})(?:\|([^\[\]]{0,300}))?\]\]")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>")
# Underscores inside a word belong to it: snake_case is not emphasis.
_EMPHASIS = re.compile(
    r"(?<![\\*])(\*{1,3})(?=[^\s*])([^*\n]{0,500}?[^\s*\\])\1(?!\*)"
    r"|(?<![\w\\])(_{1,3})(?=[^\s_])([^\n]{0,500}?[^\s_\\])\3(?!\w)"
    r"|~~(?=\S)([^~\n]{0,500}?)~~"
)
_CODE = re.compile(r"(?<![`\\])(`{1,3})(?!`)([^`\n]{1,500})\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HELD = re.compile(r"[\ue000-\uf8ff]")


def plain(markdown: str, limit: int = LONGEST) -> str:
    """Return *markdown* as one line without links, emphasis, comments or control characters."""
    literals: list[str] = []

    def hold(text: str) -> str:
        # Code and escaped characters are not mark-up: set aside while the rest is parsed.
        literals.append(text)
        return chr(0xE000 + len(literals) - 1) if len(literals) <= 0x1900 else text

    text = _HELD.sub("", markdown[:LONGEST])
    text = _COMMENT.sub("", text)
    text = _CODE.sub(lambda match: hold(match[2].strip()), text)
    text = _ESCAPE.sub(lambda match: hold(match[1]), text)
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    text = _WIKI_LINK.sub(lambda match: match[2] or match[1], text)
    text = _AUTOLINK.sub(r"\1", text)
    for _ in range(3):  # Emphasis inside emphasis.
        text = _EMPHASIS.sub(lambda match: match[2] or match[4] or match[5] or "", text)
    text = _HELD.sub(lambda match: literals[ord(match[0]) - 0xE000], text)
    return clean_line(text, limit)


def cut(line: str, limit: int) -> str:
    """Return *line* in at most *limit* characters: cut after a word if possible."""
    if len(line) <= limit:
        return line
    head = line[:limit]
    at = head.rfind(" ")
    return head[: at if at > limit // 2 else limit - 1].rstrip(" ,;:.–—-") + ELLIPSIS
