"""Freshness: deciding, without walking all files, whether the index is up to date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WALK_SHARE = 20
"""Where the system does not report changes, a walk over every file is repeated once this many times its own cost has
passed: 5 % at most.

Measured: 3 ms at 1,000 files, 41 at 10,000, 450 at 100,000; so an edit in place made outside is seen after
0.07, 0.8 and 9 seconds, and in a file that was modified recently at once; an added, removed or renamed file at once."""
SURE_SHARE = 1_000
"""The same where the system reports every change: what reports may miss is a file written through a second name that it
was given later, and an index that another process wrote from an older text. Every 3, 41 and 450 seconds."""
SHORTEST = 1.0
"""Seconds between two walks in the background at least."""
LATE = 3
"""A walk in the background that is late by this many of its intervals is not waited for: the next query walks."""


@dataclass(slots=True)
class Freshness:
    """The last walk: the index's *generation* and the *folders*' state then, its time and its *cost* in seconds.

    Until *covered*, walks in the background see to it that no query need walk.
    """

    generation: str = ""
    folders: Sequence[int] = ()
    walked: float = 0.0
    cost: float = 0.0
    covered: float = 0.0

    def matches(self, generation: str, folders: Sequence[int]) -> bool:
        """Whether the index is the same, and no file was added, removed or renamed, since the last walk."""
        return generation == self.generation and folders == self.folders

    def is_over(self, now: float) -> bool:
        """Whether another walk is due, by the cost of the last one."""
        return now - self.walked >= WALK_SHARE * self.cost and now >= self.covered

    def interval(self, is_watched: bool) -> float:
        """Return the seconds between two walks in the background."""
        return max(SHORTEST, (SURE_SHARE if is_watched else WALK_SHARE) * self.cost)

    def forget(self) -> None:
        """Make the next query walk."""
        self.folders = ()
