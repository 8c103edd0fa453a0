"""Like problems that were worked on before, each with what solved it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autology.core.recall.ask import Ask, checked, understood
from autology.core.recall.discussions import answer, candidates, degraded
from autology.core.recall.memory import Memory
from autology.core.recall.recollection import Recalled, Recollection, surrounded
from autology.model.exchange import Chunk, ChunkKind
from autology.ranking.intent import entities
from autology.text.tokens import query_terms

CONTEXT = 40
"""Words taken of the code that a problem is about, names before others: more of them drown the description."""


def similar(memory: Memory, problem: str, code: str, limit: int, tool: str) -> Recalled:
    """Return conversations about a problem like *problem*, met in *code*. Raises ValidationError."""
    asked = checked(problem, "problem_description")
    ask = Ask(asked, limit=limit)
    return memory.asked(
        tool, asked, {"code_context": code, "limit": limit}, lambda notes: _similar(memory, ask, code, notes)
    )


def _similar(memory: Memory, ask: Ask, code: str, notes: Sequence[str]) -> Recalled:
    with memory.index.held():
        question = understood(ask, memory.now(), memory.index.projects)
        question = replace(question, words=f"{question.words or ask.query} {_telling(code)}".strip())
        found = candidates(memory, question)
        exchanges: dict[str, tuple[Chunk, float]] = {}
        for chunk, relevance in found:
            exchanges.setdefault(chunk.exchange, (chunk, relevance))
        shown = tuple(
            _solved(memory, surrounded(memory.index, chunk, relevance, question.words))
            for chunk, relevance in list(exchanges.values())[: ask.limit]
        )
    return answer(ask.query, shown, len(exchanges), memory, (*question.notes, *notes, *degraded(memory, question)))


def _solved(memory: Memory, result: Recollection) -> Recollection:
    """Return *result* with the last code or decision of its exchange."""
    last = [each for each in memory.index.of_exchange(result.chunk.exchange) if each.kind != ChunkKind.CONVERSATION]
    return replace(result, solution=last[-1]) if last else result


def _telling(code: str) -> str:
    """Return the words of *code* that say most about it."""
    named = entities(code[:20_000])
    first = [*named.functions, *named.files]
    rest = (group[-1] for group in query_terms(code[:20_000]))
    return " ".join(list(dict.fromkeys([*first, *rest]))[:CONTEXT])
