"""What a classifier answers: the type of a note, how sure that is, and why."""

from __future__ import annotations

from dataclasses import dataclass

from autology.model.node import NodeType

CONFIDENT = 0.6
"""How sure a type has to be to be taken without asking."""
GIVEN = 0.95
"""How sure the type is that a person gave."""


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


def given(type: NodeType) -> Classification:
    """Return the classification of a note whose type a person gave."""
    return Classification(type, GIVEN, (Guess(type, GIVEN),))
