"""The segments that words are kept in: put together and written anew, with nothing to be seen of it."""

from __future__ import annotations

import random
import sqlite3
from array import array
from contextlib import closing
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.index.text import segments
from autology.index.text.postings import (
    BODY,
    MAX_BLOCK,
    PostingBlock,
    Postings,
    decoded_postings,
    encoded_block,
    opened,
    sealed,
    unsealed,
)
from autology.model.node import Node
from autology.model.query import Filter, Terms
from tests.fakes.project import a_node, an_id

WORDS = "cache page storage token write read lock index query node".split()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def index(place: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(place))


def put(node: Node) -> Put:
    return NodeCodec().project(node.path, Stamp(10, 1), node)


def spoken(number: int, dice: random.Random) -> Node:
    return a_node(number, content=" ".join(dice.choices(WORDS, k=dice.randrange(3, 40))))


def sizes(place: Path) -> list[int]:
    with closing(sqlite3.connect(place)) as db:
        return [many for (many,) in db.execute("SELECT many FROM segment WHERE field = ? ORDER BY rowid", (BODY,))]


def answers(index: SqliteIndex) -> list[list[tuple[str, str, float]]]:
    """What is found of every word, with scores."""
    requests = [index.lexical_candidates(Terms(((word,), ("note",))), Filter(), False, 500) for word in WORDS]
    return [sorted((hit.source.id, hit.field, round(hit.score, 9)) for hit in hits) for hits in requests]


@pytest.mark.parametrize(("small", "whole", "full"), [(64, 1_280, 4_096), (2, 60, 16), (1, 30, 3)])
def test_an_index_changed_often_ranks_like_a_rebuilt_one(
    index: SqliteIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int, whole: int, full: int
) -> None:
    """Whether its words are in rows of their segments, in many blocks, or frequent enough to have each its own."""
    for name, value in (("SMALL_SEGMENT", small), ("MAX_BLOCK", whole), ("MAX_NEW_TEXTS", full)):
        monkeypatch.setattr(segments, name, value)
    dice = random.Random(5)
    known: dict[int, Node] = {}
    for _ in range(300):
        number = dice.randrange(1, 80)
        if number in known and dice.random() < 0.3:
            index.apply([Gone(known.pop(number).path)])
        else:
            known[number] = spoken(number, dice)
            index.apply([put(known[number])])
    fresh = SqliteIndex(lambda: str(tmp_path / "fresh.sqlite"))
    fresh.apply([put(node) for node in known.values()])
    assert answers(index) == answers(fresh)


def test_many_small_writes_leave_few_segments(index: SqliteIndex, place: Path) -> None:
    dice = random.Random(6)
    for number in range(1, 130):
        index.apply([put(spoken(number, dice))])
    assert sum(sizes(place)) == 129
    assert len(sizes(place)) <= 3 * segments.MERGE_FACTOR


def test_deleted_texts_are_eventually_removed_from_their_segment(index: SqliteIndex, place: Path) -> None:
    dice = random.Random(7)
    nodes = [spoken(number, dice) for number in range(1, 41)]
    index.apply([put(node) for node in nodes])
    index.apply([Gone(node.path) for node in nodes[:5]])
    assert sizes(place) == [40]
    index.apply([Gone(node.path) for node in nodes[5:20]])
    assert sizes(place) == [20]
    index.apply([Gone(node.path) for node in nodes[20:]])
    assert sizes(place) == []


def test_a_transaction_with_very_much_writes_several_segments(
    index: SqliteIndex, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "MAX_NEW_TEXTS", 16)
    dice = random.Random(8)
    index.apply([put(spoken(number, dice)) for number in range(1, 51)])
    assert sizes(place) == [16, 16, 16, 2]
    assert len(index.lexical_candidates(Terms(((WORDS[0],),)), Filter(), False, 500)) > 20


def test_a_file_replaced_twice_in_one_transaction_is_indexed_once(index: SqliteIndex) -> None:
    first, last = a_node(1, content="cache"), a_node(1, content="cache token")
    index.apply([put(first), put(last)])
    assert [hit.source.id for hit in index.lexical_candidates(Terms((("cache",),)), Filter(), False, 9)] == [an_id(1)]


def test_corrupted_word_positions_are_rejected() -> None:
    assert decoded_postings((b"\x01\x00\x02\x00", b"ab"), 3) == (array("H", [1, 2]), b"ab")
    whole = sealed(b"\x01\x00\x02\x00ab")
    for broken in (whole[:-1], whole[1:], b"\xff" + whole[1:], "text", None):
        with pytest.raises(sqlite3.DatabaseError, match="malformed words"):
            unsealed(broken)
    for odd in ((b"\x01\x00", b"ab"), (b"\x01\x00" * 9, b"a" * 9)):
        with pytest.raises(sqlite3.DatabaseError, match="malformed words"):
            decoded_postings(odd, 3)


def test_corrupted_word_blocks_are_rejected() -> None:
    blob = encoded_block(PostingBlock(["cach", "token"], array("I", [1, 3]), b"\1\0\2\0\3\0", b"abc"))
    assert opened(sealed(blob)).postings("token") == (b"\2\0\3\0", b"bc")
    assert opened(sealed(blob)).postings("cach") == (b"\1\0", b"a")
    assert opened(sealed(blob)).postings("tok") == (b"", b"")
    assert opened(sealed(blob), "cach").with_prefix("t") == ["token"]
    for broken in (
        blob,
        sealed(blob)[:-1],
        None,
        sealed(b""),
        sealed(blob[:-6]),
        sealed(blob[:9]),
        sealed(blob[:-1] + b"\xff"),
    ):
        with pytest.raises(sqlite3.DatabaseError, match="malformed words"):
            opened(broken)
    with pytest.raises(sqlite3.DatabaseError, match="malformed words"):
        opened(sealed(blob), "cache")


