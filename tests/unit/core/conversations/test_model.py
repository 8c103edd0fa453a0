"""What was said comes to the model that the user chose, passage by passage, and is found meanwhile as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.conversations import embedding_texts
from autology.core.conversations.conversation_index import Advance
from autology.core.conversations.transcripts import Mark
from autology.core.hybrid_search import degraded
from autology.core.index import embedding_queue
from autology.core.index.retrieval import Encoder
from autology.index.conversations import SqliteConversations
from autology.index.vectors import waiting_passages
from autology.model.conversation import Chunk
from autology.model.query import Filter
from tests.fakes.encoder import Thesaurus

OTHER = "car boat\nlogin harbour"
"""A thesaurus in which a boat is what a car is, which the other one does not know."""


def a_chunk(number: int, text: str, **facts: object) -> Chunk:
    usual: dict[str, object] = {
        "id": f"{number:024x}", "kind": "conversation", "text": text, "trust": "user", "at": "2026-03-01T10:00:00Z",
        "until": "2026-03-01T10:00:00Z", "transcript": "t", "position": number, "session": "s", "project": "p",
        "folder": "/p", "exchange": f"e{number}", "turn": f"e{number}", "question": "",
    }  # fmt: skip
    return Chunk(**{**usual, **facts})  # type: ignore[arg-type]


class Past:
    """An index of what was said with an encoder that is built in, and whatever is chosen."""

    def __init__(self, folder: Path, model: Encoder | None = None) -> None:
        self.model = model
        self.index = SqliteConversations(lambda: str(folder / "said.sqlite"), Thesaurus, lambda: self.model)

    def say(self, transcript: str, *chunks: Chunk, since: int = 0) -> None:
        before = self.index.mark(transcript)
        mark = Mark(Stamp(len(chunks), since), 1, 1, "", "s")
        assert self.index.advance(Advance(transcript, since, chunks, (), before, mark))

    def embed(self) -> bool:
        return embedding_queue.embed(self.index, embedding_texts.readers(self.index), 60.0)

    def near(self, question: str, kind: str | None = None) -> list[int]:
        result = self.index.semantic_candidates(question, Filter(kind=kind), 10)
        return sorted(int(hit.source.id, 16) for hit in result if hit.score > 0.5)


@pytest.fixture
def past(tmp_path: Path) -> Past:
    """Three chunks, found by meaning with what is built in."""
    made = Past(tmp_path)
    code = a_chunk(3, "the harbour", kind="code", path="src/boats.py", turn="x")
    made.say("t", a_chunk(1, "a boat"), a_chunk(2, "an automobile"), code)
    assert made.index.encode(10) == 0
    return made


def chosen() -> Thesaurus:
    return Thesaurus("thesaurus-2", OTHER)


def test_the_old_vectors_answer_until_the_model_has_seen_what_was_said(past: Past) -> None:
    past.model = chosen()
    assert past.near("car") == [2]
    (note,) = degraded(past.index)
    waiting = "0 of 3 passages re-embedded with thesaurus-2; until then thesaurus-1 is used"
    assert note.startswith(f"semantic search: {waiting}")
    assert not past.embed()
    assert past.near("car") == [1]
    assert past.near("login", "code") == [3]
    assert degraded(past.index) == ()
    assert past.index.encoder_state().name == "thesaurus-2"
    past.model = None
    assert past.near("car") == [2]


def test_chunks_added_later_are_encoded_by_the_chosen_model_too(past: Past) -> None:
    past.model = chosen()
    past.embed()
    past.say("later", a_chunk(9, "one more boat"))
    assert past.index.encoder_state("conversation").pending == "thesaurus-2"
    assert not past.embed()
    assert past.near("car") == [1, 9]


def test_a_chunk_is_encoded_with_what_was_asked_and_the_file_it_is_of(past: Past) -> None:
    past.model = chosen()
    past.say("later", a_chunk(9, "plain", kind="decision", question="which boat?", turn="x"))
    past.embed()
    assert past.near("car") == [1, 9]


def test_chunks_changed_or_deleted_while_queued_are_encoded_in_their_current_state(
    past: Past, monkeypatch: pytest.MonkeyPatch
) -> None:
    past.model = chosen()
    due = past.index.claim(tuple(embedding_texts.readers(past.index)), 10)
    past.say("t", a_chunk(1, "the login"), a_chunk(2, "an automobile"))
    past.index.embed({each.number: "a boat" for each in due if each.path != f"{2:024x}"})  # read before that
    monkeypatch.setattr(waiting_passages, "CLAIM_SECONDS", -1.0)
    past.embed()
    assert (past.near("car"), past.near("harbour")) == ([], [1])
    past.index.forget(["t"])
    assert past.near("harbour") == []
    assert past.index.encoder_state().total == 0


def test_two_servers_share_the_work(past: Past, tmp_path: Path) -> None:
    past.model = chosen()
    other = Past(tmp_path, chosen())
    kinds = tuple(embedding_texts.readers(past.index))
    first, second = past.index.claim(kinds, 2), other.index.claim(kinds, 2)
    assert [len(first), len(second)] == [2, 1]
    assert not {each.number for each in first} & {each.number for each in second}
