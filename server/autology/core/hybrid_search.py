"""The search engine: lexical and semantic retrieval, fused and reranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from autology.model.entry import DOCUMENT, MEMORY, NODE
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.node import NodeStatus
from autology.model.query import Filter, Terms
from autology.ranking import lexical_score, link_boost
from autology.ranking.fusion import MIN_COSINE, SCORE, TOP, Ranked, fuse, likely
from autology.ranking.link_boost import WeightedLink
from autology.ranking.penalties import in_force, with_penalties
from autology.text.language import translated_copies
from autology.text.slug import slug
from autology.text.tokens import query_pairs, query_terms

if TYPE_CHECKING:
    from autology.core.index.index import SearchIndex

TERMS = 32
"""Maximum words of a query: further ones find nothing more, and cost time."""
ASKING = frozenset(
    "any anybody anyone anything ever please tell us ours whose whom someone something use used uses using".split()
)
"""Further words of asking, without weight beside others (bench/quality: +0.15 to -0.36 nDCG@10 on three sets)."""
STANDING = (NODE, DOCUMENT, MEMORY, None)
"""Kinds for which age and confidence count; of conversations, the caller orders by time."""
NAMED = 3
"""Documents of one name from which the name says little: README, overview."""
SHORTEST_NAME, LONGEST_NAME = 8, 200
"""Characters of a query that may be the name of a file."""
COPIED = 0.5
"""The factor for a localised copy: the text in the main language holds the same words at most once, or translated, and
any copy of it scores nearly alike."""


def rank(
    index: SearchIndex,
    query: str,
    where: Filter,
    pool: int,
    semantic: bool = True,
    share: float | None = None,
    min_cosine: float = MIN_COSINE,
) -> list[Ranked]:
    """Return the *pool* best sources for *query* that pass *where*, best first, exact titles before all.

    Lexical, and, if *semantic*, semantic, with the weight *share* if set; a source without a lexical hit needs at least
    *min_cosine*. Then boosted by the links of the best ones.
    """
    telling = tuple(term for term in query_terms(query) if len(term) > 1 or term[0] not in ASKING)
    pairs = tuple(pair for pair in query_pairs(query) if ASKING.isdisjoint(pair))
    terms = Terms((telling or query_terms(query))[:TERMS], pairs[:TERMS])
    ranked = lexical_score.order(index.lexical_candidates(terms, where, False, max(pool, TOP)))
    if semantic:
        weight = index.encoder(where.kind)[1] if share is None else share
        ranked = fuse(ranked, index.semantic_candidates(query, where, TOP, likely(ranked)), weight, min_cosine)
        ranked = _linked(index, query, where, ranked)
    if where.kind in STANDING:
        ranked = with_penalties(ranked)
    titled = _titled(index, query, where, ranked)
    first = {hit.source.id: hit.source.status != NodeStatus.SUPERSEDED for hit in titled}
    weighed = [in_force(hit) for hit in (*titled, *(hit for hit in ranked if hit.source.id not in first))]
    if copies := _copies(index, query, weighed):
        weighed = [_copied(hit) if hit.source.id in copies else hit for hit in weighed]
        first = {id: at for id, at in first.items() if id not in copies}
    weighed.sort(key=SCORE, reverse=True)
    return _titled_first(weighed, first)[:pool] if first else weighed[:pool]


def _titled_first(ranked: Sequence[Ranked], titled: Mapping[str, bool]) -> list[Ranked]:
    """Return *ranked* with the *titled* hits at the front; superseded ones, marked false, after the best other one."""
    in_use = [hit for hit in ranked if titled.get(hit.source.id)]
    former = [hit for hit in ranked if titled.get(hit.source.id) is False]
    others = [hit for hit in ranked if hit.source.id not in titled]
    return [*in_use, *others[: 1 if not in_use else 0], *former, *others[1 if not in_use else 0 :]]


def degraded(index: SearchIndex, kind: str | None = None) -> tuple[str, ...]:
    """Return messages for a result that some retriever could not contribute to as it should."""
    state = index.encoder_state(kind)
    if state.fault:
        by = f"semantic search with {state.name}" if state.name else "only lexical search"
        return (Sentence(f"{by}: ", state.fault),)
    if not state.name:
        return ("only lexical search: the table of word vectors cannot be read; install Autology again",)
    if state.unencoded:
        done = f"semantic search: {state.total - state.unencoded:,} of {state.total:,} passages embedded so far"
        now = Sentence("A running server continues, ", do(Action.SYNC), " completes it now")
        return (Sentence(f"{done}; the others are found by their words. ", now),)
    if state.pending:
        done = f"semantic search: {state.done:,} of {state.total:,} passages re-embedded with {state.pending}"
        meanwhile = "the others lexically" if state.name == state.pending else f"until then {state.name} is used"
        now = Sentence("A running server continues, ", do(Action.SYNC), " completes it now")
        return (Sentence(f"{done}; {meanwhile}. ", now),)
    return ()


def _linked(index: SearchIndex, query: str, where: Filter, ranked: list[Ranked]) -> list[Ranked]:
    """Return *ranked*, boosted by links from its best, with sources that only these link to and that are similar."""
    edges = index.linked(link_boost.top_hits(ranked), link_boost.MAX_LINKS)
    shares = link_boost.shares(ranked, [WeightedLink(edge.source, edge.target, edge.confidence) for edge in edges])
    ids = {hit.source.id for hit in ranked}
    only = tuple(sorted((id for id in shares if id not in ids), key=lambda id: -shares[id])[: link_boost.MAX_ADDED])
    near = index.semantic_candidates(query, replace(where, ids=only), len(only)) if only else ()
    return link_boost.spread(ranked, shares, near)


def _titled(index: SearchIndex, query: str, where: Filter, ranked: list[Ranked]) -> list[Ranked]:
    """Return the sources titled exactly like *query*."""
    by_id = {hit.source.id: hit for hit in ranked}
    alike = [*index.by_title([query]), *_named(index, query, where)]
    titled = [s for s in {s.id: s for s in alike}.values() if s.id in by_id or _passes(index, s, where)]
    return [by_id.get(s.id, Ranked(s, 1.0)).scored(1.0, {"exact title": 1.0}) for s in titled]


def _named(index: SearchIndex, query: str, where: Filter) -> list[Source]:
    """Return the records and documents whose file's name, title or alias is *query*, unless those are many."""
    names = dict.fromkeys((query, slug(query)))
    if len(query) > LONGEST_NAME or len(query) < SHORTEST_NAME:
        return []
    ids = [
        named.id for kind in (NODE, DOCUMENT) if where.kind in (kind, None) for named in index.by_name([*names], kind)
    ]
    return list(index.by_ids(ids).values()) if 0 < len(set(ids)) <= NAMED else []


def _copies(index: SearchIndex, query: str, ranked: list[Ranked]) -> set[str]:
    """Return the ids of the hits that are localised copies of another document, in another language than *query*."""
    others: dict[str, tuple[str, ...]] = {}
    for hit in ranked:
        if hit.source.kind == DOCUMENT and (copied := translated_copies.originals(hit.source.path)):
            language, paths = copied
            if not translated_copies.is_in(query, language):
                others[hit.source.id] = paths
    there = index.by_ids(sorted({path for paths in others.values() for path in paths})) if others else {}
    return {id for id, paths in others.items() if any(path in there for path in paths)}


def _copied(hit: Ranked) -> Ranked:
    score = hit.score * COPIED
    return hit.scored(score, {**hit.parts, "localised": score - hit.score})


def _passes(index: SearchIndex, source: Source, where: Filter) -> bool:
    return bool(index.listed(replace(where, ids=(source.id,)), 1, ""))
