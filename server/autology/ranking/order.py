"""Whether two texts put the same things in another order: what comes before what, and steps one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autology.ranking.alignment import OWN, Alignment, Names, clauses, overlap, telling_keys
from autology.text.language.comparison_words import FILL
from autology.text.language.statement import Statement

STEP = 0.5
"""The share of words from which a step of one text is that of the other."""
_LATER = ("after", "once")


def mistimed(aligned: Alignment) -> bool:
    """Whether what is earlier in one text is later in the other."""
    one, other = _halves(aligned.one, aligned.names), _halves(aligned.other, OWN)
    if one is None or other is None:
        mine, theirs = _before_and_after(aligned.one), _before_and_after(aligned.other)
        return mine != theirs and sum(mine) == sum(theirs)
    straight = len(one[0] & other[0]) + len(one[1] & other[1])
    return len(one[0] & other[1]) + len(one[1] & other[0]) > straight


def _before_and_after(statement: Statement) -> tuple[int, int]:
    spoken = [token.word for token in statement.tokens]
    return spoken.count("before"), sum(map(spoken.count, _LATER))


def _halves(statement: Statement, names: Names) -> tuple[set[str], set[str]] | None:
    """Return what is earlier and what is later, by the one word that says so."""
    tokens = statement.tokens
    marks = [at for at, token in enumerate(tokens) if token.kind == FILL and token.word in ("before", *_LATER)]
    if len(marks) != 1:
        return None
    mark = tokens[marks[0]]
    ahead, rest = tokens[: marks[0]], tokens[marks[0] :]
    leads = not any(token.tells for token in ahead)
    inner = [token for token in rest if token.clause == mark.clause]
    outer = [token for token in rest if token.clause != mark.clause] if leads else ahead
    sides = telling_keys(outer, names), telling_keys(inner, names)
    return sides if mark.word == "before" else sides[::-1]


def reordered(aligned: Alignment) -> bool:
    """Whether steps that both texts have come in another order."""
    mine = clauses(aligned.one, aligned.names, aligned.one.conditional)
    theirs = clauses(aligned.other, OWN, aligned.other.conditional)
    places = list(_places(mine, theirs))
    return places != sorted(places)


def _places(mine: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> Iterator[int]:
    for step in mine:
        shares = [overlap(step, other) for other in theirs]
        if shares and max(shares) >= STEP:
            yield shares.index(max(shares))
