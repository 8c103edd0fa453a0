"""The rules on changes to stored items, each with its name and the next step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from autology.model.memory import Kind, Memory, Scope

SETTLED = ("title", "rationale", "component", "alternatives_considered", "alternatives", "consequences")
"""The fields of an accepted decision that may not change."""
FROZEN = ("accepted", "deprecated", "superseded")
"""Statuses of a decision whose text may not change; none can return to an editable status."""
CHAIN = 1_000
"""Maximum todos followed in the search for a cycle."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that an item breaks; *immutable* if the stored item forbids the change."""

    rule: str
    step: str
    immutable: bool = False

    @property
    def error_code(self) -> str:
        """Its code in answers."""
        return "IMMUTABILITY_VIOLATION" if self.immutable else "BUSINESS_RULE_VIOLATION"

    def __str__(self) -> str:
        return f"{self.rule}: {self.step}"


class StoredItems(Protocol):
    """The rules' lookups in the stored items."""

    def by_id(self, id: str) -> Memory | None:
        """Return the item of that id."""

    def with_migration(self, migration_id: str, scope: Scope) -> Memory | None:
        """Return the schema change of that migration in the scope."""


def broken(after: Memory, before: Memory | None, stored: StoredItems) -> Broken | None:
    """Return the first rule that storing *after* breaks; *before* is the item of its id, if there is one."""
    return next(_all(after, before, stored), None)


def _all(after: Memory, before: Memory | None, stored: StoredItems) -> Iterator[Broken]:
    if before is not None:
        yield from _immutable(after, before)
    if after.kind is Kind.DDL:
        yield from _migrated(after, stored)
    elif after.kind is Kind.TODO:
        yield from _circular(after, stored)
    elif after.kind is Kind.INCIDENT:
        if after.data.get("severity") == "critical" and not _named(after.data.get("commander")):
            yield Broken("incident_commander", "A critical incident needs data.commander {name, role, contact}.")
    elif after.kind is Kind.RISK:
        if after.data.get("impact") == "critical" and not after.data.get("mitigations"):
            yield Broken("risk_mitigations", "A critical risk needs data.mitigations [{strategy, owner}].")
        if after.data.get("status") == "accepted" and not after.data.get("owner"):
            yield Broken("risk_owner", "An accepted risk needs data.owner: who answers for it.")


def _immutable(after: Memory, before: Memory) -> Iterator[Broken]:
    if before.kind is Kind.DDL:
        step = "A stored schema change is written once. Store the next change as an item of its own."
        yield Broken("ddl_write_once", step, immutable=True)
    elif before.kind is Kind.DECISION and before.data.get("status") in FROZEN:
        changed = [name for name in SETTLED if before.data.get(name) != after.data.get(name)]
        if before.content != after.content:
            changed.append("content")
        if changed:
            step = f"An accepted decision's {', '.join(changed)} cannot change. {_superseding(before)}"
            yield Broken("decision_immutable", step, immutable=True)
        if after.data.get("status") not in FROZEN:
            step = f"An accepted decision cannot become {after.data.get('status')} again. {_superseding(before)}"
            yield Broken("decision_not_reopened", step, immutable=True)
    elif before.kind is Kind.SECTION and _is_approved(before):
        changed = [name for name in ("title",) if before.data.get(name) != after.data.get(name)]
        if before.content != after.content:
            changed.insert(0, "text")
        if changed:
            step = f"An approved section's {' and '.join(changed)} cannot change. Store a new section that replaces it."
            yield Broken("section_locked", step, immutable=True)
        if not _is_approved(after):
            step = "An approved section's approval cannot be taken back. Store a new section that replaces it."
            yield Broken("section_locked", step, immutable=True)


def _superseding(before: Memory) -> str:
    return f"Store a new decision with data.supersedes '{before.id}', and set this one's status to superseded."


def _is_approved(section: Memory) -> bool:
    return str(section.data.get("approved")).lower() == "true"


def _migrated(after: Memory, stored: StoredItems) -> Iterator[Broken]:
    migration = after.data.get("migration_id")
    if migration in (None, ""):
        return
    other = stored.with_migration(str(migration), after.scope)
    if other is not None and other.id != after.id:
        stored_as = f"Migration '{str(migration)[:60]}' is stored already ({other.id})."
        step = f"{stored_as} Give the new change its own migration_id."
        yield Broken("migration_id_unique", step)


def _circular(after: Memory, stored: StoredItems) -> Iterator[Broken]:
    """Follow the todo's dependencies in search of a cycle."""
    waiting = list(_dependencies(after))
    visited: set[str] = set()
    while waiting and len(visited) < CHAIN:
        id = waiting.pop()
        if id == after.id:
            what = "itself" if id in _dependencies(after) else "a todo that waits for it"
            yield Broken(
                "todo_circle", f"A todo cannot wait for {what}. Take '{id}' out of the circle of dependencies."
            )
            return
        if id in visited:
            continue
        visited.add(id)
        other = stored.by_id(id)
        if other is not None:
            waiting += _dependencies(other)


def _dependencies(memory: Memory) -> list[str]:
    value = memory.data.get("dependencies")
    return [str(id) for id in value] if isinstance(value, list | tuple) else []


def _named(value: object) -> bool:
    if isinstance(value, Mapping):
        return bool(str(value.get("name") or "").strip())
    return isinstance(value, str) and bool(value.strip())
