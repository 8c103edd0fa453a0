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
from autology.render import recall_results
from autology.render.verdicts import verdict_text
from autology.settings import TOOL_GROUPS
from autology.text.fence import clean_line
from autology.text.language.plural import counted
from autology.text.markdown import snippets
from autology.wire.project import Project
from autology.wire.user import memory_org

Json = dict[str, Any]

RESULTS = 40
NAMES = {KNOWLEDGE: "note", DOCUMENTS: "document", CONVERSATIONS: "passage", MEMORIES: "memory item"}
LONGEST = 2_000
"""Maximum characters of a query."""


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
    reply["explanation"] = _explanation(answer)
    if message := verdict_text(answer.verdict):
        reply["verdict"] = message
    return reply


def _explanation(answer: UnifiedAnswer) -> str:
    """Return how the hits were found, in a reader's words."""
    counts = [counted(answer.by_source.get(source, 0), name) for source, name in NAMES.items()]
    sentences = [f"Found by their words and by what they mean: {', '.join(counts)}. The best matches come first."]
    if answer.related:
        sentences.append(f"{counted(answer.related, 'result')} of them by relations to others.")
    if answer.code:
        sentences.append(f"{clean_line(answer.code.summary, 500)}.")
    return " ".join(sentences)
