"""Killed at any call, a write that puts segments together has happened or has not: all words are found either way."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.index.text import segments
from autology.model.query import Filter, Terms
from tests.durability.killing import course, killed_at
from tests.fakes.project import a_node

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "12"))
WORDS = "cache page storage token write read lock index".split()
MANY = 9
"""Notes; with eight the first segments are put together."""

Answers = list[list[tuple[str, str, float]]]


def put(number: int) -> Put:
    node = a_node(number, content=" ".join(WORDS[number % 3 :: 1 + number % 4]))
    return NodeCodec().project(node.path, Stamp(10, 1), node)


def answers(index: SqliteIndex) -> Answers:
    requests = [index.lexical_candidates(Terms(((word,), ("note",))), Filter(), False, 100) for word in WORDS]
    return [sorted((hit.source.id, hit.field, round(hit.score, 9)) for hit in hits) for hits in requests]


def of(folder: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(folder / "index.sqlite"))


@pytest.mark.parametrize("blocks", [False, True], ids=["all words in one row", "words in blocks"])
def test_a_write_that_puts_segments_together_and_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: bool
) -> None:
    if blocks:
        monkeypatch.setattr(segments, "SMALL_SEGMENT", 0)
    origin, place = tmp_path / "origin", tmp_path / "place"
    for number in range(1, MANY - 1):
        of(origin).apply([put(number)])
    last = [put(MANY - 1), put(MANY), Gone(put(1).path)]

    def write() -> None:
        of(place).apply(last)

    before = answers(of(origin))
    shutil.copytree(origin, place)
    write()
    after = answers(of(place))
    of(tmp_path / "fresh").apply([put(number) for number in range(2, MANY + 1)])
    assert after == answers(of(tmp_path / "fresh")) != before
    shutil.rmtree(place)
    shutil.copytree(origin, place)
    died = 0
    for stop in course(write).stops(POINTS):
        shutil.rmtree(place)
        shutil.copytree(origin, place)
        died += killed_at(stop, write)
        assert answers(of(place)) in (before, after)
        write()
        assert answers(of(place)) == after
    assert died > POINTS // 2
