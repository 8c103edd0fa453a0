"""An order by relevance in which the newer of two that are about as relevant comes first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

ALIKE = 0.1
"""Relevances that differ by no more count as the same."""


def ordered(found: Iterable[tuple[float, str, T]]) -> list[tuple[float, str, T]]:
    """Return *found*, each (relevance, stamp, what), so that of any two neighbours the right one comes first.

    The more relevant one does, or, where they differ by at most ALIKE, the newer. Being alike is not
    transitive, so that this holds of neighbours and not of every pair; nothing is passed by what is less
    relevant by more than that.
    """
    placed: list[tuple[float, str, T]] = []
    for each in sorted(found, key=lambda item: -item[0]):
        at = len(placed)
        while at and placed[at - 1][0] - each[0] <= ALIKE and each[1] > placed[at - 1][1]:
            at -= 1
        placed.insert(at, each)
    return placed
