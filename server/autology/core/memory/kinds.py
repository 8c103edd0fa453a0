"""The rules of each kind of memory: required fields, allowed values, lifetime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autology.model.argument_limits import LIFETIMES
from autology.model.errors import ValidationError
from autology.model.memory import Kind

SHORT, DEFAULT, LONG, PERMANENT = LIFETIMES


@dataclass(frozen=True, slots=True)
class KindRules:
    """The *required* fields of a kind, its default lifetime, and the values *allowed* in some fields."""

    required: tuple[str, ...]
    lifetime: str
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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

KINDS: Mapping[Kind, KindRules] = {
    Kind.ENTITY: KindRules(("entity_type", "name"), LONG),
    Kind.RELATION: KindRules(("source_id", "target_id", "relation_type"), LONG),
    Kind.OBSERVATION: KindRules(("entity_id", "observation"), LONG),
    Kind.SECTION: KindRules(("title",), LONG),
    Kind.RUNBOOK: KindRules(("service", "title", "steps"), DEFAULT),
    Kind.CHANGE: KindRules(("change_type", "subject_ref", "summary"), DEFAULT, {"change_type": CHANGES}),
    Kind.ISSUE: KindRules(
        ("title", "status"), DEFAULT, {"status": ("open", "in_progress", "resolved", "closed", "wont_fix", "duplicate")}
    ),
    Kind.DECISION: KindRules(("title", "rationale", "status"), LONG, {"status": DECISION_STATUS}),
    Kind.TODO: KindRules(
        ("title", "status"), DEFAULT, {"status": ("pending", "in_progress", "done", "blocked", "cancelled")}
    ),
    Kind.RELEASE_NOTE: KindRules(("version", "release_date", "summary"), DEFAULT),
    Kind.DDL: KindRules(("sql", "database"), DEFAULT),
    Kind.PR_CONTEXT: KindRules(
        ("pr_number", "title", "status"), SHORT, {"status": ("open", "merged", "closed", "draft")}
    ),
    Kind.INCIDENT: KindRules(
        ("title", "severity", "resolution_status"),
        DEFAULT,
        {"severity": LEVELS, "resolution_status": ("open", "investigating", "resolved", "closed")},
    ),
    Kind.RELEASE: KindRules(
        ("version", "release_type", "status"),
        LONG,
        {
            "release_type": ("major", "minor", "patch", "hotfix"),
            "status": ("planned", "in_progress", "completed", "rolled_back"),
        },
    ),
    Kind.RISK: KindRules(
        ("title", "impact", "status"),
        DEFAULT,
        {"impact": LEVELS, "status": ("active", "mitigated", "accepted", "closed")},
    ),
    Kind.ASSUMPTION: KindRules(
        ("title", "validation_status", "impact_if_invalid"),
        DEFAULT,
        {"validation_status": ("validated", "assumed", "invalidated", "needs_validation")},
    ),
}


def check(kind: Kind, data: Mapping[str, object]) -> None:
    """Accept *data* as the fields of an item of *kind*.

    Empty data is accepted: the content may say everything.

    Raises:
        ValidationError: a field is missing or does not fit; it is named.
    """
    if not data:
        return
    rules = KINDS[kind]
    for name in rules.required:
        if _blank(data.get(name)):
            raise ValidationError(f"data.{name}", "is missing", f"A {kind.value} gives {', '.join(rules.required)}.")
    for name, words in rules.allowed.items():
        value = data.get(name)
        if value not in words:
            fits = f"Use one of: {', '.join(words)}."
            raise ValidationError(f"data.{name}", f"'{str(value)[:40]}' does not fit", fits)
    if kind is Kind.RUNBOOK:
        _check_list("steps", data["steps"], ("step_number", "description"))
    if kind is Kind.RISK and "mitigations" in data:
        _check_list("mitigations", data["mitigations"], ("strategy", "owner"))


def _check_list(name: str, value: object, required: tuple[str, ...]) -> None:
    """Accept a list of mappings that all have the *required* fields."""
    if not isinstance(value, list | tuple):
        raise ValidationError(f"data.{name}", "is no list", f"Give a list of {{{', '.join(required)}}}.")
    for at, item in enumerate(value):
        missing = [part for part in required if not isinstance(item, Mapping) or _blank(item.get(part))]
        if missing:
            where = f"data.{name}[{at}].{missing[0]}"
            raise ValidationError(where, "is missing", f"Each gives {' and '.join(required)}.")


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or value == []
