"""What every index promises, whatever it is made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology.core.content.files import Stamp
from autology.core.index.catalogue import Edge
from autology.core.index.changes import Fault, Gone, Put
from autology.core.index.index import Index
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.model.entry import CODE, CONVERSATION, DOCUMENT, MEMORY, NODE, Entry, Link
from autology.model.memory import Scope
from autology.model.node import Node, NodeStatus, NodeType, Relation, RelationType, node_path
from autology.model.passage import Passage
from autology.model.query import Filter, Terms
from autology.text.tokens import query_pairs, query_terms
from tests.fakes.encoder import Thesaurus
from tests.fakes.index import MemoryIndex
from tests.fakes.project import a_node, an_id
from tests.hub import fixtures
from tests.hub.servers import Server

MakeIndex = Callable[[], Index]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A PostgreSQL of the tests' own."""
    with fixtures.running() as made:
        yield made


@pytest.fixture(params=["sqlite", "memory", "postgres"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    """An empty index of each kind there is."""
    if request.param == "memory":
        yield MemoryIndex()
    elif request.param == "postgres":
        made, pool = fixtures.an_index(request.getfixturevalue("server"))
        yield made
        pool.close()
    else:
        yield SqliteIndex(lambda: str(tmp_path / "index.sqlite"))


def put(node: Node, path: str | None = None, at: int = 1) -> Put:
    return NodeCodec().project(path or node.path, Stamp(10, at), node)


def filled(index: Index, *nodes: Node) -> Index:
    index.apply([put(node) for node in nodes])
    return index


def hit_ids(
    index: Index, question: str, where: Filter | None = None, every: bool = False, limit: int = 10
) -> list[str]:
    terms = Terms(query_terms(question))
    return [hit.source.id for hit in index.lexical_candidates(terms, where or Filter(), every, limit)]


def a_saying(number: int, **fields: object) -> Put:
    day = f"2026-03-{number:02}T00:00:00Z"
    kind = str(fields.pop("kind", CONVERSATION))
    entry = Entry(an_id(number), kind, kind, "", day, day, **fields)  # type: ignore[arg-type]
    return Put(f"said/{number}", Stamp(1, 1), entry, (Passage(0, 21, "", "how does caching work"),))


@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        ({}, [1, 2, 3, 4]),
        ({"projects": ("one",)}, [1, 2]),
        ({"projects": ("one", "two")}, [1, 2, 3]),
        ({"projects": ("none of them",)}, []),
        ({"since": "2026-03-03T00:00:00Z"}, [3, 4]),
        ({"until": "2026-03-03T00:00:00Z"}, [1, 2]),
        ({"since": "2026-03-02T00:00:00Z", "until": "2026-03-03T00:00:00Z"}, [2]),
        ({"session": "s2"}, [2]),
        ({"language": "python"}, [3]),
        ({"kind": CODE, "projects": ("two",)}, [3]),
        ({"kind": CODE, "projects": ("one",)}, []),
    ],
)
def test_conversations_are_filtered_by_project_time_session_and_language(
    index: Index, where: dict[str, object], numbers: list[int]
) -> None:
    index.apply(
        [
            a_saying(1, project="one"),
            a_saying(2, project="one", session="s2"),
            a_saying(3, project="two", kind=CODE, language="python"),
            a_saying(4),
            put(a_node(9, title="caching")),
        ]
    )
    passing = Filter(**{"kind": None, **where})  # type: ignore[arg-type]
    ids = [an_id(number) for number in numbers]
    assert sorted(id for id in hit_ids(index, "caching", passing) if id != an_id(9)) == ids
    assert sorted(source.id for source in index.listed(passing, -1, "") if source.id != an_id(9)) == ids


def a_memory(number: int, **fields: object) -> Put:
    day = f"2026-03-{number:02}T00:00:00Z"
    kind = str(fields.pop("type", "observation"))
    entry = Entry(f"m{number}", MEMORY, kind, "", day, day, **fields)  # type: ignore[arg-type]
    return Put(f".autology/memory/{kind}/m{number}.md", Stamp(1, 1), entry, (Passage(0, 21, "", "how caching works"),))


@pytest.mark.parametrize(
    ("where", "found_ones"),
    [
        ({}, ["m1", "m2", "m3", "m4"]),
        ({"scope": Scope()}, ["m1", "m2", "m3", "m4"]),
        ({"scope": Scope(org="one")}, ["m1", "m2"]),
        ({"scope": Scope(org="one", project="here")}, ["m1"]),
        ({"scope": Scope(project="here")}, ["m1", "m3"]),
        ({"scope": Scope(branch="main")}, ["m1"]),
        ({"scope": Scope(org="None")}, []),
        ({"types": ("todo", "risk")}, ["m3", "m4"]),
        ({"types": ("todo",), "scope": Scope(org="two")}, ["m3"]),
        ({"alive_at": "2026-04-01T00:00:00Z"}, ["m2", "m3", "m4"]),
        ({"alive_at": "2026-03-31T23:59:59Z"}, ["m1", "m2", "m3", "m4"]),
        ({"alive_at": "2026-06-01T00:00:00Z", "scope": Scope(org="two")}, []),
    ],
)
def test_memories_are_filtered_by_scope_kind_and_lifetime(
    index: Index, where: dict[str, object], found_ones: list[str]
) -> None:
    index.apply(
        [
            a_memory(1, org="one", scope_project="here", branch="main", expires_at="2026-04-01T00:00:00Z"),
            a_memory(2, org="one", scope_project="there"),
            a_memory(3, org="two", scope_project="here", type="todo", expires_at="2026-05-01T00:00:00Z"),
            a_memory(4, type="risk"),
            put(a_node(9, title="caching")),
        ]
    )
    passing = Filter(**{"kind": MEMORY, **where})  # type: ignore[arg-type]
    assert sorted(set(hit_ids(index, "caching", passing))) == found_ones
    assert sorted(source.id for source in index.listed(passing, -1, "")) == found_ones


