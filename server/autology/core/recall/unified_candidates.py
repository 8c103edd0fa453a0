"""The candidates of a unified search, from each index by itself, and nodes that are related to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autology.core.documents.library import Library
from autology.core.hybrid_search import rank
from autology.core.likelihood import IndexedQuestions
from autology.core.memory.find import beside
from autology.core.memory.memories import Memories
from autology.core.recall.calling_project import calling_project
from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.discussions import times_of_event
from autology.core.recall.request import ParsedRequest
from autology.core.recall.tool_output_weight import trusted
from autology.core.recall.unified_answer import CONVERSATIONS, DOCUMENTS, KNOWLEDGE, MEMORIES, UnifiedResult
from autology.model.conversation import Chunk
from autology.model.entry import DOCUMENT, MEMORY, NODE
from autology.model.errors import AutologyError
from autology.model.hit import Source
from autology.model.memory import Scope
from autology.model.query import Filter
from autology.ranking.code_intent import GRAPH, KEYWORD, SEMANTIC, Intent
from autology.ranking.fusion import Ranked
from autology.ranking.penalties import standing
from autology.ranking.time_nearness import raised
from autology.text.documents.reading import body_start
from autology.text.language.timestamps import stamp
from autology.text.redaction import secrets_in, without

POOL = 50
"""Hits of each index that are merged."""
LISTED = 0.5
"""The relevance of everything in a list by time, without a query."""
SHARES = {(SEMANTIC,): 0.3, (SEMANTIC, KEYWORD): 0.2}
"""The weight of semantic scores by what an intent searches: 0.2 to 0.3 are equal in bench/quality, more is worse."""
ROOTS, NEIGHBOURS = 5, 10
"""The best nodes whose relations are followed, and how many nodes that adds at most."""
RELATED = 0.8
"""The score of a related node, relative to the node that links to it, for questions about the graph; else half."""


def from_conversations(
    search: ConversationSearch, request: ParsedRequest, questions: IndexedQuestions
) -> list[UnifiedResult]:
    """Return the passages of conversations that answer. Raises StorageError."""
    index = search.index
    with index.keep_open():
        if request.words:
            words = questions.of(index, request.words).query
            ranked = rank(index, words, request.where, POOL, share=_share(request.intent))
            scores = {hit.source.id: hit.score for hit in ranked}
            if request.times:
                stamps = [hit.source.modified for hit in ranked]
                times = times_of_event(request, stamps)
                scores = dict(zip(scores, raised(list(scores.values()), stamps, times), strict=True))
        else:
            scores = {source.id: LISTED for source in index.listed(request.where, POOL, "")}
        chunks = index.chunks(list(scores))
        here = calling_project(search, request)
        return [
            of_conversation(chunk, here.relevance(trusted(scores[id], chunk, request.words), chunk))
            for id, chunk in chunks.items()
        ]


def of_conversation(chunk: Chunk, relevance: float) -> UnifiedResult:
    """Return a passage of a conversation as a result."""
    return UnifiedResult(
        chunk.id, chunk.kind, "", chunk.text, chunk.at, relevance, CONVERSATIONS, chunk.folder, chunk=chunk
    )


def from_project(library: Library, request: ParsedRequest, questions: IndexedQuestions) -> list[UnifiedResult]:
    """Return the project's nodes and documents that answer."""
    index = library.graph.index
    where = Filter(kind=None, kinds=(NODE, DOCUMENT), since=request.where.since, until=request.where.until)
    ranked: Sequence[Ranked] = ()
    if request.words:
        ranked = rank(index, questions.of(index, request.words).query, where, POOL, share=_share(request.intent))
    elif where.since or where.until:
        ranked = [Ranked(source, LISTED) for source in index.listed(where, POOL, "")]
    return [result for hit in ranked if (result := _project_result(library, hit.source, hit.score, hit.passage))]


