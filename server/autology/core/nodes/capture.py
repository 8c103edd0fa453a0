"""Capturing a node: validated, classified, related to existing nodes, stored."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.content.codec import clean
from autology.core.nodes import capture_in_place, relate, relation_inference, status_transitions
from autology.core.nodes.classification import Classification, chosen
from autology.core.nodes.classify import classify
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_draft import NodeDraft
from autology.core.nodes.pins import pin
from autology.core.nodes.relation_inference import Inferred
from autology.model.argument_limits import RELATIONS
from autology.model.errors import ValidationError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.node import (
    TURN,
    Node,
    NodeStatus,
    NodeType,
    Relation,
    RelationType,
    check_confidence,
    check_content,
    check_text,
    check_title,
    decision_status,
    node_type,
    normal_references,
    normal_tags,
    respelled_tags,
)
from autology.model.query import Filter, Terms
from autology.text.adr.sections import missing_sections
from autology.text.tokens import fold, query_terms, title_words

LEAST_CONFIDENCE = 0.5
"""Minimum confidence of a captured node: a guess is not knowledge."""
CONFIDENCES = (("hook_auto", 0.7), ("hook_", 0.85), ("import_", 0.9), ("manual", 0.9))
"""A node's confidence by the prefix of its source: automatic, confirmed after a hook, an existing record, a person."""
CANDIDATES = 25
"""Nodes that a new one is compared with, the most similar ones: the cost must not grow with the graph."""
WORDS = 200
"""Words of a component's content that are looked up in the titles of decisions."""
_SOURCE = re.compile(r"(?:manual|(?:hook|import)_[a-z0-9_]{1,40})\Z")


@dataclass(frozen=True, slots=True)
class RequestedRelation:
    """A relation that the caller requests, to a node by id or prefix."""

    type: str
    target: str
    description: str | None = None
    confidence: float = 0.8


