"""Dangling relations, nodes without relations, and broken chains of supersession."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from autology.core.analysis.finding import ERROR, NOTICE, WARNING, Finding
from autology.core.analysis.survey import Survey
from autology.core.nodes.supersession import successors
from autology.core.records.archives import is_archived
from autology.model.next_step import Action, NextStep, Sentence, do
from autology.model.node import SUPERSEDED_BY, DecisionStatus, Node, NodeStatus, NodeType, RelationType

_OVER = frozenset(
    "abandoned archived closed expired historic historical inactive obsolete replaced retired superseded"
    " withdrawn".split()
)
"""Words of a record's status by which it is not in force, whatever the collection counts as accepted."""
LONGEST_STATUS = 30
"""Characters of a status shown in a record's own words."""
SUGGESTED = 3
"""Nodes suggested as related to an orphan."""


def dangling(survey: Survey) -> Iterator[Finding]:
    """Yield relations whose target does not exist; none while it may be hidden by an unusable setting, or be among the
    files still to be read."""
    if survey.unusable_settings or survey.graph.degraded.behind:
        return
    for edge in survey.edges:
        if edge.target not in survey.nodes and edge.source in survey.nodes:
            yield Finding(
                "dangling",
                ERROR,
                f"'{survey.title(edge.source)}' {edge.type} {edge.target}, which does not exist",
                "The relation is broken.",
                Sentence(do(Action.UNRELATE, source=edge.source, target=edge.target, type=edge.type)),
                (survey.subject(edge.source, edge.target),),
                (f"{edge.type} {edge.target}",),
            )


def orphans(survey: Survey) -> Iterator[Finding]:
    """Yield nodes that nothing links with another: no relation, and no link in a text, in either direction."""
    for id, node in survey.nodes.items():
        # Most records of a project stand alone: that is their collection's matter.
        if node.type is NodeType.SESSION or node.record or id in survey.linked:
            continue
        near = [other for other in _near(survey, id) if other in survey.nodes]
        target = near[0] if near else "the id of a related node"
        yield Finding(
            "orphans",
            NOTICE,
            f"Not linked: {node.title}",
            "It is only found by search, never from related nodes.",
            Sentence(do(Action.RELATE, source=id, target=target, type=RelationType.RELATES_TO.value)),
            (survey.subject(id),),
            tuple(f"near: {survey.title(other)}" for other in near) or ("no other node shares a tag or file",),
        )


def _near(survey: Survey, id: str) -> Sequence[str]:
    node = survey.nodes[id]
    near = survey.graph.index.sharing(node.tags, node.references, (), SUGGESTED + 1)
    return [other for other in near if other != id][:SUGGESTED]


def chains(survey: Survey) -> Iterator[Finding]:
    """Yield supersessions that loop, that dangle, or that the superseded node's status does not reflect."""
    newer = {id: [edge.source for edge in edges if _supersedes(edge.type)] for id, edges in survey.incoming.items()}
    older = {id: [edge.target for edge in edges if _supersedes(edge.type)] for id, edges in survey.outgoing.items()}
    loops = _loops(older)
    for loop in loops:
        yield Finding(
            "chains",
            ERROR,
            f"Supersedes itself in a cycle: {' → '.join(survey.title(id) for id in (*loop, loop[0]))}",
            "It is unclear which of them is current.",
            Sentence(do(Action.UNRELATE, source=loop[0], target=loop[1 % len(loop)], type=_SUPERSEDES)),
            tuple(survey.subject(id) for id in loop),
            tuple(f"{survey.title(a)} {_SUPERSEDES} {survey.title(b)}" for a, b in pairwise((*loop, loop[0]))),
        )
    circling = {id for loop in loops for id in loop}
    for id, node in survey.nodes.items():
        if id in circling:
            continue  # its replacement is unknown until the cycle is broken
        replaced = [other for other in newer.get(id, ()) if other in survey.nodes]
        named = successors(node)
        if not node.record:  # a record says in its own words what replaced it
            yield from _one_sided(survey, node, replaced, named)
        if node.status is NodeStatus.SUPERSEDED and not replaced and not named and not node.record:
            yield Finding(
                "chains",
                WARNING,
                f"Superseded, but nothing replaces it: {node.title}",
                "A reader learns that it is outdated, but not what replaced it.",
                Sentence(_superseding(_REPLACEMENT, id), ", or ", do(Action.UPDATE, id=id, status="active")),
                (survey.subject(id),),
                (f"status {node.status.value}, but no node {_SUPERSEDES} it",),
            )
        elif replaced and node.status is not NodeStatus.SUPERSEDED and not _is_open_matter(survey, node, replaced):
            yield Finding(
                "chains",
                NOTICE if node.record else WARNING,
                f"Superseded by '{survey.title(replaced[0])}', but still {_stated(survey, node)}: {node.title}",
                "Both are shown as current.",
                Sentence(_superseding(replaced[0], id)),
                (survey.subject(id), survey.subject(replaced[0])),
                (f"{survey.title(replaced[0])} {_SUPERSEDES} it", f"status {_stated(survey, node)}"),
            )


