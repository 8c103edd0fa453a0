"""Where a decision stands: given, read from its text, changed step by step, and never back without a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autology import wire
from autology.core.nodes import sealing
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.context import Situation, context
from autology.core.nodes.graph import Graph
from autology.core.nodes.relate import relate, unrelate
from autology.core.nodes.search import NodeQuery, search
from autology.core.nodes.status import status
from autology.core.nodes.update import Fields, update
from autology.hooks import session_start
from autology.model.errors import ValidationError
from autology.model.node import DecisionStatus, Node, NodeStatus
from autology.render import nodes, statistics
from autology.render.next_steps import error_for_terminal
from autology.render.relevant_nodes import as_data as told_context
from autology.wire.project import Project
from tests.unit.cli_kit import autology, repository, run_json

TEXT = (
    "## Context\n\nThe disk is slow.\n\n## Decision\n\nWrite once.\n\n## Alternatives\n\n- Twice.\n\n"
    "## Consequences\n\nLess to read.\n"
)
PROPOSED, ACCEPTED = DecisionStatus.PROPOSED, DecisionStatus.ACCEPTED


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository(tmp_path / "project")


@pytest.fixture
def graph(project: Path) -> Graph:
    return Project(str(project)).graph


def decide(graph: Graph, content: str = TEXT, **more: Any) -> Node:
    return capture(graph, Material("Write once", content, type="decision", **more), automatic=2.0).node


def now(graph: Graph, node: Node) -> Node:
    return graph.stored(graph.source(node.id)).entry


# ---- read, or given -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "meant"),
    [
        ("## Status\n\nProposed\n\n", "proposed"),
        ("## Status\n\nDraft, until the numbers are in\n\n", "proposed"),
        ("Status: proposed\n\n", "proposed"),
        ("**Status:** Proposed\n\n", "proposed"),
        ("* Status: rejected\n\n", "rejected"),
        ("---\nstatus: proposed\n---\n", "proposed"),
        ("## Status\n\nAccepted on 2024-05-06\n\n", "accepted"),
        ("## Status\n\nDeprecated\n\n", "deprecated"),
        ("", "accepted"),
    ],
)
def test_the_status_is_read_from_the_text_in_the_forms_of_records(graph: Graph, stated: str, meant: str) -> None:
    node = decide(graph, stated + TEXT)
    assert node.decision_status == meant
    assert bool(sealing.seal_of(node)) == (meant == "accepted")
    assert node.content == stated + TEXT


def test_a_given_status_counts_before_the_text_which_then_says_so(graph: Graph) -> None:
    node = decide(graph, "## Status\n\nAccepted\n\n" + TEXT, decision_status="proposed")
    assert (node.decision_status, node.content[:20]) == (PROPOSED, "## Status\n\nProposed\n")
    assert nodes.captured(capture(graph, Material("Other", TEXT, "decision"), automatic=2.0))["decision_status"]
    with pytest.raises(ValidationError, match="a concept has none"):
        capture(graph, Material("A thing", "text", "concept", decision_status="proposed"))
    with pytest.raises(ValidationError, match="Use one of: proposed, accepted"):
        decide(graph, decision_status="maybe")


def test_a_proposed_decision_is_freely_edited_until_it_is_accepted(graph: Graph) -> None:
    node = decide(graph, "## Status\n\nProposed\n\n" + TEXT)
    changed = "## Status\n\nProposed\n\n" + TEXT.replace("slow", "fast")
    assert update(graph, node.id, Fields(title="Write twice", content=changed)).node.decision_status is PROPOSED
    done = update(graph, node.id, Fields(decision_status="accepted")).node
    assert done.decision_status is ACCEPTED
    assert done.content.startswith("## Status\n\nAccepted\n")
    assert sealing.seal_of(done) == sealing.seal(done)
    with pytest.raises(ValidationError, match="of an accepted decision is frozen"):
        update(graph, node.id, Fields(title="Write thrice"))


def test_a_text_that_newly_states_a_status_changes_it_by_the_same_rules(graph: Graph) -> None:
    node = decide(graph, "Status: proposed\n\n" + TEXT)
    assert update(graph, node.id, Fields(content="Status: accepted\n\n" + TEXT)).node.decision_status is ACCEPTED
    with pytest.raises(ValidationError, match="is accepted and cannot become proposed") as refused:
        update(graph, node.id, Fields(content="Status: proposed\n\n" + TEXT))
    assert refused.value.field == "content"


# ---- step by step -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("proposed", "accepted"),
        ("proposed", "rejected"),
        ("accepted", "deprecated"),
        ("accepted", "superseded"),
        ("deprecated", "superseded"),
    ],
)
def test_a_step_forward_is_made(graph: Graph, before: str, after: str) -> None:
    node = decide(graph, decision_status=before)
    done = update(graph, node.id, Fields(decision_status=after)).node
    assert done.decision_status == after
    assert (done.status is NodeStatus.SUPERSEDED) == (after == "superseded")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("accepted", "proposed"),
        ("accepted", "rejected"),
        ("deprecated", "accepted"),
        ("deprecated", "proposed"),
        ("rejected", "accepted"),
        ("rejected", "proposed"),
        ("superseded", "accepted"),
        ("superseded", "proposed"),
    ],
)
def test_a_step_back_is_refused_with_the_way_that_leads_there(graph: Graph, before: str, after: str) -> None:
    node = decide(graph, decision_status=before)
    with pytest.raises(ValidationError) as refused:
        update(graph, node.id, Fields(decision_status=after))
    assert ("autology review" in error_for_terminal(refused.value)) == (before != "superseded")
    assert now(graph, node) == node


def test_a_review_with_a_reason_reopens_an_accepted_decision(
    project: Path, graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    node = decide(graph)
    assert autology("review", node.id, "--status", "proposed", project=project) == 1
    assert "Say why, with --reason" in capsys.readouterr().err
    assert autology("review", node.id, "--status", "proposed", "--reason", "new numbers", project=project) == 0
    graph.refresh(walk=True)
    assert (now(graph, node).decision_status, sealing.is_frozen(now(graph, node))) == (PROPOSED, False)
    assert "set to proposed: new numbers" in (project / node.path).read_text(encoding="utf-8")
    update(graph, node.id, Fields(title="Write twice"))


def test_undoing_a_supersession_restores_the_proposed_status(graph: Graph) -> None:
    node, newer = decide(graph, decision_status="proposed"), decide(graph)
    relate(graph, newer.id, node.id, "supersedes")
    assert now(graph, node).decision_status is DecisionStatus.SUPERSEDED
    unrelate(graph, newer.id, node.id, "supersedes")
    assert now(graph, node).decision_status is PROPOSED
    update(graph, node.id, Fields(title="Write twice"))


def test_the_commands_take_a_status(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    requests = ("capture", "--title", "T", "--content", TEXT, "--type", "decision", "--decision-status", "proposed")
    id = run_json(capsys, *requests, project=project)["id"]
    done = run_json(capsys, "update", id, "--decision-status", "accepted", project=project)
    assert done["node"]["decision_status"] == "accepted"


# ---- changed outside ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("slow", "fast", "Context"),
        ("Write once.", "Write twice.", "Decision"),
        ("- Twice.", "- Never.", "Alternatives"),
        ("decision_status: accepted", "decision_status: proposed", "decision status"),
    ],
)
def test_a_sealed_decision_that_was_changed_by_hand_is_marked_wherever_it_is_read(
    project: Path, graph: Graph, old: str, new: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    node = decide(graph)
    file = project / node.path
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    graph.refresh(walk=True)
    line = f"changed since it was accepted: {what}"
    (hit,) = nodes.answer(search(graph, NodeQuery("write once")))["results"]
    assert (hit["node"]["status"], hit["node"]["changed"]) == ("needs_review", [line])
    assert "--keep --reason" in hit["node"]["settle"]
    counted = statistics.status(status(graph))
    assert counted["changedSinceAccepted"] == [{"id": node.id, "what": what}]
    assert counted["nodesByStatus"]["needs_review"] == 1
    near = told_context(context(graph, str(project), Situation(task="write once")), 2_000)
    assert [each["changed"] for level in ("high", "medium", "low") for each in near[level]] == [[line]]
    for command in (("query", "write"), ("show", node.id), ("status",)):
        autology(*command, project=project)
        assert what in capsys.readouterr().out
    assert [each.node.id for each in search(graph, NodeQuery(status="needs_review")).hits] == [node.id]
    with pytest.raises(ValidationError):
        update(graph, node.id, Fields(title="Another"))


def test_the_start_of_a_session_names_what_was_changed(project: Path, graph: Graph) -> None:
    node = decide(graph)
    file = project / node.path
    file.write_text(file.read_text(encoding="utf-8").replace("slow", "fast"), encoding="utf-8")
    graph.refresh(walk=True)
    look = wire.glance(str(project))
    assert look is not None
    with look:
        message = session_start._summary(look, ([], ""), frozenset(), None)
    assert "1 decision changed outside of Autology since it was accepted:" in message
    assert "accepted with another Context" in message
    assert node.id[:8] in message


def test_changes_of_decisions_with_old_seals_are_detected(project: Path, graph: Graph) -> None:
    node = decide(graph)
    file = project / node.path
    lines = file.read_text(encoding="utf-8").replace("slow", "fast").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not line.startswith("frozen_parts")), encoding="utf-8")
    graph.refresh(walk=True)
    assert graph.index.changed() == {node.id: "title, Context, Decision or Alternatives"}
