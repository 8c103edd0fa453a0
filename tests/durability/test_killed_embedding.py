"""Killed at any call while passages come to another encoder, none is lost and none is done twice for long."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.index import embedding_queue
from autology.core.index.changes import Put
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.index.vectors import waiting_passages
from autology.model.entry import NODE
from autology.model.query import Filter
from tests.durability.killing import course, killed_at
from tests.fakes.encoder import Thesaurus
from tests.fakes.project import a_node

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "16"))
NOTES = {note.path: note for note in (a_node(number, content="an automobile") for number in range(1, 40))}


def read(path: str) -> Put:
    return NodeCodec().project(path, Stamp(10, 1), NOTES[path])


def index(folder: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(folder / "index.sqlite"), Thesaurus, lambda: Thesaurus("thesaurus-2"))


def test_an_embedding_that_was_killed_goes_on_and_search_answers_at_every_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fresh(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        SqliteIndex(lambda: str(folder / "index.sqlite"), Thesaurus).apply([read(path) for path in NOTES])
        return folder

    whole = fresh("whole")
    stops = course(lambda: embedding_queue.embed(index(whole), {NODE: read}, 60.0)).stops(POINTS)
    assert len(stops) >= POINTS
    monkeypatch.setattr(waiting_passages, "CLAIM_SECONDS", -1.0)  # what the dead one had taken is due again at once
    died = 0
    for stop in stops:
        folder = fresh(str(stop))
        died += killed_at(stop, partial(embedding_queue.embed, index(folder), {NODE: read}, 60.0))
        again = index(folder)
        assert len(again.semantic_candidates("car", Filter(), 50)) == len(NOTES)
        assert not embedding_queue.embed(again, {NODE: read}, 60.0)
        state = again.encoder_state(NODE)
        assert (state.name, state.pending) == ("thesaurus-2", "")
        assert len(again.semantic_candidates("car", Filter(), 50)) == len(NOTES)
    assert died > POINTS // 2
