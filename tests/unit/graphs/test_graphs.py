"""What is computed on a graph is right, compared with the plainest way to compute it, and always the same."""

from __future__ import annotations

import random
from collections import deque
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology.graphs import communities, importance, paths, shape
from autology.graphs.layout import layout
from autology.graphs.network import Network, network

NAMES = [chr(ord("a") + number) for number in range(9)]
arcs = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from("xyz"), st.sampled_from(NAMES)), max_size=25)


def distances(graph: Network, start: int, labels: set[int] | None = None) -> dict[int, int]:
    """The plainest breadth-first search."""
    result = {start: 0}
    waiting = deque([start])
    while waiting:
        vertex = waiting.popleft()
        for at in range(graph.offsets[vertex], graph.offsets[vertex + 1]):
            end = graph.ends[at]
            if end not in result and (labels is None or graph.labels[at] >> 1 in labels):
                result[end] = result[vertex] + 1
                waiting.append(end)
    return result


def two_rings(size: int = 6) -> Network:
    """Two rings that one link connects."""
    ring = [(f"{side}{n}", "x", f"{side}{(n + 1) % size}") for side in "ab" for n in range(size)]
    return network([*ring, ("a0", "x", "b0")])


@given(arcs)
def test_the_same_arcs_make_the_same_network_whatever_their_order(told: list[tuple[str, str, str]]) -> None:
    one, other = network(told, NAMES), network(reversed(told * 2), NAMES)
    assert one == other
    assert one.arcs == len({arc for arc in told if arc[0] != arc[2]})
    assert sum(one.degree(vertex) for vertex in range(len(one))) == 2 * one.arcs


@given(arcs, st.booleans(), st.integers(1, 9))
def test_a_path_is_as_short_as_can_be_and_made_of_arcs(
    told: list[tuple[str, str, str]], some: bool, longest: int
) -> None:
    graph = network(told, NAMES)
    types = frozenset(n for n, type in enumerate(graph.types) if type in "xy") if some else None
    for start, goal in combinations(range(len(graph)), 2):
        steps = paths.shortest(graph, start, goal, longest, types)
        away = distances(graph, start, set(types) if types is not None else None).get(goal)
        if away is None or away > longest:
            assert steps is None
            continue
        assert steps is not None
        assert len(steps) == away
        at = start
        for step in steps:
            assert step.source == at
            ends = (step.target, step.source) if step.backward else (step.source, step.target)
            assert (graph.names[ends[0]], graph.types[step.type], graph.names[ends[1]]) in told
            assert types is None or step.type in types
            at = step.target
        assert at == goal
    assert paths.shortest(graph, 0, 0, 1) == []


@given(arcs)
def test_a_neighbourhood_is_all_that_lies_within_some_steps(told: list[tuple[str, str, str]]) -> None:
    graph = network(told, NAMES)
    result, more = paths.around(graph, 0, 2, 100)
    assert (result, more) == ({v: d for v, d in distances(graph, 0).items() if d <= 2}, False)
    few, more = paths.around(graph, 0, 9, 2)
    assert len(few) <= 2
    assert more == (len(distances(graph, 0)) > 2)


@given(arcs)
def test_components_and_bridges_are_those_that_taking_links_away_shows(told: list[tuple[str, str, str]]) -> None:
    graph = network(told, NAMES)
    parts = shape.components(graph)
    assert sorted(v for part in parts for v in part) == list(range(len(graph)))
    assert all(set(distances(graph, part[0])) == set(part) for part in parts)
    assert [len(part) for part in parts] == sorted(map(len, parts), reverse=True)
    pairs = {(min(v, w), max(v, w)) for v in range(len(graph)) for w in graph.neighbours(v)}
    for pair in pairs:
        without = network(
            [arc for arc in told if {arc[0], arc[2]} != {graph.names[pair[0]], graph.names[pair[1]]}], NAMES
        )
        assert (pair in shape.bridges(graph)) == (len(shape.components(without)) > len(parts))
    assert shape.density(graph) == pytest.approx(len(pairs) / 36)
    assert shape.orphans(graph) == [v for v in range(len(graph)) if not graph.degree(v)]


@given(arcs)
def test_betweenness_is_the_share_of_shortest_ways(told: list[tuple[str, str, str]]) -> None:
    graph = network(told, NAMES)
    result = importance.betweenness(graph)
    assert result.exact
    wanted = [0.0] * len(graph)
    for start, goal in combinations(range(len(graph)), 2):
        ways = list(_ways(graph, start, goal))
        for way in ways:
            for vertex in way[1:-1]:
                wanted[vertex] += 1 / len(ways)
    assert result.shares == pytest.approx([2 * share / (8 * 7) for share in wanted])


def _ways(graph: Network, start: int, goal: int) -> list[list[int]]:
    away = distances(graph, goal)
    if start not in away:
        return []
    ways = [[start]]
    for _ in range(away[start]):
        ways = [[*way, end] for way in ways for end in set(graph.neighbours(way[-1])) if away[end] == away[way[-1]] - 1]
    return ways