@pytest.mark.parametrize(
    ("kinds", "found_ones"),
    [((), [an_id(9), "m1"]), ((MEMORY,), ["m1"]), ((NODE, DOCUMENT), [an_id(9)]), ((NODE, MEMORY), [an_id(9), "m1"])],
)
def test_several_kinds_can_be_searched_together(index: Index, kinds: tuple[str, ...], found_ones: list[str]) -> None:
    index.apply([a_memory(1), put(a_node(9, title="caching"))])
    passing = Filter(kind=None, kinds=kinds)
    assert sorted(set(hit_ids(index, "caching", passing))) == found_ones
    assert sorted(source.id for source in index.listed(passing, -1, "")) == found_ones


def test_edges_at_a_memory_are_listed_up_to_a_limit(index: Index) -> None:
    ties = [a_memory(n, type="relation", links=(Link("source_id", "m1", description="uses"),)) for n in range(2, 9)]
    document = Put("a.md", Stamp(1, 1), Entry("a", DOCUMENT, DOCUMENT, "", "", "", links=(Link("LINKS_TO", "m1"),)), ())
    node = a_node(1, relations=(Relation(RelationType.USES, "m1"),))
    index.apply([a_memory(1), *ties, document, put(node)])
    every = index.note_edges(["m1"], 50)
    assert [(edge.source, edge.type) for edge in every] == [
        (an_id(1), "uses"), *((f"m{n}", "source_id") for n in range(2, 9))
    ]  # fmt: skip
    assert every[1].description == "uses"
    assert len(index.note_edges(["m1"], 3)) == 3
    assert [edge.target for edge in index.note_edges(["m2", "m3"], 3)] == ["m1", "m1"]
    assert list(index.note_edges([], 3)) == []


def test_spans_of_passages_are_listed_in_order(index: Index) -> None:
    long = a_node(3, content="\n\n".join(f"Paragraph {n}. " + "word " * 150 for n in range(9)))
    filled(index, long, a_node(4))
    spans = index.spans([long.id, an_id(4), an_id(77)])
    assert set(spans) == {long.id, an_id(4)}
    assert spans[long.id][0][0] == 0
    assert spans[long.id][-1][1] == len(long.content)
    assert [stop for _, stop in spans[long.id][:-1]] == [start for start, _ in spans[long.id][1:]]
    assert index.spans([]) == {}


def test_a_memory_says_whom_it_is_for_and_until_when(index: Index) -> None:
    index.apply([a_memory(1, org="one", scope_project="here", branch="main", expires_at="2026-04-01T00:00:00Z")])
    source = index.by_ids(["m1"])["m1"]
    assert (source.org, source.scope_project, source.branch) == ("one", "here", "main")
    assert (source.kind, source.type, source.expires_at) == (MEMORY, "observation", "2026-04-01T00:00:00Z")


# ---- files in, files out -----------------------------------------------------------------------------


def test_an_empty_index_answers_every_question(index: Index) -> None:
    assert index.generation() == index.generation() != ""
    assert (index.stamps(), index.by_prefix("0", 5), index.by_ids([an_id(1)]), index.by_title(["x"])) == (
        {},
        [],
        {},
        [],
    )
    assert (list(index.edges()), dict(index.tags()), list(index.faults()), list(index.dangling(5))) == ([], {}, [], [])
    assert (hit_ids(index, "anything"), list(index.listed(Filter(), -1, ""))) == ([], [])
    assert list(index.sharing(["a"], ["b"], ["c"], 5)) == list(index.of_session([an_id(1)], 5)) == []
    counts = index.counts()
    assert (dict(counts.nodes), dict(counts.relations), counts.dangling, counts.faults) == ({}, {}, 0, 0)
    index.apply([])


def test_a_file_is_known_by_its_last_state_only(index: Index) -> None:
    filled(index, a_node(1, title="Old words", tags=("old",), references=("old.py",)))
    after = a_node(1, title="New words", tags=("new",), references=("new.py",))
    index.apply([put(after, at=2)])
    assert index.stamps() == {after.path: Stamp(10, 2)}
    assert [source.title for source in index.by_prefix("00000001", 5)] == ["New words"]
    assert dict(index.tags()) == {"new": 1}
    assert hit_ids(index, "old") == []
    assert hit_ids(index, "old.py", every=True) == []
    assert list(index.sharing(["old"], ["old.py"], ["words"], 5)) == [an_id(1)]  # for the word alone


def test_prepared_and_unprepared_changes_are_indexed_alike(index: Index) -> None:
    one, two = (
        a_node(number, title=f"Caching {number}", content="How it is kept.", tags=("kept",)) for number in (1, 2)
    )
    index.apply([index.prepare(put(one)), put(two)])
    assert set(hit_ids(index, "caching", every=True)) == set(hit_ids(index, "how it is kept")) == {one.id, two.id}
    index.apply([index.prepare(index.prepare(put(one, at=2)))])
    assert index.stamps() == {one.path: Stamp(10, 2), two.path: Stamp(10, 1)}
    assert index.spans([one.id])[one.id] == index.spans([two.id])[two.id] != ()


def test_every_node_is_listed_with_each_of_its_tags(index: Index) -> None:
    filled(index, a_node(2, tags=("b", "a")), a_node(1, tags=("a",)), a_node(3))
    assert list(index.tagged()) == [(an_id(1), "a"), (an_id(2), "a"), (an_id(2), "b")]


