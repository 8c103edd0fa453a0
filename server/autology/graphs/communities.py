"""Community detection with Louvain's method, made deterministic."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from autology.graphs.network import Network, members_of, piece_numbers

LEVELS = 20
"""Maximum merge rounds; graphs of a million vertices take six."""
GAIN = 1e-10
"""Minimum gain of a move, relative to the total arc weight: below it groups are level, which prevents cycles."""


@dataclass(frozen=True, slots=True)
class _Level:
    """A graph whose vertices are groups: weighted links of each to others, and its internal weight."""

    links: Sequence[dict[int, float]]
    own: Sequence[float]

    @property
    def weights(self) -> list[float]:
        return [sum(links.values()) + own for links, own in zip(self.links, self.own, strict=True)]


def communities(network: Network, resolution: float = 1.0) -> list[list[int]]:
    """Return the communities, largest first, then by their first vertex; each is connected.

    A higher *resolution* yields more and smaller ones. Deterministic: vertices are processed in order, and
    among equal gains the group with the lowest number wins.
    """
    level = _first(network)
    member_of = list(range(len(network)))
    for _ in range(LEVELS):
        joined = _connected(level, _moved(level, resolution))
        groups = len(set(joined))
        member_of = [joined[group] for group in member_of]
        if groups == len(level.links):
            break
        level = _merged(level, joined, groups)
    return members_of(member_of)


def modularity(network: Network, groups: Sequence[Sequence[int]], resolution: float = 1.0) -> float:
    """Return the modularity of *groups*, at most 1: the share of internal links minus that expected by chance."""
    group_of = {vertex: number for number, group in enumerate(groups) for vertex in group}
    link_ends = len(network.ends)
    if not link_ends:
        return 0.0
    inside = sum(
        group_of[end] == group_of[vertex] for vertex in range(len(network)) for end in network.neighbours(vertex)
    )
    shares = (sum(network.degree(vertex) for vertex in group) / link_ends for group in groups)
    return inside / link_ends - resolution * sum(share * share for share in shares)


def cohesion(network: Network, group: Sequence[int]) -> float:
    """Return the share of the members' links that stay within *group*, 0 to 1; 1 without links."""
    within = set(group)
    leads = [end for vertex in group for end in network.neighbours(vertex)]
    return sum(end in within for end in leads) / len(leads) if leads else 1.0


def connecting(network: Network, groups: Sequence[Sequence[int]]) -> list[tuple[int, list[int]]]:
    """Return the vertices with links into other groups, those that link to the most groups first.

    Each with the numbers of these groups; ties are ordered by the number of such links.
    """
    group_of = {vertex: number for number, group in enumerate(groups) for vertex in group}
    ranked = []
    for vertex in range(len(network)):
        leads = [group_of[end] for end in network.neighbours(vertex) if group_of[end] != group_of[vertex]]
        if leads:
            ranked.append((-len(set(leads)), -len(leads), vertex, sorted(set(leads))))
    return [(vertex, others) for _, _, vertex, others in sorted(ranked)]


def _first(network: Network) -> _Level:
    links: list[dict[int, float]] = []
    for vertex in range(len(network)):
        counted: dict[int, float] = {}
        for end in network.neighbours(vertex):
            counted[end] = counted.get(end, 0.0) + 1.0
        links.append(counted)
    return _Level(links, [0.0] * len(network))


def _moved(level: _Level, resolution: float) -> list[int]:
    """Move vertices to the neighbouring group with the highest gain until none gains; return each vertex's group."""
    links, weights = level.links, level.weights
    whole = sum(weights)
    groups = list(range(len(links)))
    if not whole:
        return groups
    group_weights = list(weights)
    waiting = deque(range(len(links)))
    queued = bytearray(b"\1" * len(links))
    least = GAIN * whole
    while waiting:
        vertex = waiting.popleft()
        queued[vertex] = 0
        own, weight = groups[vertex], weights[vertex]
        near: dict[int, float] = {own: 0.0}
        for end, link in links[vertex].items():
            group = groups[end]
            near[group] = near.get(group, 0.0) + link
        group_weights[own] -= weight
        pull = resolution * weight / whole
        best, best_gain = own, near[own] - pull * group_weights[own] + least
        for group, link in near.items():
            gain = link - pull * group_weights[group]
            if gain > best_gain or (gain == best_gain and group < best and best != own):
                best, best_gain = group, gain
        group_weights[best] += weight
        if best != own:
            groups[vertex] = best
            for end in links[vertex]:
                if not queued[end] and groups[end] != best:
                    queued[end] = 1
                    waiting.append(end)
    return groups


def _connected(level: _Level, groups: Sequence[int]) -> list[int]:
    """Split groups that moving disconnected; return groups numbered from 0 by their first vertex."""
    links = level.links
    return piece_numbers(len(groups), links.__getitem__, lambda one, other: groups[one] == groups[other])


def _merged(level: _Level, groups: Sequence[int], many: int) -> _Level:
    """Return the graph of the groups."""
    links: list[dict[int, float]] = [{} for _ in range(many)]
    own = [0.0] * many
    for vertex, group in enumerate(groups):
        own[group] += level.own[vertex]
        into = links[group]
        for end, link in level.links[vertex].items():
            other = groups[end]
            if other == group:
                own[group] += link
            else:
                into[other] = into.get(other, 0.0) + link
    return _Level(links, own)
