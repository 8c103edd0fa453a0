"""Sentences put together from anybody's words: made safe to show, with none of ours lost."""

from __future__ import annotations

import re

from autology.text.fence import clean_block

# Marked one by one first: taken for the start of a terminal's sequence, one could swallow the next step behind it.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str, limit: int) -> str:
    """Return *text* with nothing in it that steers a terminal, at most *limit* characters."""
    return clean_block(_CONTROL.sub("?", text[: 2 * limit]), limit)
