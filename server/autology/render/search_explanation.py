"""How a unified search was done, in words, and the calls that would follow it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autology.core.recall.unified_answer import (
    CONVERSATIONS,
    DOCUMENTS,
    KNOWLEDGE,
    MEMORIES,
    UnifiedAnswer,
    UnifiedResult,
)
from autology.model.query import Filter
from autology.ranking.code_intent import GRAPH, KEYWORD, UNSURE, Aim

SUGGESTED = 4


@dataclass(frozen=True, slots=True)
class SuggestedCall:
    """A follow-up call: a tool, its arguments, and what it does, "" if that is obvious."""

    tool: str
    arguments: Mapping[str, object]
    why: str = ""


def explanation(answer: UnifiedAnswer) -> str:
    """Return how it was searched."""
    request, intent, options = answer.request, answer.request.intent, answer.options
    sure = "indicated by its words" if intent.confidence > UNSURE else "by default"
    parts = [f"Taken as {intent.aim} ({sure})"]
    parts.append(
        f"by {', '.join(intent.searches)}" + ("" if KEYWORD in intent.searches else ", in addition to lexical search")
    )
    counts = ", ".join(f"{answer.by_source.get(name, 0)} in {name}" for name in options.sources)
    parts.append(f"found {counts}")
    if options.graph and answer.related:
        parts.append(f"{answer.related} of them by relations")
    parts.append("ranked together by relevance" if options.merged else "grouped by kind")
    parts += request.notes
    if answer.code:
        parts.append(answer.code.summary)
    return "; ".join(parts) + "."


def suggestions(answer: UnifiedAnswer) -> list[SuggestedCall]:
    """Return follow-up calls; only of available tools."""
    request, groups = answer.request, answer.options.groups
    calls = [call for result in answer.results[:3] if (call := _reading(result, groups))]
    node = next((result for result in answer.results if result.source == KNOWLEDGE), None)
    if GRAPH in request.intent.searches and node and KNOWLEDGE in groups:
        calls.append(SuggestedCall("autology_query", {"related_to": node.id}, f"lists nodes related to “{node.title}”"))
    if request.intent.aim is Aim.FIND_CODE and CONVERSATIONS in groups:
        calls.append(SuggestedCall("search_code_history", {"query": answer.query}, "searches only code"))
    filtered = request.span or request.where != Filter(kind=None, in_sight=request.where.in_sight)
    if not answer.results and filtered and request.words:
        why = "searches without the time filter"
        calls.append(SuggestedCall("unified_memory_search", {"query": request.words}, why))
    return calls[:SUGGESTED]


def _reading(result: UnifiedResult, groups: tuple[str, ...]) -> SuggestedCall | None:
    """Return the call that reads *result* in full."""
    why = f"reads “{result.title}” whole"
    if result.chunk:
        arguments = {"chunk_id": result.id, "include_adjacent": True}
        call = SuggestedCall("retrieve_memory_chunk", arguments, "shows the passage with its context")
        return call if CONVERSATIONS in groups else None
    if result.source == MEMORIES:
        return SuggestedCall("memory_find", {"query": result.id, "mode": "fast"}, why)
    if result.source == KNOWLEDGE and KNOWLEDGE in groups:
        return SuggestedCall("autology_query", {"query": result.id, "detail": "full"}, why)
    if result.source == DOCUMENTS and DOCUMENTS in groups:
        return SuggestedCall("read_node_content", {"id": result.id}, why)
    return None
