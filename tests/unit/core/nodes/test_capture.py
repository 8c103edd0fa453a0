"""Capturing: what is kept, how sure of it one is, what it is related to, and what the caller is told."""

from __future__ import annotations

import pytest

from autology.core.nodes import relate
from autology.core.nodes.capture import Material, RequestedRelation, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.search import NodeQuery, search
from autology.core.nodes.update import Fields, update
from autology.model.errors import AmbiguousIdError, NotFoundError, ValidationError
from autology.model.node import DecisionStatus, NodeStatus, NodeType, Relation, RelationType
from autology.render import nodes
from autology.text.notes.node_file import read_node
from tests.fakes.files import MemoryFiles
from tests.fakes.project import a_graph, an_id, on_disk

COMPLETE = "## Context\nwhy\n\n## Decision\nwhat\n\n## Alternatives\nelse\n\n## Consequences\nthen\n"


@pytest.fixture(params=["memory", "disk"])
def graph(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return a_graph() if request.param == "memory" else on_disk(tmp_path_factory.mktemp("project"))


def kept(
    graph: Graph, title: str = "A note", content: str = "text", type: str | None = "concept", **more: object
) -> str:
    return capture(graph, Material(title, content, type, **more)).node.id  # type: ignore[arg-type]


# ---- what is kept ---------------------------------------------------------------------------------------


def test_a_capture_is_a_file_that_reads_back_as_the_node(graph: Graph) -> None:
    done = capture(graph, Material("Use JWT", COMPLETE, "decision", ("Auth", "API Design"), ("src/auth.py",), "s-1"))
    data, _ = graph.files.read(f".autology/nodes/decisions/{done.node.id}.md")
    assert read_node(data.decode()) == done.node
    assert (done.node.tags, done.node.references, done.node.session) == (
        ("auth", "api-design"),
        ("src/auth.py",),
        "s-1",
    )
    assert done.node.created == done.node.modified


def test_reading_makes_no_folder_and_capturing_does(graph: Graph) -> None:
    assert search(graph, NodeQuery("anything")).hits == ()
    assert not graph.files.exists()
    kept(graph)
    assert graph.files.exists()


@pytest.mark.parametrize(
    ("source", "confidence"),
    [("manual", 0.9), ("hook_commit", 0.85), ("hook_file_change", 0.85), ("hook_auto", 0.7), ("import_adr", 0.9)],
)
def test_the_confidence_of_a_note_follows_from_its_source(graph: Graph, source: str, confidence: float) -> None:
    node = capture(graph, Material("A note", "text", "concept", source=source)).node
    assert (node.source, node.confidence) == (source, confidence)


def test_a_given_confidence_is_kept_from_a_half_up(graph: Graph) -> None:
    assert capture(graph, Material("A note", "text", "concept", confidence=0.5)).node.confidence == 0.5
    for unsure in (0.49, 0.0):
        with pytest.raises(ValidationError, match=r"validation error: confidence: .* too low to be stored"):
            kept(graph, confidence=unsure)
    for wrong in (-0.1, 1.1, float("nan"), float("inf")):
        with pytest.raises(ValidationError, match=r"validation error: confidence: .* outside 0-1"):
            kept(graph, confidence=wrong)


def test_a_given_type_is_used_and_nearly_sure(graph: Graph) -> None:
    done = capture(graph, Material("We decided on a module", "a bug in a session", "pattern"))
    assert (done.node.type, done.classification.confidence, done.classification.confident) == (
        NodeType.PATTERN,
        0.95,
        True,
    )


def test_a_type_that_is_not_given_is_guessed_and_doubt_is_said(graph: Graph) -> None:
    done = capture(graph, Material("A plain remark", "nothing telling"))
    assert (done.node.type, done.classification.confidence, done.classification.confident) == (
        NodeType.CONCEPT,
        0.0,
        False,
    )
    assert len(done.classification.alternatives) == 3


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"title": ""}, "validation error: title: is empty"),
        ({"title": " \n "}, "validation error: title: is empty"),
        ({"title": "x" * 101}, "validation error: title: has 101 characters"),
        ({"title": "two\nlines"}, r"validation error: title: contains the control character U\+000A"),
        ({"content": ""}, "validation error: content: is empty"),
        ({"content": " \n\t"}, "validation error: content: is empty"),
        ({"content": "a\x00b"}, r"validation error: content: contains U\+0000 at character 1"),
        ({"content": "a\ud800"}, r"validation error: content: contains U\+D800"),
        ({"type": "idea"}, "validation error: type: 'idea' is not a node type. Use one of: decision, component"),
        ({"tags": ("ok", "日本")}, "validation error: tags: '日本' is not valid"),
        ({"tags": ("",)}, "validation error: tags: '' is not valid"),
        ({"references": ("/etc/passwd",)}, "validation error: references: '/etc/passwd' is absolute"),
        ({"references": ("~/x",)}, "validation error: references: '~/x' is absolute"),
        ({"references": ("C:\\x",)}, r"validation error: references: 'C:\\x' is absolute"),
        ({"references": ("a/../../b",)}, "validation error: references: 'a/../../b' lies outside"),
        ({"references": ("..\\b",)}, "lies outside"),
        ({"references": (".",)}, "is the project itself"),
        ({"references": tuple(f"f{n}" for n in range(201))}, "201 paths"),
        ({"source": "somebody"}, "validation error: source: 'somebody' is not valid"),
        (
            {"relations": (RequestedRelation("likes", an_id(1)),)},
            "validation error: type: 'likes' is not a relation type",
        ),
        (
            {"relations": (RequestedRelation("uses", an_id(1), None, 2.0),)},
            "validation error: confidence: 2.0 is outside 0-1",
        ),
    ],
)
def test_invalid_capture_arguments_are_named_and_nothing_is_stored(
    graph: Graph, change: dict[str, object], told: str
) -> None:
    kept(graph, "There already")
    files = dict(graph.files.scan())
    with pytest.raises(ValidationError, match=told) as caught:
        capture(graph, Material(**{"title": "New", "content": "text", "type": "concept", **change}))  # type: ignore[arg-type]
    assert str(caught.value).endswith((".", "?"))
    assert dict(graph.files.scan()) == files


