"""What each kind of memory must and may say in its own fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autology.model.errors import ValidationError
from autology.model.memory import Kind


@dataclass(frozen=True, slots=True)
class Fields:
    """A kind's own fields: the ones that *must* be there, and the words that some are limited to."""

    must: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]


DECISION_STATUS = ("proposed", "accepted", "rejected", "deprecated", "superseded")
CHANGES = (
    "feature_add",
    "feature_modify",
    "feature_remove",
    "bugfix",
    "refactor",
    "config_change",
    "dependency_update",
)
LEVELS = ("critical", "high", "medium", "low")

FIELDS: Mapping[Kind, Fields] = {
    Kind.ENTITY: Fields(("entity_type", "name"), {}),
    Kind.RELATION: Fields(("source_id", "target_id", "relation_type"), {}),
    Kind.OBSERVATION: Fields(("entity_id", "observation"), {}),
    Kind.SECTION: Fields(("title",), {}),
    Kind.RUNBOOK: Fields(("service", "title", "steps"), {}),
    Kind.CHANGE: Fields(("change_type", "subject_ref", "summary"), {"change_type": CHANGES}),
    Kind.ISSUE: Fields(
        ("title", "status"), {"status": ("open", "in_progress", "resolved", "closed", "wont_fix", "duplicate")}
    ),
    Kind.DECISION: Fields(("title", "rationale", "status"), {"status": DECISION_STATUS}),
    Kind.TODO: Fields(("title", "status"), {"status": ("pending", "in_progress", "done", "blocked", "cancelled")}),
    Kind.RELEASE_NOTE: Fields(("version", "release_date", "summary"), {}),
    Kind.DDL: Fields(("sql", "database"), {}),
    Kind.PR_CONTEXT: Fields(("pr_number", "title", "status"), {"status": ("open", "merged", "closed", "draft")}),
    Kind.INCIDENT: Fields(
        ("title", "severity", "resolution_status"),
        {"severity": LEVELS, "resolution_status": ("open", "investigating", "resolved", "closed")},
    ),
    Kind.RELEASE: Fields(
        ("version", "release_type", "status"),
        {
            "release_type": ("major", "minor", "patch", "hotfix"),
            "status": ("planned", "in_progress", "completed", "rolled_back"),
        },
    ),
    Kind.RISK: Fields(
        ("title", "impact", "status"),
        {"impact": LEVELS, "status": ("active", "mitigated", "accepted", "closed")},
    ),
    Kind.ASSUMPTION: Fields(
        ("title", "validation_status", "impact_if_invalid"),
        {"validation_status": ("validated", "assumed", "invalidated", "needs_validation")},
    ),
}


def check(kind: Kind, data: Mapping[str, object]) -> None:
    """Accept *data* as the own fields of an item of *kind*.

    No data at all is accepted: the content may say everything.

    Raises:
        ValidationError: a field is missing or does not fit; it is named.
    """
    if not data:
        return
    fields = FIELDS[kind]
    for name in fields.must:
        if _blank(data.get(name)):
            raise ValidationError(f"data.{name}", "is missing", f"A {kind.value} gives {', '.join(fields.must)}.")
    for name, words in fields.words.items():
        value = data.get(name)
        if value not in words:
            fits = f"Use one of: {', '.join(words)}."
            raise ValidationError(f"data.{name}", f"'{str(value)[:40]}' does not fit", fits)
    if kind is Kind.RUNBOOK:
        _check_each("steps", data["steps"], ("step_number", "description"))
    if kind is Kind.RISK and "mitigations" in data:
        _check_each("mitigations", data["mitigations"], ("strategy", "owner"))


def _check_each(name: str, value: object, must: tuple[str, ...]) -> None:
    """Accept a list of mappings that all give what they *must*."""
    if not isinstance(value, list | tuple):
        raise ValidationError(f"data.{name}", "is no list", f"Give a list of {{{', '.join(must)}}}.")
    for at, item in enumerate(value):
        missing = [part for part in must if not isinstance(item, Mapping) or _blank(item.get(part))]
        if missing:
            where = f"data.{name}[{at}].{missing[0]}"
            raise ValidationError(where, "is missing", f"Each gives {' and '.join(must)}.")


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or value == []
