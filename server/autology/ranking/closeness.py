"""Scoring of conversation passages: retrieval score, the best matching turn, and the session's other passages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from autology.text.markdown.snippets import covering

LOOKED = 50
"""Passages rescored; those after them keep their order."""
TERMS = 32
TURN = 0.6
"""The weight of the turn that covers most of the query, relative to a passage's score (bench/recall: +1 nDCG@10)."""
SESSION = 0.15
"""The weight of a session's other passages (bench/recall: +1.5 nDCG@10 and +2.5 recall@10 over turns, level over
sessions, where 0.3 loses half a point)."""
NEXT, SOME = 0.7, 6
"""Discount of each further passage of a session, and how many are counted."""
LEAST = 0.7
"""The relevance of the best passage if it covers nothing of the query; it reaches 1 at a coverage of 0.3."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved passage: its score (0-1), text and session."""

    score: float
    text: str
    session: str


def relevances(query: str, passages: Sequence[Passage]) -> list[float]:
    """Return the relevance (0-1) of each of *passages*, which are ordered best first."""
    head = passages[:LOOKED]
    terms, covered = covering(query, TERMS)
    coverage = [[covered(turn) for turn in passage.text.split("\n\n")] for passage in head]
    wholes = [frozenset[int]().union(*turns) for turns in coverage]
    worth = [math.log((len(head) + 1) / (sum(at in whole for whole in wholes) + 0.5)) + 0.1 for at in range(terms)]
    there = sum(weight for at, weight in enumerate(worth) if any(at in whole for whole in wholes)) or 1.0

    def share(terms_held: frozenset[int]) -> float:
        return sum(worth[at] for at in terms_held)

    scores = [
        passage.score + TURN * max(map(share, turns), default=0.0) / there
        for passage, turns in zip(head, coverage, strict=True)
    ]
    least = min(scores, default=0.0)
    scores += [min(passage.score, least) for passage in passages[LOOKED:]]
    scores = _with_sessions([score / (max(scores) or 1.0) for score in scores], passages)
    best = max(map(share, wholes), default=0.0) / (sum(worth) or 1.0)
    sure = min(1.0, LEAST + best)
    top = max(scores, default=1.0) or 1.0
    return [sure * score / top for score in scores]


def _with_sessions(scores: Sequence[float], passages: Sequence[Passage]) -> list[float]:
    """Return *scores* with the bonus of each passage's session."""
    sessions: dict[str, list[float]] = {}
    for score, passage in zip(scores, passages, strict=True):
        sessions.setdefault(passage.session, []).append(score)
    sums = {
        session: sum(score * NEXT**at for at, score in enumerate(sorted(own, reverse=True)[:SOME]))
        for session, own in sessions.items()
    }
    most = max(sums.values(), default=1.0) or 1.0
    return [score + SESSION * sums[passage.session] / most for score, passage in zip(scores, passages, strict=True)]