@dataclass(frozen=True, slots=True)
class Material:
    """The caller's input for a capture."""

    title: str
    content: str
    type: str | None = None
    tags: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    session: str | None = None
    turn: str | None = None
    source: str = "manual"
    confidence: float | None = None
    relations: tuple[RequestedRelation, ...] = ()
    supersedes: tuple[str, ...] = ()
    decision_status: str | None = None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A node that may already say this, and why it seems so."""

    source: Source
    reason: str


@dataclass(frozen=True, slots=True)
class Captured:
    """The stored node, and what the caller may want to do about it next."""

    node: Node
    classification: Classification
    created: tuple[Inferred, ...] = ()
    suggested: tuple[Inferred, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    missing_sections: tuple[str, ...] = ()
    absent_references: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    respelled: Mapping[str, str] = field(default_factory=dict)


def capture(
    graph: Graph, material: Material, automatic: float = relation_inference.AUTOMATIC, into: str = ""
) -> Captured:
    """Store *material* as a node and return it with its related nodes and duplicates.

    Relations that a rule may create by itself are created from *automatic* confidence up; the others are suggested.
    A decision becomes the next record of the adopted collection *into*, if that names one's folder.

    Raises:
        ValidationError: a field is invalid.
        NotFoundError: a relation or supersession names a missing node.
        StorageError: nothing could be written.
    """
    node, classification, redacted = _node(graph, material)
    with graph.index.keep_open():
        return _keep(graph, material, node, classification, redacted, automatic, into)


def _keep(
    graph: Graph,
    material: Material,
    node: Node,
    classification: Classification,
    redacted: tuple[str, ...],
    automatic: float,
    into: str,
) -> Captured:
    wishes = _wishes(material)
    graph.catch_up()
    for id, _ in wishes:
        graph.source(id, "target")  # a refused node leaves no folder behind
    graph.files.create()
    record, notes = _in_place(graph, into, node)
    node = replace(node, id=record.id) if record else node
    candidates, alike = _candidates(graph, node)
    others = [other for other, _ in graph.readable(candidates)]
    duplicates = _duplicates(node, others, {source.id: source for source in candidates}, alike)
    inferred = relation_inference.infer(node, others)
    wanted = tuple(item for item in inferred if item.automatic and item.confidence >= automatic)

    def act(draft: NodeDraft) -> Node:
        captured = _related(draft, node, wishes)
        for item in (item for item in wanted if item.source == node.id):
            captured = relate.with_relation(
                captured, Relation(item.type, item.target, item.confidence, item.reasons[0])
            )
        captured = draft.create(captured) if record is None else capture_in_place.completed(draft, record, captured)
        for item in (item for item in wanted if item.source != node.id):
            stored = draft.read(item.source)
            relation = Relation(item.type, node.id, item.confidence, item.reasons[0])
            draft.replace(stored, relate.with_relation(stored.entry, relation))
        return captured

    captured = graph.change(act)
    suggested = tuple(item for item in inferred if item not in wanted and _is_news(captured, item, wanted))
    return Captured(
        node=captured,
        classification=classification,
        created=wanted,
        suggested=suggested,
        duplicates=duplicates,
        missing_sections=_missing(graph, captured),
        absent_references=tuple(path for path in captured.references if not graph.files.project_has(path)),
        redacted=redacted,
        superseded=tuple(r.target for r in captured.relations if r.type is RelationType.SUPERSEDES),
        titles={**{other.id: other.title for other in others}, captured.id: captured.title},
        notes=(*graph.notes, *notes),
        respelled=respelled_tags(_cleaned(material.tags)),
    )


def _in_place(graph: Graph, into: str, node: Node) -> tuple[Node | None, tuple[str, ...]]:
    """Return the record that *node* was written as, if it is to become one, and why it was not."""
    if not into or node.type is not NodeType.DECISION:
        return None, ()
    record, reason = capture_in_place.create(graph, into, node)
    return record, () if record else (f"captured into .autology, not into {into}: {reason}",)


def _missing(graph: Graph, node: Node) -> tuple[str, ...]:
    """Return the sections that a captured decision lacks; a record is measured by its collection."""
    if node.type is not NodeType.DECISION:
        return ()
    one = graph.records.get(node.record) if node.record and graph.records else None
    return one.missing if one else missing_sections(node.content)


def _node(graph: Graph, material: Material) -> tuple[Node, Classification, tuple[str, ...]]:
    kinds: list[str] = []
    title = clean(check_title(material.title), kinds)
    content = clean(check_content(material.content), kinds)
    source = _checked_source(material.source)
    classification = chosen(node_type(material.type)) if material.type is not None else classify(title, content, source)
    type = classification.type
    wanted = decision_status(material.decision_status) if material.decision_status is not None else None
    if wanted is not None and type is not NodeType.DECISION:
        fits = 'Leave it out, or give type "decision".'
        raise ValidationError("decision_status", f"a {type.value} has none", fits)
    incomplete = type is NodeType.DECISION and bool(missing_sections(content))
    at = graph.stamp()
    node = Node(
        id=graph.new_id(),
        type=type,
        title=check_title(title[:100]),
        content=content,
        created=at,
        modified=at,
        tags=normal_tags(_cleaned(material.tags, kinds)),
        confidence=_confidence(material, source),
        session=_session(clean(material.session, kinds) if material.session else None),
        source=source,
        references=normal_references(_cleaned(material.references, kinds)),
        status=NodeStatus.NEEDS_REVIEW if incomplete else NodeStatus.ACTIVE,
        extra={TURN: material.turn} if material.turn else {},
    )
    if type is NodeType.DECISION:
        node = status_transitions.standing(node, status_transitions.first_status(content, wanted))
    return pin(node, graph.files.content), classification, tuple(kinds)


def _cleaned(texts: Sequence[str], kinds: list[str] | None = None) -> tuple[str, ...]:
    return tuple(clean(text, kinds) for text in texts)


def _checked_source(source: str) -> str:
    if not _SOURCE.match(source):
        raise ValidationError("source", f"'{source[:40]}' is not valid", "Use manual, hook_<name> or import_<name>.")
    return source


def _session(session: str | None) -> str | None:
    if session is None or not session.strip():
        return None
    return check_text(" ".join(session.split()), "session", 200)


def _confidence(material: Material, source: str) -> float:
    if material.confidence is None:
        return next(value for start, value in CONFIDENCES if source.startswith(start))
    value = check_confidence(material.confidence)
    if value < LEAST_CONFIDENCE:
        fits = f"Verify it first; {LEAST_CONFIDENCE} or more is stored."
        raise ValidationError("confidence", f"{value} is too low to be stored", fits)
    return value


def _wishes(material: Material) -> list[tuple[str, Relation]]:
    """The requested relations, each with the id that the caller used. Raises ValidationError."""
    wishes = [*material.relations, *(RequestedRelation("supersedes", id, None, 0.95) for id in material.supersedes)]
    if len(wishes) > RELATIONS:
        field = "relations" if material.relations else "supersedes"
        step = Sentence(f"Give the {RELATIONS} most relevant ones; ", do(Action.RELATE), " adds more.")
        raise ValidationError(field, f"{len(wishes)} relations", step)
    return [(wish.target, relate.relation(wish.type, wish.description, wish.confidence)) for wish in wishes]


def _related(draft: NodeDraft, node: Node, wishes: Sequence[tuple[str, Relation]]) -> Node:
    """Return *node* with the requested relations; the nodes it supersedes are marked."""
    for id, relation in wishes:
        target = draft.read(id, "target")
        node = relate.with_relation(node, replace(relation, target=target.entry.id))
        if relation.type is RelationType.SUPERSEDES:
            draft.replace(target, status_transitions.superseded(target.entry))
    return node


def _candidates(graph: Graph, node: Node) -> tuple[list[Source], set[str]]:
    """Nodes that a rule may relate to *node*: by tag, file, title word, mention, session; and similar ones."""
    index = graph.index
    words = [*title_words(node.title)]
    if node.type is NodeType.COMPONENT:
        words += [word for word in title_words(node.content) if word not in words][:WORDS]
    ids = [*index.sharing(node.tags, node.references, words, CANDIDATES)]
    sessions = [text for text in (node.session, node.id) if text]
    ids += [*index.of_session(sessions, CANDIDATES), *((node.session,) if node.session else ())]
    related = dict(index.by_ids(list(dict.fromkeys(ids))))
    titles = [node.title, *relation_inference.mentioned(node.content)]
    related |= {source.id: source for source in (*index.by_title(titles), *_speaking_of(graph, node))}
    alike = {source.id: source for source in _reading_alike(graph, node)}
    return list({**related, **alike}.values()), set(alike)


def _speaking_of(graph: Graph, node: Node) -> list[Source]:
    """Nodes whose text mentions this one's title."""
    title = Terms(query_terms(node.title)[:8])
    decided = node.type is NodeType.DECISION
    where = Filter(type=NodeType.COMPONENT.value if decided else None)
    return [candidate.source for candidate in graph.index.lexical_candidates(title, where, not decided, 10)]


