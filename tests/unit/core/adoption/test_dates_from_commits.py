"""A record is dated by what it states, else by its history; what neither knows is shown as unknown."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from autology.cli import main
from autology.core.nodes.search import NodeQuery, search
from autology.model.node import Node
from autology.model.query import Filter
from autology.render import nodes
from autology.wire.project import Project
from tests.unit.adoption_kit import TITLES, adopted, node_at, opened, write

FIRST, LATER = "2017-03-04T10:00:00+00:00", "2018-05-06T10:00:00+00:00"
FOLDER = "text"


def text(number: int, title: str) -> str:
    return f"# {number}. {title}\n\n## Status\n\nAccepted\n\n## Context\n\nWhy {title}.\n\n## Decision\n\nDo {title}.\n"


def git(root: Path, *words: str, at: str = FIRST) -> None:
    dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    names = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    command = ["git", "-c", "init.defaultBranch=main", *words]
    subprocess.run(command, cwd=root, check=True, capture_output=True, env={**os.environ, **dates, **names})


def undated(root: Path) -> list[str]:
    """Write records that state no date, and commit them."""
    paths = [f"{FOLDER}/{number:04}-{title.lower().replace(' ', '-')}.md" for number, title in enumerate(TITLES, 1)]
    (root / FOLDER).mkdir()
    for number, (path, title) in enumerate(zip(paths, TITLES, strict=True), 1):
        (root / path).write_text(text(number, title), encoding="utf-8")
    git(root, "init")
    commit(root, FIRST)
    return paths


def commit(root: Path, at: str) -> None:
    git(root, "add", "-A", at=at)
    git(root, "commit", "-m", "records", at=at)


def dated(root: Path, path: str) -> Node:
    """Return the node of a record after what a server does beside its calls."""
    project = Project(str(root))
    project.graph.refresh()
    project.date_records()
    return node_at(project.graph, path)


def test_a_record_without_a_date_has_that_of_its_commits(tmp_path: Path) -> None:
    path, other, *_ = undated(tmp_path)
    opened(tmp_path, [FOLDER])
    with (tmp_path / path).open("a", encoding="utf-8") as file:
        file.write("\nMore.\n")
    commit(tmp_path, LATER)
    node = dated(tmp_path, path)
    assert (node.created, node.modified) == ("2017-03-04T10:00:00Z", "2018-05-06T10:00:00Z")
    assert dated(tmp_path, other).modified == "2017-03-04T10:00:00Z"
    source = opened(tmp_path).index.by_ids([node.id])[node.id]
    assert (source.created, source.modified) == (node.created, node.modified)


def test_a_stated_date_goes_before_that_of_a_commit(tmp_path: Path) -> None:
    write(tmp_path, "nygard")
    git(tmp_path, "init")
    commit(tmp_path, LATER)
    opened(tmp_path, ["docs/adr"])
    assert dated(tmp_path, "docs/adr/0002-send-mail-through-a-queue.md").created == "2019-03-02T00:00:00Z"


def test_renamed_records_keep_the_dates_of_their_first_names(tmp_path: Path) -> None:
    path, other, *_ = undated(tmp_path)
    opened(tmp_path, [FOLDER])
    renamed = f"{FOLDER}/0001-orders.md"
    git(tmp_path, "mv", path, renamed)
    commit(tmp_path, LATER)
    (tmp_path / path).write_text(text(6, "Something else entirely, under the old name"), encoding="utf-8")
    commit(tmp_path, "2020-01-01T00:00:00+00:00")
    assert dated(tmp_path, renamed).created == "2017-03-04T10:00:00Z"
    assert dated(tmp_path, path).created == "2020-01-01T00:00:00Z"
    assert dated(tmp_path, other).created == "2017-03-04T10:00:00Z"


def test_renumbering_does_not_mix_up_dates(tmp_path: Path) -> None:
    undated(tmp_path)
    opened(tmp_path, [FOLDER])
    late = tmp_path / FOLDER / "0006-b.md"
    late.write_text(text(6, "Number everything again"), encoding="utf-8")
    commit(tmp_path, LATER)
    git(tmp_path, "mv", f"{FOLDER}/0006-b.md", f"{FOLDER}/0007-b.md")
    commit(tmp_path, "2019-01-01T00:00:00+00:00")
    git(tmp_path, "mv", f"{FOLDER}/0005-log-as-json.md", f"{FOLDER}/0006-b.md")
    commit(tmp_path, "2020-01-01T00:00:00+00:00")
    assert dated(tmp_path, f"{FOLDER}/0006-b.md").created == "2017-03-04T10:00:00Z"
    assert dated(tmp_path, f"{FOLDER}/0007-b.md").created == "2018-05-06T10:00:00Z"


def test_a_shallow_clone_knows_no_dates(tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    path, *_ = undated(origin)
    (origin / "a.txt").write_text("a", encoding="utf-8")
    commit(origin, LATER)
    git(tmp_path, "clone", "--depth", "1", origin.as_uri(), str(clone))
    opened(clone, [FOLDER])
    node = dated(clone, path)
    assert (node.created, node.modified) == ("", "")


def test_a_record_that_was_never_committed_is_asked_for_once(tmp_path: Path) -> None:
    undated(tmp_path)
    graph = opened(tmp_path, [FOLDER])
    (tmp_path / FOLDER / "0006-new.md").write_text(text(6, "Be new"), encoding="utf-8")
    assert dated(tmp_path, f"{FOLDER}/0006-new.md").created == ""
    assert graph.records is not None
    project = Project(str(tmp_path))
    project.date_records()
    assert project.graph.freshness.walked == 0.0  # nothing new was read


def test_another_process_takes_the_dates_that_one_read(tmp_path: Path) -> None:
    path, *_ = undated(tmp_path)
    other = opened(tmp_path, [FOLDER])
    assert node_at(other, path).created == ""
    dated(tmp_path, path)
    other.refresh(walk=True)
    assert node_at(other, path).created == "2017-03-04T10:00:00Z"
    assert other.refresh(walk=True) == 0


def test_an_unknown_date_is_null_for_programs_and_undated_for_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, *_ = undated(tmp_path)
    monkeypatch.chdir(tmp_path)
    graph = opened(tmp_path, [FOLDER])
    node = node_at(graph, path)
    assert nodes.node(node)["created"] is None
    assert nodes.node(node)["modified"] is None
    assert main(["show", node.id]) == 0
    shown = capsys.readouterr().out
    assert "undated" in shown
    assert "1970" not in shown
    assert main(["export", "--format", "json"]) == 0
    exported = json.loads(capsys.readouterr().out)
    assert {one["created"] for one in exported["nodes"]} == {None}


def test_an_unknown_date_lies_in_no_range_and_counts_as_no_change(tmp_path: Path) -> None:
    undated(tmp_path)
    graph = opened(tmp_path, [FOLDER])
    assert not graph.index.listed(Filter(until="2030-01-01T00:00:00Z"), -1, "")
    assert not graph.index.listed(Filter(since="1960-01-01T00:00:00Z"), -1, "")
    assert len(search(graph, NodeQuery(limit=10)).hits) == len(TITLES)


def test_what_is_kept_beside_an_undated_record_has_no_date_either(tmp_path: Path) -> None:
    path, other, *_ = undated(tmp_path)
    graph = opened(tmp_path, [FOLDER])
    from autology.core.nodes.relate import relate

    one, two = node_at(graph, path), node_at(graph, other)
    relate(graph, one.id, two.id, "depends_on")
    assert node_at(opened(tmp_path), other).created == ""
    kept = [file.read_text(encoding="utf-8") for file in (tmp_path / ".autology/nodes/decisions").glob("*.md")]
    assert len(kept) == 2
    assert not any("1970" in one or "created:\n" in one for one in kept)


def test_the_dates_of_a_collection_in_another_form_are_read(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "pep")
    records = graph.records
    assert records is not None
    assert records.dates.of(records.snapshot.records["peps/pep-0001.rst"])[0] == "2015-01-01T00:00:00Z"
    for file in (tmp_path / "peps").iterdir():
        kept = [line for line in file.read_text(encoding="utf-8").split("\n") if not line.startswith("Created:")]
        file.write_text("\n".join(kept), encoding="utf-8")
    git(tmp_path, "init")
    commit(tmp_path, FIRST)
    assert dated(tmp_path, "peps/pep-0001.rst").created == "2017-03-04T10:00:00Z"
