"""The engine: the sources that best answer a question, by every leg that there is."""

from __future__ import annotations

from dataclasses import replace

from autology.core.ports import Index
from autology.model.hit import Source
from autology.model.node import NodeStatus
from autology.model.query import Filter, Terms
from autology.ranking import words
from autology.ranking.words import Ranked
from autology.text.tokens import fold, query_pairs, query_terms

TERMS = 32
"""Words of a question that are looked for: past these more words find nothing more, and cost."""
SUPERSEDED = 0.3
"""What a superseded node's score is multiplied by: document 000's heavy penalty."""


def rank(index: Index, query: str, where: Filter, pool: int) -> list[Ranked]:
    """Return at most *pool* sources that answer *query* and pass *where*, best first, an exact title before all."""
    terms = Terms(query_terms(query)[:TERMS], query_pairs(query)[:TERMS])
    ranked = words.fuse(index.words(terms, where, False, pool))
    key = " ".join(fold(query).split())
    known = {source.id for source, _, _ in ranked}
    titled = [s for s in index.by_title([query]) if s.id in known or _passes(index, s, where)]
    first = {source.id for source in titled}
    ranked = [(source, 1.0, None) for source in titled] + [r for r in ranked if r[0].id not in first]
    weighed: list[Ranked] = [(source, in_force(score, source), at) for source, score, at in ranked]
    return sorted(weighed, key=lambda r: (not _is_titled(r[0], key), -r[1]))[:pool]


def in_force(score: float, source: Source) -> float:
    """Return the score of *source*, less where something has replaced it."""
    return score * SUPERSEDED if source.status == NodeStatus.SUPERSEDED else score


def _passes(index: Index, source: Source, where: Filter) -> bool:
    return bool(index.listed(replace(where, ids=(source.id,)), 1, ""))


def _is_titled(source: Source, key: str) -> bool:
    return source.status != NodeStatus.SUPERSEDED and " ".join(fold(source.title).split()) == key
