"""Dangling relations, nodes without relations, and broken chains of supersession."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from autology.core.analysis.finding import ERROR, NOTICE, WARNING, Finding, call
from autology.core.analysis.survey import Survey
from autology.core.supersession import successors
from autology.model.node import SUPERSEDED_BY, Node, NodeStatus, NodeType, RelationType

SUGGESTED = 3
"""Nodes suggested as related to an orphan."""


def dangling(seen: Survey) -> Iterator[Finding]:
    """Yield relations whose target does not exist."""
    for edge in seen.edges:
        if edge.target not in seen.nodes and edge.source in seen.nodes:
            yield Finding(
                "dangling",
                ERROR,
                f"'{seen.title(edge.source)}' {edge.type} {edge.target}, which does not exist",
                "The relation is broken.",
                call("autology_unrelate", source=edge.source, target=edge.target, type=edge.type),
                (seen.subject(edge.source, edge.target),),
                (f"{edge.type} {edge.target}",),
            )


def orphans(seen: Survey) -> Iterator[Finding]:
    """Yield nodes without a relation in either direction."""
    for id, node in seen.nodes.items():
        if node.type is NodeType.SESSION or id in seen.outgoing or id in seen.incoming:
            continue
        near = [other for other in _near(seen, id) if other in seen.nodes]
        target = near[0] if near else "the id of a related node"
        yield Finding(
            "orphans",
            NOTICE,
            f"Related to nothing: {node.title}",
            "It is only found by search, never from related nodes.",
            call("autology_relate", source=id, target=target, type=RelationType.RELATES_TO.value),
            (seen.subject(id),),
            tuple(f"near: {seen.title(other)}" for other in near) or ("no other node shares a tag or a file with it",),
        )


def _near(seen: Survey, id: str) -> Sequence[str]:
    node = seen.nodes[id]
    found = seen.graph.index.sharing(node.tags, node.references, (), SUGGESTED + 1)
    return [other for other in found if other != id][:SUGGESTED]


def chains(seen: Survey) -> Iterator[Finding]:
    """Yield supersessions that loop, that dangle, or that the superseded node's status does not reflect."""
    newer = {id: [edge.source for edge in edges if _supersedes(edge.type)] for id, edges in seen.incoming.items()}
    older = {id: [edge.target for edge in edges if _supersedes(edge.type)] for id, edges in seen.outgoing.items()}
    loops = _loops(older)
    for loop in loops:
        yield Finding(
            "chains",
            ERROR,
            f"Supersedes itself in a cycle: {' → '.join(seen.title(id) for id in (*loop, loop[0]))}",
            "It is unclear which of them is current.",
            call("autology_unrelate", source=loop[0], target=loop[1 % len(loop)], type=_SUPERSEDES),
            tuple(seen.subject(id) for id in loop),
            tuple(f"{seen.title(one)} {_SUPERSEDES} {seen.title(other)}" for one, other in pairwise((*loop, loop[0]))),
        )
    circling = {id for loop in loops for id in loop}
    for id, node in seen.nodes.items():
        if id in circling:
            continue  # its replacement is unknown until the cycle is broken
        replaced = [other for other in newer.get(id, ()) if other in seen.nodes]
        named = successors(node)
        yield from _one_sided(seen, node, replaced, named)
        if node.status is NodeStatus.SUPERSEDED and not replaced and not named:
            yield Finding(
                "chains",
                WARNING,
                f"Superseded, but nothing replaces it: {node.title}",
                "A reader learns that it is outdated, but not what replaced it.",
                f"{call('autology_relate', source='the id of its replacement', target=id, type=_SUPERSEDES)}, or "
                f"{call('autology_update', id=id, status='active')}",
                (seen.subject(id),),
                (f"status {node.status.value}, but no node {_SUPERSEDES} it",),
            )
        elif replaced and node.status is not NodeStatus.SUPERSEDED:
            yield Finding(
                "chains",
                WARNING,
                f"Superseded by '{seen.title(replaced[0])}', but still {node.status.value}: {node.title}",
                "Both are shown as current.",
                call("autology_relate", source=replaced[0], target=id, type=_SUPERSEDES),
                (seen.subject(id), seen.subject(replaced[0])),
                (f"{seen.title(replaced[0])} {_SUPERSEDES} it", f"status {node.status.value}"),
            )


def _one_sided(seen: Survey, node: Node, replaced: Sequence[str], named: Sequence[str]) -> Iterator[Finding]:
    """Yield supersessions of *node* that only one of the two files records."""
    unnamed = [id for id in replaced if id not in named]
    if unnamed and node.status is NodeStatus.SUPERSEDED:
        yield Finding(
            "chains",
            NOTICE,
            f"Its file does not name its replacement: {node.title}",
            "A reader of the file is not pointed to the current node.",
            f"{call('autology_relate', source=unnamed[0], target=node.id, type=_SUPERSEDES)}; `autology review --seal`"
            " fixes all of them",
            (seen.subject(node.id), *(seen.subject(id) for id in unnamed)),
            tuple(f"{seen.title(id)} {_SUPERSEDES} it" for id in unnamed),
        )
    for id in (id for id in named if id not in replaced):
        there = id in seen.nodes
        newer = id if there else "the id of its replacement"
        how = "has no such relation" if there else "does not exist"
        yield Finding(
            "chains",
            WARNING,
            f"Says that '{seen.title(id)}' supersedes it, which {how}: {node.title}",
            "It is unclear which one is current." if there else "The link is broken.",
            f"{call('autology_relate', source=newer, target=node.id, type=_SUPERSEDES)}, or "
            f"{call('autology_unrelate', source=id, target=node.id, type=_SUPERSEDES)}",
            (seen.subject(node.id, id),),
            (f"{SUPERSEDED_BY}: {id}",),
        )


_SUPERSEDES = RelationType.SUPERSEDES.value


def _supersedes(type: str) -> bool:
    return type == _SUPERSEDES


def _loops(older: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Return cycles among supersessions, at least one of each component, each beginning with its lowest id."""
    found: set[tuple[str, ...]] = set()
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
                found.add((*loop[least:], *loop[:least]))
            elif id not in done:
                path.append(id)
                waiting.append(iter(sorted(older.get(id, ()))))
    return sorted(found)
