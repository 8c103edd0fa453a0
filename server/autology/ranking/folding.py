"""Near-identical texts among hits: shown once, the better one standing for the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

WORDS = 30
"""Words from which texts are compared: two short ones may say the same by chance and mean different things."""
SHARED = 0.9
"""Share of the shorter text's runs of three words from which the two are one: a record and the node made of it."""
_WORD = re.compile(r"\w+")


def folded(texts: Sequence[str]) -> list[int | None]:
    """Return for each of *texts*, best first, the place of the earlier one that says the same; None where none does."""
    places: list[int | None] = []
    kept: list[tuple[int, frozenset[tuple[str, str, str]]]] = []
    for at, text in enumerate(texts):
        runs = _runs(text)
        same = next((place for place, other in kept if _same(runs, other)), None)
        places.append(same)
        if same is None and runs:
            kept.append((at, runs))
    return places


def _runs(text: str) -> frozenset[tuple[str, str, str]]:
    words = _WORD.findall(text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False)) if len(words) >= WORDS else frozenset()


def _same(one: frozenset[tuple[str, str, str]], other: frozenset[tuple[str, str, str]]) -> bool:
    least = min(len(one), len(other))
    return 2 * least >= max(len(one), len(other), 1) and len(one & other) >= SHARED * least
