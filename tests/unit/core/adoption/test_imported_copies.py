"""Copies that an older version made of records become what is kept beside the record, if they still agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core import doctor
from autology.core.adoption import imported_copies
from autology.core.documents.search import search as search_documents
from autology.core.nodes.delete_restore import restore
from autology.core.nodes.relate import relate
from autology.core.nodes.search import NodeQuery
from autology.core.nodes.search import search as search_nodes
from autology.core.nodes.update import Fields, update
from autology.model.node import DecisionStatus
from autology.settings import adopt_records
from autology.wire.project import Project
from tests.unit.adoption_kit import node_at, opened, texts, write
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
    (copy,) = imported_copies.find(again)
    assert (copy.record, copy.agrees) == (third, False)
    project = Project(str(tmp_path))
    problems = [one.problem for one in doctor.examine(project.graph, project.inspection).findings]
    named = f"1 note is a copy of an adopted record and differs: {copy.path} of {third}"
    assert [problem for problem in problems if third in problem] == [named]


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


def differing(root: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Return the ids of the copies, by record; the first two say something that their records do not say."""
    ids = imported(root)
    graph = opened(root)
    for record in (FIRST, SECOND):
        node = graph.stored(graph.source(ids[record])).entry
        content = f"{node.content}\n\nZanzibar is only in the copy.\n"
        update(graph, ids[record], Fields(content=content, tags=("orders",)))
    relate(graph, ids[FIRST], ids[SECOND], "uses", "for retries")
    run_json(capsys, "init", "--yes", project=root)
    return ids


def test_a_copy_that_differs_is_one_hit_with_its_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids = differing(tmp_path, capsys)
    graph = opened(tmp_path)
    hits = search_nodes(graph, NodeQuery("keep orders in PostgreSQL", limit=20)).hits
    shown = [hit for hit in hits if FIRST in (hit.path, hit.node.extra.get("origin"))]
    assert len(shown) == 1
    assert {shown[0].path, *(copy.path for copy in shown[0].also)} == {FIRST, graph.source(ids[FIRST]).path}
    answer = search_documents(Project(str(tmp_path)).library, "keep orders in PostgreSQL")
    paths = [(hit.source.path, *(copy.path for copy in hit.also)) for hit in answer.hits]
    assert len([some for some in paths if FIRST in some or graph.source(ids[FIRST]).path in some]) == 1
    assert len(search_nodes(graph, NodeQuery(limit=20)).hits) == 7, "a list shows all notes"


def test_one_step_joins_the_copies_that_differ_and_loses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = differing(tmp_path, capsys)
    before = texts(tmp_path)
    report = run_json(capsys, "doctor", project=tmp_path)
    fixes = [one["fix"] for one in report["findings"] if "copies of adopted records" in one["problem"]]
    assert len(fixes) == 1
    assert "autology doctor --copies" in fixes[0]
    run_json(capsys, "doctor", "--copies", project=tmp_path)
    assert texts(tmp_path) == before
    graph = opened(tmp_path)
    assert graph.index.counts().nodes == {"decision": 5}
    first = node_at(graph, FIRST)
    assert (first.id, first.tags) == (ids[FIRST], ("orders",))
    assert [(r.target, r.description) for r in first.relations if not r.is_derived] == [(ids[SECOND], "for retries")]
    assert imported_copies.find(graph) == []
    for name in graph.files.trashed():
        restore(graph, name)
    again = [hit.node for hit in search_nodes(opened(tmp_path), NodeQuery("Zanzibar", limit=9)).hits]
    assert sorted(node.title for node in again if "Zanzibar" in node.content) == [
        "Keep orders in PostgreSQL",
        "Send mail through a queue",
    ]
