"""Supersession is named at both ends, whichever way it came about, and what names it at one end only is told of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from autology.core.nodes import delete_restore, relate, supersession
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.sealing import is_broken
from autology.core.nodes.undo import Undo
from autology.core.nodes.update import Fields, update
from autology.model.node import Node, NodeStatus
from autology.text.notes.node_file import read_node
from autology.text.notes.note_merge import merge_note
from tests.fakes.project import a_graph, on_disk
from tests.unit.cli_kit import repository, run_json
from tests.unit.core.nodes.test_capture import COMPLETE


@pytest.fixture(params=["memory", "disk"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Graph:
    return a_graph() if request.param == "memory" else on_disk(tmp_path)


def kept(graph: Graph, title: str, *supersedes: str) -> str:
    return capture(graph, Material(title, COMPLETE, "decision", supersedes=supersedes), automatic=2.0).node.id


def text(graph: Graph, id: str) -> str:
    return graph.files.read(graph.index.by_ids([id])[id].path)[0].decode()


def node(graph: Graph, id: str) -> Node:
    return read_node(text(graph, id))


def test_the_older_file_links_to_the_newer_one_and_its_seal_holds(graph: Graph) -> None:
    old = kept(graph, "Use cookies")
    new = kept(graph, "Use: [tokens]", old)
    assert f"superseded_by:\n  - '[[{new}|Use: (tokens)]]'" in text(graph, old).replace('"', "'")
    assert supersession.successors(node(graph, old)) == (new,)
    assert not is_broken(node(graph, old))
    assert "frozen:" in text(graph, old)
    assert [(e.source, e.target) for e in graph.index.edges()] == [(new, old)]


def test_undoing_a_supersession_restores_the_older_file(graph: Graph) -> None:
    old = kept(graph, "Use cookies")
    before = text(graph, old)
    new = kept(graph, "Use tokens", old)
    relate.unrelate(graph, new, old, "supersedes")
    assert text(graph, old) == before
    relate.relate(graph, new, old, "supersedes")
    replaced = text(graph, old)
    delete_restore.delete(graph, new)
    assert text(graph, old) == before
    delete_restore.restore(graph, new)
    assert text(graph, old) == replaced


def test_undoing_a_supersession_undoes_both_ends(graph: Graph) -> None:
    old, new = kept(graph, "Use cookies"), kept(graph, "Use tokens")
    before = text(graph, old), text(graph, new)
    undo = Undo(graph)
    _, step = undo.recorded(lambda: relate.relate(graph, new, old, "supersedes"), lambda _: "superseded")
    assert step is not None
    assert len(step.changes) == 2
    undo.take_back(step.number)
    assert (text(graph, old), text(graph, new)) == before


def test_a_restored_note_is_active_if_its_successor_was_deleted(graph: Graph) -> None:
    old = kept(graph, "Use cookies")
    new = kept(graph, "Use tokens", old)
    delete_restore.delete(graph, old)
    delete_restore.delete(graph, new)
    delete_restore.restore(graph, old)
    assert node(graph, old).status is NodeStatus.ACTIVE
    assert supersession.successors(node(graph, old)) == ()


def test_an_update_and_a_new_type_keep_what_is_named(graph: Graph) -> None:
    old = capture(graph, Material("Slow queue", "It is slow.", "issue"), automatic=2.0).node.id
    new = kept(graph, "Use another", old)
    update(graph, old, Fields(tags=("queue",), type="concept"))
    assert supersession.successors(node(graph, old)) == (new,)


def test_two_branches_that_replace_one_decision_are_both_named(graph: Graph) -> None:
    old = kept(graph, "Use cookies")
    base = text(graph, old)
    one = kept(graph, "Use tokens", old)
    ours = text(graph, old)
    relate.unrelate(graph, one, old, "supersedes")
    two = kept(graph, "Use keys", old)
    merged = merge_note(base, ours, text(graph, old))
    assert merged.conflicts == 0
    assert set(supersession.successors(read_node(merged.text))) == {one, two}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".autology").mkdir(parents=True)
    return repository(root)


class Hand:
    """What a person does with files and the command line."""

    def __init__(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.project, self.capsys = project, capsys

    def run_json(self, *words: str) -> Any:
        return run_json(self.capsys, *words, project=self.project)

    def made(self, title: str, *more: str) -> str:
        return str(self.run_json("capture", "--title", title, "--content", COMPLETE, "--type", "decision", *more)["id"])

    def file(self, id: str) -> Path:
        return self.project / f".autology/nodes/decisions/{id}.md"

    def edit(self, id: str, pattern: str, by: str) -> None:
        before = self.file(id).read_text(encoding="utf-8")
        after = re.sub(pattern, by, before, count=1)
        assert after != before
        self.file(id).write_text(after, encoding="utf-8", newline="\n")

    def chains(self) -> list[tuple[str, str]]:
        result = self.run_json("analyze", "chains")["findings"]
        return [(each["severity"], each["fix"]) for each in result]


@pytest.fixture
def hand(project: Path, capsys: pytest.CaptureFixture[str]) -> Hand:
    return Hand(project, capsys)


def test_a_supersession_of_an_older_version_is_a_notice_and_can_be_fixed(hand: Hand) -> None:
    old = hand.made("Use cookies")
    new = hand.made("Use tokens", "--supersedes", old)
    hand.edit(old, r"superseded_by:\n.*\n", "")
    ((severity, fix),) = hand.chains()
    assert severity == "notice"
    assert f'"source": "{new}"' in fix
    assert hand.run_json("review", "--seal") == {"sealed": 0, "named": 1}
    assert hand.chains() == []
    hand.edit(old, r"superseded_by:\n.*\n", "")
    assert hand.run_json("relate", new, "supersedes", old)["type"] == "supersedes"
    assert hand.chains() == []


@pytest.mark.parametrize("link", ["[[{id}]]", "{id}", "'[[{id}|Use tokens]]'", "[[Use tokens]]", "'[[use tokens]]'"])
@pytest.mark.parametrize("fixed_by", ["relate", "unrelate"])
def test_a_hand_written_successor_is_reported_and_can_be_fixed_either_way(hand: Hand, link: str, fixed_by: str) -> None:
    old, new = hand.made("Use cookies"), hand.made("Use tokens")
    hand.edit(old, r"\n---\n", f"\nsuperseded_by: {link.format(id=new)}\n---\n")
    ((severity, fix),) = hand.chains()
    assert severity == "warning"
    assert "autology_relate" in fix
    assert "autology_unrelate" in fix
    if fixed_by == "relate":
        hand.run_json("relate", new, "supersedes", old)
        assert supersession.successors(read_node(hand.file(old).read_text(encoding="utf-8"))) == (new,)
    elif "{id}" in link:
        hand.run_json("unrelate", new, "supersedes", old)
        assert "superseded_by" not in hand.file(old).read_text(encoding="utf-8")
    else:
        return  # a name that no id stands for is taken out by hand
    assert hand.chains() == []


def test_a_link_to_a_successor_that_is_gone_is_taken_out_by_the_call_that_is_named(hand: Hand) -> None:
    old, new = hand.made("Use cookies"), hand.made("Use tokens")
    hand.run_json("relate", new, "supersedes", old)
    hand.file(new).unlink()
    assert any(f'"source": "{new}"' in fix and "autology_unrelate" in fix for _, fix in hand.chains())
    hand.run_json("unrelate", new, "supersedes", old)
    assert hand.chains() == []
    assert read_node(hand.file(old).read_text(encoding="utf-8")).status is NodeStatus.ACTIVE


def test_imported_records_that_replace_each_other_name_each_other(hand: Hand) -> None:
    records = hand.project / "docs"
    records.mkdir()
    sections = "## Context\n\nc\n\n## Decision\n\nd\n\n## Consequences\n\nq\n"
    (records / "0001-cookies.md").write_text(
        f"# 1. Use cookies\n\n## Status\n\nSuperseded by [2. Use tokens](0002-tokens.md)\n\n{sections}",
        encoding="utf-8",
    )
    (records / "0002-tokens.md").write_text(
        f"# 2. Use tokens\n\n## Status\n\nAccepted\n\nSupersedes [1. Use cookies](0001-cookies.md)\n\n{sections}",
        encoding="utf-8",
    )
    hand.run_json("import", "adr", str(records))
    nodes = [read_node(path.read_text(encoding="utf-8")) for path in hand.project.glob(".autology/nodes/*/*.md")]
    (older,) = [each for each in nodes if each.title.endswith("Use cookies")]
    (newer,) = [each for each in nodes if each.title.endswith("Use tokens")]
    assert supersession.successors(older) == (newer.id,)
    assert hand.chains() == []
