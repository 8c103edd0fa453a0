"""A graph held compactly: vertices are numbers, and the arcs of each stand side by side in arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Arc = tuple[int, int, int]
"""From a vertex to a vertex, and the number of its type."""


@dataclass(frozen=True, slots=True)
class Network:
    """*names* of the vertices in order, *types* of the arcs in order, and every arc at both of its ends.

    The arcs of vertex `v` are `offsets[v]` to `offsets[v + 1]`: *ends* says where each leads, *labels* twice the
    number of its type, one more where it is followed against its direction.
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
        """How many arcs there are, each counted once."""
        return len(self.ends) // 2

    def neighbours(self, vertex: int) -> array[int]:
        """Return where the arcs of *vertex* lead, either way; one twice that two arcs lead to."""
        return self.ends[self.offsets[vertex] : self.offsets[vertex + 1]]

    def degree(self, vertex: int) -> int:
        """Return how many arcs begin or end at *vertex*."""
        return self.offsets[vertex + 1] - self.offsets[vertex]

    def adjacent(self) -> list[list[int]]:
        """Return every vertex's neighbours, each once, in order."""
        return [sorted(set(self.neighbours(vertex))) for vertex in range(len(self))]


def network(arcs: Iterable[tuple[str, str, str]], names: Iterable[str] = ()) -> Network:
    """Return the graph of *arcs* (source, type, target), and of *names* that may have none.

    The same graph gives the same numbers, whatever the order. An arc from a vertex to itself is left out, one that is
    given twice counts once.
    """
    told = {(source, type, target) for source, type, target in arcs if source != target}
    every = sorted({*names, *(end for source, _, target in told for end in (source, target))})
    types = sorted({type for _, type, _ in told})
    numbers = {name: number for number, name in enumerate(every)}
    of_type = {type: number for number, type in enumerate(types)}
    return _packed(every, types, numbers, [(numbers[s], numbers[t], of_type[type]) for s, type, t in told])


def _packed(names: Sequence[str], types: Sequence[str], numbers: Mapping[str, int], arcs: Sequence[Arc]) -> Network:
    # One sort of whole numbers that hold vertex, other end and label: a third of the time of sorting tuples.
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