def test_a_file_that_is_gone_leaves_nothing_behind(index: Index) -> None:
    relation = Relation(RelationType.USES, an_id(2))
    node = a_node(
        1, tags=("a",), relations=(relation,), session="s", references=("x.py",), extra={"origin": "adr/1.md"}
    )
    filled(index, node)
    index.apply([Gone(node.path)])
    assert (index.stamps(), list(index.edges()), dict(index.tags())) == ({}, [], {})
    assert (hit_ids(index, "note text"), dict(index.by_origin()), list(index.of_session(["s"], 5))) == ([], {}, [])
    index.apply([Gone(node.path)])  # once more is harmless


def test_a_source_is_its_node_without_content(index: Index) -> None:
    node = a_node(
        7, type=NodeType.DECISION, title="Use JWT", status=NodeStatus.NEEDS_REVIEW, confidence=0.65, session="s-1",
        modified="2026-03-01T00:00:00Z", extra={"origin": "docs/adr/1.md"},
    )  # fmt: skip
    source = filled(index, node).by_ids([node.id, an_id(99)])[node.id]
    assert (source.id, source.type, source.title, source.status) == (node.id, "decision", "Use JWT", "needs_review")
    assert (source.confidence, source.session, source.origin) == (0.65, "s-1", "docs/adr/1.md")
    assert (source.created, source.modified, source.path) == (node.created, node.modified, node.path)
    assert dict(index.by_origin()) == {"docs/adr/1.md": node.id}


def test_a_moved_file_is_the_same_node_in_its_new_place(index: Index) -> None:
    filled(index, a_node(1))
    moved = node_path(NodeType.ISSUE, an_id(1))
    # In whatever order the two halves of the move come.
    index.apply([put(a_node(1, type=NodeType.ISSUE), moved), Gone(a_node(1).path)])
    assert list(index.stamps()) == [moved]
    assert index.by_ids([an_id(1)])[an_id(1)].path == moved
    assert list(index.faults()) == []


def test_an_unreadable_file_is_reported_and_not_found(index: Index) -> None:
    filled(index, a_node(1), a_node(2))
    index.apply([Fault(a_node(1).path, Stamp(3, 9), "has no frontmatter")])
    assert list(index.faults()) == [(a_node(1).path, "has no frontmatter")]
    assert index.counts().faults == 1
    assert hit_ids(index, "note") == [an_id(2)] * len(hit_ids(index, "note"))
    assert index.stamps()[a_node(1).path] == Stamp(3, 9)
    index.apply([put(a_node(1), at=10)])
    assert list(index.faults()) == []
    index.apply([Fault("other.md", Stamp(1, 1), "is empty"), Gone("other.md")])
    assert index.counts().faults in (0, 1)  # a Gone of the same batch may come first
    index.apply([Gone("other.md")])
    assert list(index.faults()) == []


# ---- two files with one id ---------------------------------------------------------------------------


TWIN = ".autology/nodes/issues/copy.md"


def twins(index: Index) -> None:
    filled(index, a_node(1, title="The first"))
    index.apply([put(a_node(1, title="The copy", tags=("copy",)), TWIN)])


def test_the_second_file_with_an_id_is_reported_and_the_first_stays(index: Index) -> None:
    twins(index)
    ((path, reason),) = index.faults()
    assert path == TWIN
    assert a_node(1).path in reason
    assert "same id" in reason
    assert [source.title for source in index.by_prefix(an_id(1), 5)] == ["The first"]
    assert dict(index.tags()) == {}


@pytest.mark.parametrize("change", ["goes", "gets another id", "breaks"])
def test_a_duplicate_is_indexed_once_the_first_file_frees_its_id(index: Index, change: str) -> None:
    twins(index)
    first = a_node(1).path
    steps = {
        "goes": Gone(first),
        "gets another id": put(a_node(2, title="The first"), first, at=2),
        "breaks": Fault(first, Stamp(1, 2), "is empty"),
    }
    index.apply([steps[change]])
    # What it believes of the second differs from the file now: the next look reads it again.
    assert TWIN not in index.stamps()
    index.apply([put(a_node(1, title="The copy"), TWIN)])
    assert index.by_ids([an_id(1)])[an_id(1)].title == "The copy"
    assert TWIN not in dict(index.faults())


def test_the_second_file_stays_reported_while_the_first_only_changes(index: Index) -> None:
    twins(index)
    index.apply([put(a_node(1, title="The first, again"), at=2)])
    assert [path for path, _ in index.faults()] == [TWIN]


# ---- looking up ---------------------------------------------------------------------------------------


def test_ids_are_found_by_any_prefix(index: Index) -> None:
    filled(index, a_node(0xABC1), a_node(0xABC2), a_node(0xABD1))
    assert sorted(s.id for s in index.by_prefix("0000abc", 5)) == [an_id(0xABC1), an_id(0xABC2)]
    assert [s.id for s in index.by_prefix(an_id(0xABD1), 5)] == [an_id(0xABD1)]
    assert index.by_prefix("ffff", 5) == []
    assert len(index.by_prefix("0000", 2)) == 2


def test_titles_are_found_whatever_their_case_accents_and_spacing(index: Index) -> None:
    filled(index, a_node(1, title="Über  JWT"), a_node(2, title="Über JWTs"))
    assert [s.id for s in index.by_title(["uber jwt"])] == [an_id(1)]
    assert sorted(s.id for s in index.by_title(["ÜBER JWTS", "Uber JWT"])) == [an_id(1), an_id(2)]
    assert index.by_title(["jwt"]) == []


@pytest.mark.parametrize("text", ["\ud800", "a\x00b", "'; DROP TABLE source; --", '"', "%", "*", "NEAR(", "a" * 9_000])
def test_no_text_that_is_asked_for_can_break_it(index: Index, text: str) -> None:
    filled(index, a_node(1))
    assert index.by_title([text]) == []
    hit_ids(index, text)
    hit_ids(index, text, every=True)
    assert index.counts().nodes == {"concept": 1}


