"""Which of the ranked hits answer a question: those near the best one, or that hold as much of what it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from autology.ranking.asking_form import asking_form, subject_of
from autology.ranking.coverage import FederatedHit
from autology.text.markdown.snippets import covering

T = TypeVar("T")

WEAKEST = 0.4
"""The lowest score of a hit that answers, relative to the best one."""
DROP = 0.35
"""The largest drop from one answering hit to the next, relative to the best score.

Of the pairs that keep 0.95 of the right ones among the first ten hits, the most precise on 200 queries of each labelled
set: mean precision 0.33. Without a limit on drops, 0.45 keeps as many at a precision of 0.26; without any cut it is
0.14.
"""
TERMS = 32
"""Terms of a query that are considered."""
CHARACTERS = 100_000
"""Characters of a text in which they are looked for."""


def answering(query: str, hits: Sequence[FederatedHit], items: Sequence[T]) -> list[T]:
    """Return those of *items*, whose *hits* are ordered best first, that answer *query*.

    These are all before the first that is too weak, and any other that holds every word of the subject that the best
    one holds: equal evidence, whatever its age or status. Words of asking are no evidence: a hit that holds nothing
    else is left out, unless the best one is such a hit too.
    """
    if not hits:
        return []
    subject = " ".join(subject_of(query, asking_form(query).language)) or query
    _, covered = covering(subject, TERMS)
    words = [covered(hit.text[:CHARACTERS]) for hit in hits]
    near = _near([hit.score for hit in hits])
    chosen = []
    for at, item in enumerate(items):
        equal = bool(words[0]) and words[0] <= words[at]
        if at == 0 or equal or (at < near and (words[at] or not words[0])):
            chosen.append(item)
    return chosen


def left_out(count: int) -> str:
    """Return how many weaker hits were left out, as text."""
    return f"{count} weaker {'one' if count == 1 else 'ones'} left out"


def _near(scores: Sequence[float]) -> int:
    """Return the number of hits before the first that is too weak."""
    best = previous = max(scores)
    for at, score in enumerate(scores):
        if score < WEAKEST * best or previous - score > DROP * best:
            return at
        previous = score
    return len(scores)
