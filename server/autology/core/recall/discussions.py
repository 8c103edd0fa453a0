"""Recalling what was discussed: by words and by meaning, filtered before the cut, relevance before recency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from autology.core.rank import rank
from autology.core.recall.ask import Ask, Question, understood
from autology.core.recall.memory import Memory
from autology.core.recall.recollection import Recalled, Recollection, extent, in_order, once, surrounded
from autology.core.recall.summary import summary
from autology.model.exchange import Chunk
from autology.model.query import Filter
from autology.ranking.closeness import Passage, relevances

POOL = 100
"""Chunks that are looked at for one answer; more add nothing to its first 50."""
LISTED = 0.5
"""The relevance of what is merely there where nothing but a time or a project was asked for."""
WIDEST = "recall_previous_discussions"
"""The tool that looks for all that was said."""
NOTHING = "no past session is known at all; `autology archive --status` says what the client has"
NO_PEERS = "only this machine was searched: no team index is set up"


def recall(memory: Memory, ask: Ask, tool: str) -> Recalled:
    """Return the discussions that best answer *ask*, which came by *tool*. Raises ValidationError."""
    return memory.asked(tool, ask.query, ask.filters, lambda notes: _recall(memory, ask, tool, notes))


def _recall(memory: Memory, ask: Ask, tool: str, notes: Sequence[str]) -> Recalled:
    clock = memory.now()
    with memory.index.held():
        question = understood(ask, clock, memory.index.projects)
        found = candidates(memory, question)
        shown = tuple(
            surrounded(memory.index, chunk, relevance, question.words)
            for chunk, relevance in in_order(found[: ask.limit])
        )
    told = (*question.notes, *notes, *degraded(memory, question), *peers(memory, ask))
    suggestions = () if shown else widened(memory, question, tool)
    return answer(ask.query.strip(), shown, len(found), memory, told, suggestions)


def answer(
    query: str,
    shown: tuple[Recollection, ...],
    total: int,
    memory: Memory,
    notes: Sequence[str],
    suggestions: Sequence[tuple[str, dict[str, object]]] = (),
) -> Recalled:
    """Return *shown* with what there is to say about them."""
    oldest, newest = extent(shown)
    if not total and not memory.index.projects():
        notes = (*notes, NOTHING)
    return Recalled(
        query,
        shown,
        summary(query, shown, total, memory.now().now),
        total,
        dict(Counter(result.source for result in shown)),
        oldest,
        newest,
        tuple(dict.fromkeys(notes)),
        tuple(suggestions),
    )


def candidates(memory: Memory, question: Question) -> list[tuple[Chunk, float]]:
    """Return the chunks that answer *question*, each with its relevance, the best first and each thing said once."""
    if not question.possible:
        return []
    if not question.words:
        sources = memory.index.listed(question.where, POOL, "")
        return once((chunk, LISTED) for chunk in memory.index.chunks([source.id for source in sources]).values())
    ranked = rank(memory.index, question.words, question.where, POOL)
    chunks = memory.index.chunks([hit.source.id for hit in ranked])
    found = [(chunks[hit.source.id], hit.score) for hit in ranked if hit.source.id in chunks]
    passages = [Passage(score, chunk.text, chunk.session) for chunk, score in found]
    relevant = zip(found, relevances(question.words, passages), strict=True)
    return once((chunk, round(relevance, 4)) for (chunk, _), relevance in relevant)


def degraded(memory: Memory, question: Question) -> list[str]:
    """Return what made the search less than it could be."""
    if not question.words:
        return []
    if memory.index.encoder() is None:
        return ["searched by words alone: the table of word vectors cannot be read; install Autology again"]
    behind = memory.index.unencoded()
    return [f"{behind:,} passages are found by words alone as yet; meaning follows by itself"] if behind else []


def peers(memory: Memory, ask: Ask) -> list[str]:
    """Return what is to be said of the team's memories."""
    return [NO_PEERS] if ask.include_peers and memory.peers is None else []


def widened(
    memory: Memory, question: Question, tool: str, kind: str | None = None
) -> list[tuple[str, dict[str, object]]]:
    """Return a call that finds something where the filters of *question* left nothing; *tool* looks for *kind* only."""
    if not question.words:
        return []
    ways = [(tool, Filter(kind=kind)), *([(WIDEST, Filter(kind=None))] if kind else [])]
    for asked, where in ways:
        if where != question.where and rank(memory.index, question.words, where, 1):
            return [(asked, {"query": question.words})]
    return []
