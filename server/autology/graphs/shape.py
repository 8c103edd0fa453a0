"""What a graph looks like as a whole: its parts, how dense it is, what holds it together, what stands alone."""

from __future__ import annotations

from collections.abc import Sequence

from autology.graphs.network import Network


def components(network: Network) -> list[list[int]]:
    """Return the parts between which no arc leads, the largest first, then by their first vertex."""
    seen = bytearray(len(network))
    found = []
    for start in range(len(network)):
        if seen[start]:
            continue
        seen[start] = 1
        part = [start]
        for vertex in part:  # grows as it is walked
            for end in network.neighbours(vertex):
                if not seen[end]:
                    seen[end] = 1
                    part.append(end)
        found.append(sorted(part))
    return sorted(found, key=lambda part: (-len(part), part[0]))


def density(network: Network) -> float:
    """Return the share of all pairs of vertices that are linked."""
    size = len(network)
    linked = sum(len(set(network.neighbours(vertex))) for vertex in range(size)) / 2
    return linked / (size * (size - 1) / 2) if size > 1 else 0.0


def hubs(network: Network, most: int) -> list[int]:
    """Return the vertices with the most arcs, at most *most*; without those that have less than twice the average."""
    size = len(network)
    least = max(3.0, 4 * network.arcs / size) if size else 0.0
    many = [vertex for vertex in range(size) if network.degree(vertex) >= least]
    return sorted(many, key=lambda vertex: (-network.degree(vertex), vertex))[:most]


def orphans(network: Network) -> list[int]:
    """Return the vertices without an arc."""
    return [vertex for vertex in range(len(network)) if not network.degree(vertex)]


def bridges(network: Network) -> list[tuple[int, int]]:
    """Return the pairs of neighbours that nothing else holds together: without their link the graph falls apart."""
    adjacent = network.adjacent()
    parents, order = _deep(adjacent)
    place = {vertex: number for number, vertex in enumerate(order)}
    lowest = list(range(len(order)))  # by place: the earliest place that a vertex's branch leads back to
    found = []
    for vertex in reversed(order):
        here, parent = place[vertex], parents[vertex]
        for end in adjacent[vertex]:
            if end != parent:
                child = parents[end] == vertex
                lowest[here] = min(lowest[here], lowest[place[end]] if child else place[end])
        if parent >= 0 and lowest[here] > place[parent]:
            found.append((min(vertex, parent), max(vertex, parent)))
    return sorted(found)


def parting(network: Network) -> list[tuple[int, int, int]]:
    """Return the :func:`bridges`, each with how many vertices stand on its smaller side."""
    cuts = bridges(network)
    piece = _pieces(network, {*cuts})
    sizes = [0] * (max(piece, default=-1) + 1)
    for number in piece:
        sizes[number] += 1
    links: list[list[int]] = [[] for _ in sizes]
    for one, other in cuts:
        links[piece[one]].append(piece[other])
        links[piece[other]].append(piece[one])
    parents, order = _deep(links)  # a forest: without its bridges a graph is its pieces
    below, whole = list(sizes), list(range(len(sizes)))
    for number in reversed(order):
        if parents[number] >= 0:
            below[parents[number]] += below[number]
    for number in order:
        if parents[number] >= 0:
            whole[number] = whole[parents[number]]
    found = []
    for one, other in cuts:
        child = piece[one] if parents[piece[one]] == piece[other] else piece[other]
        found.append((one, other, min(below[child], below[whole[child]] - below[child])))
    return found


def _pieces(network: Network, cuts: set[tuple[int, int]]) -> list[int]:
    """Return the number of the piece that each vertex belongs to, when the graph is cut at *cuts*."""
    piece = [-1] * len(network)
    number = -1
    for start in range(len(network)):
        if piece[start] >= 0:
            continue
        number += 1
        piece[start] = number
        part = [start]
        for vertex in part:  # grows as it is walked
            for end in network.neighbours(vertex):
                if piece[end] < 0 and (min(vertex, end), max(vertex, end)) not in cuts:
                    piece[end] = number
                    part.append(end)
    return piece


def _deep(adjacent: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Walk in depth; return every vertex's parent, -1 for none, and the vertices as they were met."""
    parents = [-2] * len(adjacent)
    order = []
    for root in range(len(adjacent)):
        if parents[root] != -2:
            continue
        parents[root] = -1
        order.append(root)
        branches = [(root, iter(adjacent[root]))]
        while branches:
            vertex, rest = branches[-1]
            end = next((end for end in rest if parents[end] == -2), None)
            if end is None:
                branches.pop()
                continue
            parents[end] = vertex
            order.append(end)
            branches.append((end, iter(adjacent[end])))
    return parents, order
