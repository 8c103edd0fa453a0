"""Code in talk: fenced blocks extracted from a text, each with its language and file, if given."""

from __future__ import annotations

import re
from collections import namedtuple

from autology.text.source_code import languages

LEAST = 3
"""Lines from which a block becomes a chunk of its own; a shorter one stays in its sentence."""

Block = namedtuple("Block", ("code", "language", "path"))
"""A block's text, its language and its file, each of them None if unknown."""

_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})([^\n`]*)\n(.*?)(?:^[ \t]*\2[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_PATH = re.compile(r"[\w./\\-]*\w\.[A-Za-z0-9]{1,8}")


def taken_apart(text: str) -> tuple[str, tuple[Block, ...]]:
    """Return *text* with a line in place of every long block, and these blocks in order."""
    if "```" not in text and "~~~" not in text:
        return text, ()
    blocks: list[Block] = []

    def out(match: re.Match[str]) -> str:
        code = match[4].rstrip("\n")
        lines = code.count("\n") + 1
        if lines < LEAST:
            return match[0]
        block = _block(match[3], code)
        blocks.append(block)
        about = ", ".join(part for part in (block.path or block.language, f"{lines} lines") if part)
        return f"{match[1]}[code: {about}]"

    return _FENCE.sub(out, text), tuple(blocks)


def _block(info: str, code: str) -> Block:
    words = info.replace("{", " ").replace(":", " ").replace("=", " ").split()
    path = next((word for word in words if _PATH.fullmatch(word)), None)
    language = languages.named(words[0]) if words and words[0] != path else None
    return Block(code, language or (languages.of_file(path) if path else None), path)
