"""Whether a plain text is prose that people wrote, or data: a list of names, a table, a log."""

from __future__ import annotations

import re

HEAD = 4_000
"""Bytes from the beginning by which a text is judged."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCE_WORDS = 5
"""Words of a line that is a sentence or a part of one."""
_IDEOGRAPHS_WORDS = 2
"""Ideographs that say as much as a word."""
_FEWEST = 2
"""Such lines in a text of prose; in shorter texts, one that ends like a sentence."""
_SHARE = 0.4
"""Share of the letters that must be in such lines: in lists of requirements and names it is under 0.1, in plain
READMEs, minutes and mails over 0.7."""
_PLAIN = 0.8
"""Share of such a line's visible characters that are letters: 0.5 to 0.7 in code and tables, over 0.85 in prose."""


def is_prose(text: str) -> bool:
    """Whether *text*, the head of a file, holds prose."""
    sentences = letters = inside = 0
    ended = False
    for line in text.splitlines():
        words = _WORD.findall(line)
        ideographs = len(_IDEOGRAPHS.findall(line))
        size = sum(map(len, words)) + ideographs
        letters += size
        visible = sum(not ch.isspace() for ch in line)
        if len(words) + ideographs // _IDEOGRAPHS_WORDS >= _SENTENCE_WORDS and size >= _PLAIN * visible:
            sentences += 1
            inside += size
            ended = ended or line.rstrip().endswith((".", "!", "?", "。", ":"))
    return inside >= _SHARE * letters > 0 and (sentences >= _FEWEST or ended)
