"""What later talk changed: what holds now comes before what it amended, which says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.model.exchange import TOOL, Chunk
from autology.ranking.amendments import Text, in_force

COMPARED = 30
"""Passages that are compared with each other, the best ones; each that states a change takes 0.2 ms."""
SENTENCE = 240
"""Characters shown of the sentence that changes something."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """A later passage that changes an earlier one: its *id*, its stamp *at*, and the *sentence* that says so."""

    id: str
    at: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A text that may amend earlier ones, or be amended: in *order* of time, with its *relevance* to the question.

    Only texts of one *project* amend each other; "" goes with every project.
    """

    id: str
    at: str
    order: str
    text: str
    relevance: float
    project: str = ""


def of_chunk(chunk: Chunk, relevance: float) -> Statement:
    """Return what *chunk* states; a tool's output amends nothing, for it holds whatever a program prints."""
    text = chunk.text if chunk.trust != TOOL else ""
    return Statement(chunk.id, chunk.at, f"{chunk.at} {chunk.position:08}", text, relevance, chunk.project)


def weighed(statements: Sequence[Statement]) -> tuple[dict[str, float], dict[str, Amendment]]:
    """Return the relevance of each of *statements* by its id, what holds now ahead, and what was amended by its id."""
    best = sorted(statements, key=lambda one: -one.relevance)[:COMPARED]
    texts = [Text(one.order, one.text, one.project) for one in best]
    relevances, changed = in_force(texts, [one.relevance for one in best])
    amendments = {
        best[earlier].id: Amendment(best[later].id, best[later].at, sentence[:SENTENCE])
        for earlier, (later, sentence) in changed.items()
    }
    return {one.id: round(relevance, 4) for one, relevance in zip(best, relevances, strict=True)}, amendments
