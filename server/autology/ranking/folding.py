"""Near-identical texts among hits: shown once, the better one standing for the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

WORDS = 30
"""Words from which texts are compared: two short ones may say the same by chance and mean different things."""
SHARED = 0.9
"""Share of the shorter text's runs of three words from which the two are one: a record and the node made of it."""
_WORD = re.compile(r"\w+")

Runs = frozenset[tuple[str, str, str]]


def folded(texts: Sequence[str]) -> list[int | None]:
    """Return for each of *texts*, best first, the place of the earlier one that says the same; None where none does."""
    places: list[int | None] = []
    kept: list[tuple[int, Runs]] = []
    for at, text in enumerate(texts):
        said = runs(text)
        first = next((place for place, other in kept if same(said, other)), None)
        places.append(first)
        if first is None and said:
            kept.append((at, said))
    return places


def runs(text: str) -> Runs:
    """Return the runs of three words in *text*; none of a text that is too short to be compared."""
    words = _WORD.findall(text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False)) if len(words) >= WORDS else frozenset()


def same(one: Runs, other: Runs) -> bool:
    """Whether texts with these runs say the same but for a few words.

    Texts of the same words in another order do not: `A calls B` in a long text is not `B calls A`.
    """
    least = min(len(one), len(other))
    alike = 2 * least >= max(len(one), len(other), 1) and len(one & other) >= SHARED * least
    return alike and (one == other or _words(one) != _words(other))


def _words(said: Runs) -> set[str]:
    return {word for run in said for word in run}
