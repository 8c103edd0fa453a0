"""Updating, relating, deleting and restoring: what changes, what does not, and the words in which it is said."""

from __future__ import annotations

import json

import pytest

from autology.core.analysis.analyze import analyze
from autology.core.nodes import delete_restore, graph_index_file, relate
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.search import NodeQuery, search
from autology.core.nodes.status import status
from autology.core.nodes.update import Fields, update
from autology.model.errors import AmbiguousIdError, NotFoundError, StorageError, ValidationError
from autology.model.node import DecisionStatus, Node, NodeStatus, NodeType, Relation, RelationType
from autology.render import nodes, statistics
from autology.vcs.git import Git
from tests.fakes.project import a_graph, an_id, on_disk, save
from tests.unit.core.nodes.test_capture import COMPLETE


@pytest.fixture(params=["memory", "disk"])
def graph(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return a_graph() if request.param == "memory" else on_disk(tmp_path_factory.mktemp("project"))


def kept(graph: Graph, title: str, content: str = "text", type: str = "concept", **more: object) -> str:
    return capture(graph, Material(title, content, type, **more), automatic=2.0).node.id  # type: ignore[arg-type]


def node(graph: Graph, id: str) -> Node:
    (hit,) = search(graph, NodeQuery(id)).hits
    return hit.node


def text(graph: Graph, id: str) -> str:
    return graph.files.read(graph.index.by_ids([id])[id].path)[0].decode()


def edges(graph: Graph) -> list[tuple[str, str, str, float]]:
    return [(e.source[:8], e.type, e.target[:8], e.confidence) for e in graph.index.edges()]


# ---- update ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "changed", "told"),
    [
        (Fields(title=" New title "), {"title": "New title"}, "title"),
        (Fields(content="new\ncontent"), {"content": "new\ncontent"}, "content"),
        (Fields(tags=("New Tag", "b")), {"tags": ("new-tag", "b")}, "tags"),
        (Fields(tags=()), {"tags": ()}, "tags"),
        (Fields(status="superseded"), {"status": NodeStatus.SUPERSEDED}, "status"),
        (Fields(confidence=0.0), {"confidence": 0.0}, "confidence"),
        (Fields(references=("src/x.py",)), {"references": ("src/x.py",)}, "references"),
        (Fields(references=()), {"references": ()}, "references"),
        (Fields(type="issue"), {"type": NodeType.ISSUE}, "type"),
        (
            Fields(title="T", confidence=1, tags=("a",)),
            {"title": "T", "confidence": 1.0, "tags": ("a",)},
            "title, tags, confidence",
        ),
    ],
)
def test_an_update_changes_what_is_given_and_when(
    graph: Graph, fields: Fields, changed: dict[str, object], told: str
) -> None:
    id = kept(graph, "A note", tags=("old",), references=("src/old.py",), session="s")
    kept(graph, "Beside")
    relate.relate(graph, id, an_id(2), "uses", "why")
    before = node(graph, id)
    done = update(graph, id[:8], fields)
    after = node(graph, id)
    assert done.node == after
    for name in Node.__dataclass_fields__:
        if name == "modified":
            assert after.modified > before.modified
        elif name == "extra":  # what it says of its files is as old as it was
            same = not changed.keys() & {"title", "content", "references"}
            assert after.extra == ({"written": before.modified} if same else {})
        else:
            assert getattr(after, name) == changed.get(name, getattr(before, name)), name
    words = nodes.updated(done)
    assert words.splitlines()[:2] == [f"✓ Updated: {after.title} ({after.type})", f"Fields changed: {told}"]


def test_a_change_of_type_moves_the_file_and_keeps_what_points_to_it(graph: Graph) -> None:
    one, two = kept(graph, "One"), kept(graph, "Two")
    relate.relate(graph, two, one, "affects")
    update(graph, one, Fields(type="component"))
    assert f".autology/nodes/components/{one}.md" in graph.files.scan()
    assert f".autology/nodes/concepts/{one}.md" not in graph.files.scan()
    assert edges(graph) == [("00000002", "affects", "00000001", 0.8)]
    assert status(graph).dangling == 0


