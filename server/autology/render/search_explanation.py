"""The explanation of a unified search in words, and suggested follow-up steps."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.recall.unified_answer import (
    CONVERSATIONS,
    DOCUMENTS,
    KNOWLEDGE,
    MEMORIES,
    UnifiedAnswer,
    UnifiedResult,
)
from autology.model.next_step import Action, NextStep, do
from autology.model.query import Filter
from autology.ranking.answer_wording import absence
from autology.ranking.code_intent import DEFAULT_CONFIDENCE, GRAPH, KEYWORD, Aim

MAX_SUGGESTIONS = 4


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested follow-up step and its effect, "" if that is obvious."""

    step: NextStep
    why: str = ""


def explanation(answer: UnifiedAnswer) -> str:
    """Return a description of the search."""
    request, intent, options = answer.request, answer.request.intent, answer.options
    certainty = "indicated by its words" if intent.confidence > DEFAULT_CONFIDENCE else "by default"
    parts = [f"Taken as {intent.aim} ({certainty})"]
    parts.append(
        f"by {', '.join(intent.searches)}" + ("" if KEYWORD in intent.searches else ", in addition to lexical search")
    )
    counts = ", ".join(f"{answer.by_source.get(name, 0)} in {name}" for name in options.sources)
    parts.append(f"found {counts}")
    if options.graph and answer.related:
        parts.append(f"{answer.related} of them by relations")
    parts.append("ranked together by relevance" if options.merged else "grouped by kind")
    if not answer.verdict.is_answered:
        parts.append("none of it answers the question")
    if missing := absence(answer.verdict.absent):
        parts.append(missing[0].lower() + missing[1:].removesuffix("."))
    parts += request.notes
    if answer.code:
        parts.append(answer.code.summary)
    return "; ".join(parts) + "."


def suggestions(answer: UnifiedAnswer) -> list[Suggestion]:
    """Return follow-up steps; only with available tools."""
    request, groups = answer.request, answer.options.groups
    steps = [suggestion for result in answer.results[:3] if (suggestion := _reading(result, groups))]
    node = next((result for result in answer.results if result.source == KNOWLEDGE), None)
    if GRAPH in request.intent.searches and node and KNOWLEDGE in groups:
        steps.append(Suggestion(do(Action.QUERY, related_to=node.id), f"lists nodes related to “{node.title}”"))
    if request.intent.aim is Aim.FIND_CODE and CONVERSATIONS in groups:
        steps.append(Suggestion(do(Action.SEARCH_CODE_HISTORY, query=answer.query), "searches only code"))
    filtered = request.span or request.where != Filter(kind=None, in_sight=request.where.in_sight)
    if not answer.results and filtered and request.words:
        step = do(Action.SEARCH_EVERYTHING, query=request.words)
        steps.append(Suggestion(step, "searches without the time filter"))
    return steps[:MAX_SUGGESTIONS]


def _reading(result: UnifiedResult, groups: tuple[str, ...]) -> Suggestion | None:
    """Return the step that reads *result* in full."""
    why = f"reads “{result.title}” whole"
    if result.chunk:
        step = do(Action.READ_PASSAGE, id=result.id)
        return Suggestion(step, "shows the passage with its context") if CONVERSATIONS in groups else None
    if result.source == MEMORIES:
        return Suggestion(do(Action.READ_MEMORY, id=result.id), why)
    if result.source == KNOWLEDGE and KNOWLEDGE in groups:
        return Suggestion(do(Action.READ_NODE, id=result.id), why)
    if result.source == DOCUMENTS and DOCUMENTS in groups:
        return Suggestion(do(Action.READ_DOCUMENT, id=result.id), why)
    return None
