"""A compact graph: vertices are numbers, and each vertex's arcs are adjacent in arrays (CSR)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Arc = tuple[int, int, int]
"""From a vertex to a vertex, and the number of its type."""


@dataclass(frozen=True, slots=True)
class Network:
    """*names* of the vertices and *types* of the arcs, sorted, and every arc stored at both of its ends.

    The arcs of vertex `v` are `offsets[v]` to `offsets[v + 1]`: *ends* is the other vertex, *labels* twice the type's
    number, plus one if the arc is traversed against its direction.
    """

    names: Sequence[str]
    types: Sequence[str]
    offsets: array[int]
    ends: array[int]
    labels: array[int]
    numbers: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def arcs(self) -> int:
        """The number of arcs, each counted once."""
        return len(self.ends) // 2

    def neighbours(self, vertex: int) -> array[int]:
        """Return the other ends of *vertex*'s arcs, in both directions; repeated for parallel arcs."""
        return self.ends[self.offsets[vertex] : self.offsets[vertex + 1]]

    def degree(self, vertex: int) -> int:
        """Return the number of arcs at *vertex*."""
        return self.offsets[vertex + 1] - self.offsets[vertex]

    def adjacent(self) -> list[list[int]]:
        """Return every vertex's distinct neighbours, sorted."""
        return [sorted(set(self.neighbours(vertex))) for vertex in range(len(self))]


def network(arcs: Iterable[tuple[str, str, str]], names: Iterable[str] = ()) -> Network:
    """Return the graph of *arcs* (source, type, target), and of *names* that may have none.

    Numbering does not depend on the order of *arcs*. Self-loops are dropped, duplicate arcs are counted once.
    """
    distinct = {(source, type, target) for source, type, target in arcs if source != target}
    vertices = sorted({*names, *(end for source, _, target in distinct for end in (source, target))})
    types = sorted({type for _, type, _ in distinct})
    numbers = {name: number for number, name in enumerate(vertices)}
    type_numbers = {type: number for number, type in enumerate(types)}
    return _packed(vertices, types, numbers, [(numbers[s], numbers[t], type_numbers[type]) for s, type, t in distinct])


def _packed(names: Sequence[str], types: Sequence[str], numbers: Mapping[str, int], arcs: Sequence[Arc]) -> Network:
    # Sorting integers that encode vertex, other end and label takes a third of the time of sorting tuples.
    size, kinds = max(len(names), 1), max(2 * len(types), 1)
    keys = [(source * size + target) * kinds + 2 * type for source, target, type in arcs]
    keys += [(target * size + source) * kinds + 2 * type + 1 for source, target, type in arcs]
    keys.sort()
    offsets = array("q", bytes(8 * (len(names) + 1)))
    for source, target, _ in arcs:
        offsets[source + 1] += 1
        offsets[target + 1] += 1
    for vertex in range(len(names)):
        offsets[vertex + 1] += offsets[vertex]
    ends = array("I", (key // kinds % size for key in keys))
    labels = array("H" if kinds <= 65_536 else "I", (key % kinds for key in keys))
    return Network(names, types, offsets, ends, labels, numbers)


def piece_numbers(
    size: int, neighbours: Callable[[int], Iterable[int]], joined: Callable[[int, int], bool] | None = None
) -> list[int]:
    """Return the number of each vertex's connected piece, counted from 0 in the order of their first vertices.

    With *joined*, only links that it accepts connect.
    """
    pieces = [-1] * size
    number = 0
    for start in range(size):
        if pieces[start] >= 0:
            continue
        pieces[start] = number
        members = [start]
        for vertex in members:  # grows as it is walked
            for end in neighbours(vertex):
                if pieces[end] < 0 and (joined is None or joined(vertex, end)):
                    pieces[end] = number
                    members.append(end)
        number += 1
    return pieces


def members_of(groups: Iterable[int]) -> list[list[int]]:
    """Return the members of each group, given each vertex's; largest first, then by their first vertex."""
    members: dict[int, list[int]] = {}
    for vertex, group in enumerate(groups):
        members.setdefault(group, []).append(vertex)
    return sorted(members.values(), key=lambda group: (-len(group), group[0]))
