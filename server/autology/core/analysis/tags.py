"""Tags that mean the same in two spellings, and nodes without any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from autology.core.analysis.finding import NAMED, NOTICE, Finding, call
from autology.core.analysis.survey import Survey
from autology.model.node import NodeStatus


def tags(seen: Survey) -> Iterator[Finding]:
    """Yield tags that differ by spelling or number only, and the nodes that bear none."""
    counts = Counter(tag for node in seen.nodes.values() for tag in node.tags)
    kept: dict[str, list[str]] = {}
    for tag in sorted(counts, key=lambda tag: (-counts[tag], tag)):
        kept.setdefault(_plain(tag), []).append(tag)
    for best, *others in kept.values():
        for other in others:
            bearers = [id for id, node in seen.nodes.items() if other in node.tags]
            node = seen.nodes[bearers[0]]
            merged = list(dict.fromkeys(best if tag == other else tag for tag in node.tags))
            yield Finding(
                "tags",
                NOTICE,
                f"Two tags for one thing: '{other}' and '{best}'",
                "A filter by the one leaves out what bears the other.",
                call("autology_update", id=bearers[0], tags=merged),
                tuple(seen.subject(id) for id in bearers),
                (f"{best}: {counts[best]}", f"{other}: {counts[other]}"),
            )
    bare = [id for id, node in seen.nodes.items() if not node.tags and node.status is not NodeStatus.SUPERSEDED]
    if bare and counts:
        yield Finding(
            "tags",
            NOTICE,
            f"{len(bare)} of {len(seen.nodes)} nodes bear no tag",
            "Filters by tag never show them.",
            call("autology_update", id=bare[0], tags=[counts.most_common(1)[0][0]]),
            tuple(seen.subject(id) for id in bare),
            tuple(f"no tag: {seen.title(id)}" for id in bare[:NAMED]),
        )


def _plain(tag: str) -> str:
    """What a tag says apart from its spelling: `unit_tests` as `unit-test`."""
    word = tag.casefold().replace("_", "").replace("-", "").replace(" ", "")
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