def test_a_note_changed_to_a_decision_must_have_the_sections(graph: Graph) -> None:
    id = kept(graph, "A note")
    done = update(graph, id, Fields(type="decision"))
    assert (done.node.status, done.node.decision_status) == (NodeStatus.NEEDS_REVIEW, DecisionStatus.ACCEPTED)
    assert done.missing_sections == ("Context", "Decision", "Alternatives", "Consequences")
    assert "the decision lacks: Context, Decision, Alternatives, Consequences" in nodes.updated(done)
    done = update(graph, id, Fields(content=COMPLETE, status="active"))
    assert (done.node.status, done.missing_sections) == (NodeStatus.ACTIVE, ())
    other = kept(graph, "Another note")
    update(graph, other, Fields(type="decision"))
    assert update(graph, other, Fields(content="## Context\nalone")).node.status is NodeStatus.NEEDS_REVIEW
    # Whoever says so explicitly is believed.
    assert update(graph, other, Fields(content="short", status="active")).node.status is NodeStatus.ACTIVE
    assert update(graph, other, Fields(title="Other title")).node.status is NodeStatus.ACTIVE


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (Fields(), "no fields to update. Give at least one of title, content, tags"),
        (Fields(title=""), "validation error: title: is empty"),
        (Fields(title="x" * 101), "validation error: title: has 101 characters"),
        (Fields(content=" "), "validation error: content: is empty"),
        (Fields(tags=("/",)), "validation error: tags: '/' is not valid"),
        (
            Fields(status="done"),
            "validation error: status: 'done' is not a status. Use one of: active, needs_review, superseded",
        ),
        (Fields(confidence=1.01), "validation error: confidence: 1.01 is outside 0-1"),
        (Fields(type="idea"), "validation error: type: 'idea' is not a node type"),
        (Fields(references=("../x",)), "validation error: references: '../x' lies outside"),
    ],
)
def test_an_update_that_does_not_fit_changes_nothing(graph: Graph, fields: Fields, told: str) -> None:
    id = kept(graph, "A note")
    before = text(graph, id)
    with pytest.raises(ValidationError, match=told):
        update(graph, id, fields)
    assert text(graph, id) == before


def test_manual_edits_of_a_note_survive_an_update(graph: Graph) -> None:
    id = kept(graph, "A note", "first\n")
    path = graph.index.by_ids([id])[id].path
    by_hand = text(graph, id).replace("tags: []", "# why\naliases: [x, 'y']  # for the view\ntags: []", 1)
    save(graph, path, by_hand.encode())
    update(graph, id, Fields(confidence=0.4))
    assert "# why\naliases: [x, 'y']  # for the view\n" in text(graph, id)


def test_secrets_are_left_out_of_updates_too(graph: Graph) -> None:
    id = kept(graph, "A note")
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    done = update(graph, id, Fields(content=f"it is {key}"))
    assert done.redacted
    assert key not in text(graph, id)
    assert "Secrets left out" in nodes.updated(done)


# ---- ids ----------------------------------------------------------------------------------------------------


def test_an_unknown_id_is_named_with_similar_ones(graph: Graph) -> None:
    kept(graph, "Storage engine")
    for use in (
        lambda id: update(graph, id, Fields(title="x")),
        lambda id: delete_restore.delete(graph, id),
    ):
        with pytest.raises(NotFoundError, match=rf"^node not found: {an_id(99)}\. Did you mean: Storage engine"):
            use(an_id(99))
        with pytest.raises(
            NotFoundError,
            match=r"^node not found: storage engine\. Did you mean: Storage engine \(concept, 00000001\)\?",
        ):
            use("storage engine")
        with pytest.raises(NotFoundError, match=r"^node not found: 0000001\. "):
            use("0000001")  # seven characters


