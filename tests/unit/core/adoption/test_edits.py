"""Changing an adopted record changes in its own file what was asked, and nothing else."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from autology.core.nodes.relate import relate, unrelate
from autology.core.nodes.review import amend
from autology.core.nodes.update import Fields, update
from autology.model.errors import ValidationError
from autology.model.node import DecisionStatus, NodeStatus
from tests.unit.adoption_kit import TITLES, adopted, folder_of, node_at, opened, texts, write

SIX = ("nygard", "madr", "lines", "pep", "asciidoc", "table", "kep")


def paths(root: Path, form: str) -> list[str]:
    top = folder_of(form)
    return sorted(path for path in texts(root) if path.startswith(f"{top}/") and not path.endswith(".yaml"))


@pytest.mark.parametrize("form", SIX)
def test_records_are_read_as_their_collection_writes_them(tmp_path: Path, form: str) -> None:
    graph = adopted(tmp_path, form)
    nodes = [node_at(graph, path) for path in paths(tmp_path, form)]
    assert tuple(node.title for node in nodes) == TITLES
    assert [node.decision_status for node in nodes] == [
        DecisionStatus.ACCEPTED,
        DecisionStatus.ACCEPTED,
        DecisionStatus.PROPOSED,
        DecisionStatus.ACCEPTED,
        DecisionStatus.REJECTED,
    ]
    assert {node.status for node in nodes} == {NodeStatus.ACTIVE}


@pytest.mark.parametrize("form", SIX)
def test_tags_and_relations_leave_the_records_file_alone(tmp_path: Path, form: str) -> None:
    graph = adopted(tmp_path, form)
    before = texts(tmp_path)
    first, second = (node_at(graph, path) for path in paths(tmp_path, form)[:2])
    update(graph, first.id, Fields(tags=("storage",), confidence=0.7, references=("src/orders.py",)))
    relate(graph, first.id, second.id, "uses", "for retries")
    assert texts(tmp_path) == before
    again = node_at(opened(tmp_path), first.record)
    assert (again.tags, again.confidence, again.references) == (("storage",), 0.7, ("src/orders.py",))
    assert [(r.type.value, r.target) for r in again.relations if not r.is_derived] == [("uses", second.id)]
    sidecar = (tmp_path / f".autology/nodes/decisions/{first.id}.md").read_text(encoding="utf-8")
    assert f"record: {first.record}" in sidecar
    assert sidecar.rstrip().endswith("---")
    assert (tmp_path / f".autology/nodes/decisions/{second.id}.md").exists(), "something names its id now"
    assert opened(tmp_path).index.counts().nodes == {"decision": 5}


@pytest.mark.parametrize("form", SIX)
def test_a_new_text_without_a_head_keeps_the_records_title_and_status(tmp_path: Path, form: str) -> None:
    graph = adopted(tmp_path, form)
    for path in paths(tmp_path, form):
        before = node_at(graph, path)
        amend(graph, before.id, None, "Orders lie in one table, and nowhere else.", "made shorter")
        after = node_at(opened(tmp_path), path)
        assert (after.title, after.decision_status) == (before.title, before.decision_status)
        assert after.content.rstrip().endswith("Orders lie in one table, and nowhere else.")
        assert len((tmp_path / path).read_text(encoding="utf-8")) < 600, "the old text is gone"


def test_a_new_text_replaces_the_prose_that_stood_right_below_the_metadata(tmp_path: Path) -> None:
    prose = "Orders were in three places, and nobody knew which of them was right.\n\n"
    graph = adopted(tmp_path, "lines")
    path = paths(tmp_path, "lines")[0]
    file = tmp_path / path
    file.write_text(file.read_text(encoding="utf-8").replace("## Context", f"{prose}## Context", 1), encoding="utf-8")
    graph = opened(tmp_path)
    before = node_at(graph, path)
    amend(graph, before.id, None, "Orders lie in one table.", "made shorter")
    after = node_at(opened(tmp_path), path)
    assert (after.title, after.decision_status) == (before.title, before.decision_status)
    assert "three places" not in after.content


@pytest.mark.parametrize("form", ["nygard", "asciidoc"])
def test_a_new_text_with_a_title_of_its_own_keeps_the_status(tmp_path: Path, form: str) -> None:
    graph = adopted(tmp_path, form)
    path = paths(tmp_path, form)[0]
    mark = "=" if form == "asciidoc" else "#"
    content = f"{mark} 1. Keep orders in SQLite\n\n{mark}{mark} Context\n\nOne machine is enough.\n"
    amend(graph, node_at(graph, path).id, None, content, "smaller")
    after = node_at(opened(tmp_path), path)
    assert (after.title, after.decision_status) == ("Keep orders in SQLite", DecisionStatus.ACCEPTED)
    assert after.content.count("Keep orders in SQLite") == 1


@pytest.mark.parametrize("form", SIX)
def test_a_text_that_is_written_back_with_one_word_changed_differs_in_that_word(tmp_path: Path, form: str) -> None:
    graph = adopted(tmp_path, form)
    path = next(
        path for path in paths(tmp_path, form) if node_at(graph, path).decision_status is DecisionStatus.PROPOSED
    )
    before, file = node_at(graph, path), (tmp_path / path).read_bytes()
    word = re.findall(r"[a-z]{5,}", before.content)[-1]
    update(graph, before.id, Fields(content=before.content[::-1].replace(word[::-1], "sdrawkcab", 1)[::-1]))
    assert (tmp_path / path).read_bytes() == file[::-1].replace(word[::-1].encode(), b"sdrawkcab", 1)[::-1]


@pytest.mark.parametrize("form", SIX)
def test_a_new_title_replaces_only_the_old_one(tmp_path: Path, form: str) -> None:
    graph = adopted(tmp_path, form)
    before = texts(tmp_path)
    proposed = node_at(graph, paths(tmp_path, form)[2])
    update(graph, proposed.id, Fields(title="Cache prices on disk"))
    assert node_at(opened(tmp_path), proposed.record).title == "Cache prices on disk"
    (changed,) = [path for path, data in texts(tmp_path).items() if before[path] != data]
    old, new = before[changed].splitlines(), texts(tmp_path)[changed].splitlines()
    differing = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    assert differing[0][1] == differing[0][0].replace(b"in memory", b"on disk")
    assert len(differing) == 1


@pytest.mark.parametrize("form", SIX)
def test_a_new_status_replaces_only_the_old_word(tmp_path: Path, form: str) -> None:
    graph = adopted(tmp_path, form)
    before = texts(tmp_path)
    proposed = node_at(graph, paths(tmp_path, form)[2])
    update(graph, proposed.id, Fields(decision_status="accepted"))
    assert node_at(opened(tmp_path), proposed.record).decision_status is DecisionStatus.ACCEPTED
    (changed,) = [path for path, data in texts(tmp_path).items() if before[path] != data]
    old, new = before[changed].decode(), texts(tmp_path)[changed].decode()
    word = re.compile("accepted|implemented|proposed|provisional", re.IGNORECASE)
    assert word.sub("X", new) == word.sub("X", old)
    assert list((tmp_path / ".autology/nodes/decisions").iterdir()) == []


@pytest.mark.parametrize("form", SIX)
def test_superseding_is_written_as_the_collection_does(tmp_path: Path, form: str) -> None:
    graph = adopted(tmp_path, form)
    before = texts(tmp_path)
    old, new = (node_at(graph, path) for path in paths(tmp_path, form)[:2])
    relate(graph, new.id, old.id, "supersedes")
    again = opened(tmp_path)
    replaced = node_at(again, old.record)
    assert (replaced.decision_status, replaced.status) == (DecisionStatus.SUPERSEDED, NodeStatus.SUPERSEDED)
    assert [r.target for r in node_at(again, new.record).relations if r.type == "supersedes"] == [old.id]
    changed = [path for path, data in texts(tmp_path).items() if before[path] != data]
    assert len(changed) == 1
    unrelate(again, new.id, old.id, "supersedes")
    last = opened(tmp_path)
    assert [r for r in node_at(last, new.record).relations if r.type == "supersedes"] == []
    assert node_at(last, old.record).decision_status is DecisionStatus.ACCEPTED


def test_an_accepted_record_is_rewritten_only_with_a_reason(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    node = node_at(graph, paths(tmp_path, "nygard")[0])
    changed = node.content.replace("We do:", "We always do:")
    with pytest.raises(ValidationError, match="only with a reason"):
        update(graph, node.id, Fields(content=changed))
    with pytest.raises(ValidationError, match="reason"):
        amend(graph, node.id, None, changed, "")
    amend(graph, node.id, None, changed, "It was never optional")
    assert "We always do:" in (tmp_path / node.record).read_text(encoding="utf-8")
    assert "It was never optional" in (tmp_path / f".autology/nodes/decisions/{node.id}.md").read_text(encoding="utf-8")


def test_a_record_stays_a_decision(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "madr")
    node = node_at(graph, paths(tmp_path, "madr")[2])
    with pytest.raises(ValidationError, match="stays a decision"):
        update(graph, node.id, Fields(type="concept"))


def test_two_hundred_random_edits_change_what_was_asked(tmp_path: Path) -> None:
    chance = random.Random(7)
    graph = adopted(tmp_path, *SIX)
    every = [path for form in SIX for path in paths(tmp_path, form)]
    for turn in range(200):
        path = chance.choice(every)
        node, before = node_at(graph, path), texts(tmp_path)
        kind = chance.choice(("title", "content", "tags", "status"))
        if kind == "title":
            title = f"{chance.choice(('Use', 'Avoid', 'Prefer'))} variant {turn} of it"
            amend(graph, node.id, title, None, "renamed")
            assert node_at(graph, path).title == title
        elif kind == "content":
            content = node.content.replace("Why", f"Why (turn {turn})", 1)
            amend(graph, node.id, None, content, "clearer")
            assert node_at(graph, path).content == content
        elif kind == "tags":
            update(graph, node.id, Fields(tags=(f"turn-{turn}",)))
            assert texts(tmp_path) == before
            assert node_at(graph, path).tags == (f"turn-{turn}",)
            continue
        elif node.decision_status is DecisionStatus.PROPOSED:
            update(graph, node.id, Fields(decision_status="accepted"))
            assert node_at(graph, path).decision_status is DecisionStatus.ACCEPTED
        else:
            continue
        after = texts(tmp_path)
        differing = [p for p in after if after[p] != before[p]]
        assert len(differing) <= 1
        for one in differing:
            old, new = before[one].split(b"\n"), after[one].split(b"\n")
            assert len(old) == len(new)
            assert sum(a != b for a, b in zip(old, new, strict=True)) <= (2 if kind == "title" else 1)
    assert opened(tmp_path).index.counts().nodes == {"decision": len(every)}


def test_a_project_without_records_is_as_before(tmp_path: Path) -> None:
    write(tmp_path, "nygard")
    graph = opened(tmp_path)
    assert graph.index.counts().nodes == {}
