"""The words in which a record says that it changes another one that stays in force: ``amends``, ``amended by``."""

from __future__ import annotations

IN_PART, IN_PART_BY = "supersedes in part", "superseded in part by"
PASSIVE = {
    "amended by": "amends",
    "extended by": "extends",
    "updated by": "updates",
    "clarified by": "clarifies",
    "refined by": "refines",
    "modified by": "modifies",
    IN_PART_BY: IN_PART,
}
"""What the other record says, by what a record says that was changed."""
ACTIVE = frozenset(PASSIVE.values())
"""What a record says that changes another one."""
