"""What the SQLite index does with words beyond what every index promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.index.text import lexical_search
from autology.model.node import Node
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms
from tests.fakes.encoder import Thesaurus
from tests.fakes.project import a_node, an_id


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(tmp_path / "index.sqlite"))


def put(node: Node) -> Put:
    return NodeCodec().project(node.path, Stamp(10, 1), node)


def hit_ids(index: SqliteIndex, question: str) -> list[str]:
    return [hit.source.id for hit in index.lexical_candidates(Terms(query_terms(question)), Filter(), False, 10)]


def near(index: SqliteIndex, question: str) -> list[str]:
    return [hit.source.id for hit in index.semantic_candidates(question, Filter(), 10)]


def test_search_finds_inflected_forms_and_ranks_the_exact_form_first(index: SqliteIndex) -> None:
    others = [a_node(n, content="nothing of it") for n in range(10, 20)]
    forms = [a_node(1, content="we deploy it"), a_node(2, content="we deployed it"), a_node(3, content="deploying it")]
    index.apply([put(node) for node in [*others, *forms]])
    assert hit_ids(index, "deployed")[0] == an_id(2)
    assert hit_ids(index, "deploying")[0] == an_id(3)
    assert set(hit_ids(index, "deploys")) == {an_id(1), an_id(2), an_id(3)}


def test_a_word_in_nearly_every_note_counts_only_when_it_is_the_whole_query(
    index: SqliteIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical_search, "POSTINGS", 100)
    crowd = [a_node(n, content="common words") for n in range(10, 210)]
    index.apply([put(node) for node in [*crowd, a_node(1, content="rare words")]])
    assert hit_ids(index, "common rare") == [an_id(1)]
    assert len(hit_ids(index, "common")) == 10
    assert len(hit_ids(index, "common words")) == 10


# ---- meaning ------------------------------------------------------------------------------------------------


def test_vectors_in_memory_follow_what_another_process_writes(tmp_path: Path) -> None:
    one, other = (SqliteIndex(lambda: str(tmp_path / "index.sqlite"), Thesaurus) for _ in range(2))
    one.apply([put(a_node(n, content="login")) for n in range(1, 40)])
    assert near(one, "car") != [an_id(50)]
    other.apply([put(a_node(50, content="automobile"))])
    assert near(one, "car")[0] == an_id(50)
    other.apply([Gone(a_node(n).path) for n in range(1, 40)])
    assert near(one, "login") == [an_id(50)]


def test_a_new_encoder_encodes_everything_again_while_lexical_search_works(tmp_path: Path) -> None:
    place = str(tmp_path / "index.sqlite")
    old = SqliteIndex(lambda: place, Thesaurus)
    old.apply([put(a_node(1, content="automobile")), put(a_node(2, content="login"))])
    before = old.generation()
    new = SqliteIndex(lambda: place, lambda: Thesaurus("thesaurus-2"))
    new.apply([put(a_node(3, content="vehicle"))])
    assert near(new, "car") == [an_id(3)]
    assert hit_ids(new, "automobile") == [an_id(1)]
    assert new.generation() != before  # so that whoever holds the old one looks again
    assert {path for path, stamp in new.stamps().items() if stamp != Stamp(10, 1)} == {
        a_node(1).path,
        a_node(2).path,
    }
    new.apply([put(a_node(1, content="automobile")), put(a_node(2, content="login"))])
    assert set(near(new, "car")[:2]) == {an_id(1), an_id(3)}
