"""Recalling discussions: lexical and semantic, filtered before the cut, relevance before recency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from autology.core.rank import degraded as less_than_whole
from autology.core.rank import rank
from autology.core.recall.ask import Ask, Question, understood
from autology.core.recall.memory import Memory
from autology.core.recall.recollection import Recalled, Recollection, extent, in_order, once, surrounded, trusted
from autology.core.recall.summary import summary
from autology.core.team import NO_TEAM
from autology.model.exchange import Chunk
from autology.model.query import Filter
from autology.ranking.coverage import SessionPassage, relevances

POOL = 100
"""Chunks considered for one answer; more do not change its first 50."""
LISTED = 0.5
"""The relevance of everything in a list by time or project, without a query."""
WIDEST = "recall_previous_discussions"
"""The tool that searches all conversations."""
NOTHING = "no past sessions are indexed; `autology archive --status` shows what the client has"


def recall(memory: Memory, ask: Ask, tool: str) -> Recalled:
    """Return the discussions that best answer *ask*, requested through *tool*. Raises ValidationError."""
    return memory.asked(tool, ask.query, ask.filters, lambda notes: _recall(memory, ask, tool, notes))


def _recall(memory: Memory, ask: Ask, tool: str, notes: Sequence[str]) -> Recalled:
    clock = memory.now()
    with memory.index.keep_open():
        question = understood(ask, clock, memory.index.projects, memory.in_sight())
        ranked = candidates(memory, question)
        shown = tuple(
            surrounded(memory.index, chunk, relevance, question.words)
            for chunk, relevance in in_order(ranked[: ask.limit])
        )
    theirs, unheard = peers(memory, ask, question)
    shown, total = _with_theirs(shown, theirs, ask.limit), len(ranked) + len(theirs)
    messages = (*question.notes, *notes, *degraded(memory, question), *unheard)
    suggestions = () if shown else widened(memory, question, tool)
    return answer(ask.query.strip(), shown, total, memory, messages, suggestions)


def answer(
    query: str,
    shown: tuple[Recollection, ...],
    total: int,
    memory: Memory,
    notes: Sequence[str],
    suggestions: Sequence[tuple[str, dict[str, object]]] = (),
) -> Recalled:
    """Return *shown* as a recollection with its summary."""
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


def candidates(memory: Memory, question: Question, weigh: bool = True) -> list[tuple[Chunk, float]]:
    """Return the chunks that answer *question*, each with its relevance, best first, duplicates folded.

    Their author counts too, unless *weigh* is false: an error is recognised by a tool's output.
    """
    if not question.possible:
        return []
    if not question.words:
        sources = memory.index.listed(question.where, POOL, "")
        return once((chunk, LISTED) for chunk in memory.index.chunks([source.id for source in sources]).values())
    ranked = rank(memory.index, question.words, question.where, POOL)
    chunks = memory.index.chunks([hit.source.id for hit in ranked])
    weighted = [(chunks[hit.source.id], hit.score) for hit in ranked if hit.source.id in chunks]
    passages = [SessionPassage(score, chunk.text, chunk.session) for chunk, score in weighted]
    relevant = zip(weighted, relevances(question.words, passages), strict=True)
    return once(
        (chunk, round(trusted(relevance, chunk, question.words) if weigh else relevance, 4))
        for (chunk, _), relevance in relevant
    )


def degraded(memory: Memory, question: Question) -> list[str]:
    """Return what degraded the search."""
    if not question.words:
        return []
    notes = list(less_than_whole(memory.index, question.where.kind))
    if behind := memory.index.unencoded():
        notes.append(f"{behind:,} passages are only found lexically so far; they are encoded automatically")
    return notes


def peers(memory: Memory, ask: Ask, question: Question) -> tuple[list[Recollection], list[str]]:
    """Return the team's shared answers, if requested, and messages about servers that failed."""
    if not ask.include_peers:
        return [], []
    if memory.team is None:
        return [], [NO_TEAM]
    if not question.possible:  # a project unknown here may be known to others by its identity
        return [], []
    in_sight = question.where.in_sight
    theirs, unheard = memory.team.recall(question.words, replace(question.where, in_sight=None), ask.limit)
    return [result for result in theirs if in_sight is None or result.chunk.session != in_sight.session], unheard


def _with_theirs(own: Sequence[Recollection], theirs: Sequence[Recollection], limit: int) -> tuple[Recollection, ...]:
    """Return both together, more relevant first; the user's own shared passages count as local."""
    mine = {result.chunk.id for result in own}
    every = [*own, *(result for result in theirs if result.chunk.id not in mine)]
    return tuple(sorted(every, key=lambda result: -result.relevance)[:limit]) if theirs else tuple(own)


def widened(
    memory: Memory, question: Question, tool: str, kind: str | None = None
) -> list[tuple[str, dict[str, object]]]:
    """Return a call with fewer filters that finds something, where *question* does not; *tool* only finds *kind*."""
    if not question.words:
        return []
    in_sight = question.where.in_sight
    wider = [(tool, Filter(kind=kind, in_sight=in_sight))]
    wider += [(WIDEST, Filter(kind=None, in_sight=in_sight))] if kind else []
    for wider_tool, where in wider:
        if where != question.where and rank(memory.index, question.words, where, 1):
            return [(wider_tool, {"query": question.words})]
    return []
