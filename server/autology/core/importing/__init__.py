"""Bringing records into the graph that a project already has: planned first, then done."""

from autology.core.importing.apply import Done, apply
from autology.core.importing.originals import Original, Originals, Refused
from autology.core.importing.plan import Addition, Conflict, Move, Plan, Revision, plan

__all__ = [
    "Addition",
    "Conflict",
    "Done",
    "Move",
    "Original",
    "Originals",
    "Plan",
    "Refused",
    "Revision",
    "apply",
    "plan",
]
