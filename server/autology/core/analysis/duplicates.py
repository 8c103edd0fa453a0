"""Nodes that say the same, and nodes of one title that say different things."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from zlib import crc32

from autology.core.analysis.finding import WARNING, Finding, call
from autology.core.analysis.survey import Survey
from autology.core.infer import jaccard
from autology.model.node import NodeStatus, NodeType, RelationType
from autology.ranking.folding import Runs, runs, same
from autology.text.tokens import fold, title_words

MARKS = 8
"""Lowest shingle hashes of a text by which it becomes a candidate: of two equally long texts that share nine tenths of
them, one pair in a thousand is missed."""
CROWD = 50
"""Texts that share a shingle and are compared: a phrase that more of them share is boilerplate."""
COMMON = 20
"""Nodes that share a term and are compared: a term of more of them distinguishes nothing."""
LIKELY = 0.3
"""Share of common words from which two texts are compared by what they say, as when a node is captured."""
COMPARED = 3_000
"""Pairs compared by what they say, those with most common words first: 1 ms each."""
LONGEST = 5_000
"""Characters of a text from which its words are taken."""

SAME_TEXT, NEARLY, NEARLY_TITLED, TITLED = (
    "the same text",
    "nearly the same text",
    "nearly the same title",
    "the same title",
)


def duplicates(seen: Survey) -> Iterator[Finding]:
    """Yield pairs of active nodes that say the same, or have the same title; the one to keep comes second.

    Nodes related to each other have been reviewed: for them only an identical text is a finding.
    """
    told: set[frozenset[str]] = set()
    for how, pair in _alike(seen):
        first, other = sorted(pair, key=lambda id: (seen.nodes[id].created, seen.title(id), id))
        if how == SAME_TEXT and not _adds_nothing(seen, first, other) and _adds_nothing(seen, other, first):
            first, other = other, first
        if frozenset(pair) in told or (how != SAME_TEXT and _related(seen, first, other)):
            continue
        told.add(frozenset(pair))
        says = how in (SAME_TEXT, NEARLY)
        what = f"Duplicate of '{seen.title(first)}'" if says else f"Same title as '{seen.title(first)}'"
        why = "Edits to one leave an outdated copy in search results."
        yield Finding(
            "duplicates",
            WARNING,
            f"{what}: {seen.title(other)}",
            why if says else "Readers may confuse the two.",
            _fix(seen, how, first, other),
            (seen.subject(other), seen.subject(first)),
            (f"{how} as {first[:8]}",),
        )


def _fix(seen: Survey, how: str, first: str, other: str) -> str:
    """Return the fix for a pair. Only a node that adds nothing of its own is to be deleted."""
    replaces = call("autology_relate", source=other, target=first, type=RelationType.SUPERSEDES.value)
    both = call("autology_relate", source=other, target=first, type=RelationType.RELATES_TO.value)
    if how == SAME_TEXT or (how == NEARLY and _says_the_same(seen.nodes[first].content, seen.nodes[other].content)):
        if _adds_nothing(seen, first, other):
            return f"{call('autology_delete', id=other)}, or {replaces}"
        return replaces
    if how == NEARLY:
        return f"{replaces} if it is the newer state, or {both} if both hold"
    return f"{replaces} if it replaces that one, or {both} if both hold"


def _adds_nothing(seen: Survey, first: str, other: str) -> bool:
    """Whether *other* has no tag, file or relation that would be lost with it."""
    kept, goes = seen.nodes[first], seen.nodes[other]
    ends = {first, other}
    edges = (*seen.outgoing.get(other, ()), *seen.incoming.get(other, ()))
    led = any(edge.source not in ends or edge.target not in ends for edge in edges)
    return not led and set(goes.tags) <= set(kept.tags) and set(goes.references) <= set(kept.references)


def _related(seen: Survey, one: str, other: str) -> bool:
    edges = (*seen.outgoing.get(one, ()), *seen.outgoing.get(other, ()))
    return any({edge.source, edge.target} == {one, other} for edge in edges)


def _alike(seen: Survey) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield pairs of similar nodes, and how they are similar; the surest first."""
    nodes = {
        id: node
        for id, node in seen.nodes.items()
        if node.status is not NodeStatus.SUPERSEDED and node.type is not NodeType.SESSION
    }
    yield from ((SAME_TEXT, pair) for pair in _pairs({id: " ".join(n.content.split()) for id, n in nodes.items()}))
    said = {id: runs(node.content) for id, node in nodes.items()}
    yield from ((NEARLY, pair) for pair in _sharing_runs(said))
    yield from ((NEARLY, pair) for pair in _retold({id: node.content[:LONGEST] for id, node in nodes.items()}))
    yield from ((TITLED, pair) for pair in _pairs({id: " ".join(fold(n.title).split()) for id, n in nodes.items()}))
    yield from ((NEARLY_TITLED, pair) for pair in _retold({id: node.title for id, node in nodes.items()}))


def _pairs(texts: Mapping[str, str]) -> Iterator[Sequence[str]]:
    """Yield each id whose text an earlier one has, with that one."""
    firsts: dict[str, str] = {}
    for id, text in texts.items():
        if (first := firsts.setdefault(text, id)) != id:
            yield first, id


def _retold(texts: Mapping[str, str]) -> Iterator[Sequence[str]]:
    """Yield pairs of texts that say the same in other words."""
    words = {id: frozenset(title_words(text)) for id, text in texts.items()}
    holding: dict[str, list[str]] = {}
    for id, some in words.items():
        for word in some:
            holding.setdefault(word, []).append(id)
    met = {pair for ids in holding.values() if len(ids) <= COMMON for pair in combinations(ids, 2)}
    near = [(share, pair) for pair in met if (share := jaccard(words[pair[0]], words[pair[1]])) >= LIKELY]
    for _, pair in heapq.nlargest(COMPARED, near):
        if _says_the_same(texts[pair[0]], texts[pair[1]]):
            yield pair


def _says_the_same(one: str, other: str) -> bool:
    from autology.ranking.same import compare  # its word lists cost 30 ms to read

    return compare(one, other).same


def _sharing_runs(said: Mapping[str, Runs]) -> Iterator[Sequence[str]]:
    """Yield pairs whose texts share their shingles; compared only if they share one of the lowest hashes."""
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
                    yield pair
