"""Two clones with histories of their own: renames, branches and merges change no id and lose nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autology.core import doctor
from autology.core.nodes.graph import Graph
from autology.core.nodes.relate import relate
from autology.core.nodes.update import Fields, update
from autology.model.node import DecisionStatus
from autology.vcs.merge_driver import GitMergeDriver
from autology.wire.project import Project
from tests.plugin.fronts import command, environment
from tests.unit.adoption_kit import TITLES, node_at, opened, texts
from tests.unit.cli_kit import autology, git, repository

ADR = "docs/adr/{:04}-{}.md"
SLUGS = [title.lower().replace(" ", "-") for title in TITLES]
FIRST, SECOND, THIRD, FOURTH, FIFTH = (ADR.format(number, slug) for number, slug in enumerate(SLUGS, 1))


def dated(monkeypatch: pytest.MonkeyPatch, day: str) -> None:
    """Let git date what follows on *day*."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_DATE", f"{day}T12:00:00+0000")


def committed(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)


def edited(root: Path, path: str, before: str, after: str) -> None:
    text = (root / path).read_text(encoding="utf-8")
    assert before in text
    (root / path).write_text(text.replace(before, after), encoding="utf-8")


def merged(into: Path, other: Path) -> None:
    git(into, "pull", "-q", "--no-rebase", "--no-edit", str(other), "HEAD")


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return two clones of a project with five records without dates, written on five days, both adopted."""
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    (one / "README.md").write_text("# Shop\n", encoding="utf-8")
    dated(monkeypatch, "2020-01-01")
    repository(one)
    for number, (title, slug) in enumerate(zip(TITLES, SLUGS, strict=True), 1):
        text = (
            f"# {number}. {title}\n\n## Status\n\nAccepted\n\n## Context\n\nWhy {title}.\n\n"
            f"## Decision\n\nWe do: {title}.\n\n## Consequences\n\nSome of {title}.\n"
        )
        path = one / ADR.format(number, slug)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        dated(monkeypatch, f"2020-02-0{number}")
        committed(one, f"Record {number}")
    subprocess.run(["git", "clone", "-q", str(one), str(other)], check=True, capture_output=True)
    dated(monkeypatch, "2021-01-01")
    for clone in (one, other):
        git(clone, "config", "user.email", "a@example.org")
        git(clone, "config", "user.name", "A")
        assert autology("init", "--yes", project=clone) == 0
        GitMergeDriver(str(clone)).register(command())
        committed(clone, "Adopt the records")
    merged(other, one)
    merged(one, other)
    return one, other


def synced(root: Path) -> Graph:
    assert autology("sync", project=root) == 0
    return opened(root)


def test_renames_edits_and_relations_apart_come_together(
    clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = clones
    graph = opened(one)
    ids = {path: node_at(graph, path).id for path in (FIRST, SECOND, THIRD, FOURTH, FIFTH)}
    assert ids == {path: node_at(opened(other), path).id for path in ids}

    # One names two records, then renumbers the first and edits it; on a branch it moves the third into a folder.
    dated(monkeypatch, "2021-03-01")
    update(graph, ids[FIRST], Fields(tags=("storage",)))
    relate(graph, ids[FIRST], ids[SECOND], "uses", "for retries")
    update(graph, ids[THIRD], Fields(confidence=0.6))
    committed(one, "Relate")
    moved = ADR.format(11, SLUGS[0])
    git(one, "mv", FIRST, moved)
    edited(one, moved, "# 1. ", "# 11. ")
    committed(one, "Renumber")
    git(one, "checkout", "-qb", "tidy")
    (one / "docs/adr/old").mkdir()
    deeper = "docs/adr/old/" + THIRD.rpartition("/")[2]
    git(one, "mv", THIRD, deeper)
    committed(one, "Move")
    git(one, "checkout", "-q", "-")
    assert node_at(opened(one), THIRD).id == ids[THIRD]
    git(one, "merge", "-q", "--no-ff", "--no-edit", "tidy")
    synced(one)
    committed(one, "Follow")

    # The other tags and relates the same ones at their old paths, edits their texts, and supersedes.
    dated(monkeypatch, "2021-04-01")
    graph = opened(other)
    update(graph, ids[FIRST], Fields(tags=("orders",)))
    relate(graph, ids[FIRST], ids[THIRD], "uses")
    relate(graph, ids[FIFTH], ids[FOURTH], "supersedes")
    edited(other, SECOND, "Some of", "Many of")
    edited(other, FIRST, "Some of", "All of")
    committed(other, "Edit")

    merged(other, one)
    merged(one, other)
    nodes = {}
    for clone in (one, other):
        graph = synced(clone)
        assert graph.index.counts().nodes == {"decision": 5}
        assert graph.index.faults() == []
        assert graph.records is not None
        assert graph.records.orphans() == []
        assert graph.index.dangling(9) == []
        first = node_at(graph, moved)
        assert (first.id, set(first.tags)) == (ids[FIRST], {"storage", "orders"})
        uses = {(r.target, r.description) for r in first.relations if not r.is_derived}
        assert uses == {(ids[SECOND], "for retries"), (ids[THIRD], None)}
        assert "All of" in first.content
        third = node_at(graph, deeper)
        assert (third.id, third.confidence) == (ids[THIRD], 0.6)
        second, fourth, fifth = (node_at(graph, path) for path in (SECOND, FOURTH, FIFTH))
        assert (second.id, fourth.id, fifth.id) == (ids[SECOND], ids[FOURTH], ids[FIFTH])
        assert fourth.decision_status is DecisionStatus.SUPERSEDED
        assert [r.target for r in fifth.relations if r.type == "supersedes"] == [ids[FOURTH]]
        nodes[clone] = [(n.created[:10], n.modified[:10]) for n in (first, second, third, fourth, fifth)]
    assert nodes[one] == nodes[other]
    assert [created for created, _ in nodes[one]] == [f"2020-02-0{number}" for number in range(1, 6)]
    assert nodes[one][1][1] == "2021-04-01"
    assert texts(one) == texts(other)


def test_a_record_renamed_before_anything_named_it_is_one_note_after_the_merge(
    clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = clones
    dated(monkeypatch, "2021-03-01")
    moved = ADR.format(11, SLUGS[0])
    git(one, "mv", FIRST, moved)
    committed(one, "Renumber")
    graph = opened(one)
    first = node_at(graph, moved)
    update(graph, first.id, Fields(tags=("storage",)))
    relate(graph, node_at(graph, SECOND).id, first.id, "uses", "from one")
    relate(graph, first.id, node_at(graph, FIFTH).id, "affects")
    committed(one, "Name it")

    graph = opened(other)
    former = node_at(graph, FIRST)
    update(graph, former.id, Fields(tags=("orders",)))
    relate(graph, node_at(graph, THIRD).id, former.id, "uses", "from other")
    relate(graph, former.id, node_at(graph, FOURTH).id, "affects")
    committed(other, "Name it, too")

    merged(other, one)
    project = Project(str(other))
    problems = [one.problem for one in doctor.examine(project.graph, project.inspection).findings]
    assert [problem for problem in problems if "is a second one for" in problem] != []
    for clone in (other, one):
        if clone is one:
            synced(other)
            committed(other, "Follow")
            merged(one, other)
        graph = synced(clone)
        assert graph.index.counts().nodes == {"decision": 5}
        assert graph.records is not None
        assert graph.records.orphans() == []
        assert graph.index.dangling(9) == []
        node = node_at(graph, moved)
        assert set(node.tags) == {"storage", "orders"}
        targets = {node_at(graph, FOURTH).id, node_at(graph, FIFTH).id}
        assert {r.target for r in node.relations if r.type == "affects"} == targets
        for path, description in ((SECOND, "from one"), (THIRD, "from other")):
            uses = [(r.target, r.description) for r in node_at(graph, path).relations if r.type == "uses"]
            assert uses == [(node.id, description)]
