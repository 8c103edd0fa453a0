"""Killed at any call while what was said comes to another encoder, none of it is lost or kept from being found."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from autology.core import embedding
from autology.core.conversations import embedding_texts
from autology.core.ports import Advance, Mark, Stamp
from autology.index.conversations import SqliteConversations
from autology.index.vectors import embedding_queue
from autology.model.query import Filter
from tests.durability.killing import course, killed_at
from tests.fakes.encoder import Thesaurus
from tests.unit.test_conversations_model import a_chunk

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "16"))
SAID = tuple(a_chunk(number, "an automobile") for number in range(1, 40))


def index(folder: Path) -> SqliteConversations:
    return SqliteConversations(lambda: str(folder / "said.sqlite"), Thesaurus, lambda: Thesaurus("thesaurus-2"))


def embed(said: SqliteConversations) -> bool:
    return embedding.embed(said, embedding_texts.readers(said), 60.0)


def test_an_embedding_of_what_was_said_goes_on_after_a_kill_and_search_answers_at_every_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fresh(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        made = SqliteConversations(lambda: str(folder / "said.sqlite"), Thesaurus)
        assert made.advance(Advance("t", 0, SAID, (), None, Mark(Stamp(1, 1), 1, 1, "", "s")))
        assert made.encode(100) == 0
        return folder

    whole = fresh("whole")
    stops = course(lambda: embed(index(whole))).stops(POINTS)
    assert len(stops) >= POINTS
    monkeypatch.setattr(embedding_queue, "TAKEN", -1.0)  # what the dead one had taken is due again at once
    died = 0
    for stop in stops:
        folder = fresh(str(stop))
        died += killed_at(stop, partial(embed, index(folder)))
        again = index(folder)
        assert len(again.meaning("car", Filter(kind=None), 50)) == len(SAID)
        assert not embed(again)
        state = again.embedded()
        assert (state.by, state.coming) == ("thesaurus-2", "")
        assert len(again.meaning("car", Filter(kind=None), 50)) == len(SAID)
    assert died > POINTS // 2