def from_memories(
    memories: Memories, request: ParsedRequest, org: str | None, questions: IndexedQuestions
) -> list[UnifiedResult]:
    """Return the memories that answer, of the current project and of none, without expired ones."""
    here = memories.default_scope().project
    now = stamp(memories.now())
    where = Filter(kind=MEMORY, exclude_strays=True, alive_at=now, since=request.where.since, until=request.where.until)
    share = _share(request.intent)
    by_id: dict[str, Ranked] = {}
    words = questions.of(memories.index, request.words).query
    # Those of this project first: the user may have many of others.
    for scope in (Scope(org=org, project=here), Scope(org=org)):
        for hit in rank(memories.index, words, replace(where, scope=scope), POOL, share=share):
            if hit.source.scope_project in (None, here):
                by_id.setdefault(hit.source.id, hit)
    hits = {hit.source.id: hit for hit in sorted(by_id.values(), key=lambda hit: -hit.score)[:POOL]}
    results = []
    for memory, source in memories.readable([hit.source for hit in hits.values()]):
        if memory.expired(now) or memory.scope.project not in (None, here) or not Scope(org=org).covers(memory.scope):
            continue  # rewritten since it was indexed
        span = hits[source.id].passage or (0, len(memory.content))
        text = without(memory.content, secrets_in(memory.content), *span).strip()
        result = _result(source, text, hits[source.id].score, MEMORIES)
        results.append(replace(result, expires_at=memory.expires_at, beside=beside(memory)))
    return results


def related_nodes(library: Library, results: Sequence[UnifiedResult], intent: Intent) -> list[UnifiedResult]:
    """Return nodes that the best nodes among *results* are related to, and that are not among them."""
    roots = sorted((r for r in results if r.source == KNOWLEDGE), key=lambda result: -result.relevance)[:ROOTS]
    if not roots:
        return []
    weight = RELATED if GRAPH in intent.searches else RELATED / 2
    by_id = {root.id: root for root in roots}
    ids = {result.id for result in results}
    added: dict[str, tuple[float, str]] = {}
    for edge in library.graph.index.edges(list(by_id)):
        for root, other, out in ((edge.source, edge.target, True), (edge.target, edge.source, False)):
            if root in by_id and other not in ids:
                title = by_id[root].title
                via = f"{title} —[{edge.type}]→ it" if out else f"it —[{edge.type}]→ {title}"
                score = weight * edge.confidence * by_id[root].relevance
                added[other] = max(added.get(other, (0.0, "")), (score, via))
    best = dict(sorted(added.items(), key=lambda item: (-item[1][0], item[0]))[:NEIGHBOURS])
    sources = library.graph.index.by_ids(list(best))
    nodes = [(_project_result(library, source, best[id][0], None), best[id][1]) for id, source in sources.items()]
    return [replace(node, relevance=round(node.relevance, 4), via=via) for node, via in nodes if node]


def _share(intent: Intent) -> float:
    return SHARES.get(tuple(name for name in intent.searches if name != GRAPH), 0.25)


def _project_result(
    library: Library, source: Source, score: float, passage: tuple[int, int] | None
) -> UnifiedResult | None:
    if source.kind == MEMORY:
        return None  # found by its own text, if at all
    try:
        if source.kind == DOCUMENT:
            content = library.stored(source).entry.text
            text = content[slice(*passage)] if passage else content[body_start(content, source.path) :]
        else:
            content = library.graph.stored(source).entry.content
            text = content[slice(*passage)] if passage else content
    except AutologyError:
        return None  # removed or broken since it was indexed
    result = _result(source, text.strip(), score, DOCUMENTS if source.kind == DOCUMENT else KNOWLEDGE)
    return replace(result, origin=source.origin or "", standing=standing(source.status))


def _result(source: Source, text: str, score: float, name: str) -> UnifiedResult:
    return UnifiedResult(source.id, source.type, source.title, text, source.modified, score, name, source.path)
