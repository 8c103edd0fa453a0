"""What was accepted is changed through a review or a supersession, or it is seen that it was changed."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology.core.analysis.analyze import analyze
from autology.core.importing import apply as applying
from autology.core.importing import record_plan
from autology.core.importing.import_plan import ImportPlan
from autology.core.nodes import sealing
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.delete_restore import delete, restore
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_codec import NodeCodec
from autology.core.nodes.relate import relate, unrelate
from autology.core.nodes.update import Fields, update
from autology.model.errors import AutologyError, ValidationError
from autology.model.node import DecisionStatus, Node, NodeType
from autology.render.next_steps import error_for_tools
from autology.text.notes.note_merge import merge_note
from autology.wire.project import Project
from tests.unit.cli_kit import autology, repository

WHOLE = (
    "## Context\n\nThe disk is slow.\n\n## Decision\n\nWrite `once`.\n\n## Alternatives\n\n- Twice.\n\n"
    "## Consequences\n\nLess to read.\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository(tmp_path / "project")


def decide(graph: Graph, title: str = "Write once", content: str = WHOLE) -> Node:
    return capture(graph, Material(title, content, type="decision"), automatic=2.0).node


def flagged(project: Path) -> list[str]:
    """Return the decisions that are told to have been changed."""
    hits = analyze(Project(str(project)).graph, Project(str(project)).history, "frozen").findings
    return [finding.subjects[0].id for finding in hits if finding.severity == "error"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        (Fields(title="Write twice"), "title"),
        (Fields(content=WHOLE.replace("slow", "fast")), "content"),
        (Fields(content=WHOLE.replace("`once`", "`twice`")), "content"),
        (Fields(content=WHOLE.replace("- Twice.", "- Never.")), "content"),
        (Fields(content="## Consequences\n\nNone."), "content"),
        (Fields(type="concept"), "type"),
    ],
)
def test_a_change_of_what_was_accepted_is_refused_with_the_next_step(project: Path, fields: Fields, field: str) -> None:
    graph = Project(str(project)).graph
    node = decide(graph)
    before = (project / node.path).read_bytes()
    with pytest.raises(ValidationError) as refused:
        update(graph, node.id, fields)
    assert refused.value.field == field
    message = error_for_tools(refused.value)
    assert f'autology_capture {{"supersedes": ["{node.id[:8]}"]}}' in message
    assert f"autology review {node.id[:8]} --amend" in message
    assert (project / node.path).read_bytes() == before


@pytest.mark.parametrize(
    "fields",
    [
        Fields(content=WHOLE.replace("Less to read.", "Less to read, and to write.")),
        Fields(content=WHOLE + "\n## Links\n\n- elsewhere\n"),
        Fields(content=WHOLE.replace("The disk is slow.", "The disk\nis slow.")),
        Fields(tags=("disk",), confidence=0.7, references=("src/a.py",)),
        Fields(status="superseded"),
    ],
)
def test_the_rest_of_an_accepted_decision_may_change(project: Path, fields: Fields) -> None:
    graph = Project(str(project)).graph
    node = decide(graph)
    assert sealing.seal_of(update(graph, node.id, fields).node) == sealing.seal_of(node)
    assert flagged(project) == []


def test_superseded_decisions_stay_frozen(project: Path) -> None:
    graph = Project(str(project)).graph
    node = decide(graph)
    update(graph, node.id, Fields(status="superseded"))
    with pytest.raises(ValidationError):
        update(graph, node.id, Fields(title="Another"))


def test_an_incomplete_decision_can_be_completed_and_is_frozen_then(project: Path) -> None:
    graph = Project(str(project)).graph
    node = decide(graph, content="## Decision\n\nWrite once.\n")
    assert not sealing.is_frozen(node)
    done = update(graph, node.id, Fields(content=WHOLE)).node
    assert sealing.seal_of(done) == sealing.seal(done)


@pytest.mark.parametrize("status", ["proposed", "rejected"])
def test_decisions_that_are_not_accepted_are_not_frozen(project: Path, status: str) -> None:
    node = replace(decide(Project(str(project)).graph), decision_status=DecisionStatus(status), extra={})
    assert not sealing.is_frozen(node)


@pytest.mark.parametrize(
    ("old", "new"), [("slow", "fast"), ("# Write once", "# Write twice"), ("## Decision", "## Else")]
)
def test_a_frozen_text_that_is_edited_by_hand_is_flagged_until_it_is_as_it_was(
    project: Path, old: str, new: str
) -> None:
    node = decide(Project(str(project)).graph)
    file = project / node.path
    before = file.read_text(encoding="utf-8")
    changed = before.replace(old, new)
    if "Write once" in old:
        changed = changed.replace("title: Write once", "title: Write twice")
    file.write_text(changed, encoding="utf-8")
    assert flagged(project) == [node.id]
    with pytest.raises(ValidationError):
        update(Project(str(project)).graph, node.id, Fields(content=WHOLE.replace("slow", "slower")))
    file.write_text(before, encoding="utf-8")
    assert flagged(project) == []


def test_the_tool_may_bring_back_what_was_accepted(project: Path) -> None:
    node = decide(Project(str(project)).graph)
    file = project / node.path
    file.write_text(file.read_text(encoding="utf-8").replace("slow", "fast"), encoding="utf-8")
    update(Project(str(project)).graph, node.id, Fields(content=WHOLE))
    assert flagged(project) == []


def test_a_record_that_changes_after_it_was_accepted_is_taken_in_and_flagged(project: Path) -> None:
    record = project / "docs" / "adr" / "0001-write-once.md"
    record.parent.mkdir(parents=True)
    record.write_text(f"# 1. Write once\n\n## Status\n\nAccepted\n\n{WHOLE}", encoding="utf-8")

    def bring() -> ImportPlan:
        graph = Project(str(project)).graph
        plan = record_plan.plan(
            graph, Project(str(project)).history, Project(str(project)).originals, [str(record.parent)]
        )
        applying.apply(graph, plan)
        return plan

    bring()
    assert flagged(project) == []
    record.write_text(record.read_text(encoding="utf-8").replace("slow", "fast"), encoding="utf-8")
    (remark,) = bring().remarks
    assert "differs from the accepted one" in remark
    assert len(flagged(project)) == 1


# ---- merges ----------------------------------------------------------------------------------------------


def file_of(node: Node) -> str:
    from autology.text.notes.node_file import write_node

    return write_node(node, {})


PIECES = ("The disk is slow.", "Write `once`.", "- Twice.", "Less to read.")
EDITS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(("It rains.", "", "More."))), max_size=2)


@settings(max_examples=60)
@given(ours=EDITS, theirs=EDITS, by_review=st.booleans())
def test_no_merge_lets_a_frozen_text_change_unseen(
    ours: list[tuple[str, str]], theirs: list[tuple[str, str]], by_review: bool
) -> None:
    at = "2026-01-01T00:00:00Z"
    base = sealing.sealed(
        Node("0" * 8 + "-0000-4000-8000-000000000000", NodeType.DECISION, "Write once", WHOLE, at, at,
             decision_status=DecisionStatus.ACCEPTED)
    )  # fmt: skip

    def edited(edits: list[tuple[str, str]], amended: bool) -> Node:
        content = base.content
        for old, new in edits:
            content = content.replace(old, new)
        node = replace(base, content=content)
        return sealing.resealed(node) if amended else node

    left, right = edited(ours, by_review), edited(theirs, False)
    merged = merge_note(file_of(base), file_of(left), file_of(right))
    if merged.conflicts:
        return
    node = NodeCodec().parse(merged.text.encode(), base.path)
    accepted = {sealing.seal(base), sealing.seal(left)} if by_review else {sealing.seal(base)}
    assert sealing.seal(node) in accepted or sealing.is_broken(node)


# ---- any path --------------------------------------------------------------------------------------------

STEPS = st.sampled_from(
    "title context decision alternatives consequences type status_superseded status_active tags relate unrelate"
    " supersede delete_restore hand_context hand_consequences hand_type hand_tags".split()
)
CHANGED = {
    "context": ("slow", "fast"),
    "decision": ("`once`", "`twice`"),
    "alternatives": ("- Twice.", "- Never."),
    "consequences": ("Less to read.", "More to read."),
}


class Life:
    """A decision and another node, and what may be done to them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.graph = Project(str(folder)).graph
        self.node = decide(self.graph)
        self.other = capture(self.graph, Material("A note", "text", "concept"), automatic=2.0).node.id

    def do(self, step: str) -> None:
        id, now = self.node.id, self.now()
        if step.startswith("hand_"):
            self.by_hand(step.removeprefix("hand_"))
        elif step in CHANGED:
            update(self.graph, id, Fields(content=now.content.replace(*CHANGED[step])))
        elif step == "delete_restore":
            delete(self.graph, id)
            restore(self.graph, id)
        elif step == "supersede":
            capture(self.graph, Material("Newer", WHOLE, "decision", supersedes=(id,)), automatic=2.0)
        elif step in ("relate", "unrelate"):
            (relate if step == "relate" else unrelate)(self.graph, id, self.other, "affects")
        else:
            fields: dict[str, dict[str, Any]] = {
                "title": {"title": "Write twice"},
                "type": {"type": "concept"},
                "tags": {"tags": ("a",)},
                "status_superseded": {"status": "superseded"},
                "status_active": {"status": "active"},
            }
            update(self.graph, id, Fields(**fields[step]))

    def by_hand(self, what: str) -> None:
        file = self.folder / self.now().path
        text = file.read_text(encoding="utf-8")
        if what in CHANGED:
            text = text.replace(*CHANGED[what])
        elif what == "tags":
            text = text.replace("tags: []", "tags:\n  - b")
        else:
            text = text.replace("decision_status: accepted", "decision_status: proposed")
        file.write_text(text, encoding="utf-8")
        self.graph.refresh(walk=True)

    def now(self) -> Node:
        return self.graph.stored(self.graph.source(self.node.id)).entry


@settings(max_examples=25)
@given(steps=st.lists(STEPS, max_size=7))
def test_through_no_path_does_a_frozen_text_change_unseen(steps: list[str]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="autology-life-"))
    try:
        life = Life(folder)
        for step in steps:
            try:
                life.do(step)
            except AutologyError:
                continue
        now = life.now()
        same = sealing.seal(now) == sealing.seal(life.node)
        assert same != (now.id in flagged(folder)), steps
    finally:
        shutil.rmtree(folder)


def test_the_merge_driver_says_that_a_frozen_text_was_changed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node = decide(Project(str(project)).graph)
    text = (project / node.path).read_text(encoding="utf-8")
    versions = {"base": text, "ours": text, "theirs": text.replace("slow", "fast")}
    for name, version in versions.items():
        (project / name).write_text(version, encoding="utf-8")
    files = [str(project / name) for name in versions]
    assert autology("merge-driver", *files, "7", node.path, project=project) == 0
    assert "changed its frozen text. `autology review`" in capsys.readouterr().err
