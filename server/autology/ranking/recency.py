"""Ordering by relevance that prefers the newer of two about equally relevant items."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import gt, lt
from typing import TypeVar

T = TypeVar("T")

ALIKE = 0.1
"""The maximum difference between relevances that count as equal."""


def ordered(items: Iterable[tuple[float, str, T]], oldest_first: bool = False) -> list[tuple[float, str, T]]:
    """Return *items*, tuples of (relevance, stamp, payload), so that any two neighbours are in the right order.

    The more relevant comes first or, within ALIKE, the newer, or with *oldest_first* the older. Closeness is not
    transitive, so this holds for neighbours, not for every pair; an item never passes one that is more relevant by more
    than ALIKE.
    """
    is_ahead = lt if oldest_first else gt
    return placed(items, lambda one, other: is_ahead(one[1], other[1]))


def placed(
    items: Iterable[tuple[float, str, T]],
    passes: Callable[[tuple[float, str, T], tuple[float, str, T]], bool],
) -> list[tuple[float, str, T]]:
    """Return *items* as :func:`ordered` does, with those first that *passes* says to come before the other."""
    order: list[tuple[float, str, T]] = []
    for entry in sorted(items, key=lambda item: -item[0]):
        position = len(order)
        while position and order[position - 1][0] - entry[0] <= ALIKE and passes(entry, order[position - 1]):
            position -= 1
        order.insert(position, entry)
    return order