def test_an_ambiguous_beginning_lists_its_candidates(graph: Graph) -> None:
    for end in ("1", "2"):
        graph.new_id = lambda end=end: f"0000aaaa-0000-4000-8000-00000000000{end}"  # type: ignore[misc]
        kept(graph, f"Twin {end}")
    with pytest.raises(AmbiguousIdError) as caught:
        update(graph, "0000aaaa", Fields(title="x"))
    for end in ("1", "2"):
        assert f"Twin {end} (concept, 0000aaaa-0000-4000-8000-00000000000{end})" in str(caught.value)
    update(graph, "0000AAAA-0000-4000-8000-000000000002", Fields(title="Told apart"))
    assert node(graph, "0000aaaa-0000-4000-8000-000000000002").title == "Told apart"


# ---- relate -------------------------------------------------------------------------------------------------


def test_relating_says_so_and_touches_nothing_but_the_relation(graph: Graph) -> None:
    one, two = kept(graph, "Gateway", tags=("a",)), kept(graph, "Token store")
    before = (node(graph, one), node(graph, two))
    done = relate.relate(graph, one[:8], two[:8], "depends_on", " why ", 0.65)
    assert nodes.related(done) == "✓ Related: Gateway —[depends_on]→ Token store"
    relation = Relation(RelationType.DEPENDS_ON, two, 0.65, "why")
    after = node(graph, one)
    assert after.relations == (relation,)
    for name in Node.__dataclass_fields__:
        if name != "relations":
            assert getattr(after, name) == getattr(before[0], name)
    assert node(graph, two) == before[1]
    assert f"- [[{two}|Token store]]" in text(graph, one)


def test_relating_again_keeps_the_higher_confidence_and_replaces_a_given_description(graph: Graph) -> None:
    one, two = kept(graph, "One"), kept(graph, "Two")
    steps = [
        (("first", 0.5), ("first", 0.5)),
        ((None, 0.9), ("first", 0.9)),
        (("second", 0.2), ("second", 0.9)),
        (("  ", 0.8), ("second", 0.9)),
    ]
    for (result, sure), expected in steps:
        relate.relate(graph, one, two, "uses", result, sure)
        (relation,) = node(graph, one).relations
        assert (relation.description, relation.confidence) == expected
    assert not relate.relate(graph, one, two, "uses", None, 0.1).changed
    relate.relate(graph, one, two, "affects")
    relate.relate(graph, two, one, "uses")
    assert edges(graph) == [
        ("00000001", "affects", "00000002", 0.8),
        ("00000001", "uses", "00000002", 0.9),
        ("00000002", "uses", "00000001", 0.8),
    ]


def test_both_ends_must_exist_and_the_error_says_which_does_not(graph: Graph) -> None:
    one = kept(graph, "One")
    with pytest.raises(NotFoundError, match=f"^source node not found: {an_id(9)}"):
        relate.relate(graph, an_id(9), one, "uses")
    with pytest.raises(NotFoundError, match=f"^target node not found: {an_id(9)}"):
        relate.relate(graph, one, an_id(9), "uses")
    with pytest.raises(ValidationError, match="validation error: target: is the same node as the source"):
        relate.relate(graph, one, one, "uses")
    with pytest.raises(ValidationError, match=r"type: 'likes' is not a relation type\. Use one of: affects, uses"):
        relate.relate(graph, one, one, "likes")
    for sure in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValidationError, match="validation error: confidence"):
            relate.relate(graph, one, one, "uses", None, sure)
    assert edges(graph) == []


def test_superseding_marks_the_other_end_and_refuses_a_circle(graph: Graph) -> None:
    ids = [kept(graph, f"Version {n}", COMPLETE, "decision") for n in range(3)]
    relate.relate(graph, ids[1], ids[0], "supersedes")
    relate.relate(graph, ids[2], ids[1], "supersedes")
    old = node(graph, ids[0])
    assert (old.status, old.decision_status) == (NodeStatus.SUPERSEDED, DecisionStatus.SUPERSEDED)
    for newer, older in ((0, 1), (0, 2), (1, 2)):
        with pytest.raises(ValidationError, match=r"the two nodes would supersede each other\. 'Version"):
            relate.relate(graph, ids[newer], ids[older], "supersedes")
    assert len(edges(graph)) == 2
    assert node(graph, ids[2]).status is NodeStatus.ACTIVE


