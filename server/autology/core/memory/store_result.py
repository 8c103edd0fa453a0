"""The outcomes of a batch's items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from autology.core.memory.chunks import ChunkStats
from autology.core.memory.duplicates import DuplicateStats
from autology.model.memory import Memory

STORED, UPDATED, DELETED = "stored", "updated", "deleted"
SKIPPED, BLOCKED = "skipped_dedupe", "business_rule_blocked"
WRITTEN = (STORED, UPDATED, DELETED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an item, and why; *memory* is the item as stored, now or before."""

    status: str
    memory: Memory
    reason: str | None = None
    existing_id: str | None = None
    input_index: int = -1
    redacted: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the item."""
        return self.memory.id


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an item was not stored."""

    index: int
    error_code: str
    message: str
    item_kind: str | None = None
    item_id: str | None = None


@dataclass(frozen=True, slots=True)
class StoreResult:
    """The outcomes of all items in order; statistics on duplicates and on splitting."""

    outcomes: tuple[Outcome, ...]
    problems: tuple[Problem, ...]
    total: int
    stats: DuplicateStats = field(default_factory=DuplicateStats)
    chunked: ChunkStats = field(default_factory=ChunkStats)
    notes: tuple[str, ...] = ()

    def count(self, *statuses: str) -> int:
        """Return how many items have one of these statuses."""
        return sum(outcome.status in statuses for outcome in self.outcomes)


def written(outcomes: tuple[Outcome, ...]) -> Iterator[Memory]:
    """Yield the items that were stored or changed, in their new state."""
    return (outcome.memory for outcome in outcomes if outcome.status in WRITTEN)
