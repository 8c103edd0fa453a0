"""How much each vertex matters: by what leads to it (PageRank), and by the ways that lead through it (betweenness)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.graphs.network import Network

DAMPING = 0.85
"""The usual share of rank that is handed on."""
STEPS, SETTLED = 100, 1e-7
"""Rounds at most, and the change of all ranks together that ends them: 30 to 60 rounds in graphs of text."""
WORK = 4_000_000
"""Arcs followed for betweenness, some 2 s: exact up to 1,000 vertices of 4,000 arcs, from sampled starts beyond."""
FEWEST = 5
"""Starts in the largest graph."""


def pagerank(network: Network) -> list[float]:
    """Return every vertex's share of rank, 1 together: what is pointed to by what matters, matters."""
    size = len(network)
    if not size:
        return []
    incoming, outgoing = _directed(network)
    giving = [vertex for vertex in range(size) if outgoing[vertex]]
    silent = [vertex for vertex in range(size) if not outgoing[vertex]]
    ranks = [1 / size] * size
    for _ in range(STEPS):
        shares = [0.0] * size
        for vertex in giving:
            shares[vertex] = ranks[vertex] / outgoing[vertex]
        base = (1 - DAMPING + DAMPING * sum(map(ranks.__getitem__, silent))) / size
        after = [base + DAMPING * sum(map(shares.__getitem__, sources)) for sources in incoming]
        moved = sum(abs(new - old) for new, old in zip(after, ranks, strict=True))
        ranks = after
        if moved < SETTLED:
            break
    return ranks


def _directed(network: Network) -> tuple[list[list[int]], list[int]]:
    """Return, for every vertex, the sources of the arcs that lead to it, and how many arcs leave it."""
    incoming: list[list[int]] = []
    outgoing: list[int] = []
    for vertex in range(len(network)):
        begin, stop = network.offsets[vertex], network.offsets[vertex + 1]
        labels = network.labels[begin:stop]
        incoming.append([end for end, label in zip(network.ends[begin:stop], labels, strict=True) if label & 1])
        outgoing.append(len(labels) - len(incoming[-1]))
    return incoming, outgoing


@dataclass(frozen=True, slots=True)
class Betweenness:
    """Every vertex's share of the shortest ways between two others, 0 to 1; *starts* of *size* ways were begun at."""

    shares: Sequence[float]
    starts: int
    size: int

    @property
    def exact(self) -> bool:
        """Whether every vertex was begun at; else it is an estimate."""
        return self.starts == self.size


def betweenness(network: Network, work: int = WORK) -> Betweenness:
    """Return how much each vertex lies between others, by Brandes' algorithm, arcs followed either way.

    In a graph that is too large to begin at every vertex, at vertices spread evenly over their order.
    """
    size = len(network)
    if size < 3:
        return Betweenness([0.0] * size, size, size)
    starts = min(size, max(FEWEST, work // (size + 2 * network.arcs)))
    chosen = range(size) if starts == size else [number * size // starts for number in range(starts)]
    adjacent = network.adjacent()
    shares = [0.0] * size
    for start in chosen:
        _begun_at(adjacent, start, shares)
    scale = size / starts / ((size - 1) * (size - 2))
    return Betweenness([share * scale for share in shares], starts, size)


def _begun_at(adjacent: Sequence[Sequence[int]], start: int, shares: list[float]) -> None:
    """Add to *shares* how much of the shortest ways from *start* leads through each vertex."""
    size = len(adjacent)
    distance = [-1] * size
    ways = [0] * size
    distance[start], ways[start] = 0, 1
    order = [start]
    for vertex in order:  # grows as it is walked
        further, many = distance[vertex] + 1, ways[vertex]
        for end in adjacent[vertex]:
            if distance[end] < 0:
                distance[end] = further
                order.append(end)
            if distance[end] == further:
                ways[end] += many
    owed = [0.0] * size
    for vertex in reversed(order):
        before = distance[vertex] - 1
        part = (1 + owed[vertex]) / ways[vertex]
        for end in adjacent[vertex]:
            if distance[end] == before:
                owed[end] += ways[end] * part
        if vertex != start:
            shares[vertex] += owed[vertex]
