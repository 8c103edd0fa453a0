"""How well passages of conversations answer: their scores, what single turns hold, and what the session adds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from autology.text.excerpts import covering

LOOKED = 50
"""Passages looked into; those behind keep the order that they have."""
TERMS = 32
TURN = 0.6
"""What the turn that holds most of the question counts beside a passage's score (bench/recall: +1 nDCG@10)."""
SESSION = 0.15
"""What the other passages of a session add (bench/recall: +1.5 nDCG@10 and +2.5 recall@10 over turns, level over
sessions, where 0.3 loses half a point)."""
NEXT, SOME = 0.7, 6
"""What each further passage of a session counts of the one before it, and how many do."""
LEAST = 0.7
"""The relevance of the best passage where it holds nothing of the question; with 0.3 of it or more, that is 1."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that was found: its score (0-1), its text and its session."""

    score: float
    text: str
    session: str


def relevances(query: str, found: Sequence[Passage]) -> list[float]:
    """Return the relevance (0-1) of each of *found*, which stand best first."""
    looked = found[:LOOKED]
    terms, covered = covering(query, TERMS)
    held = [[covered(turn) for turn in passage.text.split("\n\n")] for passage in looked]
    wholes = [frozenset[int]().union(*turns) for turns in held]
    worth = [math.log((len(looked) + 1) / (sum(at in whole for whole in wholes) + 0.5)) + 0.1 for at in range(terms)]
    there = sum(weight for at, weight in enumerate(worth) if any(at in whole for whole in wholes)) or 1.0

    def share(some: frozenset[int]) -> float:
        return sum(worth[at] for at in some)

    scores = [
        passage.score + TURN * max(map(share, turns), default=0.0) / there
        for passage, turns in zip(looked, held, strict=True)
    ]
    least = min(scores, default=0.0)
    scores += [min(passage.score, least) for passage in found[LOOKED:]]
    scores = _with_sessions([score / (max(scores) or 1.0) for score in scores], found)
    best = max(map(share, wholes), default=0.0) / (sum(worth) or 1.0)
    sure = min(1.0, LEAST + best)
    top = max(scores, default=1.0) or 1.0
    return [sure * score / top for score in scores]


def _with_sessions(scores: Sequence[float], found: Sequence[Passage]) -> list[float]:
    """Return *scores* with what each one's session adds."""
    sessions: dict[str, list[float]] = {}
    for score, passage in zip(scores, found, strict=True):
        sessions.setdefault(passage.session, []).append(score)
    sums = {
        session: sum(score * NEXT**at for at, score in enumerate(sorted(own, reverse=True)[:SOME]))
        for session, own in sessions.items()
    }
    most = max(sums.values(), default=1.0) or 1.0
    return [score + SESSION * sums[passage.session] / most for score, passage in zip(scores, found, strict=True)]
