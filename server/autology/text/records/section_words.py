"""The words of a section's title that tell what it is about, and whether a text speaks of it."""

from __future__ import annotations

import re
from functools import lru_cache

from autology.text.markdown.blocks import without_blocks
from autology.text.stemmer import stem

_FRAME = frozenset(
    "a an and any are be by do does for from how if in is it of on or other our than that the this to we what which"
    " why with & additional analysis approach case cases change changes concern concerns consideration considerations"
    " considered current detail detailed details general key level main new note notes overview plan point points"
    " possible possibility process proposed section simple statement strategy"
    " der die das und et de la le los las y con para del consideradas considerados".split()
)
"""Words that stand in titles of sections about anything."""
_SAME = tuple(
    frozenset(words.split())
    for words in (
        "goal goals aim aims objective objectives",
        "consequence consequences implication implications impact impacts effect effects positive negative tradeoffs",
        "drawback drawbacks downside downsides disadvantage disadvantages cons tradeoffs",
        "alternative alternatives option options",
        "motivation rationale reason reasons",
    )
)
"""Words that authors use for one section."""
_WORD = re.compile(r"[^\W\d_]{2,}")


@lru_cache(maxsize=16_384)
def telling_stems(title: str) -> frozenset[str]:
    """Return the stems of the words by which a section's *title* differs from those of others; of all if none does."""
    words = [word.lower() for word in _WORD.findall(title)]
    telling = {word for word in words if word not in _FRAME} or set(words)
    for group in _SAME:
        if telling & group:
            telling |= group
    return frozenset(map(stem, telling))


def speaks_of(content: str, title: str) -> bool:
    """Whether the prose of *content* has one of the telling words of a section's *title*."""
    stems = telling_stems(title)
    return any(stem(word.lower()) in stems for word in set(_WORD.findall(without_blocks(content))))
