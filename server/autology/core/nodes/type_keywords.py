"""Classifying a note by 42 words alone, when its form is inconclusive."""

from __future__ import annotations

import re
from collections.abc import Mapping

from autology.core.nodes.classification import Classification, Guess
from autology.model.node import NodeType

KEYWORDS: Mapping[NodeType, tuple[str, ...]] = {
    NodeType.DECISION: (
        *("decide", "decision", "chose", "alternative", "option"),
        *("trade-off", "adr", "context", "consequence", "rationale"),
    ),
    NodeType.COMPONENT: ("component", "module", "service", "class", "package", "library"),
    NodeType.CONVENTION: ("convention", "guideline", "standard", "style", "rule", "practice"),
    NodeType.CONCEPT: ("concept", "domain", "business", "workflow", "terminology"),
    NodeType.PATTERN: ("pattern", "template", "reusable", "strategy", "abstraction"),
    NodeType.ISSUE: ("issue", "bug", "debt", "limitation", "workaround"),
    NodeType.SESSION: ("session", "accomplished", "completed", "summary", "progress"),
}
"""The specified words, extended to 42."""
A_KEYWORD = 0.15
CAP = 0.95
BOOSTS: Mapping[str, tuple[NodeType, float]] = {
    "hook_commit": (NodeType.SESSION, 0.2),
    "hook_file_change": (NodeType.COMPONENT, 0.1),
}

# On a tie the default wins, then the order in which types are listed.
RANK = {type: rank for rank, type in enumerate((NodeType.CONCEPT, *(t for t in NodeType if t != NodeType.CONCEPT)))}
# At the start of a word: "option" matches "options", not "adoption".
_PATTERNS = {
    type: tuple((word, re.compile(rf"(?<![^\W_]){re.escape(word)}")) for word in words)
    for type, words in KEYWORDS.items()
}


def keywords(text: str) -> dict[NodeType, tuple[str, ...]]:
    """Return the words of each type that occur in *text*."""
    lowered = text.lower()
    return {
        type: tuple(word for word, pattern in patterns if pattern.search(lowered))
        for type, patterns in _PATTERNS.items()
    }


def by_keywords(title: str, content: str, source: str = "manual") -> Classification:
    """Return the most likely type of a note: +0.15 for each of a type's words that occurs."""
    guesses = []
    for type, words in keywords(f"{title} {content}").items():
        boosted, boost = BOOSTS.get(source, (None, 0.0))
        score = A_KEYWORD * len(words) + (boost if boosted is type else 0.0)
        guesses.append(Guess(type, min(round(score, 2), CAP), words))
    guesses.sort(key=lambda guess: (-guess.score, RANK[guess.type]))
    best = guesses[0]
    return Classification(best.type, best.score, tuple(guesses[:3]))
