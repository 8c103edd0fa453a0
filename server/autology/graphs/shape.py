"""Overall structure of a graph: components, density, hubs, orphans and bridges."""

from __future__ import annotations

from collections.abc import Sequence

from autology.graphs.network import Network, members_of, piece_numbers


def components(network: Network) -> list[list[int]]:
    """Return the connected components, largest first, then by their first vertex."""
    return members_of(piece_numbers(len(network), network.neighbours))


def density(network: Network) -> float:
    """Return the share of vertex pairs that are linked."""
    size = len(network)
    linked = sum(len(set(network.neighbours(vertex))) for vertex in range(size)) / 2
    return linked / (size * (size - 1) / 2) if size > 1 else 0.0


def hubs(network: Network, most: int) -> list[int]:
    """Return at most *most* vertices with at least twice the average number of arcs, highest first."""
    size = len(network)
    least = max(3.0, 4 * network.arcs / size) if size else 0.0
    many = [vertex for vertex in range(size) if network.degree(vertex) >= least]
    return sorted(many, key=lambda vertex: (-network.degree(vertex), vertex))[:most]


def orphans(network: Network) -> list[int]:
    """Return the vertices without arcs."""
    return [vertex for vertex in range(len(network)) if not network.degree(vertex)]


def bridges(network: Network) -> list[tuple[int, int]]:
    """Return the bridges: links whose removal disconnects the graph."""
    adjacent = network.adjacent()
    parents, order = _deep(adjacent)
    place = {vertex: number for number, vertex in enumerate(order)}
    lowest = list(range(len(order)))  # by place: the earliest place reachable from a vertex's subtree
    links = []
    for vertex in reversed(order):
        here, parent = place[vertex], parents[vertex]
        for end in adjacent[vertex]:
            if end != parent:
                child = parents[end] == vertex
                lowest[here] = min(lowest[here], lowest[place[end]] if child else place[end])
        if parent >= 0 and lowest[here] > place[parent]:
            links.append((min(vertex, parent), max(vertex, parent)))
    return sorted(links)


def parting(network: Network) -> list[tuple[int, int, int]]:
    """Return the :func:`bridges`, each with the number of vertices on its smaller side."""
    cuts = bridges(network)
    cut = {*cuts}
    piece = piece_numbers(
        len(network), network.neighbours, lambda one, other: (min(one, other), max(one, other)) not in cut
    )
    sizes = [0] * (max(piece, default=-1) + 1)
    for number in piece:
        sizes[number] += 1
    links: list[list[int]] = [[] for _ in sizes]
    for one, other in cuts:
        links[piece[one]].append(piece[other])
        links[piece[other]].append(piece[one])
    parents, order = _deep(links)  # a forest of the pieces
    below, whole = list(sizes), list(range(len(sizes)))
    for number in reversed(order):
        if parents[number] >= 0:
            below[parents[number]] += below[number]
    for number in order:
        if parents[number] >= 0:
            whole[number] = whole[parents[number]]
    cut_sizes = []
    for one, other in cuts:
        child = piece[one] if parents[piece[one]] == piece[other] else piece[other]
        cut_sizes.append((one, other, min(below[child], below[whole[child]] - below[child])))
    return cut_sizes


def _deep(adjacent: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Depth-first search; return every vertex's parent, -1 for roots, and the vertices in order of discovery."""
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