def test_titles_and_contents_of_every_kind_are_kept_as_they_are(graph: Graph) -> None:
    for title in ("null", "~", "true", "1.10", "2024-01-01", "a: b", "# x", "'q'", '"', "---", "数据库", "x" * 100):
        for content in (
            "---\nx\n---\n",
            "\r\nCRLF\r\n",
            "## Related\n- [[x]]\n",
            "```\n---\n```",
            "<!-- autology:related -->",
        ):
            node = capture(graph, Material(title, content, "concept"), automatic=2.0).node
            assert (node.title, node.content) == (title, content)
            (hit,) = search(graph, NodeQuery(node.id)).hits
            assert hit.node == node


def test_tags_are_normalised_and_each_kept_once(graph: Graph) -> None:
    node = capture(graph, Material("A", "b", "concept", ("  Rate Limits ", "rate_limits", "RATE-LIMITS", "v2"))).node
    assert node.tags == ("rate-limits", "v2")


def test_references_are_project_paths_and_missing_ones_are_kept_and_reported(graph: Graph) -> None:
    if isinstance(graph.files, MemoryFiles):
        graph.files.project.add("src/there.py")
        there = "src/there.py"
    else:
        there = ".autology"
        graph.files.create()
    done = capture(graph, Material("A", "b", "concept", references=(f"./{there}", "src\\gone.py", "src//gone.py")))
    assert done.node.references == (there, "src/gone.py")
    assert done.absent_references == ("src/gone.py",)


