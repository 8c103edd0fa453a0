"""Which type a note is: by the words that each type's notes use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

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
"""Document 000's patterns, completed to 42."""
A_KEYWORD = 0.15
CAP = 0.95
CONFIDENT = 0.6
GIVEN = 0.95
"""How sure the type is that a person gave."""
BOOSTS: Mapping[str, tuple[NodeType, float]] = {
    "hook_commit": (NodeType.SESSION, 0.2),
    "hook_file_change": (NodeType.COMPONENT, 0.1),
}

# A tie goes to the default first, then to the order in which types are listed.
_RANK = {type: rank for rank, type in enumerate((NodeType.CONCEPT, *(t for t in NodeType if t != NodeType.CONCEPT)))}
# At a word's start: "option" finds "options", not "adoption".
_PATTERNS = {
    type: tuple((word, re.compile(rf"(?<![^\W_]){re.escape(word)}")) for word in words)
    for type, words in KEYWORDS.items()
}


@dataclass(frozen=True, slots=True)
class Guess:
    """A type with how sure it is (0-1) and the words that say so."""

    type: NodeType
    score: float
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Classification:
    """The type that a text most likely is, and the three that it may be."""

    type: NodeType
    confidence: float
    alternatives: tuple[Guess, ...]

    @property
    def confident(self) -> bool:
        """Whether the type can be used without asking."""
        return self.confidence >= CONFIDENT


def classify(title: str, content: str, source: str = "manual") -> Classification:
    """Return the most likely type of a note: +0.15 for each of a type's words that is found."""
    text = f"{title} {content}".lower()
    guesses = []
    for type, patterns in _PATTERNS.items():
        found = tuple(word for word, pattern in patterns if pattern.search(text))
        boosted, boost = BOOSTS.get(source, (None, 0.0))
        score = A_KEYWORD * len(found) + (boost if boosted is type else 0.0)
        guesses.append(Guess(type, min(round(score, 2), CAP), found))
    guesses.sort(key=lambda guess: (-guess.score, _RANK[guess.type]))
    best = guesses[0]
    return Classification(best.type, best.score, tuple(guesses[:3]))


def given(type: NodeType) -> Classification:
    """Return the classification of a note whose type a person gave."""
    return Classification(type, GIVEN, (Guess(type, GIVEN),))