def test_more_ids_than_one_statement_takes_are_looked_up(index: Index) -> None:
    nodes = [a_node(n) for n in range(1, 1_201)]
    filled(index, *nodes)
    ids = [node.id for node in nodes]
    assert len(index.by_ids(ids)) == 1_200
    assert len(index.by_title([node.title for node in nodes])) == 1_200
    assert len(index.listed(Filter(ids=tuple(ids[:1_100])), -1, "")) == 1_100
    assert list(index.edges(ids)) == []


# ---- words ---------------------------------------------------------------------------------------------


def test_words_are_found_in_title_tags_headings_and_body(index: Index) -> None:
    filled(
        index,
        a_node(1, title="Alpha things"),
        a_node(2, tags=("alpha",)),
        a_node(3, content="# Alpha\nbody"),
        a_node(4, content="the alpha stands here"),
        a_node(5, content="nothing of it"),
    )
    assert set(hit_ids(index, "alpha")) == {an_id(1), an_id(2), an_id(3), an_id(4)}
    fields = {(hit.source.id, hit.field) for hit in index.lexical_candidates(Terms((("alpha",),)), Filter(), False, 10)}
    assert (an_id(1), "title") in fields
    assert (an_id(4), "body") in fields


def test_references_descriptions_and_own_keys_are_found_too(index: Index) -> None:
    relation = Relation(RelationType.USES, an_id(9), description="because of zanzibar")
    filled(
        index,
        a_node(1, references=("src/quokka.py",)),
        a_node(2, relations=(relation,)),
        a_node(3, extra={"aliases": "wombat"}),
    )
    assert [hit_ids(index, word)[0] for word in ("quokka", "zanzibar", "wombat")] == [an_id(1), an_id(2), an_id(3)]


def test_every_asks_for_all_terms_in_one_place(index: Index) -> None:
    filled(index, a_node(1, content="red green"), a_node(2, content="red"), a_node(3, content="green"))
    assert hit_ids(index, "red green", every=True) == [an_id(1)]
    assert set(hit_ids(index, "red green", every=False)) == {an_id(1), an_id(2), an_id(3)}


def test_of_sources_with_every_term_the_newest_comes_first(index: Index) -> None:
    filled(index, *(a_node(number, content="red green") for number in range(1, 6)))
    assert hit_ids(index, "red green", every=True, limit=3) == [an_id(5), an_id(4), an_id(3)]


def test_more_of_a_rare_word_comes_before_less_of_a_common_one(index: Index) -> None:
    common = [a_node(n, content="common filler") for n in range(1, 8)]
    filled(index, *common, a_node(50, content="rareword common filler"))
    assert hit_ids(index, "common rareword")[0] == an_id(50)


def test_an_identifier_is_found_whole_and_by_its_parts(index: Index) -> None:
    filled(index, a_node(1, content="call parseHttpHeader twice"), a_node(2, content="parse the header of a page"))
    assert hit_ids(index, "parseHttpHeader")[0] == an_id(1)
    assert set(hit_ids(index, "header")) == {an_id(1), an_id(2)}
    assert hit_ids(index, "parse_http_header") == hit_ids(index, "parseHttpHeader")


def test_scripts_without_spaces_are_found_by_what_stands_side_by_side(index: Index) -> None:
    filled(index, a_node(1, content="数据库连接池"), a_node(2, content="库数据"))
    assert hit_ids(index, "数据库") == [an_id(1)]
    assert set(hit_ids(index, "数据")) == {an_id(1), an_id(2)}


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("数据库连接池", "接"),
        ("数据库连接池", "池"),
        ("この設計ではデータベースを使う", "データベース"),
        ("데이터베이스를 선택했다", "데이터베이스"),
        ("เราเลือกใช้ฐานข้อมูลนี้เพราะเร็ว", "ฐานข้อมูล"),
        ("ພວກເຮົາເລືອກຖານຂໍ້ມູນນີ້", "ຖານຂໍ້ມູນ"),
        ("យើងជ្រើសរើសមូលដ្ឋានទិន្នន័យនេះ", "មូលដ្ឋានទិន្នន័យ"),
        ("хранилище данных проекта", "данных"),
        ("ההחלטה על מסד הנתונים", "הנתונים"),
        ("Größenänderung", "grossenanderung"),
    ],
)
def test_any_script_is_found_by_its_words_wherever_they_stand(index: Index, content: str, question: str) -> None:
    filled(index, a_node(1, content=f"{'filler words. ' * 60}\n\n{content}\n"), a_node(2, content="other words only"))
    assert hit_ids(index, question) == [an_id(1)]


def test_a_sentence_without_spaces_finds_what_shares_some_of_it(index: Index) -> None:
    filled(index, a_node(1, content="我们选择了关系数据库"), a_node(2, content="天气很好"))
    assert hit_ids(index, "为什么我们要选择这个数据库呢")[0] == an_id(1)


def test_text_is_found_to_its_end(index: Index) -> None:
    filled(index, a_node(1, content="filler words here.\n\n" * 8_000 + "the quokka is last"), a_node(2))
    assert hit_ids(index, "quokka") == [an_id(1)]


def test_words_side_by_side_come_before_the_same_words_apart(index: Index) -> None:
    apart = "the cache was cold and somebody wrote of a page while the eviction went on"
    beside = "somebody wrote of page cache eviction while it was cold"
    filled(index, a_node(1, content=apart), a_node(2, content=beside))
    terms = Terms(query_terms("page cache eviction"), query_pairs("page cache eviction"))
    assert index.lexical_candidates(terms, Filter(), False, 5)[0].source.id == an_id(2)


