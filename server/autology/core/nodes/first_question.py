"""Questions that a project's records can answer, and the answer to the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from autology.core.nodes.graph import Graph
from autology.core.nodes.search import NodeHit, NodeQuery, search
from autology.model.node import DecisionStatus, Node, NodeStatus, NodeType, RelationType
from autology.text.adr.sections import missing_sections, section_name
from autology.text.markdown.first_prose import first_paragraph, from_first_prose
from autology.text.markdown.sections import extent, sections

QUESTIONS = 3
TRIED = 12
"""Nodes that questions are tried on: one is asked only if search finds its node."""

_DECISION = re.compile(r"(?:our |the )?(?:decisions?(?: outcome)?|outcome|solution|proposal|resolution)\b")
_DOING = re.compile(
    r"(?:use|adopt|choose|pick|prefer|switch|move|migrate|replace|keep|store|write|build|add|remove|split|run|deploy"
    r"|introduce|implement|support|allow|avoid|drop|rename|record|generate|serve|send|make|do|have|separate|extend"
    r"|version|render|define|enable|disable|standardi[sz]e|log|test|host|provide|read|edit|derive|stage|ship|look|leave"
    r"|let|put|create|enforce|limit|manage|merge|name|package|publish|return|set|share|start|stop|treat|wrap|cache|load"
    r"|expose|deprecate|require|validate|document|delete|ignore|include|combine|represent|model|not)\b(?!ing)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """A question that the graph answers now, the node that does, and what it says."""

    question: str
    hit: NodeHit
    passage: str


def first_answers(graph: Graph) -> list[FirstAnswer]:
    """Return questions with their answers; none if there is nothing to ask about."""
    answers: list[FirstAnswer] = []
    for node in _worth_asking(graph):
        question = question_about(node)
        hit = _answered(graph, question, node)
        passage = decided(node.content)
        if hit is None or not passage or any(question == one.question for one in answers):
            continue
        answers.append(FirstAnswer(question, hit, passage))
        if len(answers) == QUESTIONS:
            break
    replaced = _replacement(graph) if answers else None
    return [*answers[: QUESTIONS - 1], replaced] if replaced else answers


def question_about(node: Node) -> str:
    """Return a question that *node* answers, built from its title."""
    title = node.title.rstrip("?.! …")
    if node.type is NodeType.DECISION and _DOING.match(title):
        first, _, rest = title.partition(" ")
        verb = first if first.isupper() and len(first) > 1 else first.lower()
        return f"why did we decide to {verb} {rest}?" if rest else f"why did we {verb}?"
    if node.type is NodeType.DECISION:
        return f"what did we decide about {title}?"
    return f"what do we know about {title}?"


def decided(content: str) -> str:
    """Return a record's decision: its Decision section from its first prose on, else the record's first paragraph."""
    parts = sections(content)
    for at, section in enumerate(parts):
        if _DECISION.match(section_name(section.title)):
            text = from_first_prose(content[section.body : extent(parts, at)])
            if text:
                return text
    return first_paragraph(content)


def _worth_asking(graph: Graph) -> Iterator[Node]:
    """Nodes to ask about; complete, accepted, current and related ones first."""
    answer = search(graph, NodeQuery(type=NodeType.DECISION.value, limit=100))
    others = search(graph, NodeQuery(limit=100)) if not answer.hits else answer
    nodes = [hit.node for hit in others.hits]
    nodes.sort(key=lambda node: (-_worth(node), node.title))
    yield from nodes[:TRIED]


def _worth(node: Node) -> int:
    current = node.status is not NodeStatus.SUPERSEDED
    decided = node.decision_status in (None, DecisionStatus.ACCEPTED)
    replaces = any(relation.type is RelationType.SUPERSEDES for relation in node.relations)
    own = not node.title.lower().startswith(("record architecture", "use markdown architectural", "use adr"))
    tells = "Decision" not in missing_sections(node.content)
    complete = node.status is NodeStatus.ACTIVE
    return 8 * current + 4 * own + 4 * tells + 3 * decided + 2 * replaces + complete + bool(node.relations)


def _answered(graph: Graph, question: str, node: Node) -> NodeHit | None:
    hits = search(graph, NodeQuery(query=question, limit=1)).hits
    return hits[0] if hits and hits[0].node.id == node.id else None


def _replacement(graph: Graph) -> FirstAnswer | None:
    """Return a question about something that was superseded, answered by what replaced it; None if nothing was."""
    for hit in search(graph, NodeQuery(status=NodeStatus.SUPERSEDED.value, limit=10)).hits:
        for newer in hit.superseded_by:
            question = f"what replaced {hit.node.title.rstrip('?.! …')}?"
            answers = search(graph, NodeQuery(query=newer.id, limit=1)).hits
            if answers and answers[0].node.id == newer.id:
                return FirstAnswer(question, answers[0], decided(answers[0].node.content))
    return None
