"""Code in talk: fenced blocks extracted from a text, each with its language and file, if given."""

from __future__ import annotations

import re
from collections import namedtuple

from autology.text.markdown.blocks import Fence, with_fences_replaced
from autology.text.source_code import languages

LEAST = 3
"""Lines from which a block is replaced in its sentence; a shorter one stays there too."""

CodeBlock = namedtuple("CodeBlock", ("code", "language", "path"))
"""A block's text, its language and its file, each of them None if unknown."""

_PATH = re.compile(r"[\w./\\-]*\w\.[A-Za-z0-9]{1,8}")


def taken_apart(text: str) -> tuple[str, tuple[CodeBlock, ...]]:
    """Return *text* with a line in place of every long block, and its blocks of any length in order."""
    blocks: list[CodeBlock] = []

    def summary(fence: Fence) -> str:
        code = fence.code.rstrip("\r\n")
        lines = code.count("\n") + 1
        block = _block(fence.info, code)
        if code.strip():
            blocks.append(block)
        if lines < LEAST:
            return text[fence.start : fence.stop]
        return f"[code: {', '.join(part for part in (block.path or block.language, f'{lines} lines') if part)}]"

    return with_fences_replaced(text, summary), tuple(blocks)


def _block(info: str, code: str) -> CodeBlock:
    words = info.replace("{", " ").replace(":", " ").replace("=", " ").split()
    path = next((word for word in words if _PATH.fullmatch(word)), None)
    language = languages.named(words[0]) if words and words[0] != path else None
    return CodeBlock(code, language or (languages.of_file(path) if path else None), path)
