"""Many files are found by their words first; their vectors come in a second pass, wherever that is interrupted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.content.plan import ALONE
from autology.core.hybrid_search import degraded
from autology.core.index import second_pass
from autology.core.index.changes import Gone, Put
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.index.vectors import unencoded_sources
from autology.model.entry import DOCUMENT, NODE
from autology.model.node import Node
from autology.model.query import Filter, Terms
from autology.render.next_steps import for_terminal
from autology.text.tokens import query_terms
from tests.fakes.encoder import Thesaurus
from tests.fakes.project import a_node

NOTES = [
    a_node(1, content="an automobile"),
    a_node(2, content="a slow login\n\n## Later\n\nthe latency of signin"),
    a_node(3, content="nothing that the table knows"),
    a_node(4, content="remove the vehicle"),
]


def an_index(folder: Path, encoder: Thesaurus | None = None) -> SqliteIndex:
    return SqliteIndex(lambda: str(folder / "index.sqlite"), lambda: encoder or Thesaurus())


def put(node: Node, at: int = 1) -> Put:
    return NodeCodec().project(node.path, Stamp(10, at), node)


def by_words_first(index: SqliteIndex, notes: Sequence[Node] = NOTES) -> SqliteIndex:
    index.apply([index.prepare(put(note), vectors=False) for note in notes])
    return index


def near(index: SqliteIndex, question: str) -> list[int]:
    hits = index.semantic_candidates(question, Filter(), 10)
    return sorted(int(hit.source.id[:8], 16) for hit in hits if hit.score > 0.5)


def rows(index: SqliteIndex) -> list[tuple[str, bytes]]:
    return sorted(index.vectors(Filter(), 1_000))


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    """Notes that are found by their words so far."""
    return by_words_first(an_index(tmp_path))


@pytest.fixture
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a transaction of the second pass store a single source."""
    monkeypatch.setattr(unencoded_sources, "RANGE", 1)


def test_words_are_found_before_there_is_a_vector_and_the_answer_says_so(index: SqliteIndex) -> None:
    terms = Terms(query_terms("automobile"))
    assert [hit.source.id for hit in index.lexical_candidates(terms, Filter(), False, 5)] == [NOTES[0].id]
    assert near(index, "car") == []
    (note,) = degraded(index, NODE)
    assert for_terminal(note).startswith("semantic search: 0 of 5 passages embedded so far; the others are found by")
    assert "autology sync" in for_terminal(note)
    assert degraded(index, DOCUMENT) == ()


def test_the_second_pass_leaves_what_encoding_at_once_would_have(index: SqliteIndex, tmp_path: Path) -> None:
    assert second_pass.encode(index, ALONE) == 0
    at_once = an_index(tmp_path / "other")
    at_once.apply(map(put, NOTES))
    assert rows(index) == rows(at_once)
    assert near(index, "car") == near(at_once, "car") == [1, 4]
    assert degraded(index, NODE) == ()
    assert index.encoder_state(NODE).unencoded == 0


def test_a_note_that_is_captured_meanwhile_has_its_vector_at_once(index: SqliteIndex) -> None:
    index.apply([put(a_node(9, content="the new vehicle"))])
    assert near(index, "car") == [9]
    second_pass.encode(index, ALONE)
    assert near(index, "car") == [1, 4, 9], "older notes come to what is in memory after newer ones"


def test_notes_changed_or_deleted_meanwhile_are_found_by_their_current_text(index: SqliteIndex) -> None:
    stale = [index.encoded(part) for part in index.unencoded_sources()]
    index.apply([put(a_node(1, content="the login"), at=2), Gone(NOTES[3].path)])
    for part in stale:
        index.store_vectors(part)
    assert second_pass.encode(index, ALONE) == 0
    assert (near(index, "car"), near(index, "signin")) == ([], [1, 2])


def test_notes_indexed_again_meanwhile_by_their_words_count_as_left(index: SqliteIndex) -> None:
    def again(done: int, total: int) -> None:
        by_words_first(index, [replace(NOTES[0], content="a red automobile")])

    assert second_pass.encode(index, ALONE, again) == 1
    assert second_pass.encode(index, ALONE) == 0
    assert near(index, "car") == [1, 4]


@pytest.mark.usefixtures("one_at_a_time")
def test_it_stops_in_time_and_goes_on_in_another_process(index: SqliteIndex, tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    assert second_pass.encode(index, ALONE, lambda *done: progress.append(done), until=time.monotonic()) == 3
    assert progress == [(1, 4)]
    assert 0 < index.encoder_state(NODE).unencoded < 5
    again = an_index(tmp_path)
    assert again.may_lack_vectors, "an earlier process may have left some"
    assert second_pass.encode(again, ALONE) == 0
    assert near(again, "car") == [1, 4]
    assert second_pass.encode(again, ALONE) == 0
    assert not again.may_lack_vectors


@pytest.mark.usefixtures("one_at_a_time")
def test_two_processes_share_the_work(index: SqliteIndex, tmp_path: Path) -> None:
    other = an_index(tmp_path)
    first, second = index.unencoded_sources(), other.unencoded_sources()
    index.store_vectors(index.encoded(first[0]))
    assert other.encoded(second[0]) == [], "what one has done, the other skips"
    raced = other.encoded(second[1])
    index.store_vectors(index.encoded(first[1]))
    other.store_vectors(raced)
    second_pass.encode(other, ALONE)
    second_pass.encode(index, ALONE)
    assert len(rows(index)) == index.vector_count() == 4


def test_vectors_of_another_encoder_are_not_stored(index: SqliteIndex, tmp_path: Path) -> None:
    other = an_index(tmp_path, Thesaurus("thesaurus-2"))
    second_pass.encode(other, ALONE)
    assert rows(index) == []
    assert index.encoder_state(NODE).unencoded == 5


def test_without_an_encoder_nothing_waits(tmp_path: Path) -> None:
    plain = by_words_first(SqliteIndex(lambda: str(tmp_path / "index.sqlite")))
    assert plain.unencoded_sources() == []


def test_no_index_is_created_to_look_for_what_waits(tmp_path: Path) -> None:
    assert second_pass.encode(an_index(tmp_path), ALONE) == 0
    assert list(tmp_path.iterdir()) == []


def test_damaged_texts_rebuild_the_index(index: SqliteIndex) -> None:
    index._file.write(lambda db: db.execute("UPDATE unencoded SET texts = x'00ff'"))
    before = index.generation()
    second_pass.encode(index, ALONE)
    assert index.generation() != before
    assert index.stamps() == {}
