"""Code that was written or shown in conversations."""

from __future__ import annotations

from collections.abc import Sequence

from autology.core.recall.ask import Ask, understood
from autology.core.recall.discussions import answer, candidates, degraded, widened
from autology.core.recall.memory import Memory
from autology.core.recall.recollection import Recalled, in_order, surrounded
from autology.model.exchange import ChunkKind
from autology.text.source_code.languages import named


def code(memory: Memory, query: str, language: str | None, context: bool, limit: int, tool: str) -> Recalled:
    """Return the code that best answers *query*, with the surrounding talk if *context*. Raises ValidationError."""
    ask = Ask(query, type=ChunkKind.CODE.value, language=named(language) if language else None, limit=limit)
    filters = {**ask.filters, "context": context}
    return memory.asked(tool, query, filters, lambda notes: _code(memory, ask, context, tool, notes))


def _code(memory: Memory, ask: Ask, context: bool, tool: str, notes: Sequence[str]) -> Recalled:
    with memory.index.keep_open():
        question = understood(ask, memory.now(), memory.index.projects, memory.in_sight())
        ranked = candidates(memory, question)
        shown = tuple(
            surrounded(memory.index, chunk, relevance, question.words, context)
            for chunk, relevance in in_order(ranked[: ask.limit])
        )
    messages = (*question.notes, *notes, *degraded(memory, question))
    suggestions = () if shown else widened(memory, question, tool, ChunkKind.CODE.value)
    return answer(ask.query.strip(), shown, len(ranked), memory, messages, suggestions)