def test_secrets_are_redacted_from_a_capture_and_reported(graph: Graph) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    done = capture(graph, Material("A note", f"the key is {key}, really", "concept"))
    assert done.redacted
    data, _ = graph.files.read(done.node.path)
    assert key not in data.decode()
    assert search(graph, NodeQuery(key)).hits == ()


# ---- decisions ----------------------------------------------------------------------------------------


def test_a_decision_that_lacks_sections_is_kept_for_review_and_they_are_named(graph: Graph) -> None:
    done = capture(graph, Material("Use JWT", "## Context\nwhy\n## Decision\nthis", "decision"))
    assert done.node.status is NodeStatus.NEEDS_REVIEW
    assert done.node.decision_status is DecisionStatus.ACCEPTED
    assert done.missing_sections == ("Alternatives", "Consequences")


def test_a_complete_decision_is_active_and_nothing_else_is_asked_for_sections(graph: Graph) -> None:
    done = capture(graph, Material("Use JWT", COMPLETE, "decision"))
    assert (done.node.status, done.missing_sections) == (NodeStatus.ACTIVE, ())
    other = capture(graph, Material("A thing", "text", "component"))
    assert (other.node.status, other.missing_sections, other.node.decision_status) == (NodeStatus.ACTIVE, (), None)


# ---- relations that are asked for -------------------------------------------------------------------------


def test_relations_that_are_asked_for_are_made_at_once(graph: Graph) -> None:
    one, two = kept(graph, "First thing"), kept(graph, "Second thing")
    wishes = (
        RequestedRelation("uses", one[:8], "why", 0.6),
        RequestedRelation("affects", two),
        RequestedRelation("uses", one, None, 0.7),
    )
    node = capture(graph, Material("Third", "x", "component", relations=wishes), automatic=2.0).node
    assert node.relations == (
        Relation(RelationType.USES, one, 0.7, "why"),
        Relation(RelationType.AFFECTS, two, 0.8),
    )
    data, _ = graph.files.read(node.path)
    assert data.decode().endswith(
        "\n\n<!-- autology:related -->\n## Related\n"
        f"- [[{one}|First thing]]\n- [[{two}|Second thing]]\n<!-- /autology:related -->\n"
    )


def test_superseded_notes_are_marked_and_reported(graph: Graph) -> None:
    old = kept(graph, "Use sessions", COMPLETE, "decision")
    done = capture(graph, Material("Use tokens", COMPLETE, "decision", supersedes=(old[:8],)))
    assert done.superseded == (old,)
    (hit,) = search(graph, NodeQuery(old)).hits
    assert (hit.node.status, hit.node.decision_status) == (NodeStatus.SUPERSEDED, DecisionStatus.SUPERSEDED)
    assert [source.id for source in hit.superseded_by] == [done.node.id]


def test_a_relation_to_nothing_keeps_nothing(graph: Graph) -> None:
    kept(graph, "There already")
    files = dict(graph.files.scan())
    for more in ({"relations": (RequestedRelation("uses", an_id(77)),)}, {"supersedes": (an_id(77),)}):
        with pytest.raises(NotFoundError, match=f"target node not found: {an_id(77)}"):
            capture(graph, Material("New", "x", "concept", **more))  # type: ignore[arg-type]
    assert dict(graph.files.scan()) == files
    _same_prefix(graph)
    files = dict(graph.files.scan())
    with pytest.raises(AmbiguousIdError, match="matches 2 nodes"):
        capture(graph, Material("New", "x", "concept", relations=(RequestedRelation("uses", "0000aaaa"),)))
    assert dict(graph.files.scan()) == files


def _same_prefix(graph: Graph) -> None:
    """Two nodes whose ids begin alike."""
    for end in ("1", "2"):
        graph.new_id = lambda end=end: f"0000aaaa-0000-4000-8000-00000000000{end}"  # type: ignore[misc]
        kept(graph, f"Twin {end}")
    graph.new_id = lambda: an_id(500)


# ---- duplicates --------------------------------------------------------------------------------------


