"""The one splitter of text into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

# After a full stop, any closing quotes or brackets, and white space; CJK needs none. Each begins with a set of letters:
# a pattern that looks behind takes five times as long.
_END = re.compile(r"[.!?。！？｡](?:[\"'”’)\]]*\s+|(?<=[。！？｡])[”’」』）]*\s*)")
_END_OR_LINE = re.compile(r"[.!?。！？｡\n](?:(?<=\n)|[\"'”’)\]]*\s+|(?<=[。！？｡])[”’」』）]*\s*)")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|etc|al|approx|no|nr|vol|fig|eq|sec|ch|pp?|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|jan|feb|mar"
    r"|apr|jun|jul|aug|sept?|oct|nov|dec)|(?<![A-Za-z0-9])[A-Za-z]|\A[ \t>]*\d{1,3})\.\Z",
    re.IGNORECASE,
)
_REACH = 12
"""Characters up to a full stop in which an abbreviation, or a list's number, is searched."""


def sentence_ends(text: str, start: int = 0, stop: int | None = None, *, lines: bool = False) -> Iterator[int]:
    """Yield where each sentence between *start* and *stop* ends, white space included; with *lines*, each line too."""
    first = start
    for match in (_END_OR_LINE if lines else _END).finditer(text, start, len(text) if stop is None else stop):
        at, end = match.span()
        # An abbreviation at the end of a line ends it, too, if lines count.
        may_go_on = text[at] == "." and not (lines and "\n" in match[0])
        if not (may_go_on and _ABBREVIATED.search(text[max(first, at + 1 - _REACH) : at + 1])):
            yield end
            first = end


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences and lines of *text* that are not blank, without the white space around them."""
    first = 0
    for end in (*sentence_ends(text, lines=True), len(text)):
        if sentence := text[first:end].strip():
            yield sentence
        first = end
