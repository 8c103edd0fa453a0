"""Makes messages that quote foreign text safe to show, without losing our own words."""

from __future__ import annotations

import re

from autology.text.fence import clean_block

# Replaced one by one first: taken as the start of an escape sequence, one could swallow the next step after it.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str, limit: int) -> str:
    """Return *text* without terminal control characters, at most *limit* characters."""
    return clean_block(_CONTROL.sub("?", text[: 2 * limit]), limit)
