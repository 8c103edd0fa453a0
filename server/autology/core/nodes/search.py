"""Finding nodes: by id, by ranked search, or by the plain formula; filters are exact, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from autology.core import hybrid_search
from autology.core.adoption import folding
from autology.core.likelihood import NEAREST, NO_VERDICT, IndexedQuestion, Passage, Verdict
from autology.core.nodes.drift_watch import Watch
from autology.core.nodes.graph import Graph, offer
from autology.model.argument_limits import RESULTS, SEARCH_MODES
from autology.model.entry import NODE
from autology.model.errors import AmbiguousIdError, ValidationError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.node import (
    Node,
    NodeStatus,
    RelationType,
    check_confidence,
    is_id_prefix,
    is_id_start,
    node_status,
    node_type,
    normal_references,
    normal_tags,
)
from autology.model.query import Filter
from autology.ranking import exact_mode_score
from autology.ranking.answer_cut import answering
from autology.ranking.coverage import FederatedHit
from autology.ranking.evidence import FAR_RECORDED, JUDGED, RECORDED, Match, ordering
from autology.ranking.fusion import Ranked
from autology.ranking.penalties import in_force, standing
from autology.text.language.timestamps import stamp

T = TypeVar("T", Ranked, "NodeHit")

USUAL = 10
"""The default maximum of hits."""
BEGINNING = 6
"""Characters of a query from which it may be an id prefix: one in 16 million matches by chance."""
CANDIDATES = 6
"""Nodes named for an ambiguous id prefix."""
QUERY_LIMIT = 10_000
"""Characters of a query; a longer one is a document."""
POOL = 100
"""Candidates are fetched and ordered in blocks of this size, so that pages of one list are consistent."""


@dataclass(frozen=True, slots=True)
class NodeQuery:
    """A search request; an empty *query* lists what passes the filters.

    Without *limit*, a query's first page ends before the first hit that is much weaker.
    """

    query: str = ""
    type: str | None = None
    tags: tuple[str, ...] = ()
    status: str | None = None
    min_confidence: float | None = None
    references: tuple[str, ...] = ()
    related_to: str | None = None
    mode: str = "hybrid"
    limit: int | None = None
    offset: int = 0

    @property
    def wanted(self) -> int:
        """The maximum number of hits."""
        return USUAL if self.limit is None else self.limit

    @property
    def only_answers(self) -> bool:
        """Whether much weaker hits are left out."""
        return self.limit is None and not self.offset and self.mode != "exact" and bool(self.query.strip())


class NodeHit(NamedTuple):
    """A node that answers, its score, the matching field, its successors, its drift.

    The score is how likely it answers (0-1), the formula's points, or of a list its weight. *relevance* is relative to
    the other hits. *also* are copies that an older version imported from the same record.
    """

    node: Node
    path: str
    score: float
    passage: tuple[int, int] | None = None
    superseded_by: tuple[Source, ...] = ()
    explain: Mapping[str, float] = MappingProxyType({})
    drifted: tuple[str, ...] = ()
    also: tuple[Source, ...] = ()
    relevance: float = 0.0


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """The hits, best first; whether there are more; what was degraded; the encoder used.

    *left_out* is the number of weaker hits that were left out, as the request has no limit. If the *verdict* is that
    none answers, these are all, and *nearest* are the nearest of them.
    """

    hits: tuple[NodeHit, ...]
    more: bool
    notes: tuple[str, ...] = field(default=())
    encoder: str = ""
    left_out: int = 0
    verdict: Verdict = NO_VERDICT
    nearest: tuple[NodeHit, ...] = ()


def search(graph: Graph, ask: NodeQuery, watch: Watch | None = None) -> NodeAnswer:
    """Return the nodes that best answer *ask*; with a *watch*, drifted ones need review.

    Raises:
        ValidationError: a filter, the mode, the limit or the offset is invalid.
        NotFoundError: ``related_to`` names no node.
    """
    return graph.read_current(lambda: _search(graph, ask, watch))


def _search(graph: Graph, ask: NodeQuery, watch: Watch | None) -> NodeAnswer:
    where = _filter(graph, ask)
    by_status = ask.status in (NodeStatus.NEEDS_REVIEW, NodeStatus.ACTIVE)
    drifted = {*(watch.all() if watch else ()), *graph.index.changed()} if by_status else set()
    if drifted and ask.status == NodeStatus.NEEDS_REVIEW:
        marked = graph.index.listed(where, -1, "")
        where = replace(where, status=None, ids=tuple({*drifted, *(source.id for source in marked)}))
    query = ask.query.strip()
    if len(query) > QUERY_LIMIT:
        raise ValidationError("query", f"has {len(query):,} characters", "Use a shorter query.")
    stop = ask.offset + ask.wanted
    pool = -(-(stop + 1) // POOL) * POOL
    subject: IndexedQuestion | None = None
    if query and (named := _by_id(graph, query, where)):
        ranked: Sequence[Ranked] = [Ranked(named, 1.0, None, {"id": 1.0})]
    elif ask.mode == "exact":
        ranked = _exact(graph, query, where)
    elif query:
        subject = IndexedQuestion(graph.index, query)
        ranked = hybrid_search.rank(graph.index, subject.query, where, pool, ask.mode == "hybrid")
    else:
        ranked = _listed(graph, where, pool)
    if ask.status == NodeStatus.ACTIVE:
        ranked = [hit for hit in ranked if hit.source.id not in drifted]
    successors = _successors(graph, ranked)
    ordered, copies = _folded(_behind(ranked, successors)) if query else (_behind(ranked, successors), {})
    if subject is None:
        listed, verdict = _hits(graph, ordered[ask.offset : stop], successors), NO_VERDICT
    else:
        listed, verdict = _judged(graph, subject, where, ordered, ask, successors)
    listed = tuple(hit._replace(also=copies[hit.node.id]) if hit.node.id in copies else hit for hit in listed)
    hits = listed
    nearest: tuple[NodeHit, ...] = ()
    if ask.only_answers:
        hits = tuple(verdict.shown(_answering(query, listed)))
        nearest = listed[:NEAREST] if not hits else ()
    why = watch.of(hit.node for hit in hits) if watch else {}
    hits = tuple(hit._replace(drifted=why[hit.node.id]) if hit.node.id in why else hit for hit in hits)
    semantic = bool(query) and ask.mode == "hybrid"
    degraded = hybrid_search.degraded(graph.index, where.kind) if semantic else ()
    encoder = graph.index.encoder(where.kind)[0] if semantic else ""
    short = _too_short(graph, query) if not listed else ()
    notes = (*graph.notes, *unread(graph), *degraded, *short)
    return NodeAnswer(hits, len(ordered) > stop, notes, encoder, len(listed) - len(hits), verdict, nearest)


def _judged(
    graph: Graph,
    subject: IndexedQuestion,
    where: Filter,
    ordered: Sequence[Ranked],
    ask: NodeQuery,
    successors: Mapping[str, Sequence[Source]],
) -> tuple[tuple[NodeHit, ...], Verdict]:
    """Return the requested page of the hits *ordered*, with how likely they answer, and whether any does."""
    stop = ask.offset + ask.wanted
    first = _hits(graph, ordered[: max(JUDGED, stop)], successors)
    matches = subject.matches([Passage(hit.node.id, hit.node.title, _passage(hit)) for hit in first])
    scored = [_scored(hit, match) for hit, match in zip(first, matches, strict=True)]
    placed = sorted(scored[:JUDGED], key=lambda hit: (not _is_titled(hit), -ordering(hit.relevance, hit.score)))
    placed = _behind(placed, successors) + scored[JUDGED:]
    return tuple(placed[ask.offset : stop]), subject.verdict(matches, where, RECORDED, FAR_RECORDED)


def _scored(hit: NodeHit, match: Match) -> NodeHit:
    return hit._replace(score=round(match.likelihood * standing(hit.node.status), 4))


def _is_titled(hit: NodeHit) -> bool:
    return "exact title" in hit.explain and hit.node.status is not NodeStatus.SUPERSEDED


def _passage(hit: NodeHit) -> str:
    return hit.node.content[slice(*hit.passage)] if hit.passage else hit.node.content


def _folded(ranked: Sequence[Ranked]) -> tuple[Sequence[Ranked], Mapping[str, tuple[Source, ...]]]:
    """Return *ranked* without the copies of records that are hits, and those by the id that they are folded into."""
    into = folding.folded([hit.source for hit in ranked])
    copies: dict[str, tuple[Source, ...]] = {}
    for copy, at in into.items():
        id = ranked[at].source.id
        copies[id] = (*copies.get(id, ()), ranked[copy].source)
    return [hit for at, hit in enumerate(ranked) if at not in into], copies


def _answering(query: str, hits: Sequence[NodeHit]) -> list[NodeHit]:
    texts = [FederatedHit(hit.relevance, f"{hit.node.title}\n{hit.node.content}") for hit in hits]
    return answering(query, texts, hits, likelihoods=[hit.score for hit in hits])


def unread(graph: Graph, kinds: Sequence[str] = (NODE,)) -> list[str]:
    """Return which files of these *kinds* were not searched because they are unreadable, in one sentence."""
    faults = [fault for kind in kinds for fault in graph.index.faults(kind)]
    if not faults:
        return []
    path, reason = faults[0]
    more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
    how = Sentence(do(Action.DOCTOR), " says how to fix it")
    return [Sentence(f"unreadable and not searched: {path} ({reason}){more}; ", how)]


def _filter(graph: Graph, ask: NodeQuery) -> Filter:
    if ask.mode not in SEARCH_MODES:
        raise ValidationError("mode", f"'{ask.mode[:40]}' is not a mode", f"Use one of: {', '.join(SEARCH_MODES)}.")
    if not 1 <= ask.wanted <= RESULTS:
        raise ValidationError("limit", f"{ask.limit} is outside 1-{RESULTS}", f"Give a number from 1 to {RESULTS}.")
    if ask.offset < 0:
        raise ValidationError("offset", f"{ask.offset} is below 0", "Give the number of results to skip.")
    return Filter(
        type=node_type(ask.type).value if ask.type is not None else None,
        tags=normal_tags(ask.tags),
        status=node_status(ask.status).value if ask.status is not None else None,
        min_confidence=check_confidence(ask.min_confidence, "min_confidence")
        if ask.min_confidence is not None
        else None,
        references=normal_references(ask.references),
        related_to=graph.source(ask.related_to).id if ask.related_to is not None else None,
    )


def _by_id(graph: Graph, query: str, where: Filter) -> Source | None:
    """The node whose id is *query*, if it passes the filters.

    Raises:
        AmbiguousIdError: it is a prefix of several ids that do.
    """
    prefix = query.lower()
    if not is_id_prefix(prefix) and not (is_id_start(prefix) and len(prefix) >= BEGINNING):
        return None
    matches = graph.index.by_prefix(prefix, CANDIDATES)
    ids = tuple(source.id for source in matches if where.ids is None or source.id in where.ids)
    passing = graph.index.listed(replace(where, ids=ids), CANDIDATES, "") if ids else []
    if len(passing) > 1:
        raise AmbiguousIdError(query, [offer(source) for source in passing], "query")
    return passing[0] if passing else None


def _too_short(graph: Graph, query: str) -> list[str]:
    """Return why an id prefix of a few characters finds nothing."""
    begun = graph.index.by_prefix(query.lower(), CANDIDATES) if is_id_start(query.lower()) else []
    if not begun:
        return []
    named = "; ".join(f"{source.title} ({source.type}, {source.id[:8]})" for source in begun)
    return [f"'{query}' is too short for an id prefix: give {BEGINNING} characters or more of {named}"]


def _exact(graph: Graph, query: str, where: Filter) -> list[Ranked]:
    now = graph.now()
    sources = graph.index.listed(where, -1, stamp(now - exact_mode_score.RECENT))
    ranked: list[Ranked] = [
        Ranked(source, exact_mode_score.score(node, query, now))
        for node, source in graph.readable(sources)
        if not query or exact_mode_score.contains(node, query)
    ]
    return sorted(ranked, key=lambda hit: -hit.score)


def _listed(graph: Graph, where: Filter, pool: int) -> list[Ranked]:
    now = graph.now()
    sources = graph.index.listed(where, pool, stamp(now - exact_mode_score.RECENT))
    return [in_force(Ranked(s, exact_mode_score.boosts(s.confidence, s.modified, now))) for s in sources]


def _successors(graph: Graph, ranked: Sequence[Ranked]) -> Mapping[str, Sequence[Source]]:
    """Return the successors of each superseded node in *ranked*."""
    old = [hit.source.id for hit in ranked if hit.source.status == NodeStatus.SUPERSEDED]
    edges = [edge for edge in graph.index.edges(old) if edge.type == RelationType.SUPERSEDES] if old else []
    sources = graph.index.by_ids(sorted({edge.source for edge in edges}))
    successors: dict[str, list[Source]] = {}
    for edge in edges:
        if edge.source in sources:
            successors.setdefault(edge.target, []).append(sources[edge.source])
    return {id: successors.get(id, []) for id in old}


def _behind(ranked: Sequence[T], successors: Mapping[str, Sequence[Source]]) -> list[T]:
    """Return *hits*, each hit moved behind those that supersede it."""
    if not any(successors.values()):
        return list(ranked)
    unplaced = {_id(hit) for hit in ranked}
    placed: list[T] = []
    held: list[T] = []

    def waits(hit: T) -> bool:
        return any(source.id in unplaced for source in successors.get(_id(hit), ()))

    for hit in ranked:
        held.append(hit)
        while ready := next((hit for hit in held if not waits(hit)), None):
            held.remove(ready)
            placed.append(ready)
            unplaced.discard(_id(ready))
    return placed + held


def _id(hit: Ranked | NodeHit) -> str:
    return hit.source.id if isinstance(hit, Ranked) else hit.node.id


def _hits(graph: Graph, page: Sequence[Ranked], successors: Mapping[str, Sequence[Source]]) -> tuple[NodeHit, ...]:
    ranked_at = {ranked.source.path: ranked for ranked in page}
    hits = []
    for node, source in graph.readable([ranked.source for ranked in page]):
        ranked = ranked_at[source.path]
        explain = {name: round(part, 4) for name, part in ranked.parts.items()}
        score = round(ranked.score, 4)
        newer = tuple(successors.get(node.id, ()))
        hits.append(NodeHit(node, source.path, score, ranked.passage, newer, explain, relevance=ranked.score))
    return tuple(hits)
