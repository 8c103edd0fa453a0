"""Taking back what was written, step by step, whatever it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.nodes import capture, delete_restore, relate, update
from autology.core.nodes.graph import Graph
from autology.core.nodes.merge_duplicates import combine
from autology.core.nodes.undo import Undo
from autology.core.nodes.update import Fields
from autology.model.errors import ConflictError, NotFoundError, StorageError, ValidationError
from tests.fakes.project import a_graph, on_disk


def made(graph: Graph, title: str, **more: object) -> str:
    material = capture.Material(title, f"What {title} is about.", "concept", **more)  # type: ignore[arg-type]
    return capture.capture(graph, material, automatic=2.0).node.id


def files(root: Path) -> dict[str, bytes]:
    """Every note and everything in the trash, as it lies on disk."""
    kept = [root / ".autology" / name for name in ("nodes", "trash")]
    return {str(path): path.read_bytes() for folder in kept for path in sorted(folder.rglob("*.*")) if path.is_file()}


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return on_disk(tmp_path)


def test_every_change_can_be_taken_back_to_the_byte_and_done_again(graph: Graph, tmp_path: Path) -> None:
    one, other = made(graph, "Queues", tags=("mail",)), made(graph, "Caches", references=("src/cache.py",))
    relate.relate(graph, one, other, "uses", "because")
    undo = Undo(graph)
    acts = [
        lambda: update.update(graph, one, Fields(title="Lines", content="Other words.", type="pattern")),
        lambda: relate.relate(graph, other, one, "supersedes"),
        lambda: relate.unrelate(graph, one, other, "uses"),
        lambda: delete_restore.delete(graph, other),
        lambda: combine(graph, one, other, Fields(content="Both.")),
        lambda: capture.capture(graph, capture.Material("Third", "A third one.", "concept", supersedes=(one,))),
    ]
    for act in acts:
        before = files(tmp_path)
        _, step = undo.recorded(act, lambda _: "did something")
        after = files(tmp_path)
        assert step is not None
        assert after != before
        undone = undo.take_back(step.number)
        assert files(tmp_path) == before
        assert {source.id for source in graph.index.by_prefix("0", 9)} == {one, other}
        assert [edge.type for edge in graph.index.edges([one])] == ["uses"]
        assert undone is not None
        redone = undo.take_back(undone.number)
        assert files(tmp_path) == after
        assert redone is not None
        undo.take_back(redone.number)
        assert files(tmp_path) == before


def test_undo_refuses_files_edited_since(graph: Graph, tmp_path: Path) -> None:
    one, other = made(graph, "Queues"), made(graph, "Caches")
    undo = Undo(graph)
    _, step = undo.recorded(lambda: relate.relate(graph, one, other, "supersedes"), lambda _: "related")
    assert step is not None
    path = tmp_path / graph.source(other).path
    path.write_bytes(path.read_bytes() + b"\nBy hand.\n")
    before = files(tmp_path)
    with pytest.raises(StorageError, match=r"was changed since\. Nothing was undone"):
        undo.take_back(step.number)
    assert files(tmp_path) == before


def test_a_step_that_wrote_nothing_or_is_unknown_cannot_be_taken_back() -> None:
    graph = a_graph()
    one = made(graph, "Queues")
    undo = Undo(graph)
    _, step = undo.recorded(lambda: update.update(graph, one, Fields(title="Queues")), lambda _: "nothing")
    assert step is None
    with pytest.raises(ValidationError, match="can no longer be undone"):
        undo.take_back(7)


def test_an_update_of_what_was_changed_meanwhile_is_refused() -> None:
    graph = a_graph()
    one = made(graph, "Queues")
    result = graph.stored(graph.source(one)).version
    update.update(graph, one, Fields(title="Lines"), result)
    with pytest.raises(ConflictError):
        update.update(graph, one, Fields(title="Rows"), result)
    assert graph.stored(graph.source(one)).entry.title == "Lines"


def test_merging_two_notes_combines_relations_tags_and_files() -> None:
    graph = a_graph()
    kept = made(graph, "Queues", tags=("mail",), references=("src/queue.py",))
    other = made(graph, "Lines of mail", tags=("post",), references=("src/post.py",))
    above, below, old = made(graph, "Above"), made(graph, "Below"), made(graph, "Old")
    relate.relate(graph, above, other, "uses", "to send")
    relate.relate(graph, other, below, "depends_on")
    relate.relate(graph, other, old, "supersedes")
    relate.relate(graph, kept, other, "relates_to")
    done = combine(graph, kept, other, Fields(content="Both texts."))
    node = graph.stored(graph.source(kept)).entry
    assert (node.title, node.content.strip()) == ("Queues", "Both texts.")
    assert (node.tags, node.references) == (("mail", "post"), ("src/queue.py", "src/post.py"))
    assert {(r.type.value, r.target) for r in node.relations} == {("depends_on", below), ("supersedes", old)}
    led = graph.stored(graph.source(above)).entry.relations
    assert [(r.type.value, r.target, r.description) for r in led] == [("uses", kept, "to send")]
    assert done.relations == 3
    with pytest.raises(NotFoundError):
        graph.source(other)
    assert [item.id for item in graph.trash.items()] == [other]
    delete_restore.restore(graph, other)
    assert graph.stored(graph.source(other)).entry.title == "Lines of mail"


def test_two_nodes_are_not_merged_into_a_circle_or_unseen_or_with_themselves() -> None:
    graph = a_graph()
    kept, other = made(graph, "Queues"), made(graph, "Lines")
    relate.relate(graph, other, kept, "supersedes")
    assert combine(graph, kept, other, Fields(title="Queues")).node.status == "active"
    delete_restore.restore(graph, other)
    with pytest.raises(ValidationError, match="is the same node"):
        combine(graph, kept, kept, Fields())
    versions = (graph.stored(graph.source(kept)).version, "another")
    with pytest.raises(ConflictError):
        combine(graph, kept, other, Fields(), versions)
    newest = made(graph, "Newest")
    relate.relate(graph, newest, kept, "supersedes")
    relate.relate(graph, other, newest, "supersedes")
    with pytest.raises(ValidationError, match="supersede each other"):
        combine(graph, kept, other, Fields())
