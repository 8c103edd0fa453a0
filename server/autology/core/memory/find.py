"""Finding memories: lexically, semantically, along their relations; only of the requested scope, and unexpired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.hybrid_search import TERMS, degraded, rank
from autology.core.likelihood import NEAREST, NO_VERDICT, IndexedQuestion, Passage, Verdict
from autology.core.memory.expand import Expansion, expand
from autology.core.memory.index_entry import texts
from autology.core.memory.memories import Memories
from autology.core.nodes.search import unread
from autology.model.argument_limits import AUTO, DEEP, EXPANSIONS, FAST, MEMORY_MODES, RESULTS
from autology.model.entry import MEMORY, NODE
from autology.model.errors import AutologyError, ValidationError
from autology.model.hit import Source
from autology.model.memory import Memory, Scope, kind
from autology.model.node import Node
from autology.model.query import Filter
from autology.ranking import deep_rerank
from autology.ranking.answer_cut import answering
from autology.ranking.coverage import FederatedHit
from autology.ranking.evidence import FAR_RECORDED, JUDGED, RECORDED, Match, ordering
from autology.ranking.fusion import MIN_COSINE, Ranked
from autology.text.language.timestamps import stamp
from autology.text.tokens import fold, query_terms

USUAL: Mapping[str, int] = {FAST: 20, AUTO: 10, DEEP: 10}
"""The default number of items."""
QUERY_LIMIT = 10_000
"""Characters of a query; a longer one is a document."""
POOL = 100
"""Candidates ranked at a time, so that the pages of one list are consistent."""
RERANKED = 20
"""Candidates that a deep search reranks at a time: twice the default number, and pages stay consistent."""
ROOTS = 25
"""Candidates that an expansion starts from, which leaves room for what they lead to."""
KEYWORDS = 100_000
"""Characters of an item in which words of the query are counted."""


@dataclass(frozen=True, slots=True)
class MinimumSimilarity:
    """The minimum similarity of a hit without a word of the query: as *reported*, and as a *cosine*."""

    reported: float
    cosine: float


THRESHOLDS: Mapping[str, MinimumSimilarity] = {
    AUTO: MinimumSimilarity(0.6, MIN_COSINE),
    DEEP: MinimumSimilarity(0.5, 0.2),
}
"""The specified ones, mapped like the scale in ranking/deep_rerank.py."""


class SearchModeError(AutologyError):
    """An unknown search mode."""

    def __init__(self, mode: str) -> None:
        super().__init__(f"Invalid search mode: {mode[:40]}. Use one of: {', '.join(MEMORY_MODES)}.")


@dataclass(frozen=True, slots=True)
class Request:
    """A search: items must have every part that *scope* names, and one of the kinds in *types*.

    Without *limit* the mode's default applies, and items much weaker than the best are left out. With *include_peers*
    the team's servers are searched, too.
    """

    query: str
    types: tuple[str, ...] = ()
    scope: Scope | None = None
    mode: str = AUTO
    limit: int | None = None
    offset: int = 0
    expand: str | None = None
    include_expired: bool = False
    include_peers: bool = False

    @property
    def wanted(self) -> int:
        """The number of items."""
        return USUAL[self.mode] if self.limit is None else self.limit

    @property
    def only_answers(self) -> bool:
        """Whether much weaker items are left out; a deep search is for what is found only with effort."""
        return self.limit is None and not self.offset and self.mode != DEEP


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """A matching item with its score (0-1): how likely it answers. *chunks* is its number of chunks in the index.

    Of a deep search, the score is that of its reranking. *relevance* is relative to the other items. *whose* names its
    origin and who shared it; "" for local ones.
    """

    id: str
    kind: str
    content: str
    scope: Scope
    created_at: str
    updated_at: str
    score: float
    metadata: Mapping[str, object] = field(default_factory=dict)
    data: Mapping[str, object] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    chunks: int = 1
    whose: str = ""
    relevance: float = 0.0

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """The ids of its chunks, in order."""
        return tuple(f"{self.id}#{number}" for number in range(1, self.chunks + 1))


@dataclass(frozen=True, slots=True)
class FoundMemories:
    """The items, best first, and how they were found; *began* is the number of an expansion's starting items.

    *left_out* is the number of weaker items that were left out, as the request has no limit. If the *verdict* is that
    none answers, these are all, and *nearest* are the nearest of them.
    """

    request: Request
    items: tuple[FoundMemory, ...]
    total_found: int
    threshold: float | None
    expanded: Expansion | None = None
    began: int = 0
    notes: tuple[str, ...] = ()
    left_out: int = 0
    verdict: Verdict = NO_VERDICT
    nearest: tuple[FoundMemory, ...] = ()

    def only_answers(self) -> FoundMemories:
        """Return the items without those that are much weaker than the best; none if none answers."""
        hits = [FederatedHit(item.relevance, f"{item.content}\n{beside(item)}") for item in self.items]
        likelihoods = [item.score for item in self.items]
        answers = self.verdict.shown(answering(self.request.query, hits, self.items, likelihoods=likelihoods))
        nearest = () if answers else self.items[:NEAREST]
        return replace(self, items=tuple(answers), left_out=len(self.items) - len(answers), nearest=nearest)


def beside(item: FoundMemory | Memory) -> str:
    """Return what an item holds beside its content, by which it is found, too."""
    return "\n".join((*texts(item.metadata), *texts(item.data), *item.tags))


def find(memories: Memories, request: Request) -> FoundMemories:
    """Return the memories that best answer *request*.

    Raises:
        SearchModeError: the mode is unknown.
        ValidationError: the query, a kind, the limit, the offset or the expansion does not fit.
    """
    search = _Search(memories, _checked(request))
    return memories.read_current(search.run)


def _checked(request: Request) -> Request:
    if request.mode not in MEMORY_MODES:
        raise SearchModeError(request.mode)
    query = request.query.strip()
    if not query:
        raise ValidationError("query", "is empty", "Ask with the words that matter.")
    if len(query) > QUERY_LIMIT:
        raise ValidationError("query", f"has {len(query):,} characters", "Ask with the words that matter.")
    if not 1 <= request.wanted <= RESULTS:
        raise ValidationError(
            "limit", f"{request.wanted} is outside 1-{RESULTS}", f"Give a number from 1 to {RESULTS}."
        )
    if request.offset < 0:
        raise ValidationError("offset", f"{request.offset} is below 0", "Give the number of items to pass over.")
    if request.expand is not None and request.expand not in EXPANSIONS:
        fits = f"Use one of: {', '.join(EXPANSIONS)}."
        raise ValidationError("expand", f"'{request.expand[:40]}' is no way to go", fits)
    if request.expand is not None and request.mode != DEEP:
        raise ValidationError("expand", f"does not go with mode {request.mode}", "Ask with mode deep.")
    return replace(request, query=query, types=tuple(kind(name).value for name in request.types))


class _Search:
    """One search, at one moment."""

    def __init__(self, memories: Memories, request: Request) -> None:
        self._memories = memories
        self._index = memories.index
        self._request = request
        alive = None if request.include_expired else stamp(memories.now())
        self._where = Filter(kind=MEMORY, types=request.types, scope=request.scope, exclude_strays=True, alive_at=alive)
        self._threshold = THRESHOLDS.get(request.mode) if self._index.encoder(MEMORY)[0] else None

    def run(self) -> FoundMemories:
        """Return the results."""
        request, graph = self._request, self._memories.graph
        subject = IndexedQuestion(self._index, request.query)
        stop = request.offset + request.wanted
        ranked = self._ranked(subject.query, -(-(stop + 1) // POOL) * POOL)
        total, expansion, began, verdict = len(ranked), None, 0, NO_VERDICT
        if request.expand:
            roots = ranked[:ROOTS]
            expansion, began = self._expanded(roots, request.expand), len(roots)
            items = self._reranked(roots, expansion.added)
            page, total = items[request.offset : stop], len(items)
        elif request.mode == DEEP:
            blocks = [self._reranked(ranked[at : at + RERANKED]) for at in range(0, stop, RERANKED)]
            page = [item for block in blocks for item in block][request.offset : stop]
        else:
            items, verdict = self._judged(subject, ranked[: max(JUDGED, stop)])
            page = items[request.offset : stop]
        notes = (*graph.notes, *unread(graph, (MEMORY,)))
        result = FoundMemories(
            request,
            tuple(self._with_chunks(page)),
            total,
            self._threshold.reported if self._threshold else None,
            expansion,
            began,
            (*notes, *(degraded(self._index, MEMORY) if request.mode != FAST else ())),
            verdict=verdict,
        )
        return result.only_answers() if request.only_answers else result

    def _ranked(self, words: str, pool: int) -> list[Ranked]:
        query, min_cosine = self._request.query, self._threshold.cosine if self._threshold else MIN_COSINE
        ranked = rank(self._index, words, self._where, pool, self._request.mode != FAST, min_cosine=min_cosine)
        named = self._index.listed(replace(self._where, ids=(query,)), 1, "") if len(query) <= 100 else ()
        first = [Ranked(source, 1.0, None, {"id": 1.0}) for source in named]
        return first + [hit for hit in ranked if hit.source.id not in {source.id for source in named}]

    def _judged(self, subject: IndexedQuestion, ranked: Sequence[Ranked]) -> tuple[list[FoundMemory], Verdict]:
        """Return the items of *ranked*, with how likely they answer, and whether any does."""
        hits = {hit.source.id: hit for hit in ranked}
        items = self._read([hit.source for hit in ranked], {id: hit.score for id, hit in hits.items()})
        matches = subject.matches([_passage(item, hits[item.id].passage) for item in items])
        scored = [_scored(item, hits[item.id], match) for item, match in zip(items, matches, strict=True)]
        named = [item.id == self._request.query for item in items]
        verdict = NO_VERDICT if any(named) else subject.verdict(matches, self._where, RECORDED, FAR_RECORDED)
        if any(hit.near >= MIN_COSINE for hit in ranked):
            verdict = verdict._replace(is_near=True)  # as near in meaning as is asked for
        first = sorted(scored[:JUDGED], key=lambda item: -ordering(item.relevance, item.score))
        return first + scored[JUDGED:], verdict

    # ---- deep ------------------------------------------------------------------------------------

    def _expanded(self, roots: Sequence[Ranked], direction: str) -> Expansion:
        """Return what is reachable from *roots*; nodes, too, if the requested scope covers this project."""
        scope = self._request.scope
        here = Scope(project=self._memories.default_scope().project) if scope and scope.set_parts() else Scope()
        nodes = scope is None or scope.covers(here)
        return expand(self._index, [hit.source for hit in roots], direction, self._where, nodes)

    def _reranked(self, ranked: Sequence[Ranked], added: Sequence[Source] = ()) -> list[FoundMemory]:
        """Return *ranked* and *added* in the order of a deep search."""
        sources = [*(hit.source for hit in ranked), *added]
        near = self._near([source.id for source in sources])
        terms = query_terms(self._request.query)[:TERMS]
        now = self._memories.now()

        def score(item: FoundMemory) -> float:
            text = "\n".join((item.content[:KEYWORDS], *texts(item.metadata), *texts(item.data), *item.tags))
            share, recency = deep_rerank.matched(terms, fold(text)), deep_rerank.recency(item.created_at, now)
            return deep_rerank.score(near.get(item.id, 0.0), share, recency, item.kind)

        items = [replace(item, score=score(item)) for item in self._read(sources, {})]
        return sorted(items, key=lambda item: -item.score)

    def _near(self, ids: Sequence[str]) -> dict[str, float]:
        """Return the semantic similarity of each of *ids* to the query, on the specified scale."""
        if not ids:
            return {}
        where = Filter(kind=None, kinds=(MEMORY, NODE), ids=tuple(ids))
        hits = self._index.semantic_candidates(self._request.query, where, len(ids))
        return {hit.source.id: deep_rerank.similarity(hit.cosine) for hit in hits}

    # ---- items -----------------------------------------------------------------------------------

    def _read(self, sources: Sequence[Source], scores: Mapping[str, float]) -> list[FoundMemory]:
        """Return the items of *sources*, read from disk, without those that no longer match."""
        items = {
            memory.id: found_memory(memory, scores.get(memory.id, 0.0))
            for memory, _ in self._memories.readable([source for source in sources if source.kind == MEMORY])
            if passes(memory, self._where)
        }
        if nodes := [source for source in sources if source.kind == NODE]:
            project = self._memories.default_scope().project
            graph = self._memories.graph
            items.update((node.id, _node(node, Scope(project=project))) for node, _ in graph.readable(nodes))
        return [items[source.id] for source in sources if source.id in items]

    def _with_chunks(self, items: Sequence[FoundMemory]) -> list[FoundMemory]:
        spans = self._index.spans([item.id for item in items])
        return [replace(item, chunks=max(1, len(spans.get(item.id, ())))) for item in items]


def _passage(item: FoundMemory, span: tuple[int, int] | None) -> Passage:
    return Passage(item.id, beside(item), item.content[slice(*span)] if span else item.content)


def _scored(item: FoundMemory, hit: Ranked, match: Match) -> FoundMemory:
    likelihood = 1.0 if "id" in hit.parts else match.likelihood
    return replace(item, score=round(likelihood, 4), relevance=hit.score)


def passes(memory: Memory, where: Filter) -> bool:
    """Whether *memory*, read from disk, still matches: the index may be a moment behind."""
    return (where.scope is None or where.scope.covers(memory.scope)) and not (
        where.alive_at is not None and memory.expired(where.alive_at)
    )


def found_memory(memory: Memory, score: float) -> FoundMemory:
    """Return *memory* as a result with that score."""
    return FoundMemory(
        id=memory.id,
        kind=memory.kind.value,
        content=memory.content,
        scope=memory.scope,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        score=score,
        metadata=memory.metadata,
        data=memory.data,
        tags=memory.tags,
    )


def _node(node: Node, scope: Scope) -> FoundMemory:
    """Return a node of the project as an item: relations may lead to nodes."""
    return FoundMemory(
        id=node.id,
        kind=node.type.value,
        content=node.content,
        scope=scope,
        created_at=node.created,
        updated_at=node.modified,
        score=0.0,
        metadata={"title": node.title, "status": node.status.value},
        tags=node.tags,
    )
