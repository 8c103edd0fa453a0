"""Diff of two sequences in linear time where few items moved; None otherwise."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TypeAlias

STEPS = 2_000_000
"""Steps of one merge. One takes under a microsecond: a note of 100,000 lines, every second one changed on each side,
takes 800,000 steps and one second; for longer ones git's own merge, which needs no bound, takes over."""
SECONDS = 5.0
"""Seconds of one merge, however slow the machine; git waits for it, once for each note."""

Hunk: TypeAlias = tuple[int, int, int, int]
"""A change: [from, to) in the base, [from, to) in the side."""


class TooDifferentError(Exception):
    """The versions cannot be compared within the bounds of one merge."""


class Budget:
    """The remaining steps and time of one merge."""

    def __init__(self, steps: int = STEPS, seconds: float = SECONDS) -> None:
        self._steps = steps
        self._until = time.monotonic() + seconds

    def spend(self, steps: int) -> None:
        """Use up *steps*. Raises TooDifferentError when there are none left, or the time is up."""
        self._steps -= steps
        if self._steps < 0 or time.monotonic() > self._until:
            raise TooDifferentError

    def can_spend(self, steps: int) -> bool:
        """Use up *steps* if that leaves enough for the rest; return whether it did."""
        if 2 * steps > self._steps:
            return False
        self.spend(steps)
        return True


def hunks(base: Sequence[str], side: Sequence[str], budget: Budget) -> list[Hunk]:
    """Return the changes of *side*, in order, with something unchanged between any two. Raises TooDifferentError."""
    changes: list[Hunk] = []
    b = s = 0
    for at, to, length in [*_runs(base, side, budget), (len(base), len(side), 0)]:
        if at > b or to > s:
            changes.append((b, at, s, to))
        b, s = at + length, to + length
    return changes


_Run: TypeAlias = tuple[int, int, int]  # from in the base, from in the side, number of equal items


def _runs(base: Sequence[str], side: Sequence[str], budget: Budget) -> list[_Run]:
    """The common stretches, in order, adjacent ones joined."""
    budget.spend(len(base) + len(side))
    prefix = shared(base, side)
    suffix = min(shared(base[::-1], side[::-1]), min(len(base), len(side)) - prefix)
    # An item in only one version is a change in any case, and most changed lines are of this kind.
    both = set(base[prefix : len(base) - suffix]).intersection(side[prefix : len(side) - suffix])
    mine = [at for at in range(prefix, len(base) - suffix) if base[at] in both]
    other = [at for at in range(prefix, len(side) - suffix) if side[at] in both]
    pairs = _lcs_pairs([base[at] for at in mine], [side[at] for at in other], budget)
    matched = ((mine[a], other[b], 1) for a, b in pairs)
    return _together([(0, 0, prefix), *matched, (len(base) - suffix, len(side) - suffix, suffix)])


def _together(runs: Sequence[_Run]) -> list[_Run]:
    joined: list[_Run] = []
    for at, to, length in runs:
        if joined and (last := joined[-1])[0] + last[2] == at and last[1] + last[2] == to:
            joined[-1] = (last[0], last[1], last[2] + length)
        elif length:
            joined.append((at, to, length))
    return joined


def shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the common prefix."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _lcs_pairs(base: Sequence[str], side: Sequence[str], budget: Budget) -> list[tuple[int, int]]:
    """The pairs of a longest common subsequence, by Myers' greedy algorithm: work grows with what differs."""
    if not base or not side:
        return []
    furthest: dict[int, int] = {1: 0}  # by diagonal, how far into the base the cheapest path gets
    chains: dict[int, Chain] = {1: None}
    for cost in range(len(base) + len(side) + 1):
        walked = cost + 1
        for diagonal in range(-cost, cost + 1, 2):
            down = diagonal == -cost or (diagonal != cost and furthest[diagonal - 1] < furthest[diagonal + 1])
            origin = diagonal + 1 if down else diagonal - 1
            begun = at = furthest[origin] + (not down)
            while at < len(base) and at - diagonal < len(side) and base[at] == side[at - diagonal]:
                at += 1
            furthest[diagonal] = at
            chains[diagonal] = (begun, begun - diagonal, at - begun, chains[origin]) if at > begun else chains[origin]
            walked += at - begun
            if at >= len(base) and at - diagonal >= len(side):
                return unrolled(chains[diagonal])
        budget.spend(walked)
    raise AssertionError("two sequences differ by no more than all of both")


Chain: TypeAlias = "tuple[int, int, int, Chain] | None"
"""Equal items: where they begin in both sequences, how many there are, and those before them."""


def unrolled(chain: Chain) -> list[tuple[int, int]]:
    """Return the pairs of equal items in *chain*, in order."""
    pairs: list[tuple[int, int]] = []
    while chain:
        at, to, length, chain = chain
        pairs += [(at + n, to + n) for n in reversed(range(length))]
    return pairs[::-1]
