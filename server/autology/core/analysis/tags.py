"""Tags that are spelling variants of each other, and nodes without tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from autology.core.analysis.finding import NAMED, NOTICE, Finding
from autology.core.analysis.survey import Survey
from autology.model.next_step import Action, NextStep, Sentence, do
from autology.model.node import Node, NodeStatus


def tags(survey: Survey) -> Iterator[Finding]:
    """Yield tags that differ by spelling or number only, and the nodes without tags."""
    counts = Counter(tag for node in survey.nodes.values() for tag in node.tags)
    spellings: dict[str, list[str]] = {}
    for tag in sorted(counts, key=lambda tag: (-counts[tag], tag)):
        spellings.setdefault(_plain(tag), []).append(tag)
    for best, *others in spellings.values():
        for other in others:
            bearers = [id for id, node in survey.nodes.items() if other in node.tags]
            yield Finding(
                "tags",
                NOTICE,
                f"Two spellings of one tag: '{other}' and '{best}'",
                "A filter by one of them misses the other's nodes.",
                each_of(bearers, lambda id, best=best, other=other: _retagged(survey.nodes[id], other, best)),  # type: ignore[misc]
                tuple(survey.subject(id) for id in bearers),
                (f"{best}: {counts[best]}", f"{other}: {counts[other]}"),
            )
    bare = [id for id, node in survey.nodes.items() if not node.tags and node.status is not NodeStatus.SUPERSEDED]
    if bare and counts:
        yield Finding(
            "tags",
            NOTICE,
            f"{len(bare)} of {len(survey.nodes)} nodes have no tags",
            "Filters by tag never show them.",
            each_of(bare, lambda id: do(Action.UPDATE, id=id, tags=_likely(survey, id))),
            tuple(survey.subject(id) for id in bare),
            tuple(f"no tag: {survey.title(id)}" for id in bare[:NAMED]),
        )


def each_of(ids: Sequence[str], fix: Callable[[str], NextStep]) -> Sentence:
    """Return the steps for the first of *ids*, and how many more need the same."""
    first, *others = (Sentence(fix(id)) for id in ids[:NAMED])
    more = f"; then the other {len(ids) - NAMED}" if len(ids) > NAMED else ""
    return Sentence(first, *(Sentence("; ", step) for step in others), more)


def _retagged(node: Node, former: str, tag: str) -> NextStep:
    return do(Action.UPDATE, id=node.id, tags=list(dict.fromkeys(tag if t == former else t for t in node.tags)))


def _likely(survey: Survey, id: str) -> list[str]:
    """Return the tags of the nearest nodes: those it is related to, or shares a file with."""
    near = [edge.target for edge in survey.outgoing.get(id, ())] + [edge.source for edge in survey.incoming.get(id, ())]
    near += survey.graph.index.sharing((), survey.nodes[id].references, (), NAMED)
    borne = Counter(tag for other in near if other in survey.nodes and other != id for tag in survey.nodes[other].tags)
    return [tag for tag, _ in borne.most_common(2)] or ["…"]


def _plain(tag: str) -> str:
    """A tag without spelling differences: `unit_tests` as `unit-test`."""
    word = tag.casefold().replace("_", "").replace("-", "").replace(" ", "")
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
