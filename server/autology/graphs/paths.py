"""Paths in a graph: the shortest between two vertices, and the neighbourhood of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.graphs.network import Network


@dataclass(frozen=True, slots=True)
class Step:
    """A step between vertices along an arc of that type, *backward* if against its direction."""

    source: int
    type: int
    target: int
    backward: bool


def shortest(
    network: Network, start: int, goal: int, longest: int, types: frozenset[int] | None = None
) -> list[Step] | None:
    """Return a shortest path of at most *longest* steps, ignoring direction; None if there is none.

    *types* restricts the arcs. The result is deterministic: a bidirectional search that expands the smaller frontier,
    vertices and arcs in order.
    """
    if start == goal:
        return []
    labels = None if types is None else frozenset(2 * type + way for type in types for way in (0, 1))
    parents: tuple[dict[int, int], dict[int, int]] = ({start: start}, {goal: goal})
    frontiers = [[start], [goal]]
    for _ in range(longest):
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        frontiers[side], met = _next(network, frontiers[side], parents[side], parents[1 - side], labels)
        if met is not None:
            return _steps(network, _joined(parents, met), labels)
        if not frontiers[side]:
            return None
    return None


def _next(
    network: Network, front: Sequence[int], parents: dict[int, int], far: dict[int, int], labels: frozenset[int] | None
) -> tuple[list[int], int | None]:
    """Expand one side by a step; return the new frontier, and the vertex where the other side was met."""
    offsets, ends = network.offsets, network.ends
    reached: list[int] = []
    for vertex in front:
        leads = ends[offsets[vertex] : offsets[vertex + 1]]
        if labels is not None:
            arc_labels = network.labels[offsets[vertex] : offsets[vertex + 1]]
            allowed = [end for end, label in zip(leads, arc_labels, strict=True) if label in labels]
        else:
            allowed = leads  # type: ignore[assignment]
        for end in allowed:
            if end not in parents:
                parents[end] = vertex
                if end in far:
                    return reached, end
                reached.append(end)
    return reached, None


def _joined(parents: tuple[dict[int, int], dict[int, int]], met: int) -> list[int]:
    """Return the vertices of the path from the start over *met* to the goal."""
    route = [met]
    while parents[0][route[-1]] != route[-1]:
        route.append(parents[0][route[-1]])
    route.reverse()
    while parents[1][route[-1]] != route[-1]:
        route.append(parents[1][route[-1]])
    return route


def _steps(network: Network, route: Sequence[int], labels: frozenset[int] | None) -> list[Step]:
    return [_step(network, route[at], route[at + 1], labels) for at in range(len(route) - 1)]


def _step(network: Network, source: int, target: int, labels: frozenset[int] | None) -> Step:
    """Return the step between neighbours, preferably along an arc's direction."""
    arcs = range(network.offsets[source], network.offsets[source + 1])
    codes = (network.labels[at] for at in arcs if network.ends[at] == target)
    label = min((label for label in codes if labels is None or label in labels), key=lambda label: (label & 1, label))
    return Step(source, label >> 1, target, bool(label & 1))


def around(network: Network, start: int, depth: int, most: int) -> tuple[dict[int, int], bool]:
    """Return at most *most* vertices within *depth* steps of *start* with their distances, nearest first.

    And whether there are more.
    """
    distances = {start: 0}
    front = [start]
    for distance in range(1, depth + 1):
        reached = []
        for vertex in front:
            for end in network.neighbours(vertex):
                if end not in distances:
                    if len(distances) >= most:
                        return distances, True
                    distances[end] = distance
                    reached.append(end)
        front = reached
    return distances, False