def test_possible_duplicates_of_a_capture_are_reported(graph: Graph) -> None:
    text = "Tokens are signed with the private key of the service and checked by every gateway before routing."
    first = kept(graph, "Signing of tokens", text)
    cases = {
        "Same title": Material("signing  of TOKENS", "something else entirely", "concept"),
        "Same content": Material("Unlike it", f"\n{text}\n", "concept"),
        "Nearly the same content": Material("Another", f"{text} Always so.", "concept"),
    }
    for reason, material in cases.items():
        done = capture(graph, material, automatic=2.0)
        assert reason in [found.reason for found in done.duplicates if found.source.id == first]


def test_distinct_facts_that_look_alike_are_both_kept_and_not_called_the_same(graph: Graph) -> None:
    kept(graph, "Port of the staging database", "The staging database listens on port 5433.")
    done = capture(graph, Material("Colour of the logo", "The logo is blue, and green in the dark.", "concept"))
    assert done.duplicates == ()
    done = capture(graph, Material("Staging's port", "The staging database listens on port 5434.", "concept"))
    assert done.duplicates == ()
    done = capture(graph, Material("Where staging listens", "On port 5433 the staging DB listens.", "concept"))
    assert [found.reason for found in done.duplicates] == ["Nearly the same content"]


# ---- relations that are inferred -----------------------------------------------------------------------


def test_common_files_and_tags_together_make_a_relation(graph: Graph) -> None:
    first = kept(graph, "Login", "x", "component", tags=("auth", "web"), references=("src/login.py",))
    done = capture(graph, Material("Tokens", "y", "concept", ("auth", "web"), ("src/login.py",)))
    (made,) = done.created
    assert (made.type, made.source, made.target, made.confidence) == (RelationType.RELATES_TO, done.node.id, first, 1.0)
    assert made.reasons == ("Tag overlap: 100%", "Common files: [src/login.py]")
    assert done.node.relations == (Relation(RelationType.RELATES_TO, first, 1.0, "Tag overlap: 100%"),)


def test_common_files_alone_are_suggested_unless_the_setting_is_lower(graph: Graph) -> None:
    first = kept(graph, "Login", references=("src/login.py",))
    done = capture(graph, Material("Tokens", "y", "concept", references=("src/login.py",)))
    assert done.created == ()
    ((type, target, sure),) = [(item.type, item.target, item.confidence) for item in done.suggested]
    assert (type, target, sure) == (RelationType.RELATES_TO, first, 0.7)
    lower = capture(graph, Material("Keys", "z", "concept", references=("src/login.py",)), automatic=0.7)
    assert {item.target for item in lower.created} == {first, done.node.id}
    higher = capture(graph, Material("Uses it", "uses Login", "concept"), automatic=0.81)
    assert higher.created == ()


def test_tags_alone_are_never_more_than_suggested(graph: Graph) -> None:
    kept(graph, "First", tags=("a", "b"))
    done = capture(graph, Material("Second", "x", "concept", ("a", "b")))
    assert done.created == ()
    assert [(item.confidence, item.reasons) for item in done.suggested] == [(1.0, ("Tag overlap: 100%",))]


def test_a_mention_relates_in_both_directions(graph: Graph) -> None:
    speaking = kept(graph, "Gateway", "The gateway uses Token Store, and nothing else.", "component")
    done = capture(graph, Material("Token Store", "It depends on  gateway.", "component"))
    made = {(item.source, item.type, item.target) for item in done.created}
    assert made == {
        (speaking, RelationType.DEPENDS_ON, done.node.id),
        (done.node.id, RelationType.DEPENDS_ON, speaking),
    }
    (hit,) = search(graph, NodeQuery(speaking)).hits
    assert hit.node.relations == (
        Relation(RelationType.DEPENDS_ON, done.node.id, 0.8, "Dependency mentioned in content"),
    )
    data, _ = graph.files.read(hit.path)
    assert f"- [[{done.node.id}|Token Store]]" in data.decode()


