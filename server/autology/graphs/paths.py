"""Ways through a graph: the shortest between two vertices, and everything within some steps of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.graphs.network import Network


@dataclass(frozen=True, slots=True)
class Step:
    """From one vertex to the next along an arc of that type, *backward* where the arc leads the other way."""

    source: int
    type: int
    target: int
    backward: bool


def shortest(
    network: Network, start: int, goal: int, longest: int, types: frozenset[int] | None = None
) -> list[Step] | None:
    """Return a shortest way of at most *longest* steps, arcs followed either way; None where there is none.

    With *types* along arcs of these alone. Of several the same one is always returned: searched from both ends, the
    end with fewer vertices to go on from first, vertices and arcs in their order.
    """
    if start == goal:
        return []
    labels = None if types is None else frozenset(2 * type + way for type in types for way in (0, 1))
    came: tuple[dict[int, int], dict[int, int]] = ({start: start}, {goal: goal})
    fronts = [[start], [goal]]
    for _ in range(longest):
        side = 0 if len(fronts[0]) <= len(fronts[1]) else 1
        fronts[side], met = _next(network, fronts[side], came[side], came[1 - side], labels)
        if met is not None:
            return _steps(network, _joined(came, met), labels)
        if not fronts[side]:
            return None
    return None


def _next(
    network: Network, front: Sequence[int], came: dict[int, int], other: dict[int, int], labels: frozenset[int] | None
) -> tuple[list[int], int | None]:
    """Go one step further on one side; return what was reached, and where the other side was met."""
    offsets, ends = network.offsets, network.ends
    reached: list[int] = []
    for vertex in front:
        leads = ends[offsets[vertex] : offsets[vertex + 1]]
        if labels is not None:
            told = network.labels[offsets[vertex] : offsets[vertex + 1]]
            allowed = [end for end, label in zip(leads, told, strict=True) if label in labels]
        else:
            allowed = leads  # type: ignore[assignment]
        for end in allowed:
            if end not in came:
                came[end] = vertex
                if end in other:
                    return reached, end
                reached.append(end)
    return reached, None


def _joined(came: tuple[dict[int, int], dict[int, int]], met: int) -> list[int]:
    """Return the vertices of the way from the start over *met* to the goal."""
    way = [met]
    while came[0][way[-1]] != way[-1]:
        way.append(came[0][way[-1]])
    way.reverse()
    while came[1][way[-1]] != way[-1]:
        way.append(came[1][way[-1]])
    return way


def _steps(network: Network, way: Sequence[int], labels: frozenset[int] | None) -> list[Step]:
    return [_step(network, way[at], way[at + 1], labels) for at in range(len(way) - 1)]


def _step(network: Network, source: int, target: int, labels: frozenset[int] | None) -> Step:
    """Return the step between neighbours: along an arc's direction where one has it."""
    there = range(network.offsets[source], network.offsets[source + 1])
    told = (network.labels[at] for at in there if network.ends[at] == target)
    label = min((label for label in told if labels is None or label in labels), key=lambda label: (label & 1, label))
    return Step(source, label >> 1, target, bool(label & 1))


def around(network: Network, start: int, depth: int, most: int) -> tuple[dict[int, int], bool]:
    """Return the vertices within *depth* steps of *start* with their distances, nearest first, at most *most*.

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
