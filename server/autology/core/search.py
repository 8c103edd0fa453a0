"""Finding nodes: by id, by words, or by the plain formula; filtered exactly, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from autology.core.capture import references
from autology.core.graph import Graph, Stored
from autology.model.errors import AutologyError, ValidationError
from autology.model.hit import Source
from autology.model.node import (
    Node,
    NodeStatus,
    RelationType,
    check_confidence,
    is_id_prefix,
    node_status,
    node_type,
    normal_tags,
)
from autology.model.query import Filter, Terms
from autology.ranking import exact, words
from autology.text.times import stamp
from autology.text.tokens import fold, query_terms

MODES = ("words", "exact")
LIMIT = 100
QUERY_LIMIT = 10_000
"""Characters of a question; a longer one is a document."""
TERMS = 32
"""Words of a question that are looked for: past these more words find nothing more, and cost."""
SUPERSEDED = 0.3
"""What a superseded node's score is multiplied by: document 000's heavy penalty."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is looked for; an empty *query* lists what passes the filters."""

    query: str = ""
    type: str | None = None
    tags: tuple[str, ...] = ()
    status: str | None = None
    min_confidence: float | None = None
    references: tuple[str, ...] = ()
    related_to: str | None = None
    mode: str = "words"
    limit: int = 10
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that answers, how well (0-1, or the formula's points), where, and what replaced it."""

    node: Node
    path: str
    score: float
    passage: tuple[int, int] | None = None
    superseded_by: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits, best first; whether there are more; what was degraded while looking."""

    hits: tuple[Hit, ...]
    more: bool
    notes: tuple[str, ...] = field(default=())


def search(graph: Graph, ask: Ask) -> Answer:
    """Return the nodes that best answer *ask*.

    Raises:
        ValidationError: a filter, the mode, the limit or the offset does not fit.
        NotFoundError: ``related_to`` names no node.
    """
    return graph.asked(lambda: _search(graph, ask))


def _search(graph: Graph, ask: Ask) -> Answer:
    where = _filter(graph, ask)
    query = ask.query.strip()
    if len(query) > QUERY_LIMIT:
        raise ValidationError("query", f"has {len(query):,} characters", "Ask with the words that matter.")
    wanted = ask.offset + ask.limit + 1
    if query and (named := _by_id(graph, query, where)):
        found = [Hit(named.node, named.path, 1.0)]
    elif ask.mode == "exact":
        found = _exact(graph, query, where, wanted)
    elif query:
        found = _words(graph, query, where, wanted)
    else:
        found = _listed(graph, where, wanted)
    hits = tuple(_with_successors(graph, found)[ask.offset : ask.offset + ask.limit])
    return Answer(hits, len(found) > ask.offset + ask.limit, tuple(graph.notes))


def _filter(graph: Graph, ask: Ask) -> Filter:
    if ask.mode not in MODES:
        raise ValidationError("mode", f"'{ask.mode[:40]}' is no mode", f"Use one of: {', '.join(MODES)}.")
    if not 1 <= ask.limit <= LIMIT:
        raise ValidationError("limit", f"{ask.limit} is outside 1-{LIMIT}", f"Give a number from 1 to {LIMIT}.")
    if ask.offset < 0:
        raise ValidationError("offset", f"{ask.offset} is below 0", "Give the number of results to pass over.")
    return Filter(
        type=node_type(ask.type).value if ask.type is not None else None,
        tags=normal_tags(ask.tags),
        status=node_status(ask.status).value if ask.status is not None else None,
        min_confidence=check_confidence(ask.min_confidence, "min_confidence")
        if ask.min_confidence is not None
        else None,
        references=references(ask.references),
        related_to=graph.source(ask.related_to).id if ask.related_to is not None else None,
    )


def _by_id(graph: Graph, query: str, where: Filter) -> Stored | None:
    """The node that *query* names by its id, if it passes the filters."""
    if not is_id_prefix(query.lower()):
        return None
    found = graph.index.by_prefix(query.lower(), 2)
    passing = graph.index.listed(replace(where, ids=tuple(s.id for s in found)), 2, "") if found else []
    try:
        return graph.stored(passing[0]) if len(passing) == 1 else None
    except AutologyError:
        return None


def _exact(graph: Graph, query: str, where: Filter, wanted: int) -> list[Hit]:
    now = graph.now()
    every = graph.readable(graph.index.listed(where, -1, stamp(now - exact.RECENT)))
    found = [
        Hit(node, path, exact.score(node, query, now))
        for node, path in every
        if not query or exact.contains(node, query)
    ]
    found.sort(key=lambda hit: -hit.score)
    return found[:wanted]


def _listed(graph: Graph, where: Filter, wanted: int) -> list[Hit]:
    now = graph.now()
    sources = graph.index.listed(where, wanted, stamp(now - exact.RECENT))
    return [
        Hit(node, path, _weighed(exact.boosts(node.confidence, node.modified, now), node))
        for node, path in graph.readable(sources)
    ]


def _words(graph: Graph, query: str, where: Filter, wanted: int) -> list[Hit]:
    terms = Terms(query_terms(query)[:TERMS])
    every = graph.index.words(terms, where, True, wanted)
    enough = len({candidate.source.id for candidate in every}) >= wanted or len(terms.terms) == 1
    some = [] if enough else graph.index.words(terms, where, False, wanted)
    ranked = words.fuse(every, some)
    key = " ".join(fold(query).split())
    passing = (
        {s.id for s in graph.index.listed(replace(where, ids=tuple(r[0].id for r in ranked)), -1, "")}
        if ranked
        else set()
    )
    titled = [s for s in graph.index.by_title([query]) if s.id in passing or _passes(graph, s, where)]
    known = {source.id for source in titled}
    ranked = [(source, 1.0, None) for source in titled] + [r for r in ranked if r[0].id not in known]
    ordered = sorted(ranked, key=lambda r: (not _is_titled(r[0], key), -_weighed_source(r[1], r[0])))[:wanted]
    places = {source.id: (score, passage) for source, score, passage in ordered}
    found = []
    for node, path in graph.readable([source for source, _, _ in ordered]):
        score, passage = places[node.id]
        found.append(Hit(node, path, round(_weighed(score, node), 4), passage))
    return found


def _passes(graph: Graph, source: Source, where: Filter) -> bool:
    return bool(graph.index.listed(replace(where, ids=(source.id,)), 1, ""))


def _is_titled(source: Source, key: str) -> bool:
    return source.status != NodeStatus.SUPERSEDED and " ".join(fold(source.title).split()) == key


def _weighed(score: float, node: Node) -> float:
    return score * SUPERSEDED if node.status is NodeStatus.SUPERSEDED else score


def _weighed_source(score: float, source: Source) -> float:
    return score * SUPERSEDED if source.status == NodeStatus.SUPERSEDED else score


def _with_successors(graph: Graph, found: Sequence[Hit]) -> list[Hit]:
    """Return *found* with each superseded node behind what replaced it, and naming it."""
    old = [hit.node.id for hit in found if hit.node.status is NodeStatus.SUPERSEDED]
    if not old:
        return list(found)
    successors: dict[str, list[str]] = {}
    for edge in graph.index.edges(old):
        if edge.type == RelationType.SUPERSEDES and edge.target in old:
            successors.setdefault(edge.target, []).append(edge.source)
    sources = graph.index.by_ids(sorted({id for ids in successors.values() for id in ids}))
    named = [
        replace(hit, superseded_by=tuple(sources[id] for id in successors.get(hit.node.id, ()) if id in sources))
        for hit in found
    ]
    return _behind(named)


def _behind(hits: list[Hit]) -> list[Hit]:
    """Return *hits*, each one later than the hits that supersede it."""
    present = {hit.node.id for hit in hits}
    placed: list[Hit] = []
    done: set[str] = set()
    waiting = list(hits)
    while waiting:
        ready = next(
            (h for h in waiting if all(s.id in done or s.id not in present for s in h.superseded_by)), waiting[0]
        )
        waiting.remove(ready)
        placed.append(ready)
        done.add(ready.node.id)
    return placed
