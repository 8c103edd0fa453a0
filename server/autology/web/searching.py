"""Calls: search over all sources, each result with the reason for its match."""

from __future__ import annotations

from typing import Any

from autology.core.index.namesakes import namesakes
from autology.core.recall import unified
from autology.core.recall.unified_answer import (
    CONVERSATIONS,
    DOCUMENTS,
    KNOWLEDGE,
    MEMORIES,
    UnifiedAnswer,
    UnifiedOptions,
)
from autology.model.errors import ValidationError
from autology.ranking.code_intent import GRAPH, SEMANTIC
from autology.render import recall_results
from autology.render.verdicts import verdict_data, verdict_text
from autology.settings import TOOL_GROUPS
from autology.text.markdown import snippets
from autology.text.sanitising import clean_line
from autology.wire.project import Project
from autology.wire.user import memory_org

Json = dict[str, Any]

RESULTS = 40
LONGEST = 2_000
"""Maximum characters of a query."""
NAMES = {KNOWLEDGE: "notes", DOCUMENTS: "documents", CONVERSATIONS: "conversations", MEMORIES: "memories"}


def search(project: Project, query: str) -> Json:
    """Return the hits for *query*, best first; `words` are the query's words that occur in a hit.

    `verdict` says that none answers, or which words nothing speaks of, if that is so.
    """
    if not query.strip() or len(query) > LONGEST:
        raise ValidationError("query", "is empty or too long", f"Give a question of up to {LONGEST} characters.")
    options = UnifiedOptions(RESULTS, groups=TOOL_GROUPS, org=memory_org())
    project.memories.read_current(lambda: None)  # recent writes change the state that cached answers depend on
    answer = unified.search(
        project.conversation_search,
        project.library,
        query,
        options,
        "web",
        project.index_state,
        project.code,
        project.memories,
    )
    reply = recall_results.unified(answer)
    known = project.graph.index.by_ids([entry["id"] for entry in reply["results"]])
    marks = namesakes(known.values())
    for entry, result in zip(reply["results"], answer.results, strict=False):
        if source := known.get(entry["id"]):
            entry["status"] = source.status
            if source.id in marks:
                entry["mark"] = marks[source.id]
        entry["words"] = snippets.words_in(f"{result.title}\n{result.text}", query)
    if message := verdict_text(answer.verdict):
        reply |= {"verdict": message, **verdict_data(answer.verdict)}
    return {**reply, "explanation": clean_line(_explanation(answer), LONGEST)}


def _explanation(answer: UnifiedAnswer) -> str:
    """Return how was searched, in the words of the page."""
    ways = {SEMANTIC: "by meaning", GRAPH: "along relations"}
    searched = ["by keyword", *(ways[name] for name in answer.request.intent.searches if name in ways)]
    counts = [f"{answer.by_source.get(name, 0)} in {NAMES[name]}" for name in answer.options.sources if name in NAMES]
    parts = [f"Searched {_listed(searched)}", f"found {', '.join(counts)}", "the likeliest answers come first"]
    parts += answer.request.notes
    if answer.code:
        parts.append(answer.code.summary)
    return "; ".join(parts) + "."


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
