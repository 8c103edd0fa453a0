"""Centrality measures: PageRank and betweenness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.graphs.network import Network

DAMPING = 0.85
"""The usual damping factor."""
STEPS, SETTLED = 100, 1e-7
"""Maximum iterations, and the total change at which they stop: 30 to 60 iterations in graphs of notes."""
WORK = 4_000_000
"""Arcs followed for betweenness, some 2 s: exact up to 1,000 vertices and 4,000 arcs, sampled beyond."""
FEWEST = 5
"""Minimum number of sampled sources."""


def pagerank(network: Network) -> list[float]:
    """Return every vertex's PageRank, which sum to 1."""
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
    """Return, for every vertex, its predecessors, and its number of outgoing arcs."""
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
    """Every vertex's share of the shortest paths between two others, 0 to 1, from *starts* of *size* sources."""

    shares: Sequence[float]
    starts: int
    size: int

    @property
    def exact(self) -> bool:
        """Whether every vertex was a source; otherwise the shares are an estimate."""
        return self.starts == self.size


def betweenness(network: Network, work: int = WORK) -> Betweenness:
    """Return the betweenness of each vertex by Brandes' algorithm, ignoring direction.

    In a graph too large for all sources, evenly spaced ones are sampled.
    """
    size = len(network)
    if size < 3:
        return Betweenness([0.0] * size, size, size)
    starts = min(size, max(FEWEST, work // (size + 2 * network.arcs)))
    chosen = range(size) if starts == size else [number * size // starts for number in range(starts)]
    adjacent = network.adjacent()
    shares = [0.0] * size
    for start in chosen:
        _accumulate(adjacent, start, shares)
    scale = size / starts / ((size - 1) * (size - 2))
    return Betweenness([share * scale for share in shares], starts, size)


def _accumulate(adjacent: Sequence[Sequence[int]], start: int, shares: list[float]) -> None:
    """Add to *shares* each vertex's part of the shortest paths from *start*."""
    size = len(adjacent)
    distance = [-1] * size
    paths = [0] * size
    distance[start], paths[start] = 0, 1
    order = [start]
    for vertex in order:  # grows as it is walked
        further, path_count = distance[vertex] + 1, paths[vertex]
        for end in adjacent[vertex]:
            if distance[end] < 0:
                distance[end] = further
                order.append(end)
            if distance[end] == further:
                paths[end] += path_count
    dependency = [0.0] * size
    for vertex in reversed(order):
        before = distance[vertex] - 1
        part = (1 + dependency[vertex]) / paths[vertex]
        for end in adjacent[vertex]:
            if distance[end] == before:
                dependency[end] += paths[end] * part
        if vertex != start:
            shares[vertex] += dependency[vertex]
