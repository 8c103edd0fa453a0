"""A record that changes under a running server is right in the next answer: nothing doubled, nothing stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.cli import main
from autology.core.documents import citations
from autology.core.nodes.capture import Material, RequestedRelation, capture
from autology.core.nodes.delete_restore import delete, restore
from autology.core.nodes.relate import relate, unrelate
from autology.core.nodes.search import NodeQuery, search
from autology.core.nodes.undo import Undo
from autology.core.nodes.update import Fields, update
from autology.model.node import DecisionStatus
from autology.settings import adopt_records
from autology.wire.project import Project
from tests.unit.adoption_kit import adopted, node_at, opened, texts, write
from tests.unit.cli_kit import git, repository

FIRST = "docs/adr/0001-keep-orders-in-postgresql.md"
SECOND = "docs/adr/0002-send-mail-through-a-queue.md"


def titles(graph: object) -> list[str]:
    return sorted(hit.node.title for hit in search(graph, NodeQuery(limit=100)).hits)  # type: ignore[arg-type]


def test_an_edit_by_hand_is_in_the_next_answer(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    file = tmp_path / FIRST
    file.write_text(
        file.read_text(encoding="utf-8").replace("PostgreSQL", "SQLite").replace("Accepted", "Deprecated"),
        encoding="utf-8",
    )
    assert "Keep orders in SQLite" in titles(graph)
    assert "Keep orders in PostgreSQL" not in titles(graph)
    assert node_at(graph, FIRST).decision_status is DecisionStatus.DEPRECATED


def test_a_record_that_comes_or_goes_is_in_the_next_answer(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    text = (
        (tmp_path / FIRST).read_text(encoding="utf-8").replace("# 1. Keep orders in PostgreSQL", "# 6. Ship on Fridays")
    )
    (tmp_path / "docs/adr/0006-ship-on-fridays.md").write_text(text, encoding="utf-8")
    assert "Ship on Fridays" in titles(graph)
    (tmp_path / FIRST).unlink()
    assert "Keep orders in PostgreSQL" not in titles(graph)
    assert len(titles(graph)) == 5


def test_a_renamed_record_keeps_the_id_that_something_named(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    node = node_at(graph, FIRST)
    update(graph, node.id, Fields(tags=("storage",)))
    moved = "docs/adr/0011-keep-orders-in-postgresql.md"
    (tmp_path / FIRST).rename(tmp_path / moved)
    again = node_at(graph, moved)
    assert (again.id, again.tags) == (node.id, ("storage",))
    assert len(titles(graph)) == 5
    update(graph, node.id, Fields(tags=("storage", "orders")))
    assert f"record: {moved}" in (tmp_path / f".autology/nodes/decisions/{node.id}.md").read_text(encoding="utf-8")
    assert node_at(opened(tmp_path), moved).id == node.id


def test_a_sidecar_without_its_record_is_silent_until_that_is_back(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    update(graph, node_at(graph, FIRST).id, Fields(tags=("storage",)))
    text = (tmp_path / FIRST).read_bytes()
    (tmp_path / FIRST).unlink()
    assert len(titles(graph)) == 4
    assert [one.record for one in graph.records.orphans()] == [FIRST]  # type: ignore[union-attr]
    (tmp_path / FIRST).write_bytes(text)
    assert node_at(graph, FIRST).tags == ("storage",)
    assert len(titles(graph)) == 5


def test_deleting_moves_the_files_to_the_trash_and_restoring_brings_them_back(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard", "kep")
    before = texts(tmp_path)
    for path in (FIRST, "keps/0001-keep-orders-in-postgresql/README.md"):
        node, second = node_at(graph, path), node_at(graph, SECOND)
        relate(graph, second.id, node.id, "uses")
        delete(graph, node.id)
        assert path not in texts(tmp_path)
        assert node.id not in {hit.node.id for hit in search(graph, NodeQuery(limit=100)).hits}
        restored = restore(graph, node.id)
        assert restored.relations == 1
        assert texts(tmp_path) == before
        assert node_at(graph, path).id == node.id
        assert [r.target for r in node_at(graph, SECOND).relations if not r.is_derived] == [node.id]
        unrelate(graph, second.id, node.id, "uses")


def test_links_between_records_are_derived_and_can_be_removed(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    file = tmp_path / SECOND
    file.write_text(
        file.read_text(encoding="utf-8") + "\nSee [1](0001-keep-orders-in-postgresql.md).\n", encoding="utf-8"
    )
    first, second = node_at(graph, FIRST), node_at(graph, SECOND)
    assert [(r.type.value, r.target, r.is_derived) for r in second.relations] == [("relates_to", first.id, True)]
    assert graph.index.counts().relations == {"relates_to": 1}
    before = texts(tmp_path)
    unrelate(graph, second.id, first.id, "relates_to")
    assert texts(tmp_path) == before
    assert node_at(opened(tmp_path), SECOND).relations == ()
    relate(graph, second.id, first.id, "relates_to", "by hand")
    assert [r.is_derived for r in node_at(opened(tmp_path), SECOND).relations] == [False]


def test_a_captured_note_that_names_a_record_keeps_its_id(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "madr")
    node = node_at(graph, "docs/decisions/0001-keep-orders-in-postgresql.md")
    relations = (RequestedRelation("implements", node.id),)
    note = capture(graph, Material("Orders table", "Holds orders.", type="component", relations=relations)).node
    assert (tmp_path / f".autology/nodes/decisions/{node.id}.md").exists()
    assert note.relations[0].target == node.id


def test_undo_takes_back_what_was_written_into_a_record(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    before, undo = texts(tmp_path), Undo(graph)
    node = node_at(graph, "docs/adr/0003-cache-prices-in-memory.md")
    _, step = undo.recorded(lambda: update(graph, node.id, Fields(title="Cache nothing", tags=("x",))), lambda _: "")
    assert node_at(graph, node.record).title == "Cache nothing"
    assert step is not None
    undo.take_back(step.number)
    assert texts(tmp_path) == before
    again = node_at(graph, node.record)
    assert (again.title, again.tags) == (node.title, ())


def test_branches_with_and_without_a_record(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    repository(tmp_path)
    git(tmp_path, "checkout", "-qb", "other")
    node = node_at(graph, FIRST)
    update(graph, node.id, Fields(tags=("storage",)))
    git(tmp_path, "rm", "-q", SECOND)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "other")
    assert len(titles(graph)) == 4
    git(tmp_path, "checkout", "-q", "-")
    assert len(titles(graph)) == 5
    assert node_at(graph, FIRST).tags == ()
    git(tmp_path, "checkout", "-q", "other")
    assert len(titles(graph)) == 4
    assert node_at(graph, FIRST).tags == ("storage",)


def test_switching_adoption_off_undoes_it_and_on_again_brings_everything_back(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    node = node_at(graph, FIRST)
    update(graph, node.id, Fields(tags=("storage",)))
    config = tmp_path / ".autology/config.yaml"
    on = config.read_bytes()
    for off in ("records: false\n", "records:\n  docs/adr: false\n"):
        config.write_text(off, encoding="utf-8")
        assert titles(graph) == []
        assert titles(opened(tmp_path)) == []
        config.write_bytes(on)
        assert len(titles(graph)) == 5
        assert node_at(graph, FIRST).tags == ("storage",)


def test_documents_leave_adopted_files_out_and_have_them_back(tmp_path: Path) -> None:
    write(tmp_path, "nygard")
    (tmp_path / "docs/guide.md").write_text(
        "# Guide\n\nSee [orders](adr/0001-keep-orders-in-postgresql.md).\n", encoding="utf-8"
    )
    project = Project(str(tmp_path))
    project.graph.files.create()
    library = project.library
    library.catch_up()
    assert len(library.index.named("document")) == 6
    adopt_records(str(tmp_path), ["docs/adr"])
    library.catch_up()
    assert [named.path for named in library.index.named("document")] == ["docs/guide.md"]
    (tmp_path / ".autology/config.yaml").write_text("records: false\n", encoding="utf-8")
    library.catch_up()
    assert len(library.index.named("document")) == 6


def test_two_clones_that_adopt_apart_have_the_same_ids(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    graphs = [adopted(root, "nygard", "kep") for root in (one, other)]
    every = [graph.records for graph in graphs if graph.records is not None]
    first, second = (sorted(records.id_of(path) for path in records.snapshot.records) for records in every)
    assert first == second
    assert len(set(first)) == 10


def test_documents_that_cite_a_record_link_to_its_node(tmp_path: Path) -> None:
    write(tmp_path, "nygard")
    guide = "# Guide\n\nSee [orders](adr/0001-keep-orders-in-postgresql.md).\n"
    (tmp_path / "docs/guide.md").write_text(guide, encoding="utf-8")
    project = Project(str(tmp_path))
    project.graph.files.create()
    library = project.library
    library.catch_up()
    adopt_records(str(tmp_path), ["docs/adr"])
    library.catch_up()
    id = node_at(project.graph, FIRST).id
    assert [(edge.source, edge.target) for edge in library.index.edges(kind="document")] == [("docs/guide.md", id)]
    fresh = Project(str(tmp_path)).library
    fresh.catch_up()
    (tmp_path / FIRST).rename(tmp_path / "docs/adr/0012-orders.md")
    fresh.catch_up()
    assert [edge.target for edge in fresh.index.edges(kind="document")] == [FIRST]


def test_what_git_ignores_is_no_record(tmp_path: Path) -> None:
    write(tmp_path, "nygard")
    (tmp_path / ".gitignore").write_text("drafts/\n", encoding="utf-8")
    drafts = tmp_path / "docs/adr/drafts"
    drafts.mkdir()
    text = (tmp_path / FIRST).read_text(encoding="utf-8")
    (drafts / "0009-secret-plan.md").write_text(text.replace("# 1. Keep", "# 9. Hide"), encoding="utf-8")
    assert len(titles(opened(tmp_path, ["docs/adr"]))) == 5


def test_undoing_a_deletion_brings_the_record_back(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    before, undo = texts(tmp_path), Undo(graph)
    node = node_at(graph, FIRST)
    _, step = undo.recorded(lambda: delete(graph, node.id), lambda _: "")
    assert len(titles(graph)) == 4
    assert step is not None
    undo.take_back(step.number)
    assert texts(tmp_path) == before
    assert node_at(graph, FIRST).id == node.id


def test_a_restored_record_is_reported_with_the_relations_that_it_states_itself(tmp_path: Path) -> None:
    write(tmp_path, "nygard")
    for file, named in ((FIRST, SECOND), (SECOND, FIRST)):
        place = tmp_path / file
        text = place.read_text(encoding="utf-8")
        place.write_text(f"{text}\nSee [the other]({Path(named).name}).\n", encoding="utf-8")
    graph = opened(tmp_path, ["docs/adr"])
    node = node_at(graph, FIRST)
    relate(graph, node.id, node_at(graph, "docs/adr/0003-cache-prices-in-memory.md").id, "uses")
    relate(graph, node_at(graph, "docs/adr/0004-sign-releases.md").id, node.id, "uses")
    before = node_at(graph, FIRST)
    assert (deletion := delete(graph, node.id)).relations == 3
    restored = restore(graph, node.id)
    assert restored.relations == deletion.relations
    assert restored.node == before


def test_a_renamed_record_is_named_by_its_sidecar_after_a_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = adopted(tmp_path, "nygard")
    node = node_at(graph, "docs/adr/0001-keep-orders-in-postgresql.md")
    update(graph, node.id, Fields(tags=("orders",)))
    (sidecar,) = (tmp_path / ".autology/nodes/decisions").glob("*.md")
    before = sidecar.read_text(encoding="utf-8")
    now = "docs/adr/0007-keep-orders.md"
    (tmp_path / node.record).rename(tmp_path / now)
    monkeypatch.chdir(tmp_path)
    assert main(["sync"]) == 0
    assert sidecar.read_text(encoding="utf-8") == before.replace(node.record, now)
    fresh = opened(tmp_path)  # with another index, as in another clone
    assert (node_at(fresh, now).id, node_at(fresh, now).tags) == (node.id, ("orders",))
    assert fresh.records is not None
    assert fresh.records.orphans() == []
    assert main(["sync"]) == 0
    assert sidecar.read_text(encoding="utf-8") == before.replace(node.record, now)


def test_notes_that_link_to_a_record_by_its_path_lead_to_its_node(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    first, second = node_at(graph, FIRST), node_at(graph, SECOND)
    content = f"See [orders]({FIRST}#context) and [mail](../../../{SECOND}), not [this](docs/adr/none.md)."
    note = capture(graph, Material("Names of queues", content, type="convention")).node
    for index in (graph.index, opened(tmp_path).index):
        for edges in (citations.touching(index, [note.id]), list(citations.every(index))):
            targets = {edge.target for edge in edges if edge.source == note.id}
            assert {first.id, second.id} <= targets
        assert note.id in {edge.source for edge in citations.touching(index, [first.id])}