def _reading_alike(graph: Graph, node: Node) -> list[Source]:
    """Nodes that contain all of this one's rarest words: the longest, and of these what it repeats least."""
    text = fold(node.content[:5000])
    longest = sorted(title_words(text), key=lambda word: -len(word))[:24]
    telling = sorted(longest, key=lambda word: (-len(word), text.count(word)))[:8]
    terms = Terms(tuple((word,) for word in telling))
    return [candidate.source for candidate in graph.index.lexical_candidates(terms, Filter(), True, 5)]


def _duplicates(
    node: Node, others: Sequence[Node], sources: Mapping[str, Source], alike: set[str]
) -> tuple[Duplicate, ...]:
    """Nodes with the same title or content, or that say the same in other words."""
    reasons: dict[str, str] = {}
    title = " ".join(fold(node.title).split())
    for other in others:
        if " ".join(fold(other.title).split()) == title:
            reasons[other.id] = "Same title"
        elif other.content.strip() == node.content.strip():
            reasons[other.id] = "Same content"
        elif _says_the_same(node.title, other.title):
            reasons[other.id] = "Nearly the same title"
        elif other.id in alike and _says_the_same(node.content, other.content):
            reasons[other.id] = "Nearly the same content"
    return tuple(Duplicate(sources[id], reason) for id, reason in reasons.items())


LIKELY = 0.3
"""Share of common words from which two texts are compared by what they say, so that a capture rarely pays for it.

On the pairs of bench/duplicates.py this misses 5 of 76 duplicates in 100; precision is 0.97.
"""


def _says_the_same(one: str, other: str) -> bool:
    if relation_inference.jaccard(title_words(one), title_words(other)) < LIKELY:
        return False
    # Its word lists cost 30 ms to read, and most captures never ask.
    from autology.ranking.same_statement import says_the_same

    return says_the_same(one, other)


def _is_news(node: Node, item: Inferred, created: Sequence[Inferred]) -> bool:
    """Whether a relation adds to those between *node* and the other one: relates_to never does next to another."""
    other = item.target if item.source == node.id else item.source
    if item.type is RelationType.RELATES_TO:
        is_related = any({item.source, item.target} == {node.id, other} for item in created)
        return not is_related and all(relation.target != other for relation in node.relations)
    return item.source != node.id or node.relation(item.type, other) is None