def test_the_title_and_the_heading_belong_to_every_passage(index: Index) -> None:
    content = "# Zanzibar\n" + "filler words. " * 300 + "\n\nthe needle is here\n"
    filled(index, a_node(1, title="Quokka", content=content))
    (hit,) = index.lexical_candidates(Terms((("needle",), ("quokka",), ("zanzibar",))), Filter(), True, 5)
    assert hit.passage is not None
    assert "needle" in content[slice(*hit.passage)]


def test_scores_of_further_passages_of_a_source_are_returned(index: Index) -> None:
    content = "".join(f"# Part {n}\nneedle {'filler words. ' * 90}\n\n" for n in range(3))
    filled(index, a_node(1, content=content), a_node(2, content="a needle"))
    hits = {hit.source.id: hit for hit in index.lexical_candidates(Terms((("needle",),)), Filter(), False, 5)}
    assert len(hits[an_id(1)].others) == 2
    assert all(other <= hits[an_id(1)].score for other in hits[an_id(1)].others)
    assert hits[an_id(2)].others == ()


def test_a_passage_says_where_the_body_answered(index: Index) -> None:
    content = "# One\n" + "filler words. " * 120 + "\n\n# Two\nthe needle is here\n"
    filled(index, a_node(1, content=content))
    (hit,) = [hit for hit in index.lexical_candidates(Terms((("needle",),)), Filter(), True, 5) if hit.field == "body"]
    assert hit.passage is not None
    assert "needle" in content[slice(*hit.passage)]


def test_filters_come_before_the_cut(index: Index) -> None:
    loud = [a_node(n, title="storage storage storage", content="storage " * 9) for n in range(1, 40)]
    quiet = a_node(77, type=NodeType.ISSUE, content="one storage among many other words that stand here")
    filled(index, *loud, quiet)
    assert set(hit_ids(index, "storage", Filter(type="issue"), limit=1)) == {an_id(77)}
    assert [s.id for s in index.listed(Filter(type="issue"), 1, "")] == [an_id(77)]


# ---- meaning -------------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "memory", "postgres"])
def meant(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    """An empty index of each kind, with an encoder."""
    if request.param == "memory":
        yield MemoryIndex(Thesaurus())
    elif request.param == "postgres":
        made, pool = fixtures.an_index(request.getfixturevalue("server"), Thesaurus())
        yield made
        pool.close()
    else:
        yield SqliteIndex(lambda: str(tmp_path / "meant.sqlite"), Thesaurus)


def near(index: Index, question: str, where: Filter | None = None, limit: int = 10) -> list[str]:
    return [hit.source.id for hit in index.semantic_candidates(question, where or Filter(), limit)]


def test_without_an_encoder_nothing_is_found_by_meaning(index: Index) -> None:
    filled(index, a_node(1, content="a car"))
    assert (index.encoder_state().name, near(index, "car")) == ("", [])


def test_passages_with_a_known_word_are_counted(meant: Index, index: Index) -> None:
    nodes = (a_node(1, title="A car", content="text"), a_node(2, title="Nothing known", content="zzz"))
    assert (filled(index, *nodes).vector_count(), filled(meant, *nodes).vector_count()) == (0, 1)


def test_another_word_for_it_is_found_by_meaning_and_not_by_words(meant: Index) -> None:
    contents = ("an automobile", "the login", "nothing of it")
    filled(meant, *(a_node(number, content=content) for number, content in enumerate(contents, 1)))
    assert meant.encoder_state().name == meant.encoder()[0] == "thesaurus-1"
    assert hit_ids(meant, "vehicle") == []
    assert near(meant, "vehicle")[0] == an_id(1)
    assert near(meant, "authentication")[0] == an_id(2)
    assert an_id(3) not in near(meant, "vehicle")
    assert near(meant, "unheard") == []


def test_a_hit_by_meaning_says_where_and_how_near(meant: Index) -> None:
    content = "# One\n" + "filler words. " * 120 + "\n\n# Two\nan automobile\n"
    filled(meant, a_node(1, content=content))
    (hit,) = meant.semantic_candidates("car", Filter(), 5)
    assert hit.field == "meaning"
    assert hit.passage is not None
    assert "automobile" in content[slice(*hit.passage)]
    assert hit.score == pytest.approx(1.0, abs=0.02)


def test_rows_are_those_of_what_passes_the_latest_first(meant: Index, index: Index) -> None:
    days = {number: f"2026-03-0{number}T10:00:00Z" for number in (1, 2, 3)}
    nodes = [a_node(n, content="automobile", modified=days[n]) for n in (2, 3, 1)]
    other = a_node(9, type=NodeType.ISSUE, content="automobile")
    filled(meant, *nodes, other, a_node(8, title="Nothing known", content="zzz"))
    rows = meant.vectors(Filter(type="concept"), 10)
    assert [id for id, _ in rows] == [an_id(3), an_id(2), an_id(1)]
    assert {len(row) for _, row in rows} == {len(rows[0][1])}
    assert [id for id, _ in meant.vectors(Filter(type="concept", since=days[2]), 1)] == [an_id(3)]
    assert list(filled(index, *nodes).vectors(Filter(), 10)) == []


def test_filters_come_before_the_cut_by_meaning(meant: Index) -> None:
    crowd = [a_node(n, content="automobile") for n in range(1, 600)]
    filled(meant, *crowd, a_node(900, type=NodeType.ISSUE, content="vehicle login"))
    assert near(meant, "car", Filter(type="issue"), limit=1) == [an_id(900)]
    assert len(near(meant, "car", Filter(type="concept"), limit=7)) == 7


def test_semantic_search_reflects_changes_and_deletions(meant: Index) -> None:
    filled(meant, a_node(1, content="automobile"), a_node(2, content="login"))
    assert near(meant, "car")[0] == an_id(1)
    meant.apply([put(a_node(1, content="latency"), at=2), put(a_node(3, content="vehicle"))])
    assert near(meant, "car")[0] == an_id(3)
    assert near(meant, "slow")[0] == an_id(1)
    meant.apply([Gone(a_node(3).path), Gone(a_node(2).path)])
    assert near(meant, "slow") == [an_id(1)]


# ---- filters -------------------------------------------------------------------------------------------


def passing(index: Index, **fields: object) -> set[int]:
    listed = index.listed(Filter(**fields), -1, "")  # type: ignore[arg-type]
    return {int(source.id[:8], 16) for source in listed}


def test_all_tags_must_match(index: Index) -> None:
    filled(index, a_node(1, tags=("a", "b")), a_node(2, tags=("a",)), a_node(3, tags=("a", "b", "c")), a_node(4))
    assert passing(index, tags=("a", "b")) == {1, 3}
    assert passing(index, tags=("b", "z")) == set()
    assert passing(index, tags=()) == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        ({"path": "docs/api"}, [1, 2]),
        ({"path": "docs/api/one.md"}, [1]),
        ({"path": "docs"}, [1, 2, 3]),
        ({"path": "docs/ap"}, []),
        ({"path": "docs/%"}, []),
        ({"author": "ada lovelace"}, [1, 3]),
        ({"author": "Ada"}, []),
        ({"author": "Grace Hopper", "path": "docs/api"}, [2]),
        ({"trust": "user"}, [1]),
        ({"trust": "assistant"}, [1, 2]),
        ({"trust": "tool"}, [1, 2, 3]),
    ],
)
def test_path_and_author_can_be_filtered(index: Index, where: dict[str, object], numbers: list[int]) -> None:
    def page(number: int, path: str, authors: tuple[str, ...], trust: str) -> Put:
        day = "2026-03-01T00:00:00Z"
        entry = Entry(an_id(number), DOCUMENT, DOCUMENT, "", day, day, authors=authors, trust=trust)
        return Put(path, Stamp(1, 1), entry, (Passage(0, 21, "", "how does caching work"),))

    index.apply(
        [
            page(1, "docs/api/one.md", ("Ada Lovelace",), "user"),
            page(2, "docs/api/two.md", ("Grace  Hopper", "Alan"), "assistant"),
            page(3, "docs/apis.md", ("Ada Lovelace", "Alan"), "tool"),
        ]
    )
    passing = Filter(**{"kind": None, **where})  # type: ignore[arg-type]
    ids = [an_id(number) for number in numbers]
    assert sorted(hit_ids(index, "caching", passing)) == ids
    assert sorted(source.id for source in index.listed(passing, -1, "")) == ids


