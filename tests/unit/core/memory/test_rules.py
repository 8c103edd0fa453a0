"""What each kind of memory must say, how long it is kept, and what may not be done to what is stored."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autology.core.memory import kinds, rules
from autology.core.memory.expiry import expires_at
from autology.core.memory.item_input import read_item
from autology.model.errors import ValidationError
from autology.model.memory import Kind, Memory, Scope

AT = "2026-01-01T00:00:00Z"


def memory(kind: Kind, id: str = "m1", content: str = "text", **data: object) -> Memory:
    return Memory(id, kind, content, Scope("acme"), AT, AT, data=data)


class Kept:
    """Items that are stored, by id."""

    def __init__(self, *items: Memory) -> None:
        self.items = {item.id: item for item in items}

    def by_id(self, id: str) -> Memory | None:
        return self.items.get(id)

    def with_migration(self, migration_id: str, scope: Scope) -> Memory | None:
        some = (item for item in self.items.values() if item.scope == scope)
        return next((item for item in some if str(item.data.get("migration_id")) == migration_id), None)


WHOLE: dict[Kind, dict[str, object]] = {
    Kind.ENTITY: {"entity_type": "team", "name": "x"},
    Kind.RELATION: {"source_id": "a", "target_id": "b", "relation_type": "owns"},
    Kind.OBSERVATION: {"entity_id": "a", "observation": "x"},
    Kind.SECTION: {"title": "x"},
    Kind.RUNBOOK: {"service": "s", "title": "x", "steps": [{"step_number": 1, "description": "go"}]},
    Kind.CHANGE: {"change_type": "bugfix", "subject_ref": "a", "summary": "x"},
    Kind.ISSUE: {"title": "x", "status": "open"},
    Kind.DECISION: {"title": "x", "rationale": "y", "status": "accepted"},
    Kind.TODO: {"title": "x", "status": "pending"},
    Kind.RELEASE_NOTE: {"version": "1.0", "release_date": "2026-01-01", "summary": "x"},
    Kind.DDL: {"sql": "DROP TABLE x", "database": "main"},
    Kind.PR_CONTEXT: {"pr_number": 7, "title": "x", "status": "merged"},
    Kind.INCIDENT: {"title": "x", "severity": "low", "resolution_status": "open"},
    Kind.RELEASE: {"version": "1.0", "release_type": "minor", "status": "planned"},
    Kind.RISK: {"title": "x", "impact": "high", "status": "active"},
    Kind.ASSUMPTION: {"title": "x", "validation_status": "assumed", "impact_if_invalid": "much"},
}


def test_every_kind_has_its_fields() -> None:
    assert set(kinds.KINDS) == set(Kind) == set(WHOLE)


@pytest.mark.parametrize("kind", Kind)
def test_complete_fields_and_no_fields_are_both_accepted(kind: Kind) -> None:
    kinds.check(kind, WHOLE[kind])
    kinds.check(kind, {})


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in Kind for name in kinds.KINDS[kind].required])
def test_a_missing_or_blank_field_is_named(kind: Kind, name: str) -> None:
    for blank in ({}, {name: " "}, {name: None}):
        data = {key: value for key, value in WHOLE[kind].items() if key != name} | blank | {"other": 1}
        with pytest.raises(ValidationError) as caught:
            kinds.check(kind, data)
        assert caught.value.field == f"data.{name}"


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in Kind for name in kinds.KINDS[kind].allowed])
def test_a_word_that_is_not_one_of_those_allowed_is_refused_with_the_list(kind: Kind, name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        kinds.check(kind, {**WHOLE[kind], name: "sideways"})
    assert all(word in str(caught.value) for word in kinds.KINDS[kind].allowed[name])
    with pytest.raises(ValidationError):
        kinds.check(kind, {**WHOLE[kind], name: ["open"]})


def test_a_step_without_a_description_is_found_by_its_place() -> None:
    with pytest.raises(ValidationError) as caught:
        kinds.check(Kind.RUNBOOK, {**WHOLE[Kind.RUNBOOK], "steps": [{"step_number": 1, "description": "a"}, {}]})
    assert caught.value.field == "data.steps[1].step_number"
    with pytest.raises(ValidationError):
        kinds.check(Kind.RUNBOOK, {**WHOLE[Kind.RUNBOOK], "steps": "first this"})


@pytest.mark.parametrize(
    ("kind", "day"),
    [
        (Kind.PR_CONTEXT, "2026-01-31"),
        (Kind.TODO, "2026-04-01"),
        (Kind.DECISION, "2027-01-01"),
        (Kind.DDL, "2026-04-01"),
    ],
)
def test_each_kind_of_memory_has_its_default_lifetime(kind: Kind, day: str) -> None:
    assert expires_at(kind, None, AT, {}) == f"{day}T00:00:00Z"


def test_a_requested_lifetime_overrides_the_kind_and_permanent_never_expires() -> None:
    assert expires_at(Kind.PR_CONTEXT, "long", AT, {}) == "2027-01-01T00:00:00Z"
    assert expires_at(Kind.TODO, "permanent", AT, {}) is None
    with pytest.raises(ValidationError, match="short, default, long, permanent"):
        read_item({"ttl_policy": "forever"})


def test_a_merged_pull_request_is_kept_from_its_merge_on() -> None:
    merged = {"status": "merged", "merged_at": "2026-02-01T10:00:00Z"}
    assert expires_at(Kind.PR_CONTEXT, None, AT, merged) == "2026-03-03T10:00:00Z"
    for data in ({"status": "merged"}, {"status": "merged", "merged_at": "soon"}, {**merged, "status": "open"}):
        assert expires_at(Kind.PR_CONTEXT, None, AT, data) == "2026-01-31T00:00:00Z"


def test_an_item_expires_at_its_moment_and_not_before() -> None:
    item = replace(memory(Kind.TODO), expires_at="2026-04-01T00:00:00Z")
    assert not item.expired("2026-03-31T23:59:59Z")
    assert item.expired("2026-04-01T00:00:00Z")
    assert not replace(item, expires_at=None).expired("9999-01-01T00:00:00Z")


DECIDED = memory(Kind.DECISION, **WHOLE[Kind.DECISION], alternatives_considered=["z"])


@pytest.mark.parametrize("name", ["title", "rationale", "component", "alternatives_considered", "consequences"])
def test_an_accepted_decision_memory_is_immutable(name: str) -> None:
    result = rules.broken(replace(DECIDED, data={**DECIDED.data, name: "other"}), DECIDED, Kept(DECIDED))
    assert result is not None
    assert (result.rule, result.error_code) == ("decision_immutable", "IMMUTABILITY_VIOLATION")
    assert name in result.step
    assert "supersedes 'm1'" in result.step


def test_an_accepted_decision_may_be_superseded_and_a_proposed_one_rewritten() -> None:
    after = replace(DECIDED, data={**DECIDED.data, "status": "superseded"})
    assert rules.broken(after, DECIDED, Kept()) is None
    proposed = replace(DECIDED, data={**DECIDED.data, "status": "proposed"})
    assert (
        rules.broken(replace(proposed, content="new", data={**proposed.data, "title": "t"}), proposed, Kept()) is None
    )


def test_the_stored_status_of_a_decision_counts_not_the_updates() -> None:
    claims = replace(DECIDED, content="new", data={**DECIDED.data, "status": "proposed"})
    assert rules.broken(claims, DECIDED, Kept()) is not None


def test_a_schema_change_is_written_once_and_a_migration_never_repeats() -> None:
    one = memory(Kind.DDL, "d1", **WHOLE[Kind.DDL], migration_id=7)
    result = rules.broken(one, one, Kept(one))
    assert result is not None
    assert result.rule == "ddl_write_once"
    again = memory(Kind.DDL, "d2", **WHOLE[Kind.DDL], migration_id="7")
    repeated = rules.broken(again, None, Kept(one))
    assert repeated is not None
    assert repeated.rule == "migration_id_unique"
    assert rules.broken(replace(again, scope=Scope("other")), None, Kept(one)) is None


def test_an_approved_section_keeps_text_and_title() -> None:
    one = memory(Kind.SECTION, title="x", approved=True)
    for after in (replace(one, content="new"), replace(one, data={**one.data, "title": "y"})):
        result = rules.broken(after, one, Kept(one))
        assert result is not None
        assert result.rule == "section_locked"
    assert rules.broken(replace(one, data={**one.data, "document_id": "d"}), one, Kept(one)) is None


def todo(id: str, *waits: str) -> Memory:
    return memory(Kind.TODO, id, title="x", status="pending", dependencies=list(waits))


def test_todos_never_wait_for_each_other_in_a_circle() -> None:
    kept = Kept(todo("b", "c"), todo("c", "a"), todo("d", "gone"))
    for item in (todo("a", "a"), todo("a", "b")):
        result = rules.broken(item, None, kept)
        assert result is not None
        assert result.rule == "todo_circle"
    assert rules.broken(todo("a", "d"), None, kept) is None


def test_a_circle_among_others_does_not_hang() -> None:
    assert rules.broken(todo("a", "b"), None, Kept(todo("b", "c"), todo("c", "b"))) is None


@pytest.mark.parametrize(
    ("item", "rule"),
    [
        (memory(Kind.INCIDENT, title="x", severity="critical", resolution_status="open"), "incident_commander"),
        (memory(Kind.INCIDENT, severity="critical", commander={"name": " "}), "incident_commander"),
        (memory(Kind.RISK, title="x", impact="critical", status="active"), "risk_mitigations"),
        (memory(Kind.RISK, title="x", impact="low", status="accepted"), "risk_owner"),
    ],
)
def test_critical_or_accepted_items_need_a_responsible_person(item: Memory, rule: str) -> None:
    result = rules.broken(item, None, Kept())
    assert result is not None
    assert (result.rule, result.error_code) == (rule, "BUSINESS_RULE_VIOLATION")
    assert "data." in result.step


def test_critical_items_with_a_responsible_person_are_accepted() -> None:
    item = memory(Kind.INCIDENT, severity="critical", commander={"name": "Ada", "role": "lead", "contact": "#ops"})
    assert rules.broken(item, None, Kept()) is None
    assert rules.broken(memory(Kind.RISK, impact="critical", mitigations=[{"strategy": "x"}]), None, Kept()) is None


@pytest.mark.parametrize("status", ["accepted", "deprecated", "superseded"])
@pytest.mark.parametrize("back", ["proposed", "rejected"])
def test_a_settled_decision_is_not_reopened_to_be_rewritten(status: str, back: str) -> None:
    settled = replace(DECIDED, data={**DECIDED.data, "status": status})
    result = rules.broken(replace(settled, data={**settled.data, "status": back}), settled, Kept(settled))
    assert result is not None
    assert (result.rule, result.error_code) == ("decision_not_reopened", "IMMUTABILITY_VIOLATION")
    assert "supersedes 'm1'" in result.step
    rewritten = replace(settled, data={**settled.data, "title": "other"})
    assert rules.broken(rewritten, settled, Kept(settled)) is not None


@pytest.mark.parametrize("approved", [False, None, "no"])
def test_an_approval_is_not_taken_back_to_rewrite_a_section(approved: object) -> None:
    section = memory(Kind.SECTION, title="x", approved=True)
    result = rules.broken(replace(section, data={**section.data, "approved": approved}), section, Kept(section))
    assert result is not None
    assert result.rule == "section_locked"
    assert "Store a new section" in result.step