def test_posting_lists_know_document_frequencies(index: SqliteIndex, place: Path) -> None:
    index.apply([put(a_node(1, content="cache cache")), put(a_node(2, content="cache token"))])
    with closing(sqlite3.connect(place)) as db:
        assert Postings(db, BODY, ("node",)).frequencies(["cach", "token", "nothing"]) == {
            "cach": 2,
            "token": 1,
            "nothing": 0,
        }
        assert Postings(db, BODY, ("document",)).count == 0


def test_the_words_of_a_few_notes_are_in_one_row_and_of_many_in_rows_of_their_own(
    index: SqliteIndex, place: Path
) -> None:
    dice = random.Random(9)

    def rows() -> int:
        with closing(sqlite3.connect(place)) as db:
            return int(db.execute("SELECT count(*) FROM block").fetchone()[0])

    index.apply([put(spoken(number, dice)) for number in range(1, segments.SMALL_SEGMENT)])
    assert rows() == 0
    before = answers(index)
    index.apply([put(spoken(number, dice)) for number in range(100, 100 + segments.SMALL_SEGMENT)])
    assert rows() >= 1
    index.apply([Gone(a_node(number).path) for number in range(100, 100 + segments.SMALL_SEGMENT)])
    assert rows() == 0
    assert answers(index) == before


def test_segments_too_large_to_merge_in_small_writes_are_merged_later(
    index: SqliteIndex, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "MERGE_LIMIT", 20)
    dice = random.Random(10)
    for number in range(1, 130):
        index.apply([put(spoken(number, dice))])
    apart, before = sizes(place), answers(index)
    assert len(apart) >= segments.MERGE_FACTOR
    with closing(sqlite3.connect(place)) as db:
        assert segments.tidied(db)
        while segments.tidied(db):
            pass
        db.commit()
    assert sum(sizes(place)) == 129
    assert len(sizes(place)) < len(apart)
    assert answers(index) == before


def test_every_word_of_many_is_found_in_its_block_and_none_that_is_not_there(index: SqliteIndex, place: Path) -> None:
    """Words before the first, between blocks, behind the last; one so frequent that it has a block of its own."""
    names = [f"w{number:05}" for number in range(3_000)]
    notes = [a_node(n, content=" ".join(["often", "über", "字典", *names[n * 5 : n * 5 + 5]])) for n in range(1, 599)]
    index.apply([put(note) for note in notes])
    with closing(sqlite3.connect(place)) as db:
        postings = Postings(db, BODY, ("node",))
        assert db.execute("SELECT count(*) FROM block").fetchone()[0] > 30
        assert db.execute("SELECT max(length(words)) FROM block").fetchone()[0] > MAX_BLOCK
        requests = [*names, "often", "uber", "字典", "a", "w00004x", "zz", "oftens", "ofte"]
        often = postings.frequencies(requests)
        held = postings.lists(requests)
        assert held == Postings(db, BODY, ("node",)).lists(requests)  # without what counting them had read already
        assert often == {word: sum(len(codes) for _, codes in held[word].values()) for word in requests}
        assert (often["often"], often["uber"], often["字典"]) == (598, 598, 598)
        assert [often[word] for word in ("a", "w00004x", "zz", "oftens", "ofte")] == [0] * 5
        assert [word for word in names if often[word]] == names[5:2995]
        assert postings.with_prefix("字") == ["字典"]
        assert len(postings.with_prefix("w")) == 2_990


def test_segments_that_are_too_large_for_one_become_fewer_all_the_same(
    index: SqliteIndex, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "MAX_TEXTS", 100)
    monkeypatch.setattr(segments, "LARGE_TRANSACTION", 10)
    dice = random.Random(11)
    fresh = SqliteIndex(lambda: f"{place}.fresh")
    nodes = [spoken(number, dice) for number in range(1, 601)]
    for at in range(0, 600, 15):
        index.apply([put(node) for node in nodes[at : at + 15]])
    fresh.apply([put(node) for node in nodes])
    assert sum(sizes(place)) == 600
    assert max(sizes(place)) <= 100
    # Each eighth of its size is put together with others; without that there would be forty.
    assert len(sizes(place)) < 20
    assert answers(index) == answers(fresh)


def test_a_segment_holds_as_many_texts_as_a_position_tells(place: Path) -> None:
    index = SqliteIndex(lambda: str(place))
    index.apply([put(a_node(1, content="cache"))])
    half = segments.MAX_TEXTS // 2
    with closing(sqlite3.connect(place)) as db:
        for first in (1_000, 1_000 + half):
            fresh = segments.SegmentBuffer(BODY, "conversation")
            for text in range(first, first + half):
                fresh.add(text, text, {"last" if text == 999 + 2 * half else "other": 1}, 1, 0)
            fresh.write(db)
        rows = [row for (row,) in db.execute("SELECT rowid FROM segment WHERE kind = 'conversation'")]
        (merged, many) = segments._merge(db, (BODY, "conversation"), rows)
        assert many == segments.MAX_TEXTS
        postings = Postings(db, BODY, ("conversation",))
        ((positions, _),) = postings.lists(["last"])["last"].values()
        assert postings.texts(merged)[positions[0]] == 999 + segments.MAX_TEXTS
        assert postings.frequencies(["other"]) == {"other": segments.MAX_TEXTS - 1}
