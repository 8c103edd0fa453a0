"""Blanking verbatim blocks, in which headings and labels are examples: in time proportional to the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

_VISIBLE = re.compile(r"[^\n]+")


def without_verbatim(text: str, fences: re.Pattern[str]) -> str:
    """Return *text* with its verbatim blocks blanked, of the same length and with the same lines.

    *fences* matches a line that opens or closes a block; its group ``opens`` or ``closes`` is the kind, ``both`` that
    of one that does either. A block that is never closed is text.
    """
    marks = list(fences.finditer(text))
    closing: defaultdict[str, list[int]] = defaultdict(list)
    for at, mark in enumerate(marks):
        groups = mark.groupdict()
        if kind := groups.get("closes") or groups.get("both"):
            closing[kind.lower()].append(at)
    parts: list[str] = []
    done = at = 0
    while at < len(marks):
        groups = marks[at].groupdict()
        ends = closing[(groups.get("opens") or groups.get("both") or "").lower()]
        following = bisect_right(ends, at)
        if following == len(ends):
            at += 1
            continue
        start, stop = marks[at].start(), marks[ends[following]].end()
        parts += (text[done:start], _VISIBLE.sub(lambda match: " " * len(match[0]), text[start:stop]))
        done, at = stop, ends[following] + 1
    return "".join([*parts, text[done:]]) if parts else text
