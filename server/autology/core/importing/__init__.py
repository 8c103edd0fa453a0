"""Bringing records into the graph that a project already has: planned first, then done."""

from autology.core.importing.apply import Done, apply
from autology.core.importing.known import Conflict
from autology.core.importing.originals import Original, Originals, Refused
from autology.core.importing.plan import Addition, Edit, Plan, plan

__all__ = ["Addition", "Conflict", "Done", "Edit", "Original", "Originals", "Plan", "Refused", "apply", "plan"]