def test_status_type_and_least_confidence_are_exact(index: Index) -> None:
    filled(
        index,
        a_node(1, status=NodeStatus.SUPERSEDED, confidence=0.5),
        a_node(2, confidence=0.7, type=NodeType.ISSUE),
        a_node(3, confidence=0.69999),
    )
    assert passing(index, status="superseded") == {1}
    assert passing(index, min_confidence=0.7) == {2}
    assert passing(index, min_confidence=0.0) == {1, 2, 3}
    assert passing(index, type="issue", status="active", min_confidence=0.1) == {2}
    assert passing(index, type="issue", status="superseded") == set()


def test_a_reference_matches_the_file_its_folder_and_what_lies_in_it(index: Index) -> None:
    filled(
        index,
        a_node(1, references=("src/auth/jwt.py",)),
        a_node(2, references=("src/auth",)),
        a_node(3, references=("src/authors.py", "src/auth.py")),
        a_node(4, references=("docs/100%_sure.md",)),
        a_node(5),
    )
    assert passing(index, references=("src/auth/jwt.py",)) == {1, 2}
    assert passing(index, references=("src/auth",)) == {1, 2}
    assert passing(index, references=("src",)) == {1, 2, 3}
    assert passing(index, references=("src/auth.py",)) == {3}
    assert passing(index, references=("docs/100%_sure.md",)) == {4}
    assert passing(index, references=("docs/100x-sure.md",)) == set()  # no wildcard
    assert passing(index, references=("src/auth.py", "docs")) == {3, 4}


def test_related_means_by_an_edge_in_either_direction(index: Index) -> None:
    filled(
        index,
        a_node(1, relations=(Relation(RelationType.USES, an_id(2)),)),
        a_node(2),
        a_node(3, relations=(Relation(RelationType.AFFECTS, an_id(1)),)),
        a_node(4),
    )
    assert passing(index, related_to=an_id(1)) == {2, 3}
    assert passing(index, related_to=an_id(2)) == {1}
    assert passing(index, related_to=an_id(4)) == set()
    assert passing(index, related_to=an_id(1), ids=(an_id(3), an_id(4))) == {3}


def test_listed_puts_the_current_the_sure_and_the_recent_first(index: Index) -> None:
    filled(
        index,
        a_node(1, status=NodeStatus.SUPERSEDED, confidence=1.0, modified="2026-03-09T00:00:00Z"),
        a_node(2, confidence=0.5, modified="2026-03-01T00:00:00Z"),
        a_node(3, confidence=0.9, modified="2026-01-01T00:00:00Z"),
        a_node(4, confidence=0.9, modified="2026-01-02T00:00:00Z"),
    )
    order = [int(s.id[:8], 16) for s in index.listed(Filter(), -1, "2026-02-20T00:00:00Z")]
    # 0.5 × 0.2 + 0.1 for being recent is 0.2, more than 0.9 × 0.2.
    assert order == [2, 4, 3, 1]
    assert [int(s.id[:8], 16) for s in index.listed(Filter(), 2, "2026-02-20T00:00:00Z")] == [2, 4]