def test_a_superseded_note_cannot_be_made_active(graph: Graph) -> None:
    new, old = kept(graph, "New"), kept(graph, "Old")
    relate.relate(graph, new, old, "supersedes")
    with pytest.raises(ValidationError, match=f"superseded.*unrelate.*'New' .{new[:8]}"):
        update(graph, old, Fields(status="active"))
    assert node(graph, old).status is NodeStatus.SUPERSEDED


def test_a_deletion_takes_its_supersessions_back_and_a_restoration_brings_them_again(graph: Graph) -> None:
    new, old = kept(graph, "New"), kept(graph, "Old")
    relate.relate(graph, new, old, "supersedes")
    done = delete_restore.delete(graph, new)
    assert nodes.deleted(done).endswith("Status: Old is no longer superseded")
    assert node(graph, old).status is NodeStatus.ACTIVE
    delete_restore.restore(graph, new)
    assert node(graph, old).status is NodeStatus.SUPERSEDED


def test_a_restoration_puts_relations_back_where_they_stood(graph: Graph) -> None:
    one, two, three = (kept(graph, title) for title in ("One", "Two", "Three"))
    relate.relate(graph, one, two, "uses")
    relate.relate(graph, one, three, "uses")
    before = node(graph, one)
    delete_restore.delete(graph, two)
    delete_restore.restore(graph, two)
    assert node(graph, one) == before


def test_an_update_that_changes_nothing_leaves_the_file_alone(graph: Graph) -> None:
    one = kept(graph, "One")
    before = node(graph, one)
    done = update(graph, one, Fields(title="One", tags=before.tags))
    assert done.fields == ()
    assert node(graph, one) == before


# ---- unrelate ----------------------------------------------------------------------------------------------


def test_unrelating_takes_one_relation_back_and_an_absent_one_is_no_error(graph: Graph) -> None:
    one, two = kept(graph, "One"), kept(graph, "Two")
    relate.relate(graph, one, two, "uses")
    relate.relate(graph, one, two, "affects")
    before = node(graph, one).modified
    for changed, message in (
        (True, "✓ Removed relation: One —[uses]→ Two"),
        (False, "No such relation: One —[uses]→ Two\nNothing changed"),
    ):
        done = relate.unrelate(graph, one, two, "uses")
        assert (done.changed, nodes.unrelated(done)) == (changed, message)
    assert edges(graph) == [("00000001", "affects", "00000002", 0.8)]
    assert node(graph, one).modified == before
    relate.unrelate(graph, one, two, "affects")
    assert "autology:related" not in text(graph, one)
    with pytest.raises(NotFoundError, match=r"^source node not found"):
        relate.unrelate(graph, an_id(9), two, "uses")
    with pytest.raises(NotFoundError, match=r"^target node not found"):
        relate.unrelate(graph, one, an_id(9), "uses")


def test_a_note_is_active_again_when_its_last_supersession_is_removed(graph: Graph) -> None:
    old, one, two = (kept(graph, title, COMPLETE, "decision") for title in ("Old", "One", "Two"))
    relate.relate(graph, one, old, "supersedes")
    relate.relate(graph, two, old, "supersedes")
    assert not relate.unrelate(graph, one, old, "supersedes").reactivated
    assert node(graph, old).status is NodeStatus.SUPERSEDED
    done = relate.unrelate(graph, two, old, "supersedes")
    assert "Old is no longer superseded" in nodes.unrelated(done)
    assert (node(graph, old).status, node(graph, old).decision_status) == (NodeStatus.ACTIVE, DecisionStatus.ACCEPTED)


def test_a_dangling_relation_can_be_taken_back(graph: Graph) -> None:
    one, two = kept(graph, "One"), kept(graph, "Two")
    relate.relate(graph, one, two, "uses")
    save(graph, graph.index.by_ids([two])[two].path, None)
    result = status(graph)
    assert (result.dangling, [edge.target for edge in result.dangling_relations]) == (1, [two])
    assert relate.unrelate(graph, one, two, "uses").changed
    assert status(graph).dangling == 0


