"""Hits of several indexes in one order: their own scores, weighed by how much of the question each holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from autology.text.excerpts import covering

OWN = 0.4
"""What is left to a hit that holds no word of the question. The scores of each index are a share of its best hit's,
however little that says; what they hold of the question can be compared."""
TERMS = 32


@dataclass(frozen=True, slots=True)
class Hit:
    """What an index found: its score there (0-1) and the text that it was found by."""

    score: float
    text: str


def weighed(query: str, hits: Sequence[Hit]) -> list[float]:
    """Return a score in 0-1 for each of *hits*, comparable whichever index it comes from.

    A word of *query* counts the more the fewer of the hits hold it.
    """
    terms, covered = covering(query, TERMS)
    held = [covered(hit.text) for hit in hits]
    many = [sum(at in each for each in held) for at in range(terms)]
    worth = [math.log((len(hits) + 1) / (number + 0.5)) + 0.1 for number in many]
    whole = sum(weight for weight, number in zip(worth, many, strict=True) if number) or 1.0
    return [
        hit.score * (OWN + (1 - OWN) * sum(worth[at] for at in each) / whole)
        for hit, each in zip(hits, held, strict=True)
    ]