# ---- the graph -----------------------------------------------------------------------------------------


def test_edges_are_those_of_the_files_sorted(index: Index) -> None:
    first = Relation(RelationType.USES, an_id(2), 0.9, "why")
    second = Relation(RelationType.AFFECTS, an_id(3))
    filled(
        index,
        a_node(1, relations=(first, second)),
        a_node(2),
        a_node(3, relations=(Relation(RelationType.USES, an_id(2)),)),
    )
    every = [
        Edge(an_id(1), "affects", an_id(3), 0.8, None),
        Edge(an_id(1), "uses", an_id(2), 0.9, "why"),
        Edge(an_id(3), "uses", an_id(2), 0.8, None),
    ]
    assert list(index.edges()) == every
    assert list(index.edges(limit=2)) == every[:2]
    assert list(index.edges([an_id(2)])) == every[1:]
    assert list(index.edges([an_id(3), an_id(2)])) == every
    assert list(index.edges([])) == []


@pytest.mark.parametrize("index", ["sqlite", "memory"], indirect=True)
def test_relations_are_lines_of_json_sorted_by_their_ends(index: Index) -> None:
    odd = 'says "no"\\\tétage \x7f \u2028 🙂'
    filled(
        index,
        a_node(
            1,
            relations=(
                Relation(RelationType.USES, an_id(2), 0.1 + 0.2, odd),
                Relation(RelationType.AFFECTS, an_id(3), 1.0),
            ),
        ),
        a_node(2),
        a_node(3, relations=(Relation(RelationType.USES, an_id(2), 0.00001),)),
    )
    lines = (index.relation_lines() or "").split("\n")
    assert list(map(json.loads, lines)) == [
        {"source": an_id(1), "target": an_id(2), "type": "uses", "description": odd, "confidence": 0.1 + 0.2},
        {"source": an_id(1), "target": an_id(3), "type": "affects", "confidence": 1.0},
        {"source": an_id(3), "target": an_id(2), "type": "uses", "confidence": 0.00001},
    ]
    assert lines[1] == f'{{"source": "{an_id(1)}", "target": "{an_id(3)}", "type": "affects", "confidence": 1.0}}'
    assert index.relation_lines(most=3) == index.relation_lines()
    assert index.relation_lines(most=2) is None


def test_edges_to_what_does_not_exist_are_dangling(index: Index) -> None:
    filled(
        index, a_node(1, relations=(Relation(RelationType.USES, an_id(2)), Relation(RelationType.USES, "elsewhere")))
    )
    assert {edge.target for edge in index.dangling(10)} == {an_id(2), "elsewhere"}
    assert len(index.dangling(1)) == 1
    assert index.counts().dangling == 2
    filled(index, a_node(2))
    assert [edge.target for edge in index.dangling(10)] == ["elsewhere"]


def test_a_relation_written_twice_is_one_edge_and_the_later_counts(index: Index) -> None:
    filled(
        index,
        a_node(1, relations=(Relation(RelationType.USES, an_id(2), 0.5), Relation(RelationType.USES, an_id(2), 0.7))),
    )
    assert [edge.confidence for edge in index.edges()] == [0.7]


def test_counts_are_by_type_status_and_relation(index: Index) -> None:
    filled(
        index,
        a_node(1, type=NodeType.ISSUE, relations=(Relation(RelationType.USES, an_id(2)),)),
        a_node(2, status=NodeStatus.SUPERSEDED),
        a_node(3),
    )
    counts = index.counts()
    assert dict(counts.nodes) == {"issue": 1, "concept": 2}
    assert dict(counts.statuses) == {"active": 2, "superseded": 1}
    assert dict(counts.relations) == {"uses": 1}


def test_nodes_that_share_most_come_first_up_to_the_limit(index: Index) -> None:
    filled(
        index,
        a_node(1, tags=("a",)),
        a_node(2, tags=("a", "b"), title="Storage engine"),
        a_node(3, references=("x.py",)),
        a_node(4, title="Nothing shared here", tags=("z",)),
    )
    shared = list(index.sharing(["a", "b"], ["x.py"], ["storage"], 10))
    assert shared[0] == an_id(2)
    assert set(shared) == {an_id(1), an_id(2), an_id(3)}
    assert list(index.sharing(["a", "b"], ["x.py"], ["storage"], 1)) == [an_id(2)]
    assert list(index.sharing([], [], [], 10)) == []


def test_a_tag_that_everybody_has_does_not_crowd_out_what_shares_more(index: Index) -> None:
    crowd = [a_node(n, tags=("common",)) for n in range(1, 120)]
    filled(index, a_node(500, tags=("rare", "common")), *crowd)
    shared = list(index.sharing(["common", "rare"], [], [], 10))
    assert len(shared) == 10
    assert an_id(500) in shared


def test_nodes_of_a_session_are_found(index: Index) -> None:
    filled(index, a_node(1, session="s-1"), a_node(2, session="s-2"), a_node(3, session="s-1"), a_node(4))
    assert list(index.of_session(["s-1"], 10)) == [an_id(1), an_id(3)]
    assert list(index.of_session(["s-1", "s-2"], 2)) == [an_id(1), an_id(2)]
    assert list(index.of_session([], 10)) == []


# ---- any sequence of changes ---------------------------------------------------------------------------

