"""Killed at any call of the second pass, no vector is lost, and words answer at every point."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.content.plan import ALONE
from autology.core.index import second_pass
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.index.vectors import unencoded_sources
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms
from tests.durability.killing import course, killed_at
from tests.fakes.encoder import Thesaurus
from tests.fakes.project import a_node

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "16"))
NOTES = [a_node(number, content=f"an automobile, number {number}") for number in range(1, 40)]


def index(folder: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(folder / "index.sqlite"), Thesaurus)


def test_a_second_pass_that_was_killed_goes_on_and_ends_like_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unencoded_sources, "RANGE", 4)
    puts = [NodeCodec().project(note.path, Stamp(10, 1), note) for note in NOTES]

    def fresh(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        words = index(folder)
        words.apply([words.prepare(put, vectors=False) for put in puts])
        return folder

    whole = fresh("whole")
    stops = course(lambda: second_pass.encode(index(whole), ALONE)).stops(POINTS)
    expected = sorted(index(whole).vectors(Filter(), 100))
    assert len(expected) == len(NOTES)
    died = 0
    for stop in stops:
        folder = fresh(str(stop))
        died += killed_at(stop, partial(second_pass.encode, index(folder), ALONE))
        again = index(folder)
        found = again.lexical_candidates(Terms(query_terms("automobile")), Filter(), False, 100)
        assert len(found) >= len(NOTES)
        second_pass.encode(again, ALONE)
        assert sorted(again.vectors(Filter(), 100)) == expected
        assert again.encoder_state().unencoded == 0
    assert died > POINTS // 2
