"""Similar problems in past sessions, each with its solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.discussions import answer, answered, degraded
from autology.core.recall.recollection import Recalled, surrounded
from autology.core.recall.request import ParsedRequest, RecallRequest, checked, parsed
from autology.model.exchange import Chunk, ChunkKind
from autology.ranking.code_intent import entities
from autology.ranking.recency import ordered
from autology.text.tokens import query_terms

LATER = 24
"""Chunks after a conversation in which its code and decisions are looked for."""
CONTEXT = 40
"""Words taken from a problem's code, names first: more of them outweigh the description."""


def similar(search: ConversationSearch, problem: str, code: str, limit: int, tool: str) -> Recalled:
    """Return conversations about a problem like *problem*, which occurred in *code*. Raises ValidationError."""
    text = checked(problem, "problem_description")
    request = RecallRequest(text, limit=limit)
    return search.answer(
        tool, text, {"code_context": code, "limit": limit}, lambda notes: _similar(search, request, code, notes)
    )


def _similar(search: ConversationSearch, request: RecallRequest, code: str, notes: Sequence[str]) -> Recalled:
    with search.index.keep_open():
        question = parsed(request, search.now(), search.index.projects, search.in_sight())
        question = _in_code(question, _distinctive(code))
        if question.timeless:
            question = replace(question, timeless=_in_code(question.timeless, _distinctive(code)))
        question, ranked = answered(search, question, weigh=False)
        talks = _talks(search, ranked, request.limit)
        shown = tuple(
            replace(surrounded(search.index, talk, relevance, question.words), solution=_solution(search, talk, hit))
            for relevance, _, (talk, hit) in ordered((r, talk.at, (talk, hit)) for talk, hit, r in talks)
        )
    return answer(request.query, shown, len(shown), search, (*question.notes, *notes, *degraded(search, question)))


def _in_code(question: ParsedRequest, code_words: str) -> ParsedRequest:
    return replace(question, words=f"{question.words or question.request.query} {code_words}".strip())


def _talks(
    search: ConversationSearch, ranked: Sequence[tuple[Chunk, float]], limit: int
) -> list[tuple[Chunk, Chunk, float]]:
    """Return the conversation that each hit of *ranked* belongs to, each once, with its best hit."""
    talks: dict[str, tuple[Chunk, Chunk, float]] = {}
    for hit, relevance in ranked:
        if len(talks) == limit:
            break
        is_talk = hit.kind == ChunkKind.CONVERSATION
        talk = hit if is_talk else next(iter(search.index.of_turn(hit.exchange)), hit)
        talks.setdefault(talk.id, (talk, hit, relevance))
    return list(talks.values())


def _solution(search: ConversationSearch, talk: Chunk, hit: Chunk) -> Chunk | None:
    """Return the last code or decision of the exchange of *hit*, or of those in *talk*."""
    own = [item for item in search.index.of_exchange(hit.exchange) if item.kind != ChunkKind.CONVERSATION]
    later = search.index.around(talk.id, 0, LATER) if hit.id == talk.id else []
    own += [item for item in later if item.kind != ChunkKind.CONVERSATION and item.at <= talk.until]
    return max(own, key=lambda chunk: chunk.position) if own else None


def _distinctive(code: str) -> str:
    """Return the most distinctive words of *code*."""
    named = entities(code[:20_000])
    first = [*named.functions, *named.files]
    rest = (group[-1] for group in query_terms(code[:20_000]))
    return " ".join(list(dict.fromkeys([*first, *rest]))[:CONTEXT])
