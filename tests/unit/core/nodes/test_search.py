"""Finding: by id, by words, by the plain formula; filters are exact, what was replaced comes last and says by what."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from autology.core.content.recent_edits import RecentEdits
from autology.core.nodes import relate
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.search import NodeQuery, search
from autology.core.nodes.update import Fields, update
from autology.files.node_folder import AutologyFolder
from autology.index.sqlite import SqliteIndex
from autology.model.errors import AmbiguousIdError, NotFoundError, ValidationError
from autology.model.node import NodeStatus
from autology.text.notes.node_file import write_node
from tests.fakes.encoder import Thesaurus
from tests.fakes.files import MemoryFiles
from tests.fakes.index import MemoryIndex
from tests.fakes.project import BEGIN, Clock, a_graph, a_node, an_id, ids, on_disk, save


@pytest.fixture(params=["memory", "disk"])
def graph(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return a_graph() if request.param == "memory" else on_disk(tmp_path_factory.mktemp("project"))


def kept(graph: Graph, title: str, content: str = "text", type: str = "concept", **more: object) -> str:
    return capture(graph, Material(title, content, type, **more), automatic=2.0).node.id  # type: ignore[arg-type]


def hit_titles(graph: Graph, query: str = "", **more: object) -> list[str]:
    return [hit.node.title for hit in search(graph, NodeQuery(query, **more)).hits]  # type: ignore[arg-type]


# ---- by words ---------------------------------------------------------------------------------------------


def test_an_exact_title_is_never_below_a_vaguer_one(graph: Graph) -> None:
    for number in range(8):
        kept(graph, f"Storage engine storage engine {number}", "storage engine " * 50)
    kept(graph, "Storage engine", "a very short text")
    kept(graph, "The storage engine of storage engines", "storage engine storage engine " * 80)
    for query in ("Storage engine", "storage  ENGINE", "stórage engine"):
        assert hit_titles(graph, query)[0] == "Storage engine"


def test_an_exact_title_made_of_stop_words_is_found(graph: Graph) -> None:
    kept(graph, "What it is", "nothing")
    kept(graph, "Other", "what it is, and what it was")
    assert hit_titles(graph, "What it is")[0] == "What it is"


def test_an_exact_title_must_pass_the_filters_all_the_same(graph: Graph) -> None:
    kept(graph, "Storage engine", type="issue")
    kept(graph, "Storage engine notes", tags=("a",))
    assert hit_titles(graph, "Storage engine", type="concept") == ["Storage engine notes"]
    assert hit_titles(graph, "Storage engine", tags=("a",)) == ["Storage engine notes"]


def test_notes_with_all_words_rank_above_notes_with_some(graph: Graph) -> None:
    kept(graph, "Alpha", "red green blue")
    kept(graph, "Beta", "red red red red")
    kept(graph, "Gamma", "yellow")
    assert hit_titles(graph, "red green blue", limit=10) == ["Alpha", "Beta"]


# ---- what answers, if no limit is given ---------------------------------------------------------------------------


def test_without_a_limit_notes_much_weaker_than_the_best_are_left_out_and_counted(graph: Graph) -> None:
    kept(graph, "Alpha", "red green blue")
    kept(graph, "Beta", "red red red red")
    answer = search(graph, NodeQuery("red green blue"))
    assert ([hit.node.title for hit in answer.hits], answer.left_out) == (["Alpha"], 1)
    answer = search(graph, NodeQuery("red green blue", limit=10))
    assert (len(answer.hits), answer.left_out) == (2, 0)


def test_a_note_that_only_holds_words_of_asking_is_no_answer(graph: Graph) -> None:
    kept(graph, "Postgres", "the database for orders")
    kept(graph, "Scissors", "use any, whenever people use them")
    assert hit_titles(graph, "which database do we use, if any?") == ["Postgres"]


def test_a_note_that_holds_as_much_of_the_subject_as_the_best_one_answers_too(graph: Graph) -> None:
    kept(graph, "Retry limits", "retry limits " * 6)
    kept(graph, "Upload", "filler " * 400 + "the limits of a retry are checked here")
    assert hit_titles(graph, "retry limits") == ["Retry limits", "Upload"]


def test_scores_are_between_nothing_and_one(graph: Graph) -> None:
    for number in range(6):
        kept(graph, f"Note {number}", "storage " * (number + 1))
    scores = [hit.score for hit in search(graph, NodeQuery("storage note")).hits]
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert len(scores) == 6


def test_a_hit_says_where_in_a_long_text_it_is(graph: Graph) -> None:
    kept(graph, "Long", "filler words here. " * 400 + "\n\nthe needle is here\n\n" + "more filler. " * 200)
    (hit,) = search(graph, NodeQuery("needle")).hits
    assert hit.passage is not None
    assert "needle" in hit.node.content[slice(*hit.passage)]


def test_nothing_found_is_an_answer(graph: Graph) -> None:
    kept(graph, "A note")
    for mode in ("words", "exact"):
        answer = search(graph, NodeQuery("zebra", mode=mode))
        assert (answer.hits, answer.more, answer.notes) == ((), False, ())


def test_a_search_without_its_encoder_says_that_it_goes_by_words_alone(graph: Graph) -> None:
    kept(graph, "A note")
    (note,) = search(graph, NodeQuery("note")).notes
    assert "only lexical search" in note


def test_a_hit_tells_what_it_is_ranked_by(graph: Graph) -> None:
    old = kept(graph, "Storage of notes", "storage storage", "decision")
    relate.relate(graph, kept(graph, "Tokens", "storage of tokens, storage", "decision"), old, "supersedes")
    for hit in search(graph, NodeQuery("storage")).hits:
        assert {"words", "title"} & set(hit.explain)
        assert sum(hit.explain.values()) == pytest.approx(hit.relevance, abs=0.001)
    assert search(graph, NodeQuery("storage")).hits[1].explain["superseded"] < 0


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'",
        "*",
        "AND OR NOT",
        "NEAR(a b)",
        "a:b",
        "-x",
        "(",
        "%",
        "\ud800",
        "\x00",
        "🦆",
        "x" * 9_999,
        "aB" * 4_000,
        "a b " * 2_400,
    ],
)
def test_no_question_breaks_anything(graph: Graph, query: str) -> None:
    kept(graph, "A note")
    for mode in ("words", "exact"):
        assert len(search(graph, NodeQuery(query, mode=mode)).hits) <= 1


# ---- each leg on its own case ---------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "disk"])
def meant(request: pytest.FixtureRequest, tmp_path: Path) -> Graph:
    """A project whose index knows what words mean."""
    if request.param == "memory":
        return a_graph(index=MemoryIndex(Thesaurus()))
    index = SqliteIndex(lambda: str(tmp_path / "index.sqlite"), Thesaurus)
    return Graph(AutologyFolder(str(tmp_path)), index, Clock(), ids())


def test_another_word_for_it_finds_by_meaning_what_no_word_finds(meant: Graph) -> None:
    kept(meant, "Fleet", "every automobile has a plate")
    kept(meant, "Doors", "nothing of it")
    assert hit_titles(meant, "vehicle", mode="words") == []
    (hit,) = search(meant, NodeQuery("vehicle")).hits
    assert (hit.node.title, set(hit.explain)) == ("Fleet", {"meaning"})
    assert search(meant, NodeQuery("vehicle")).notes == ()


def test_a_name_finds_by_words_what_has_no_meaning(meant: Graph) -> None:
    kept(meant, "Fleet", "every automobile has a plate called XQ-17")
    (hit,) = search(meant, NodeQuery("XQ-17")).hits
    assert "words" in hit.explain
    assert "meaning" not in hit.explain


def test_words_and_meaning_together_come_before_either(meant: Graph) -> None:
    kept(meant, "Only meaning", "an automobile")
    kept(meant, "Only words", "a plate on the wall")
    kept(meant, "Both", "the plate of an automobile")
    assert hit_titles(meant, "vehicle plate")[0] == "Both"


def test_semantically_distant_notes_are_not_found(meant: Graph) -> None:
    kept(meant, "Fleet", "every automobile has a plate")
    assert hit_titles(meant, "login") == []


# ---- by id --------------------------------------------------------------------------------------------------


def test_an_id_or_its_beginning_finds_its_node(graph: Graph) -> None:
    id = kept(graph, "A note")
    kept(graph, "Another", f"speaks of {id}")
    for query in (id, id[:8], id.upper(), f" {id} "):
        (hit,) = search(graph, NodeQuery(query)).hits
        assert (hit.node.id, hit.score) == (id, 1.0)


def test_an_id_outside_the_filter_is_not_found_by_it(graph: Graph) -> None:
    id = kept(graph, "A note")
    assert hit_titles(graph, id, type="issue") == []


# ---- filters ------------------------------------------------------------------------------------------------


def test_every_filter_is_exact_in_every_mode(graph: Graph) -> None:
    first = kept(graph, "Storage one", "storage", tags=("a", "b"), references=("src/auth/jwt.py",))
    second = kept(graph, "Storage two", "storage", "issue", tags=("a",), confidence=0.6)
    third = kept(graph, "Storage three", "storage", tags=("a", "b"), references=("docs",))
    relate.relate(graph, first, second, "uses")
    update(graph, third, Fields(status="needs_review"))
    cases: list[tuple[dict[str, object], set[str]]] = [
        ({"tags": ("a", "B ")}, {"Storage one", "Storage three"}),
        ({"type": "issue"}, {"Storage two"}),
        ({"status": "needs_review"}, {"Storage three"}),
        ({"min_confidence": 0.9}, {"Storage one", "Storage three"}),
        ({"references": ("src/auth",)}, {"Storage one"}),
        ({"references": ("docs/guide.md",)}, {"Storage three"}),
        ({"related_to": first[:8]}, {"Storage two"}),
        ({"related_to": second, "type": "concept", "tags": ("b",)}, {"Storage one"}),
        ({"tags": ("a", "z")}, set()),
    ]
    for filters, expected in cases:
        for query in ("storage", ""):
            for mode in ("words", "exact"):
                assert set(hit_titles(graph, query, mode=mode, **filters)) == expected, (filters, query, mode)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (NodeQuery(limit=0), "validation error: limit: 0 is outside 1-100"),
        (NodeQuery(limit=101), "validation error: limit: 101 is outside 1-100"),
        (NodeQuery(offset=-1), "validation error: offset: -1 is below 0"),
        (NodeQuery(type="idea"), "validation error: type: 'idea' is not a node type"),
        (NodeQuery(status="done"), "validation error: status: 'done' is not a status"),
        (NodeQuery(tags=("/",)), "validation error: tags: '/' is not valid"),
        (NodeQuery(min_confidence=1.5), "validation error: min_confidence: 1.5 is outside 0-1"),
        (NodeQuery(references=("/x",)), "validation error: references: '/x' is absolute"),
        (NodeQuery(mode="fuzzy"), "validation error: mode: 'fuzzy' is not a mode"),
        (NodeQuery("x" * 10_001), "validation error: query: has 10,001 characters"),
    ],
)
def test_invalid_search_arguments_are_named(graph: Graph, ask: NodeQuery, told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        search(graph, ask)


def test_related_to_nothing_is_an_error(graph: Graph) -> None:
    with pytest.raises(NotFoundError, match="node not found: 12345678"):
        search(graph, NodeQuery(related_to="12345678"))


# ---- pages --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "storage", "storage words of number"])
@pytest.mark.parametrize("mode", ["words", "exact"])
def test_pages_put_together_are_the_whole_list(graph: Graph, query: str, mode: str) -> None:
    for number in range(25):
        kept(graph, f"Storage {number}", f"words of storage number {'storage ' * number}", confidence=0.5 + number / 60)
    whole = hit_titles(graph, query, limit=100, mode=mode)
    pages = [hit_titles(graph, query, limit=7, offset=at, mode=mode) for at in range(0, 28, 7)]
    assert [title for page in pages for title in page] == whole
    assert len(whole) == (25 if mode == "words" or query != "storage words of number" else 0)
    if whole:
        assert [search(graph, NodeQuery(query, limit=7, offset=at, mode=mode)).more for at in (0, 14, 21)] == [
            True,
            True,
            False,
        ]
    assert hit_titles(graph, query, limit=5, offset=500, mode=mode) == []


def test_ten_is_the_limit_unless_another_is_given(graph: Graph) -> None:
    for number in range(12):
        kept(graph, f"Storage {number}")
    assert len(hit_titles(graph, "storage")) == len(hit_titles(graph)) == 10


# ---- what was replaced ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["words", "exact"])
@pytest.mark.parametrize("query", ["Use session cookies", "session", ""])
def test_a_superseded_node_comes_after_its_replacement_and_names_it(graph: Graph, query: str, mode: str) -> None:
    old = kept(graph, "Use session cookies", "session session session session", "decision")
    new = kept(graph, "Tokens now", "instead of what use session cookies had: a session", "decision")
    relate.relate(graph, new, old, "supersedes")
    hits = search(graph, NodeQuery(query, mode=mode)).hits
    assert [hit.node.id for hit in hits] == [new, old]
    assert [source.id for source in hits[1].superseded_by] == [new]
    assert hits[0].superseded_by == ()


def test_a_chain_of_replacements_is_in_order(graph: Graph) -> None:
    ids = [kept(graph, f"Version {number}", "storage " * (9 - number)) for number in range(4)]
    for newer, older in zip(ids[1:], ids, strict=False):
        relate.relate(graph, newer, older, "supersedes")
    hits = search(graph, NodeQuery("storage")).hits
    assert [hit.node.id for hit in hits] == ids[::-1]
    assert [hit.node.status for hit in hits[1:]] == [NodeStatus.SUPERSEDED] * 3


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("mode", ["words", "exact"])
def test_pages_keep_replacements_first_and_omit_no_hit(graph: Graph, limit: int, mode: str) -> None:
    ids = [kept(graph, f"Note {number}", "storage " * (12 - number)) for number in range(9)]
    for newer, older in ((8, 0), (7, 1), (6, 8)):
        relate.relate(graph, ids[newer], ids[older], "supersedes")
    whole = [hit.node.id for hit in search(graph, NodeQuery("storage", limit=100, mode=mode)).hits]
    pages = [
        hit.node.id
        for at in range(0, 9, limit)
        for hit in search(graph, NodeQuery("storage", limit=limit, offset=at, mode=mode)).hits
    ]
    assert pages == whole
    assert sorted(whole) == sorted(ids)
    for newer, older in ((8, 0), (7, 1), (6, 8)):
        assert whole.index(ids[newer]) < whole.index(ids[older])


# ---- the plain formula ------------------------------------------------------------------------------------


def test_the_worked_example_of_the_founding_document() -> None:
    graph = a_graph()
    node = a_node(
        1,
        title="JWT Authentication Implementation",
        content="authentication system using authentication tokens...",
        tags=("auth", "security"),
        confidence=0.9,
        modified=(BEGIN - timedelta(days=2)).isoformat().replace("+00:00", "Z"),
    )
    assert isinstance(graph.files, MemoryFiles)
    graph.files.save(node.path, write_node(node, {}).encode())
    (hit,) = search(graph, NodeQuery("authentication", mode="exact")).hits
    assert hit.score == 0.98


def test_each_part_of_the_plain_formula_counts(graph: Graph) -> None:
    graph.now = Clock(timedelta(0))
    kept(graph, "Plain", "nothing", confidence=0.5)
    (hit,) = search(graph, NodeQuery("plain", mode="exact")).hits
    assert hit.score == pytest.approx(0.5 + 0.1 + 0.1)  # title, confidence × 0.2, recent
    kept(graph, "Many", "term " * 9, confidence=1.0)
    (hit,) = search(graph, NodeQuery("term", mode="exact")).hits
    assert hit.score == pytest.approx(0.5 + 0.2 + 0.1)  # capped occurrences
    kept(graph, "Tagged", "x", tags=("zeta-one", "zeta-two"), confidence=1.0)
    (hit,) = search(graph, NodeQuery("ZETA", mode="exact")).hits
    assert hit.score == pytest.approx(0.6 + 0.2 + 0.1)
    graph.now.at += timedelta(days=7)  # type: ignore[attr-defined]
    (hit,) = search(graph, NodeQuery("zeta", mode="exact")).hits
    assert hit.score == pytest.approx(0.8)


def test_the_formula_finds_parts_of_words_and_only_what_holds_them(graph: Graph) -> None:
    kept(graph, "Authentication")
    kept(graph, "Other", "unrelated")
    assert hit_titles(graph, "thentic", mode="exact") == ["Authentication"]
    assert hit_titles(graph, "auth tication", mode="exact") == []


# ---- what happens beside ------------------------------------------------------------------------------------


def test_a_node_whose_file_was_edited_to_another_id_is_not_mistaken(graph: Graph) -> None:
    id = kept(graph, "A note", "storage")
    graph.refresh(walk=True)
    graph.freshness.cost = 60.0  # as in a very large project: it does not look at every file again yet,
    graph.edits = RecentEdits(graph.files.scan_one, tuple)  # nobody reports edits, and it was not modified recently
    data = graph.files.read(f".autology/nodes/concepts/{id}.md")[0].replace(id.encode(), an_id(77).encode())
    save(graph, f".autology/nodes/concepts/{id}.md", data)
    assert search(graph, NodeQuery("storage")).hits == ()
    with pytest.raises(NotFoundError):
        update(graph, id, Fields(title="Mistaken"))
    assert hit_titles(graph, "storage") == ["A note"]


# ---- by the beginning of an id ------------------------------------------------------------------------------


def test_the_beginning_of_several_ids_is_an_error_that_lists_them(graph: Graph) -> None:
    for end in ("1", "2"):
        graph.new_id = lambda end=end: f"3f2a91c0-0000-4000-8000-00000000000{end}"  # type: ignore[misc]
        kept(graph, f"Twin {end}")
    with pytest.raises(AmbiguousIdError, match="matches 2 nodes") as caught:
        hit_titles(graph, "3f2a91c0")
    assert "Twin 1 (concept, 3f2a91c0-0000-4000-8000-000000000001)" in str(caught.value)
    assert hit_titles(graph, "3f2a91c0-0000-4000-8000-000000000002") == ["Twin 2"]
    update(graph, "3f2a91c0-0000-4000-8000-000000000002", Fields(tags=("a",)))
    assert hit_titles(graph, "3f2a91c0", tags=("a",)) == ["Twin 2"]


def test_seven_characters_of_an_id_find_its_node_and_fewer_say_what_is_missing(graph: Graph) -> None:
    graph.new_id = lambda: "3f2a91c0-0000-4000-8000-000000000001"
    kept(graph, "Gateway")
    assert hit_titles(graph, "3f2a91c") == hit_titles(graph, "3F2A91") == ["Gateway"]
    answer = search(graph, NodeQuery("3f2a"))
    assert answer.hits == ()
    assert any(
        "too short for an id prefix: give 6 characters or more of Gateway (concept, 3f2a91c0)" in note
        for note in answer.notes
    )
    with pytest.raises(NotFoundError, match=r"Did you mean: Gateway \(concept, 3f2a91c0\)"):
        update(graph, "3f2a91c", Fields(title="x"))