numbers = st.integers(1, 5)
node_values = st.builds(
    lambda number, title, tags, targets, type, status: a_node(
        number,
        title=title,
        tags=tuple(tags),
        type=type,
        status=status,
        relations=tuple(Relation(RelationType.USES, an_id(target)) for target in targets),
    ),
    numbers,
    st.sampled_from(["Use JWT", "Cache words", "note of storage"]),
    st.lists(st.sampled_from(["a", "b", "c"]), unique=True, max_size=3),
    st.lists(numbers, unique=True, max_size=3),
    st.sampled_from(NodeType),
    st.sampled_from(NodeStatus),
)
paths = st.builds(lambda n: f".autology/nodes/concepts/{n}.md", st.integers(1, 6))
steps = st.one_of(
    st.builds(put, node_values, paths, st.integers(1, 9)),
    st.builds(lambda path, at: Fault(path, Stamp(0, at), "is empty"), paths, st.integers(1, 9)),
    st.builds(Gone, paths),
)


@settings(max_examples=60)
@given(st.lists(st.lists(steps, max_size=3, unique_by=lambda step: step.path), max_size=8))
def test_the_sqlite_and_memory_indexes_agree_after_any_changes(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Put]]
) -> None:
    place = str(tmp_path_factory.mktemp("index") / "index.sqlite")
    both: list[Index] = [SqliteIndex(lambda: place), MemoryIndex()]
    for batch in batches:
        for index in both:
            index.apply(batch)
        one, other = both
        assert one.stamps() == other.stamps()
        assert list(one.edges()) == list(other.edges())
        assert dict(one.tags()) == dict(other.tags())
        assert list(one.listed(Filter(), -1, "")) == list(other.listed(Filter(), -1, ""))
        assert [path for path, _ in one.faults()] == [path for path, _ in other.faults()]
        assert set(hit_ids(one, "jwt storage")) == set(hit_ids(other, "jwt storage"))
        for counted in (one.counts(), other.counts()):
            assert (counted.dangling, counted.faults) == (len(one.dangling(99)), len(one.faults()))


@settings(max_examples=8)
@given(st.lists(st.lists(steps, max_size=3, unique_by=lambda step: step.path), max_size=5))
def test_the_postgres_index_agrees_after_any_changes(server: Server, batches: list[list[Put]]) -> None:
    made, pool = fixtures.an_index(server)
    both: list[Index] = [made, MemoryIndex()]
    try:
        for batch in batches:
            for index in both:
                index.apply(batch)
            assert what_it_knows(both[0]) == what_it_knows(both[1])
    finally:
        pool.close()


def what_it_knows(index: Index) -> list[object]:
    return [
        index.stamps(),
        list(index.edges()),
        dict(index.tags()),
        list(index.listed(Filter(), -1, "")),
        [path for path, _ in index.faults()],
        set(hit_ids(index, "jwt storage")),
    ]


# ---- documents ----------------------------------------------------------------------------------------


def a_document(name: str, *aliases: str, at: int = 1) -> Put:
    made = "2026-02-08T10:00:00Z"
    entry = Entry(name, DOCUMENT, DOCUMENT, name.title(), made, made, aliases=(name, *aliases))
    return Put(f"docs/{name}.md", Stamp(10, at), entry, ())


def test_documents_are_found_by_every_name_they_answer_to(index: Index) -> None:
    index.apply([a_document("guide", "Le Guidé"), a_document("other"), put(a_node(1, title="guide"))])
    assert [(n.id, n.path) for n in index.by_name(["LE  guide", "nothing"], DOCUMENT)] == [("guide", "docs/guide.md")]
    assert [(n.id, n.names) for n in index.named(DOCUMENT)] == [("guide", ("guide", "le guide")), ("other", ("other",))]
    assert list(index.by_name(["guide"], NODE)) == []
    index.apply([a_document("guide", at=2), Gone("docs/other.md")])
    assert [n.names for n in index.named(DOCUMENT)] == [("guide",)]


def test_faults_and_counts_are_of_one_kind(index: Index) -> None:
    index.apply([a_document("a"), Fault("docs/b.md", Stamp(1, 1), "is no text", DOCUMENT), put(a_node(1))])
    assert (list(index.faults()), list(index.faults(DOCUMENT))) == ([], [("docs/b.md", "is no text")])
    assert (index.counts().faults, dict(index.counts().nodes)) == (0, {"concept": 1})
    assert index.stamps(DOCUMENT).keys() == {"docs/a.md", "docs/b.md"}


def test_a_remark_lasts_as_long_as_the_index(index: Index) -> None:
    assert index.metadata("x") == ""
    index.set_metadata("x", "one")
    index.set_metadata("x", "two\nlines")
    assert (index.metadata("x"), index.metadata("y")) == ("two\nlines", "")


# ---- links ---------------------------------------------------------------------------------------------


def test_linked_edges_exclude_tags_and_sources_with_too_many(index: Index) -> None:
    def doc(id: str, *hit_ids: Link) -> Put:
        return Put(f"{id}.md", Stamp(1, 1), Entry(id, DOCUMENT, "document", id, "2026", "2026", links=hit_ids), ())

    one = filled(index, a_node(1), a_node(2, relations=(Relation(RelationType.USES, an_id(1), 0.5),)))
    crowd = [doc(f"n{number}", Link("CITES", "hub")) for number in range(6)]
    cites = (Link("CITES", an_id(1)), Link("TAGGED_AS", "hub"))
    one.apply([doc("a", *cites), doc("hub"), *crowd])
    touching = {(edge.source, edge.type, edge.target, edge.confidence) for edge in one.linked([an_id(1)], 5)}
    assert touching == {(an_id(2), "uses", an_id(1), 0.5), ("a", "CITES", an_id(1), 1.0)}
    assert [(edge.type, edge.target) for edge in one.linked(["a"], 5)] == [("CITES", an_id(1))]
    assert list(one.linked(["hub"], 5)) == []
    assert len(one.linked(["hub", "a"], 6)) == 7
    assert list(one.linked([], 5)) == list(one.linked(["nobody"], 5)) == []
