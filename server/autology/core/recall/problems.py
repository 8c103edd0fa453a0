"""Similar problems in past sessions, each with its solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autology.core.recall.ask import Ask, checked, understood
from autology.core.recall.discussions import answer, candidates, degraded
from autology.core.recall.memory import Memory
from autology.core.recall.recollection import Recalled, surrounded
from autology.model.exchange import Chunk, ChunkKind
from autology.ranking.code_intent import entities
from autology.ranking.recency import ordered
from autology.text.tokens import query_terms

LATER = 24
"""Chunks after a conversation in which its code and decisions are looked for."""
CONTEXT = 40
"""Words taken from a problem's code, names first: more of them outweigh the description."""


def similar(memory: Memory, problem: str, code: str, limit: int, tool: str) -> Recalled:
    """Return conversations about a problem like *problem*, which occurred in *code*. Raises ValidationError."""
    text = checked(problem, "problem_description")
    ask = Ask(text, limit=limit)
    return memory.asked(
        tool, text, {"code_context": code, "limit": limit}, lambda notes: _similar(memory, ask, code, notes)
    )


def _similar(memory: Memory, ask: Ask, code: str, notes: Sequence[str]) -> Recalled:
    with memory.index.keep_open():
        question = understood(ask, memory.now(), memory.index.projects, memory.in_sight())
        question = replace(question, words=f"{question.words or ask.query} {_distinctive(code)}".strip())
        ranked = candidates(memory, question, weigh=False)
        talks = _talks(memory, ranked, ask.limit)
        shown = tuple(
            replace(surrounded(memory.index, talk, relevance, question.words), solution=_solution(memory, talk, hit))
            for relevance, _, (talk, hit) in ordered((r, talk.at, (talk, hit)) for talk, hit, r in talks)
        )
    return answer(ask.query, shown, len(shown), memory, (*question.notes, *notes, *degraded(memory, question)))


def _talks(memory: Memory, ranked: Sequence[tuple[Chunk, float]], limit: int) -> list[tuple[Chunk, Chunk, float]]:
    """Return the conversation that each hit of *ranked* belongs to, each once, with its best hit."""
    talks: dict[str, tuple[Chunk, Chunk, float]] = {}
    for hit, relevance in ranked:
        if len(talks) == limit:
            break
        is_talk = hit.kind == ChunkKind.CONVERSATION
        talk = hit if is_talk else next(iter(memory.index.of_turn(hit.exchange)), hit)
        talks.setdefault(talk.id, (talk, hit, relevance))
    return list(talks.values())


def _solution(memory: Memory, talk: Chunk, hit: Chunk) -> Chunk | None:
    """Return the last code or decision of the exchange of *hit*, or of those in *talk*."""
    own = [item for item in memory.index.of_exchange(hit.exchange) if item.kind != ChunkKind.CONVERSATION]
    later = memory.index.around(talk.id, 0, LATER) if hit.id == talk.id else []
    own += [item for item in later if item.kind != ChunkKind.CONVERSATION and item.at <= talk.until]
    return max(own, key=lambda chunk: chunk.position) if own else None


def _distinctive(code: str) -> str:
    """Return the most distinctive words of *code*."""
    named = entities(code[:20_000])
    first = [*named.functions, *named.files]
    rest = (group[-1] for group in query_terms(code[:20_000]))
    return " ".join(list(dict.fromkeys([*first, *rest]))[:CONTEXT])
