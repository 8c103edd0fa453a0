"""Classifying a note: by the form of its title, its sections and phrases; if these are silent, by 42 words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from autology.core.nodes.classification import Classification, Guess
from autology.core.nodes.type_cues import HEADING, TEXT, TITLE, cues
from autology.core.nodes.type_keywords import A_KEYWORD, BOOSTS, CAP, RANK, by_keywords, keywords
from autology.model.node import NodeType
from autology.text.adr.sections import section_name
from autology.text.markdown.blocks import with_fences_replaced
from autology.text.markdown.sections import BOLD, with_bold_lines

LEAD = 1_500
"""Characters in which phrases are looked for: beyond that a long text has phrases of every type."""
LEAST = 1.0
"""Weight below which the form is inconclusive."""
A_HOOK = 5.0
"""The weight in the units of the cues of a hook's boost, which is a share of 1."""

_LOWER_LEVELS = range(5, BOLD)
"""Headings of these levels are too many to say something of the whole."""


def classify(title: str, content: str, source: str = "manual") -> Classification:
    """Return the most likely type of a note, with the words that decided.

    Scores are shares of 1; if the form of a note is inconclusive, its words decide alone.
    """
    evidence = _evidence(title, content)
    weights = {type: sum(counted.values()) for type, counted in evidence.items()}
    if max(weights.values()) < LEAST:
        return by_keywords(title, content, source)
    for type, words in keywords(f"{title} {content[:LEAD]}").items():
        weights[type] += A_KEYWORD * len(words)
    boosted, boost = BOOSTS.get(source, (None, 0.0))
    if boosted:
        weights[boosted] += A_HOOK * boost
    total = sum(math.exp(weight) for weight in weights.values())
    guesses = [
        Guess(type, min(round(math.exp(weights[type]) / total, 2), CAP), _strongest(evidence[type])) for type in weights
    ]
    guesses.sort(key=lambda guess: (-weights[guess.type], RANK[guess.type]))
    return Classification(guesses[0].type, guesses[0].score, tuple(guesses[:3]))


def _evidence(title: str, content: str) -> dict[NodeType, dict[str, float]]:
    """Return, by type, the words that indicate it and the weight of each."""
    evidence: dict[NodeType, dict[str, float]] = {type: {} for type in NodeType}
    for type, words, weight in _matches(title, content):
        weights = evidence[type]
        weights[words] = max(weight, weights.get(words, 0.0))
    return evidence


def _matches(title: str, content: str) -> Iterator[tuple[NodeType, str, float]]:
    for cue in cues()[TITLE]:
        if match := cue.pattern.search(title.strip()):
            yield cue.type, match[0].strip(), cue.weight
    titles = {section.title for section in with_bold_lines(content) if section.level not in _LOWER_LEVELS}
    for heading in dict.fromkeys(map(section_name, titles)):
        for cue in cues()[HEADING]:
            if cue.pattern.search(heading):
                yield cue.type, f"## {heading}", cue.weight
                break
    lead = with_fences_replaced(content, lambda _: "")[:LEAD]
    for cue in cues()[TEXT]:
        if match := cue.pattern.search(lead):
            yield cue.type, match[0].strip(), cue.weight


def _strongest(words: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda word: (-words[word], word))[:5])