def _stated(survey: Survey, node: Node) -> str:
    """Return the status of *node* in its own words."""
    record = survey.graph.records.get(node.record) if survey.graph.records and node.record else None
    word = record.word if record else ""
    return word if 0 < len(word) <= LONGEST_STATUS else node.status.value


def _is_open_matter(survey: Survey, node: Node, replaced: Sequence[str]) -> bool:
    """Whether nothing is wrong with a record that has a successor but is not marked: it lies in an archive, names its
    successor elsewhere than in its status, was given up, and says so, or no successor is accepted and in force."""
    if not node.record:
        return False
    record = survey.graph.records.get(node.record) if survey.graph.records else None
    return (
        is_archived(node.record)
        or (record is not None and record.names_successor)
        or is_given_up(survey, node)
        or all(
            survey.nodes[id].decision_status in _UNSETTLED or is_given_up(survey, survey.nodes[id]) for id in replaced
        )
    )


def is_given_up(survey: Survey, node: Node) -> bool:
    """Whether a node was rejected or deprecated, or is a record whose status says in its own words that it is over."""
    if node.decision_status in (DecisionStatus.REJECTED, DecisionStatus.DEPRECATED):
        return True
    record = survey.graph.records.get(node.record) if survey.graph.records and node.record else None
    return bool(record and not _OVER.isdisjoint(re.findall(r"\w+", record.word.lower())))


def _one_sided(survey: Survey, node: Node, replaced: Sequence[str], named: Sequence[str]) -> Iterator[Finding]:
    """Yield supersessions of *node* that only one of the two files records."""
    unnamed = [id for id in replaced if id not in named]
    if unnamed and node.status is NodeStatus.SUPERSEDED:
        yield Finding(
            "chains",
            NOTICE,
            f"Its file does not name its replacement: {node.title}",
            "A reader of the file is not pointed to the current node.",
            Sentence(_superseding(unnamed[0], node.id), "; ", do(Action.REVIEW, seal=True), " fixes all of them"),
            (survey.subject(node.id), *(survey.subject(id) for id in unnamed)),
            tuple(f"{survey.title(id)} {_SUPERSEDES} it" for id in unnamed),
        )
    for id in (id for id in named if id not in replaced):
        there = id in survey.nodes
        newer = id if there else _REPLACEMENT
        how = "has no such relation" if there else "does not exist"
        yield Finding(
            "chains",
            WARNING,
            f"Says that '{survey.title(id)}' supersedes it, which {how}: {node.title}",
            "It is unclear which one is current." if there else "The link is broken.",
            Sentence(
                _superseding(newer, node.id),
                ", or ",
                do(Action.UNRELATE, source=id, target=node.id, type=_SUPERSEDES),
            ),
            (survey.subject(node.id, id),),
            (f"{SUPERSEDED_BY}: {id}",),
        )


_UNSETTLED = (DecisionStatus.PROPOSED, DecisionStatus.REJECTED)
_SUPERSEDES = RelationType.SUPERSEDES.value
_REPLACEMENT = "the id of its replacement"


def _superseding(newer: str, older: str) -> NextStep:
    """Return the step that makes *newer* supersede *older*."""
    return do(Action.RELATE, source=newer, target=older, type=_SUPERSEDES)


def _supersedes(type: str) -> bool:
    return type == _SUPERSEDES


def _loops(older: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Return cycles among supersessions, at least one of each component, each beginning with its lowest id."""
    loops: set[tuple[str, ...]] = set()
    done: set[str] = set()
    for start in sorted(older):
        path: list[str] = []
        waiting = [iter((start,))]
        while waiting:
            id = next(waiting[-1], None)
            if id is None:
                waiting.pop()
                if path:
                    done.add(path.pop())
            elif id in path:
                loop = path[path.index(id) :]
                least = loop.index(min(loop))
                loops.add((*loop[least:], *loop[:least]))
            elif id not in done:
                path.append(id)
                waiting.append(iter(sorted(older.get(id, ()))))
    return sorted(loops)
