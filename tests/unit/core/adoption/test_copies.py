"""Copies that an older version made of records become what is kept beside the record, if they still agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core import doctor
from autology.core.adoption import copies
from autology.core.nodes.relate import relate
from autology.core.nodes.update import Fields, update
from autology.model.node import DecisionStatus
from autology.settings import adopt_records
from autology.wire.project import Project
from tests.unit.adoption_kit import node_at, opened, write
from tests.unit.cli_kit import autology, run_json

FIRST, SECOND = "docs/adr/0001-keep-orders-in-postgresql.md", "docs/adr/0002-send-mail-through-a-queue.md"


def imported(root: Path) -> dict[str, str]:
    """Return the ids of the notes imported from a collection at *root*, by record."""
    write(root, "nygard")
    assert autology("import", "adr", str(root / "docs/adr"), project=root) == 0
    graph = opened(root)
    nodes = [node for node, _ in graph.readable(list(graph.index.by_ids(_ids(graph)).values()))]
    return {str(node.extra["origin"]): node.id for node in nodes}


def _ids(graph: object) -> list[str]:
    from autology.model.query import Filter

    return [source.id for source in graph.index.listed(Filter(), -1, "")]  # type: ignore[attr-defined]


def test_copies_that_agree_become_sidecars_under_their_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids = imported(tmp_path)
    graph = opened(tmp_path)
    update(graph, ids[FIRST], Fields(tags=("storage",)))
    relate(graph, ids[FIRST], ids[SECOND], "uses")
    answer = run_json(capsys, "init", "--yes", project=tmp_path)
    assert answer["done"]["copies"] == 5
    again = opened(tmp_path)
    assert again.index.counts().nodes == {"decision": 5}
    first = node_at(again, FIRST)
    assert (first.id, first.record, first.tags) == (ids[FIRST], FIRST, ("storage",))
    assert [(r.type.value, r.target) for r in first.relations if not r.is_derived] == [("uses", ids[SECOND])]
    sidecar = (tmp_path / f".autology/nodes/decisions/{ids[FIRST]}.md").read_text(encoding="utf-8")
    assert "Orders need" not in sidecar
    assert "origin" not in sidecar
    assert run_json(capsys, "init", "--yes", project=tmp_path)["done"]["copies"] == 0


def test_a_copy_that_differs_stays_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids = imported(tmp_path)
    graph = opened(tmp_path)
    third = "docs/adr/0003-cache-prices-in-memory.md"
    node = graph.stored(graph.source(ids[third])).entry
    update(graph, ids[third], Fields(content=f"{node.content}\n\nOnly the copy says this.\n"))
    assert run_json(capsys, "init", "--yes", project=tmp_path)["done"]["copies"] == 4
    again = opened(tmp_path)
    assert again.index.counts().nodes == {"decision": 6}
    (copy,) = copies.find(again)
    assert (copy.record, copy.agrees) == (third, False)
    project = Project(str(tmp_path))
    problems = [one.problem for one in doctor.examine(project.graph, project.inspection).findings]
    assert [problem for problem in problems if third in problem] == [f"{copy.path} is a copy of {third}"]


def test_a_folder_elsewhere_is_still_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    write(root, "nygard")
    write(elsewhere, "madr")
    opened(root)
    adopt_records(str(root), ["docs/adr"])
    assert autology("import", "adr", str(elsewhere / "docs/decisions"), project=root) == 0
    graph = opened(root)
    assert graph.index.counts().nodes == {"decision": 10}
    capsys.readouterr()
    autology("import", "adr", str(root / "docs/adr"), project=root)
    assert opened(root).index.counts().nodes == {"decision": 10}
    assert node_at(graph, FIRST).decision_status is DecisionStatus.ACCEPTED