def test_betweenness_of_a_large_graph_is_estimated_says_so_and_finds_the_middle() -> None:
    graph = network([(f"{side}{n:04}", "x", f"{side}{n // 2:04}") for side in "ab" for n in range(1, 2_000)])
    bridge = network([*_arcs(graph), ("a0000", "x", "b0000")])
    result = importance.betweenness(bridge, work=400_000)
    assert not result.exact
    assert (result.starts, result.size) == (400_000 // (4_000 + 2 * bridge.arcs), 4_000)
    best = sorted(range(len(bridge)), key=lambda v: -result.shares[v])[:4]
    assert {bridge.names[v] for v in best} == {"a0000", "a0001", "b0000", "b0001"}
    assert importance.betweenness(bridge, work=400_000) == result


def _arcs(graph: Network) -> list[tuple[str, str, str]]:
    return [
        (graph.names[v], graph.types[graph.labels[at] >> 1], graph.names[graph.ends[at]])
        for v in range(len(graph))
        for at in range(graph.offsets[v], graph.offsets[v + 1])
        if not graph.labels[at] & 1
    ]


@given(arcs)
def test_ranks_are_shares_and_settled(told: list[tuple[str, str, str]]) -> None:
    graph = network(told, NAMES)
    ranks = importance.pagerank(graph)
    assert sum(ranks) == pytest.approx(1)
    out = {v: _leaving(graph, v) for v in range(len(graph))}
    loose = sum(ranks[v] for v in out if not out[v]) / len(graph)
    for vertex in range(len(graph)):
        values = sum(ranks[v] * out[v].count(vertex) / len(out[v]) for v in out if out[v])
        assert ranks[vertex] == pytest.approx(0.15 / len(graph) + 0.85 * (loose + values), abs=1e-6)


def _leaving(graph: Network, vertex: int) -> list[int]:
    span = range(graph.offsets[vertex], graph.offsets[vertex + 1])
    return [graph.ends[at] for at in span if not graph.labels[at] & 1]


def test_the_node_with_most_incoming_links_ranks_first() -> None:
    graph = network([(name, "x", "z") for name in NAMES[1:]] + [("z", "x", "y")])
    ranks = dict(zip(graph.names, importance.pagerank(graph), strict=True))
    assert sorted(ranks, key=lambda name: -ranks[name])[:2] == ["z", "y"]


def test_communities_are_what_is_linked_among_itself() -> None:
    graph = two_rings()
    groups = communities.communities(graph, 0.5)
    assert [[graph.names[v][0] for v in group] for group in groups] == [["a"] * 6, ["b"] * 6]
    assert communities.cohesion(graph, groups[0]) == pytest.approx(12 / 13)
    assert communities.connecting(graph, groups) == [(0, [1]), (6, [0])]
    assert communities.modularity(graph, groups, 0.5) > communities.modularity(graph, [range(12)], 0.5) - 1e-9
    assert len(communities.communities(graph, 4.0)) > 2


@given(arcs, st.sampled_from([0.2, 1.0, 3.0]))
def test_communities_hold_every_vertex_once_in_one_piece_and_gain(
    told: list[tuple[str, str, str]], resolution: float
) -> None:
    graph = network(told, NAMES)
    groups = communities.communities(graph, resolution)
    assert sorted(v for group in groups for v in group) == list(range(len(graph)))
    for group in groups:
        inner = network(
            [a for a in told if {graph.numbers[a[0]], graph.numbers[a[2]]} <= set(group)],
            [graph.names[v] for v in group],
        )
        assert len(shape.components(inner)) == 1
    alone = [[v] for v in range(len(graph))]
    assert communities.modularity(graph, groups, resolution) >= communities.modularity(graph, alone, resolution) - 1e-9
    assert communities.communities(network(reversed(told), NAMES), resolution) == groups


def test_planted_communities_are_found() -> None:
    chance = random.Random(7)
    received = []
    for _ in range(4_000):
        group = chance.randrange(20)
        one, other = chance.randrange(25), chance.randrange(25)
        away = group if chance.random() < 0.85 else chance.randrange(20)
        received.append((f"{group:02}-{one:02}", "x", f"{away:02}-{other:02}"))
    graph = network(received)
    groups = communities.communities(graph)
    assert len(groups) == 20
    assert all(len({graph.names[v][:2] for v in group}) == 1 for group in groups)


def test_an_empty_graph_and_a_single_vertex_have_nothing_to_compute() -> None:
    for graph in (network([]), network([], ["a"])):
        assert shape.components(graph) == [[v] for v in range(len(graph))]
        assert communities.communities(graph) == [[v] for v in range(len(graph))]
        assert (shape.density(graph), shape.bridges(graph), shape.hubs(graph, 3)) == (0.0, [], [])
        assert importance.betweenness(graph).exact
        assert sum(importance.pagerank(graph)) == len(graph)


@settings(max_examples=20)
@given(arcs)
def test_a_layout_is_the_same_each_time_and_puts_no_two_on_one_spot(told: list[tuple[str, str, str]]) -> None:
    graph = network(told, NAMES)
    links = [(v, e) for v in range(len(graph)) for e in graph.neighbours(v)]
    spots = layout(len(graph), links)
    assert spots == layout(len(graph), links)
    for one, other in combinations(spots, 2):
        assert abs(one[0] - other[0]) + abs(one[1] - other[1]) > 0.05


@given(arcs)
def test_a_bridge_parts_as_many_as_are_cut_off_without_it(told: list[tuple[str, str, str]]) -> None:
    whole = network(told)
    for one, other, size in shape.parting(whole):
        pair = {whole.names[one], whole.names[other]}
        rest = network([arc for arc in told if {arc[0], arc[2]} != pair], whole.names)
        sides = [len(part) for part in shape.components(rest) if {one, other} & set(part)]
        assert size == min(sides)
        assert len(sides) == 2