def test_while_files_are_still_to_be_read_no_relation_is_said_to_lead_nowhere(graph: Graph) -> None:
    one, two = kept(graph, "One"), kept(graph, "Two")
    relate.relate(graph, one, two, "uses")
    save(graph, graph.index.by_ids([two])[two].path, None)
    assert status(graph).dangling == 1
    graph.left, graph.filling = 1, True
    assert (status(graph).dangling, list(analyze(graph, Git(""), "dangling").findings)) == (0, [])
    graph.left, graph.filling = 0, False
    assert len(analyze(graph, Git(""), "dangling").findings) == 1


# ---- delete and restore ---------------------------------------------------------------------------------------


def web(graph: Graph) -> tuple[str, str, str]:
    """Three nodes, the middle one related in and out, and twice to one of them."""
    left, middle, right = kept(graph, "Left"), kept(graph, "Middle", "its text"), kept(graph, "Right")
    for source, target, kind in (
        (left, middle, "uses"),
        (left, middle, "affects"),
        (middle, right, "uses"),
        (right, middle, "depends_on"),
        (left, right, "uses"),
    ):
        relate.relate(graph, source, target, kind, f"{kind} it", 0.6)
    return left, middle, right


def test_deleting_removes_every_relation_from_and_to_it_everywhere(graph: Graph) -> None:
    left, middle, right = web(graph)
    done = delete_restore.delete(graph, middle[:8])
    assert nodes.deleted(done) == "✓ Deleted: Middle (concept)\nRelations removed: 4"
    assert edges(graph) == [("00000001", "uses", "00000003", 0.6)]
    for id in (left, right):
        assert middle not in text(graph, id)
    assert json.loads(graph.files.read_projection(graph_index_file.NAME) or b"")["relations"] == [
        {"source": left, "target": right, "type": "uses", "description": "uses it", "confidence": 0.6}
    ]
    assert search(graph, NodeQuery("Middle")).hits == ()
    assert [(item.title, item.type) for item in graph.trash.items()] == [("Middle", "concept")]
    with pytest.raises(NotFoundError):
        delete_restore.delete(graph, middle)


def test_deleting_does_not_renew_what_pointed_to_it(graph: Graph) -> None:
    left, middle, _ = web(graph)
    before = node(graph, left)
    delete_restore.delete(graph, middle)
    after = node(graph, left)
    assert (after.modified, after.content, after.tags) == (before.modified, before.content, before.tags)


def test_restoring_brings_the_file_back_with_its_relations(graph: Graph) -> None:
    left, middle, right = web(graph)
    before, linked, connected = text(graph, middle), [node(graph, id) for id in (left, middle, right)], edges(graph)
    delete_restore.delete(graph, middle)
    done = delete_restore.restore(graph, middle[:8])
    assert nodes.restored(done) == "✓ Restored: Middle (concept)\nRelations restored: 4"
    assert text(graph, middle) == before
    assert edges(graph) == connected
    restored = [node(graph, id) for id in (left, middle, right)]
    for one, other in zip(restored, linked, strict=True):
        assert set(one.relations) == set(other.relations)
    assert f"- [[{middle}|Middle]]" in text(graph, left)
    assert graph.trash.items() == []
    with pytest.raises(NotFoundError):
        delete_restore.restore(graph, middle)


def test_restoring_leaves_out_relations_to_what_was_deleted_since(graph: Graph) -> None:
    left, middle, right = web(graph)
    delete_restore.delete(graph, middle)
    delete_restore.delete(graph, right)
    done = delete_restore.restore(graph, middle)
    assert done.relations == 2
    assert right not in text(graph, middle)
    assert {target for _, _, target, _ in edges(graph)} == {middle[:8]}
    assert status(graph).dangling == 0
    assert delete_restore.restore(graph, right).relations == 1  # from left, which is still there
    assert left in {edge.source for edge in graph.index.edges([right])}