def test_requested_relations_are_not_suggested_again(graph: Graph) -> None:
    first = kept(graph, "First", tags=("a",))
    wish = (RequestedRelation("relates_to", first),)
    assert capture(graph, Material("Second", "x", "concept", ("a",), relations=wish)).suggested == ()


def test_a_session_gathers_what_was_captured_in_it(graph: Graph) -> None:
    early = kept(graph, "Early", "x", "concept", session="client-7")
    session = capture(graph, Material("Work on tokens", "done", "session", session="client-7"))
    assert [(item.source, item.type, item.confidence) for item in session.created] == [
        (early, RelationType.DERIVED_FROM, 1.0)
    ]
    late = capture(graph, Material("Late", "y", "concept", session="client-7"))
    named = capture(graph, Material("Named", "z", "concept", session=session.node.id))
    for done in (late, named):
        assert (RelationType.DERIVED_FROM, session.node.id) in [(r.type, r.target) for r in done.node.relations]
    other = capture(graph, Material("Elsewhere", "w", "concept", session="client-8"))
    assert other.node.relations == ()


def test_inference_finds_its_candidates_among_many(graph: Graph) -> None:
    for number in range(120):
        kept(graph, f"Filler number {number}", f"filler {number}", tags=("common",), type="concept")
    mentioned = kept(graph, "Quiet Component", "rarely spoken of", "component")
    filed = kept(graph, "Other thing", "unlike", "concept", references=("src/rare.py",), tags=("rare",))
    done = capture(
        graph, Material("New thing", "It requires Quiet Component.", "component", ("rare",), ("src/rare.py",))
    )
    assert {item.target for item in done.created} == {mentioned, filed}


def test_notes_that_nothing_connects_are_not_related(graph: Graph) -> None:
    kept(graph, "Colour of the logo", "blue")
    done = capture(graph, Material("Port of the database", "5432", "concept"))
    assert (done.created, done.suggested, done.duplicates) == ((), (), ())


def test_capturing_after_an_edit_by_hand_sees_it(graph: Graph) -> None:
    id = kept(graph, "First", tags=("a",))
    update(graph, id, Fields(tags=("z",)))
    assert capture(graph, Material("Second", "x", "concept", ("a",))).suggested == ()
    relate.relate(graph, id, capture(graph, Material("Third", "y", "concept", ("z",))).node.id, "uses")
    assert len(graph.index.edges()) == 1


def test_a_superseding_note_gets_no_further_relation_suggested(graph: Graph) -> None:
    old = capture(graph, Material("Storage engine choice", "text", "concept", tags=("storage", "engine"))).node
    new = Material("Storage engine choice again", "other", "concept", tags=("storage", "engine"), supersedes=(old.id,))
    done = capture(graph, new)
    assert done.superseded == (old.id,)
    assert done.suggested == ()


@pytest.mark.parametrize(
    ("tag", "written"),
    [
        ("react.js", "react-js"),
        ("Fly.io", "fly-io"),
        ("@typescript-eslint", "typescript-eslint"),
        ("C++", "cpp"),
        ("C#", "csharp"),
        ("Größe", "grosse"),
        ("area/topic", "area-topic"),
    ],
)
def test_a_tag_is_brought_into_form_and_the_answer_says_so(graph: Graph, tag: str, written: str) -> None:
    done = capture(graph, Material("Form", "text", "concept", tags=(tag, "Two Words")))
    assert done.node.tags == (written, "two-words")
    assert nodes.captured(done)["tags_written_as"] == {tag: written}
    changed = update(graph, done.node.id, Fields(tags=("x", tag)))
    assert f"Tags written as: {tag} → {written}" in nodes.updated(changed)
    assert [hit.node.title for hit in search(graph, NodeQuery(tags=(tag,))).hits] == ["Form"]
    assert "tags_written_as" not in nodes.captured(capture(graph, Material("Plain", "text", tags=("a_b", "C D"))))
