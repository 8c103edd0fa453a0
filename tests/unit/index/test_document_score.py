"""How well a source as a whole matches, beside its best passage."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.index.changes import Put
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.model.hit import Candidate
from autology.model.node import Node
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.ranking.lexical_score import order
from tests.fakes.project import a_node, an_id

PADDING = "filler words. " * 90
FILLER = [a_node(number, content=f"{PADDING}\n\nanother text\n") for number in range(20, 40)]
WORDS = Terms((("quokka",), ("needle",), ("zanzibar",)))


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(tmp_path / "index.sqlite"))


def put(node: Node) -> Put:
    return NodeCodec().project(node.path, Stamp(10, 1), node)


def bodies(index: SqliteIndex) -> dict[str, Candidate]:
    candidates = index.lexical_candidates(WORDS, Filter(), False, 50)
    return {candidate.source.id: candidate for candidate in candidates if candidate.field == "body"}


def parts(*texts: str) -> str:
    return "".join(f"# Part {number}\n{text} {PADDING}\n\n" for number, text in enumerate(texts))


def test_words_spread_over_passages_count_more_than_one_word_repeated_in_all(index: SqliteIndex) -> None:
    spread = a_node(1, content=parts("a quokka", "a needle", "zanzibar"))
    repeated = a_node(2, content=parts("a quokka", "a quokka", "a quokka"))
    index.apply([put(node) for node in (spread, repeated, *FILLER)])
    found = bodies(index)
    assert found[an_id(1)].document > 1.5 * found[an_id(2)].document
    assert [hit.source.id for hit in order(list(found.values()))][:2] == [an_id(1), an_id(2)]


def test_a_source_of_one_passage_scores_as_a_whole_by_its_words_alone(index: SqliteIndex) -> None:
    index.apply([put(node) for node in (a_node(1, content="a quokka beside a needle"), *FILLER)])
    candidate = bodies(index)[an_id(1)]
    assert 0 < candidate.document <= candidate.score * (1 + bm25.EXACT)


def test_a_source_is_as_long_as_all_of_its_passages(index: SqliteIndex) -> None:
    short = a_node(1, content=parts("a quokka", "a needle"))
    long = a_node(2, content=parts("a quokka", "a needle", *["other matters"] * 8))
    index.apply([put(node) for node in (short, long, *FILLER)])
    found = bodies(index)
    assert found[an_id(1)].document > found[an_id(2)].document


def test_the_score_is_the_same_however_the_index_was_written(index: SqliteIndex, tmp_path: Path) -> None:
    nodes = [a_node(1, content=parts("a quokka", "a needle", "zanzibar")), a_node(2, content="a needle"), *FILLER]
    index.apply([put(node) for node in nodes])
    singly = SqliteIndex(lambda: str(tmp_path / "other.sqlite"))
    for node in reversed(nodes):
        singly.apply([put(node)])
    at_once, in_turn = bodies(index), bodies(singly)
    assert {id: hit.document for id, hit in at_once.items()} == pytest.approx(
        {id: hit.document for id, hit in in_turn.items()}
    )
