"""Scores by how much of the query a text covers: of conversation passages, and of hits of several indexes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from autology.text.markdown.snippets import covering

TERMS = 32
"""Terms of a query that are considered."""
RESCORED = 50
"""Passages rescored; those after them keep their order."""
TURN = 0.6
"""The weight of the turn that covers most of the query, relative to a passage's score (bench/recall: +1 nDCG@10)."""
SESSION = 0.15
"""The weight of a session's other passages (bench/recall: +1.5 nDCG@10 and +2.5 recall@10 over turns, level over
sessions, where 0.3 loses half a point)."""
NEXT, SOME = 0.7, 6
"""Discount of each further passage of a session, and how many are counted."""
MIN_RELEVANCE = 0.7
"""The relevance of the best passage if it covers none of the query's terms; it reaches 1 at a coverage of 0.3."""
OWN_SHARE = 0.5
"""The share of its score that a hit keeps if it covers none of the query's terms. Each index scales scores to its best
hit, so only the coverage is comparable across indexes. In bench/unified, on the half used for tuning, 0.5 and 0.6
put 83 % first, 0.2 to 0.4 put 79 %."""


@dataclass(frozen=True, slots=True)
class FederatedHit:
    """A hit of one index: its score there (0-1) and the matching text."""

    score: float
    text: str


@dataclass(frozen=True, slots=True)
class SessionPassage(FederatedHit):
    """A retrieved passage of a session."""

    session: str


def comparable(query: str, hits: Sequence[FederatedHit]) -> list[float]:
    """Return a score in 0-1 for each of *hits*, comparable across indexes."""
    term_count, covered = covering(query, TERMS)
    coverage = [covered(hit.text) for hit in hits]
    weights, total = _weights(term_count, coverage)
    return [
        hit.score * (OWN_SHARE + (1 - OWN_SHARE) * sum(weights[at] for at in terms) / total)
        for hit, terms in zip(hits, coverage, strict=True)
    ]


def _weights(term_count: int, coverage: Sequence[frozenset[int]]) -> tuple[list[float], float]:
    """Return the weight of each term, the higher the fewer texts contain it, and the sum over those that occur."""
    counts = [sum(at in terms for terms in coverage) for at in range(term_count)]
    weights = [math.log((len(coverage) + 1) / (count + 0.5)) + 0.1 for count in counts]
    return weights, sum(weight for weight, count in zip(weights, counts, strict=True) if count) or 1.0


def relevances(query: str, passages: Sequence[SessionPassage]) -> list[float]:
    """Return the relevance (0-1) of each of *passages*, which are ordered best first."""
    head = passages[:RESCORED]
    term_count, covered = covering(query, TERMS)
    turns = [[covered(turn) for turn in passage.text.split("\n\n")] for passage in head]
    coverage = [frozenset[int]().union(*terms) for terms in turns]
    weights, total = _weights(term_count, coverage)

    def share(terms: frozenset[int]) -> float:
        return sum(weights[at] for at in terms)

    scores = [
        passage.score + TURN * max(map(share, by_turn), default=0.0) / total
        for passage, by_turn in zip(head, turns, strict=True)
    ]
    lowest = min(scores, default=0.0)
    scores += [min(passage.score, lowest) for passage in passages[RESCORED:]]
    scores = _with_sessions([score / (max(scores) or 1.0) for score in scores], passages)
    best = max(map(share, coverage), default=0.0) / (sum(weights) or 1.0)
    confidence = min(1.0, MIN_RELEVANCE + best)
    top = max(scores, default=1.0) or 1.0
    return [confidence * score / top for score in scores]


def _with_sessions(scores: Sequence[float], passages: Sequence[SessionPassage]) -> list[float]:
    """Return *scores* with the bonus of each passage's session."""
    sessions: dict[str, list[float]] = {}
    for score, passage in zip(scores, passages, strict=True):
        sessions.setdefault(passage.session, []).append(score)
    sums = {
        session: sum(score * NEXT**at for at, score in enumerate(sorted(session_scores, reverse=True)[:SOME]))
        for session, session_scores in sessions.items()
    }
    highest = max(sums.values(), default=1.0) or 1.0
    return [score + SESSION * sums[passage.session] / highest for score, passage in zip(scores, passages, strict=True)]
