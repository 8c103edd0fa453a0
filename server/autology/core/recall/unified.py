"""Unified search: conversations, code, decisions, nodes, documents and memories in one ranked list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from autology.core.documents.library import Library
from autology.core.likelihood import NEAREST, NO_VERDICT, IndexedQuestions
from autology.core.memory.memories import Memories
from autology.core.recall.code_context import CodeGraphAnswer, CodeSearch, chunks_about, nodes_about
from autology.core.recall.conversation_results import HIGHLIGHT, HIGHLIGHTS
from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.discussions import degraded
from autology.core.recall.request import RecallRequest, parsed
from autology.core.recall.unified_answer import (
    KNOWLEDGE,
    MEMORIES,
    TitledRelation,
    UnifiedAnswer,
    UnifiedOptions,
    UnifiedResult,
)
from autology.core.recall.unified_candidates import from_conversations, from_memories, from_project, related_nodes
from autology.core.recall.unified_merge import (
    answers,
    by_kind,
    in_force,
    judged,
    ordered,
    rescored,
    shown,
    with_amending,
)
from autology.model.conversation import Chunk
from autology.model.errors import StorageError
from autology.model.next_step import Sentence
from autology.ranking.evidence import JUDGED, ordering
from autology.text.language.timestamps import stamp
from autology.text.markdown.snippets import phrases

RELATIONS = 10


def search(
    conversations: ConversationSearch,
    library: Library,
    query: str,
    options: UnifiedOptions,
    tool: str,
    state: str = "",
    code: CodeSearch | None = None,
    memories: Memories | None = None,
) -> UnifiedAnswer:
    """Return everything that answers *query*; *state* changes with the project's index. Raises ValidationError.

    With *code*, questions about callers, uses or members of code are answered from the code graph too; with *memories*,
    those of this project or of all projects are included.
    """
    request = RecallRequest(query, limit=options.limit)
    filters: dict[str, object] = {
        "limit": options.limit,
        "merge_results": options.merged,
        "include_graph": options.graph,
        **({"only_answers": True} if options.only_answers else {}),
    }
    if MEMORIES not in options.sources:
        memories = None
    if memories is not None:
        filters |= {"memories": True, "org": options.org}
    answer = conversations.answer(
        tool,
        query,
        filters,
        lambda notes: _search(conversations, library, memories, request, options, notes),
        also=state,
    )
    if memories is not None:
        answer = _without_expired(answer, stamp(memories.now()))
    if code is None or not options.graph:
        return answer
    if code_answer := code.answer(query):
        return _with_code(answer, code_answer, library, conversations)
    notes = code.unanswered(query)
    return replace(answer, notes=(*answer.notes, *notes)) if notes else answer


def _without_expired(answer: UnifiedAnswer, now: str) -> UnifiedAnswer:
    """Return *answer*, which may be a cached one, without memories that expired since the search."""
    results = tuple(result for result in answer.results if result.expires_at is None or result.expires_at > now)
    return replace(answer, results=results, total=answer.total - len(answer.results) + len(results))


def _with_code(
    answer: UnifiedAnswer, code: CodeGraphAnswer, library: Library, conversations: ConversationSearch
) -> UnifiedAnswer:
    """Return *answer* with the code graph's, and the nodes and conversations about its files."""
    chunks: tuple[Chunk, ...] = ()
    with suppress(StorageError):  # the notes say so
        chunks = chunks_about(conversations, code)
    notes = tuple(dict.fromkeys((*answer.notes, *code.notes)))
    return replace(answer, notes=notes, code=code, nodes=nodes_about(library, code), chunks=chunks)


def _search(
    conversations: ConversationSearch,
    library: Library,
    memories: Memories | None,
    request: RecallRequest,
    options: UnifiedOptions,
    notes: Sequence[str],
) -> UnifiedAnswer:
    index, clock = conversations.index, conversations.now()
    question = parsed(request, clock, index.projects, conversations.in_sight())
    questions = IndexedQuestions()
    results: list[UnifiedResult] = []
    unread: Sequence[Sentence | str] = ()
    try:
        results += from_conversations(conversations, question, questions)
        if question.timeless and not question.is_spoken_of(result.text for result in results):
            question = question.timeless
            results = from_conversations(conversations, question, questions)
    except StorageError as error:
        unread = (Sentence("past conversations could not be searched: ", error.message),)
    results += library.read_current(lambda: from_project(library, question, questions))
    if memories is not None and question.words:
        results += memories.read_current(lambda: from_memories(memories, question, options.org, questions))
    query = question.words or request.query
    results = rescored(results, query, question.intent)
    if options.graph:
        results += related_nodes(library, results, question.intent)
    results = ordered(results)
    listed = min(len(results), options.limit)
    verdict = NO_VERDICT
    nearest: list[UnifiedResult] = []
    if question.words:
        first, rest = results[: max(JUDGED, options.limit)], results[max(JUDGED, options.limit) :]
        likelihoods, verdict = judged(conversations, library, question, first, questions)
        first = in_force(
            [
                replace(result, relevance=ordering(result.relevance, likelihoods.get(result.id, result.relevance)))
                for result in first
            ],
            None if unread else index,
            question.where,
            question.asks_for_the_first_state,
        )
        likelihoods = with_amending(first, likelihoods)
        nearest, results = first[:NEAREST], [*first, *rest]
        if options.only_answers:
            results = verdict.shown(answers(first, question.words, likelihoods))
        results, nearest = (
            [replace(result, relevance=likelihoods.get(result.id, result.relevance)) for result in some]
            for some in (results, [] if results else nearest)
        )
    if not options.merged:
        results = by_kind(results)
    messages = (
        *question.notes,
        *notes,
        *library.graph.notes,
        *(unread or degraded(conversations, question)),
    )
    return UnifiedAnswer(
        request.query.strip(),
        question,
        options,
        tuple(
            _finished(library, result, query, options.graph) for result in shown(results, options.limit, options.merged)
        ),
        len(results),
        Counter(result.source for result in results),
        sum(bool(result.via) for result in results),
        tuple(dict.fromkeys(messages)),
        left_out=max(0, listed - len(results)),
        verdict=verdict,
        nearest=tuple(nearest),
    )


def _finished(library: Library, result: UnifiedResult, query: str, graph: bool) -> UnifiedResult:
    highlights = tuple(phrases(result.text, query, HIGHLIGHTS, HIGHLIGHT))
    relations = _relations(library, result.id) if graph and result.source == KNOWLEDGE else ()
    return replace(result, highlights=highlights, relations=relations)


def _relations(library: Library, id: str) -> tuple[TitledRelation, ...]:
    edges = library.graph.index.edges([id], limit=RELATIONS)
    titles = library.graph.titles(sorted({end for edge in edges for end in (edge.source, edge.target)}))
    return tuple(
        TitledRelation(edge.source, titles.get(edge.source, ""), edge.type, edge.target, titles.get(edge.target, ""))
        for edge in edges
    )
