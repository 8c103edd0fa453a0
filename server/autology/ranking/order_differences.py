"""Detects differences of order between two texts: of events (`before`, `after`), and of steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autology.ranking.alignment import IDENTITY, Alignment, KeyMap, clauses, overlap, telling_keys
from autology.text.language.comparison_words import FILL
from autology.text.language.statement import Statement

MIN_STEP_OVERLAP = 0.5
"""The minimum overlap of a step with its counterpart in the other text."""
_LATER = ("after", "once")


def timing_differs(aligned: Alignment) -> bool:
    """Whether an event that is earlier in one text is later in the other."""
    one, other = _halves(aligned.one, aligned.key_map), _halves(aligned.other, IDENTITY)
    if one is None or other is None:
        one_counts, other_counts = _marker_counts(aligned.one), _marker_counts(aligned.other)
        return one_counts != other_counts and sum(one_counts) == sum(other_counts)
    same_order = len(one[0] & other[0]) + len(one[1] & other[1])
    return len(one[0] & other[1]) + len(one[1] & other[0]) > same_order


def _marker_counts(statement: Statement) -> tuple[int, int]:
    spoken = [token.word for token in statement.tokens]
    return spoken.count("before"), sum(map(spoken.count, _LATER))


def _halves(statement: Statement, key_map: KeyMap) -> tuple[set[str], set[str]] | None:
    """Return the keys of the earlier and of the later event; None unless exactly one word states the order."""
    tokens = statement.tokens
    marks = [at for at, token in enumerate(tokens) if token.kind == FILL and token.word in ("before", *_LATER)]
    if len(marks) != 1:
        return None
    mark = tokens[marks[0]]
    earlier_tokens, later_tokens = tokens[: marks[0]], tokens[marks[0] :]
    comes_first = not any(token.tells for token in earlier_tokens)
    inner = [token for token in later_tokens if token.clause == mark.clause]
    outer = [token for token in later_tokens if token.clause != mark.clause] if comes_first else earlier_tokens
    sides = telling_keys(outer, key_map), telling_keys(inner, key_map)
    return sides if mark.word == "before" else sides[::-1]


def steps_differ(aligned: Alignment) -> bool:
    """Whether steps common to both texts are in a different order."""
    one_clauses = clauses(aligned.one, aligned.key_map, aligned.one.conditional)
    other_clauses = clauses(aligned.other, IDENTITY, aligned.other.conditional)
    places = list(_matching_steps(one_clauses, other_clauses))
    return places != sorted(places)


def _matching_steps(mine: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> Iterator[int]:
    for step in mine:
        shares = [overlap(step, other) for other in theirs]
        if shares and max(shares) >= MIN_STEP_OVERLAP:
            yield shares.index(max(shares))
