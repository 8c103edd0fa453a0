"""Nodes that say the same twice."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from itertools import combinations
from zlib import crc32

from autology.core.analysis.finding import WARNING, Finding, call
from autology.core.analysis.survey import Survey
from autology.model.node import NodeStatus, NodeType
from autology.ranking.folding import Runs, runs, same
from autology.text.tokens import fold


def duplicates(seen: Survey) -> Iterator[Finding]:
    """Yield pairs of nodes in force with the same title or nearly the same text; the older one is to stay."""
    told: set[frozenset[str]] = set()
    for alike, group in _alike(seen):
        first, *others = sorted(group, key=lambda id: (seen.nodes[id].created, seen.title(id), id))
        for other in others:
            if frozenset((first, other)) in told:
                continue
            told.add(frozenset((first, other)))
            yield Finding(
                "duplicates",
                WARNING,
                f"Says what '{seen.title(first)}' says: {seen.title(other)}",
                "One of them will be changed and the other go on being answered.",
                f"{call('autology_delete', id=other)}, or {_superseding(other, first)}",
                (seen.subject(other), seen.subject(first)),
                (f"{alike} as {first[:8]}",),
            )


def _superseding(newer: str, older: str) -> str:
    return call("autology_relate", source=newer, target=older, type="supersedes")


def _alike(seen: Survey) -> Iterator[tuple[str, list[str]]]:
    nodes = {
        id: node
        for id, node in seen.nodes.items()
        if node.status is not NodeStatus.SUPERSEDED and node.type is not NodeType.SESSION
    }
    titles: dict[str, list[str]] = {}
    for id, node in nodes.items():
        titles.setdefault(" ".join(fold(node.title).split()), []).append(id)
    yield from (("the same title", group) for group in titles.values() if len(group) > 1)
    said = {id: runs(node.content) for id, node in nodes.items()}
    yield from (("nearly the same text", pair) for pair in _saying_the_same(said))


def _saying_the_same(said: Mapping[str, Runs]) -> Iterator[list[str]]:
    """Yield pairs whose texts say the same; only those are compared that share one of their least runs."""
    sharing: dict[int, list[str]] = {}
    for id, each in said.items():
        for mark in heapq.nsmallest(MARKS, {crc32(" ".join(run).encode()) for run in each}):
            sharing.setdefault(mark, []).append(id)
    told: set[tuple[str, str]] = set()
    for ids in sharing.values():
        for pair in combinations(ids[:CROWD], 2):
            if pair not in told:
                told.add(pair)
                if same(said[pair[0]], said[pair[1]]):
                    yield list(pair)


MARKS = 8
"""Least hashes of a text's runs by which it meets others: of two equally long ones that share nine tenths of them,
one pair in thousands is missed."""
CROWD = 50
"""Texts with one run that are compared: a phrase that more of them share is a form that they were written in."""
