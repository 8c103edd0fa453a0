"""The engine: the sources that best answer a question, by every leg that there is."""

from __future__ import annotations

from dataclasses import replace

from autology.core.ports import Index
from autology.model.entry import DOCUMENT, MEMORY, NODE
from autology.model.hit import Source
from autology.model.node import NodeStatus
from autology.model.query import Filter, Terms
from autology.ranking import lexical_score, link_boost
from autology.ranking.fusion import ALIKE, TOP, Ranked, fuse, likely
from autology.ranking.link_boost import Link
from autology.ranking.penalties import standing
from autology.text.tokens import query_pairs, query_terms

TERMS = 32
"""Words of a question that are looked for: past these more words find nothing more, and cost."""
STANDING = (NODE, DOCUMENT, MEMORY, None)
"""Kinds in which age and confidence count; of what was said, the newer of two is put first by who asks."""
SUPERSEDED = 0.3
"""What a superseded node's score is multiplied by: document 000's heavy penalty."""


def rank(
    index: Index,
    query: str,
    where: Filter,
    pool: int,
    meant: bool = True,
    share: float | None = None,
    alike: float = ALIKE,
) -> list[Ranked]:
    """Return at most *pool* sources that answer *query* and pass *where*, best first, an exact title before all.

    By words, and, if *meant*, by meaning too, which has that *share* if one is given and needs a cosine of *alike*
    where no word was found, and by the links of what these find best.
    """
    terms = Terms(query_terms(query)[:TERMS], query_pairs(query)[:TERMS])
    ranked = lexical_score.order(index.words(terms, where, False, max(pool, TOP)))
    if meant:
        told = index.embedded(where.kind).share if share is None else share
        ranked = fuse(ranked, index.meaning(query, where, TOP, likely(ranked)), told, alike)
        ranked = _linked(index, query, where, ranked)
    if where.kind in STANDING:
        ranked = standing(ranked)
    titled = _titled(index, query, where, ranked)
    first = {hit.source.id: hit.source.status != NodeStatus.SUPERSEDED for hit in titled}
    weighed = [in_force(hit) for hit in (*titled, *(hit for hit in ranked if hit.source.id not in first))]
    weighed.sort(key=lambda hit: -hit.score)
    return sorted(weighed, key=lambda hit: not first.get(hit.source.id, False))[:pool] if first else weighed[:pool]


def degraded(index: Index, kind: str | None = None) -> tuple[str, ...]:
    """Return what is to be said of an answer that not every leg has looked for as it should."""
    state = index.embedded(kind)
    if state.fault:
        by = f"searched by meaning with {state.by}" if state.by else "searched by words alone"
        return (f"{by}: {state.fault}",)
    if not state.by:
        return ("searched by words alone: the table of word vectors cannot be read; install Autology again",)
    if state.coming:
        done = f"meaning: {state.done:,} of {state.total:,} passages re-embedded with {state.coming}"
        meanwhile = "the others by words alone" if state.by == state.coming else f"until then {state.by} answers"
        return (f"{done}; {meanwhile}. A running server goes on with it, `autology sync` completes it at once",)
    return ()


def _linked(index: Index, query: str, where: Filter, ranked: list[Ranked]) -> list[Ranked]:
    """Return *ranked*, raised by the links of the best of it, with what only these lead to that is near in meaning."""
    edges = index.linked(link_boost.strong(ranked), link_boost.MANY)
    told = link_boost.shares(ranked, [Link(edge.source, edge.target, edge.confidence) for edge in edges])
    known = {hit.source.id for hit in ranked}
    only = tuple(sorted((id for id in told if id not in known), key=lambda id: -told[id])[: link_boost.LED])
    near = index.meaning(query, replace(where, ids=only), len(only)) if only else ()
    return link_boost.spread(ranked, told, near)


def _titled(index: Index, query: str, where: Filter, ranked: list[Ranked]) -> list[Ranked]:
    """Return what is titled exactly as *query* says."""
    found = {hit.source.id: hit for hit in ranked}
    titled = [s for s in index.by_title([query]) if s.id in found or _passes(index, s, where)]
    return [found.get(s.id, Ranked(s, 1.0)).scored(1.0, {"exact title": 1.0}) for s in titled]


def in_force(hit: Ranked) -> Ranked:
    """Return *hit*, its score less where something has replaced its source."""
    if hit.source.status != NodeStatus.SUPERSEDED:
        return hit
    score = hit.score * SUPERSEDED
    return hit.scored(score, {**hit.parts, "superseded": score - hit.score})


def _passes(index: Index, source: Source, where: Filter) -> bool:
    return bool(index.listed(replace(where, ids=(source.id,)), 1, ""))
