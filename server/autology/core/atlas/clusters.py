"""Clusters: communities, their labels and cohesion, and the nodes that connect them."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autology.core.atlas.atlas import TAG, Atlas, Chart, Vertex
from autology.graphs.communities import cohesion, connecting, modularity
from autology.model.argument_limits import HIGHEST_RESOLUTION, LOWEST_RESOLUTION, RESOLUTION
from autology.model.errors import ValidationError
from autology.text.tokens import STOP_WORDS

SHOWN, MEMBERS, BRIDGES = 20, 15, 5
"""Clusters shown, and of each the foremost members and bridges."""
TERMS = 3
"""Words of a label."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """A member with links into other clusters, by their numbers from 1."""

    vertex: Vertex
    leads_to: Sequence[int]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster; *members* are the foremost of *size*, *cohesion* is the share of links that stay inside."""

    number: int
    size: int
    label: Sequence[str]
    cohesion: float
    types: Mapping[str, int]
    members: Sequence[Vertex]
    bridges: Sequence[Bridge]


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of two and more vertices, largest first; *total* counts them, *alone* the vertices in none."""

    clusters: Sequence[Cluster]
    total: int
    alone: int
    modularity: float
    resolution: float


def clusters(atlas: Atlas, resolution: float = RESOLUTION) -> Clusters:
    """Return the clusters of the graph; a higher *resolution* gives more and smaller ones.

    Raises:
        ValidationError: the resolution is out of range.
    """
    if not LOWEST_RESOLUTION <= resolution <= HIGHEST_RESOLUTION:
        fits = f"Give a number from {LOWEST_RESOLUTION:g} to {HIGHEST_RESOLUTION:g}; the default is 1."
        raise ValidationError(
            "resolution", f"{resolution:g} is outside {LOWEST_RESOLUTION:g}-{HIGHEST_RESOLUTION:g}", fits
        )
    return atlas.read_current(lambda chart: _clusters(atlas, chart, resolution))


def _clusters(atlas: Atlas, chart: Chart, resolution: float) -> Clusters:
    every = chart.communities(resolution)
    groups = [group for group in every if len(group) > 1]
    shown = groups[:SHOWN]
    bridges: dict[int, list[tuple[int, list[int]]]] = defaultdict(list)
    of = {vertex: number for number, group in enumerate(every) for vertex in group}
    for vertex, others in connecting(chart.network, every):
        if chart.types[vertex] != TAG and len(bridges[of[vertex]]) < BRIDGES:
            bridges[of[vertex]].append((vertex, [other + 1 for other in others]))
    first = [chart.ranked(group, chart.ranks, MEMBERS) or group[:MEMBERS] for group in shown]
    needed = {v for members in first for v in members} | {v for number in range(len(shown)) for v, _ in bridges[number]}
    vertices = atlas.displayed(chart, sorted(needed))
    named = labels(atlas, chart, groups, len(shown))
    return Clusters(
        [
            Cluster(
                number + 1,
                len(group),
                named[number],
                cohesion(chart.network, group),
                dict(sorted(Counter(chart.types[v] for v in group).items(), key=lambda item: (-item[1], item[0]))),
                [vertices[v] for v in first[number]],
                [Bridge(vertices[v], others) for v, others in bridges[number]],
            )
            for number, group in enumerate(shown)
        ],
        len(groups),
        sum(len(group) == 1 for group in every),
        modularity(chart.network, every, resolution),
        resolution,
    )


def labels(atlas: Atlas, chart: Chart, groups: Sequence[Sequence[int]], shown: int) -> list[list[str]]:
    """Return distinctive words for each of the first groups: frequent in its titles and tags, rare elsewhere."""
    vertices = atlas.displayed(chart, [vertex for group in groups for vertex in group])
    counts = [Counter(word for v in group for word in set(_words(vertices[v].title))) for group in groups]
    spread = Counter(word for counted in counts for word in counted)
    terms = []
    for counted in counts[:shown]:
        weighed = {word: many * math.log(1 + len(groups) / spread[word]) for word, many in counted.items()}
        terms.append(sorted(weighed, key=lambda word: (-weighed[word], word))[:TERMS])
    return terms


def _words(title: str) -> Iterable[str]:
    for word in _WORD.findall(title.casefold()):
        if len(word) > 2 and word not in STOP_WORDS:
            yield word


_WORD = re.compile(r"[^\W\d_][\w'’]*")
