"""A classifier's result: the type of a note, its confidence, and why."""

from __future__ import annotations

from dataclasses import dataclass

from autology.model.node import NodeType

CONFIDENT = 0.6
"""Confidence from which a type is used without asking."""
GIVEN = 0.95
"""Confidence of a type that a person chose."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A type with its confidence (0-1) and the words that indicate it."""

    type: NodeType
    score: float
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Classification:
    """The most likely type of a text, and the three best guesses."""

    type: NodeType
    confidence: float
    alternatives: tuple[Guess, ...]

    @property
    def confident(self) -> bool:
        """Whether the type can be used without asking."""
        return self.confidence >= CONFIDENT


def chosen(type: NodeType) -> Classification:
    """Return the classification of a note whose type a person chose."""
    return Classification(type, GIVEN, (Guess(type, GIVEN),))