def test_restoring_closes_no_circle_of_supersession(graph: Graph) -> None:
    one, two, three = (kept(graph, title, COMPLETE, "decision") for title in ("One", "Two", "Three"))
    relate.relate(graph, one, two, "supersedes")
    relate.relate(graph, two, three, "supersedes")
    delete_restore.delete(graph, two)
    relate.relate(graph, three, one, "supersedes")
    assert delete_restore.restore(graph, two).relations == 1
    assert {(e.source, e.target) for e in graph.index.edges()} == {(two, three), (three, one)}


def test_a_node_is_not_restored_over_a_living_one(graph: Graph) -> None:
    id = kept(graph, "A note")
    delete_restore.delete(graph, id)
    graph.new_id = lambda: id
    kept(graph, "Another of that id")
    with pytest.raises(StorageError, match="a node with this id exists"):
        delete_restore.restore(graph, id)
    assert node(graph, id).title == "Another of that id"


def test_the_trash_is_asked_by_unambiguous_beginnings_only(graph: Graph) -> None:
    kept(graph, "A note")
    delete_restore.delete(graph, an_id(1))
    for requests in ("0000001", "ffffffff", ""):
        with pytest.raises(NotFoundError):
            delete_restore.restore(graph, requests)
    assert delete_restore.restore(graph, "00000001").node.title == "A note"


# ---- status -------------------------------------------------------------------------------------------------


def test_status_lists_every_type_with_zero_too(graph: Graph) -> None:
    shown = statistics.status(status(graph))
    assert shown["totalNodes"] == shown["totalRelations"] == 0
    assert list(shown["nodesByType"]) == [type.value for type in NodeType]
    assert list(shown["relationsByType"]) == [type.value for type in RelationType]
    assert list(shown["nodesByStatus"]) == [state.value for state in NodeStatus]
    assert "autology_capture" in shown["next"]
    assert not graph.files.exists()


def test_status_counts_what_there_is(graph: Graph) -> None:
    web(graph)
    kept(graph, "Decided", "no sections", "decision")
    shown = statistics.status(status(graph))
    assert (shown["totalNodes"], shown["totalRelations"]) == (4, 5)
    assert (shown["nodesByType"]["concept"], shown["nodesByType"]["decision"]) == (3, 1)
    assert (shown["relationsByType"]["uses"], shown["relationsByType"]["supersedes"]) == (3, 0)
    assert shown["nodesByStatus"] == {"active": 3, "needs_review": 1, "superseded": 0}
    assert shown["unreadable"] == []
    assert shown["danglingRelations"]["count"] == 0
    assert "next" not in shown


# ---- the projection ------------------------------------------------------------------------------------------


def test_the_projection_holds_a_relation_a_line_sorted(graph: Graph) -> None:
    web(graph)
    data = (graph.files.read_projection(graph_index_file.NAME) or b"").decode()
    first, *lines, last = data.splitlines()
    assert first.startswith('{"version": "1.0", "lastUpdated": "2026-')
    assert last == "]}"
    assert len(lines) == 5
    relations = json.loads(data)["relations"]
    assert relations == sorted(relations, key=lambda r: (r["source"], r["target"], r["type"]))
    assert list(relations[0]) == ["source", "target", "type", "description", "confidence"]


@pytest.mark.parametrize("damage", [None, b"", b"{", b'{"relations": [{}]}', b"\xff\xfe"])
def test_a_missing_or_broken_projection_is_rebuilt(graph: Graph, damage: bytes | None) -> None:
    web(graph)
    good = graph.files.read_projection(graph_index_file.NAME)
    save(graph, f".autology/{graph_index_file.NAME}", damage)
    assert len(search(graph, NodeQuery(related_to=an_id(2))).hits) == 2  # it is never read as truth
    assert graph_index_file.write(graph) == 5
    assert (
        json.loads(graph.files.read_projection(graph_index_file.NAME) or b"")["relations"]
        == json.loads(good or b"")["relations"]
    )
