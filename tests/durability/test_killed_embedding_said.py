"""Killed at any call while what was said comes to another encoder, none of it is lost or kept from being found."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.conversations import embedding_texts
from autology.core.conversations.conversation_index import Advance
from autology.core.conversations.transcripts import Mark
from autology.core.index import embedding_queue
from autology.index.conversations import SqliteConversations
from autology.index.vectors import waiting_passages
from autology.model.query import Filter
from tests.durability.killing import course, killed_at
from tests.fakes.encoder import Thesaurus
from tests.unit.core.conversations.test_model import a_chunk

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "16"))
SAID = tuple(a_chunk(number, "an automobile") for number in range(1, 40))


def index(folder: Path) -> SqliteConversations:
    return SqliteConversations(lambda: str(folder / "said.sqlite"), Thesaurus, lambda: Thesaurus("thesaurus-2"))


def embed(said: SqliteConversations) -> bool:
    return embedding_queue.embed(said, embedding_texts.readers(said), 60.0)


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
    monkeypatch.setattr(waiting_passages, "CLAIM_SECONDS", -1.0)  # what the dead one had taken is due again at once
    died = 0
    for stop in stops:
        folder = fresh(str(stop))
        died += killed_at(stop, partial(embed, index(folder)))
        again = index(folder)
        assert len(again.semantic_candidates("car", Filter(kind=None), 50)) == len(SAID)
        assert not embed(again)
        state = again.encoder_state()
        assert (state.name, state.pending) == ("thesaurus-2", "")
        assert len(again.semantic_candidates("car", Filter(kind=None), 50)) == len(SAID)
    assert died > POINTS // 2
