"""Findings from the graph's structure: hubs, bridges, and clusters without a summary.

They are about notes. What other projects' records cite each other for is their authors' matter: of 26 such findings in
public repositories, their reader would have acted on 4.
"""

from __future__ import annotations

from collections.abc import Iterator

from autology.core.analysis.finding import NOTICE, Finding
from autology.core.analysis.survey import Survey
from autology.graphs import shape
from autology.graphs.communities import communities as groups_of
from autology.graphs.importance import pagerank
from autology.model.next_step import PLACEHOLDER, Action, Sentence, do
from autology.model.node import NodeType, RelationType

SHOWN = 5
"""Findings shown of each sort: the largest first."""
MANY = 8
"""Minimum relations of a hub, which also has at least twice the average."""
PART = 3
"""Nodes on either side of a relation for it to count as a bridge."""
GROUP = 5
"""Minimum nodes of a cluster that deserves a summary."""
LED = 20
"""Members of a cluster that its summary node is related to."""
_SUMMING_UP = (NodeType.CONCEPT, NodeType.COMPONENT)


def hubs(survey: Survey) -> Iterator[Finding]:
    """Yield the nodes with by far the most relations."""
    net = survey.network
    many = [hub for hub in shape.hubs(net, len(net)) if net.degree(hub) >= MANY and not _is_record(survey, hub)]
    for vertex in many[:SHOWN]:
        id = net.names[vertex]
        yield Finding(
            "hubs",
            NOTICE,
            f"Hub node: {survey.title(id)}",
            "A change affects all of them; it may cover several topics.",
            Sentence(do(Action.QUERY, related_to=id)),
            (survey.subject(id),),
            (f"{net.degree(vertex)} relations; the average is {2 * net.arcs / len(net):.1f}",),
        )


def bridges(survey: Survey) -> Iterator[Finding]:
    """Yield the relations whose removal splits the graph, those between the largest parts first."""
    net = survey.network
    bridging = (
        bridge
        for bridge in shape.parting(net)
        if bridge[2] >= PART and not _is_record(survey, bridge[0]) and not _is_record(survey, bridge[1])
    )
    for one, other, size in sorted(bridging, key=lambda bridge: (-bridge[2], bridge))[:SHOWN]:
        source, target = net.names[one], net.names[other]
        yield Finding(
            "bridges",
            NOTICE,
            f"The only link between two parts: {survey.title(source)} and {survey.title(target)}",
            "Without this relation the two parts are disconnected.",
            Sentence(do(Action.QUERY, related_to=source)),
            (survey.subject(source), survey.subject(target)),
            (f"{size} nodes on the smaller side",),
        )


def communities(survey: Survey) -> Iterator[Finding]:
    """Yield clusters of nodes without a concept or component that sums them up."""
    net = survey.network
    ranks = pagerank(net)
    unnamed = [
        group
        for group in groups_of(net)
        if len(group) >= GROUP
        and not any(survey.nodes[net.names[vertex]].type in _SUMMING_UP for vertex in group)
        and sum(_is_record(survey, vertex) for vertex in group) * 2 <= len(group)
    ]
    for group in unnamed[:SHOWN]:
        first = sorted(group, key=lambda vertex: (-ranks[vertex], vertex))
        titles = [survey.title(net.names[vertex]) for vertex in first]
        yield Finding(
            "communities",
            NOTICE,
            f"{len(group)} nodes form a cluster without a summary: {titles[0]}, …",
            "A reader of one is not pointed to the others.",
            _summing_up([net.names[vertex] for vertex in first]),
            tuple(survey.subject(net.names[vertex]) for vertex in first),
            tuple(titles[:SHOWN]),
        )


def _is_record(survey: Survey, vertex: int) -> bool:
    return bool(survey.nodes[survey.network.names[vertex]].record)


def _summing_up(members: list[str]) -> Sentence:
    """Return the step that captures a summary of *members*, related to them."""
    relations = [{"type": RelationType.RELATES_TO.value, "target": id} for id in members[:LED]]
    title, concept = "What they are about", NodeType.CONCEPT.value
    return Sentence(do(Action.CAPTURE, title=title, content=PLACEHOLDER, type=concept, relations=relations))
