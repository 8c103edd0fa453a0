"""Which of the ranked hits answer a question: those near the best one, or that hold as much of what it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from autology.ranking.asking_form import asking_form, subject_of
from autology.ranking.coverage import FederatedHit
from autology.text.markdown.snippets import covering

T = TypeVar("T")


class Cut(NamedTuple):
    """The lowest score of a hit that answers, and the largest drop to it from the one before, relative to the best."""

    weakest: float
    drop: float


TEXTS = Cut(0.4, 0.35)
"""For notes and memories: of the pairs that keep 0.95 of the right ones among the first ten hits, the most precise on
200 queries of each labelled set. Its mean precision is 0.33; without a limit on drops, a cut at 0.45 keeps as many at
0.26; without any cut it is 0.14."""
TALK = Cut(0.3, 0.5)
"""For conversations: what holds now may share fewer words with a question than what it replaced. In a labelled world of
132 sessions it keeps 60 of the 62 right sessions that recall finds with its limit, and two thirds of the passages;
the other pair keeps 54."""
LEAST = 0.25
"""The likelihood below which only the best hit is shown, and the likeliest."""
TERMS = 32
"""Terms of a query that are considered."""
CHARACTERS = 100_000
"""Characters of a text in which they are looked for."""


def answering(
    query: str,
    hits: Sequence[FederatedHit],
    items: Sequence[T],
    cut: Cut = TEXTS,
    likelihoods: Sequence[float] | None = None,
) -> list[T]:
    """Return those of *items*, whose *hits* are ordered best first, that answer *query*.

    These are all before the first that is too weak, and any other that holds every word of the subject that the best
    one holds: equal evidence, whatever its age or status. Words of asking are no evidence: a hit that holds nothing
    else is left out, unless the best one is such a hit too; so is one whose likelihood is below :data:`LEAST`.
    """
    if not hits:
        return []
    subject = " ".join(subject_of(query, asking_form(query).language)) or query
    _, covered = covering(subject, TERMS)
    words = [covered(hit.text[:CHARACTERS]) for hit in hits]
    best = {0, max(range(len(hits)), key=likelihoods.__getitem__) if likelihoods else 0}
    near = _near([hit.score for hit in hits], cut)
    chosen = []
    for at, item in enumerate(items):
        equal = bool(words[0]) and words[0] <= words[at]
        likely = likelihoods is None or likelihoods[at] >= LEAST
        if at in best or equal or (likely and at < near and (words[at] or not words[0])):
            chosen.append(item)
    return chosen


def _near(scores: Sequence[float], cut: Cut) -> int:
    """Return the number of hits before the first that is too weak."""
    best = previous = max(scores)
    for at, score in enumerate(scores):
        if score < cut.weakest * best or previous - score > cut.drop * best:
            return at
        previous = score
    return len(scores)
