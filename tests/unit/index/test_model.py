"""Another encoder is chosen: passages come to it one after another, and search goes on meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.hybrid_search import degraded
from autology.core.index import embedding_queue
from autology.core.index.changes import Gone, Put
from autology.core.index.embedding_queue import QueuedPassage
from autology.core.index.retrieval import Encoder
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.index.vectors import waiting_passages
from autology.model.entry import NODE
from autology.model.errors import EncodingError
from autology.model.node import Node
from autology.model.query import Filter
from autology.render.next_steps import for_terminal
from tests.fakes.encoder import Thesaurus
from tests.fakes.project import a_node, an_id

OTHER = "car boat\nlogin harbour"
"""A thesaurus in which a boat is what a car is, which the other one does not know."""


class Broken(Thesaurus):
    """An encoder that turns out not to run."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        raise EncodingError(self.name, f"does not run on {len(texts)} texts")


class Project:
    """An index of notes with an encoder that is built in, and whatever is chosen."""

    def __init__(self, folder: Path, model: Encoder | None = None) -> None:
        self.model = model
        self.index = SqliteIndex(lambda: str(folder / "index.sqlite"), Thesaurus, lambda: self.model)
        self.notes: dict[str, Node] = {}

    def keep(self, *notes: Node, at: int = 1) -> None:
        self.notes |= {note.path: note for note in notes}
        self.index.apply([NodeCodec().project(note.path, Stamp(10, at), note) for note in notes])

    def read(self, path: str) -> Put | None:
        note = self.notes.get(path)
        return NodeCodec().project(path, Stamp(10, 1), note) if note else None

    def embed(self, seconds: float = 60.0) -> bool:
        return embedding_queue.embed(self.index, {NODE: self.read}, seconds)

    def near(self, question: str, **where: object) -> list[int]:
        result = self.index.semantic_candidates(question, Filter(**where), 10)  # type: ignore[arg-type]
        return sorted(int(hit.source.id[:8], 16) for hit in result if hit.score > 0.5)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of three notes, for which nothing is chosen yet."""
    made = Project(tmp_path)
    made.keep(a_node(1, content="a boat"), a_node(2, content="an automobile"), a_node(3, content="the harbour"))
    return made


def chosen() -> Thesaurus:
    return Thesaurus("thesaurus-2", OTHER, share=0.4)


def test_the_old_vectors_answer_until_the_new_ones_are_complete(project: Project) -> None:
    project.model = chosen()
    assert project.near("car") == [2]
    state = project.index.encoder_state(NODE)
    assert (state.name, state.pending, state.done, state.total) == ("thesaurus-1", "thesaurus-2", 0, 3)
    assert not project.embed()
    assert project.near("car") == [1]
    state = project.index.encoder_state(NODE)
    assert (state.name, state.share, state.pending) == ("thesaurus-2", 0.4, "")


def test_a_search_says_how_far_it_is_and_what_answers_meanwhile(project: Project) -> None:
    assert degraded(project.index, NODE) == ()
    project.model = chosen()
    (note,) = degraded(project.index, NODE)
    waiting = "0 of 3 passages re-embedded with thesaurus-2; until then thesaurus-1 is used"
    assert note.startswith(f"semantic search: {waiting}")
    project.embed()
    assert degraded(project.index, NODE) == ()


def test_a_few_new_passages_do_not_take_the_model_away(project: Project) -> None:
    project.model = chosen()
    project.keep(*(a_node(n, content="the login") for n in range(10, 60)))
    project.embed()
    project.keep(a_node(70, content="one more boat"))
    assert project.near("car") == [1]
    (note,) = degraded(project.index, NODE)
    assert "53 of 54 passages" in note
    assert "the others lexically" in note
    project.embed()
    assert project.near("car") == [1, 70]
    project.keep(*(a_node(n, content="a boat") for n in range(100, 180)))
    assert 2 in project.near("car"), "so many wait that the old vectors answer again"


def test_passages_changed_while_queued_are_encoded_in_their_current_state(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.model = chosen()
    due = project.index.claim([NODE], 10)
    project.keep(a_node(1, content="the login"), at=2)
    project.index.apply([Gone(a_node(3).path)])
    stale = {each.number: "a boat" for each in due if each.path != a_node(2).path}
    project.index.embed(stale)  # read before that
    monkeypatch.setattr(waiting_passages, "CLAIM_SECONDS", -1.0)
    project.embed()
    assert (project.near("car"), project.near("harbour")) == ([], [1])
    assert project.index.encoder_state(NODE).pending == ""


def test_passages_of_unreadable_files_leave_the_queue(project: Project) -> None:
    project.model = chosen()
    del project.notes[a_node(1).path]
    assert not project.embed()
    assert project.index.encoder_state(NODE).pending == ""


def test_kinds_without_a_reader_wait_for_theirs(project: Project) -> None:
    project.model = chosen()
    assert project.index.claim(["document"], 10) == []
    assert not embedding_queue.embed(project.index, {"document": project.read}, 1.0)
    assert project.index.encoder_state(NODE).done == 0


def test_concurrent_processes_claim_different_passages(project: Project, tmp_path: Path) -> None:
    project.model = chosen()
    other = Project(tmp_path, chosen())
    first, second = project.index.claim([NODE], 2), other.index.claim([NODE], 2)
    assert [len(first), len(second)] == [2, 1]
    assert not {each.number for each in first} & {each.number for each in second}
    assert project.index.claim([NODE], 2) == []


def test_claimed_passages_that_were_never_encoded_are_due_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.model = chosen()
    taken = project.index.claim([NODE], 10)
    assert project.index.claim([NODE], 10) == []
    monkeypatch.setattr(waiting_passages, "CLAIM_SECONDS", -1.0)
    assert numbers(project.index.claim([NODE], 10)) == numbers(taken)


def test_an_embedding_that_was_interrupted_goes_on_where_it_was(project: Project, tmp_path: Path) -> None:
    project.model = chosen()
    project.keep(*(a_node(n, content="the login") for n in range(10, 60)))
    assert project.embed(seconds=0.0), "one batch, and there is more"
    done = project.index.encoder_state(NODE).done
    assert done == embedding_queue.BATCH
    again = Project(tmp_path, chosen())
    again.notes = project.notes
    assert again.index.encoder_state(NODE).done == done
    assert not again.embed()
    assert again.near("car") == [1]


def test_embedding_everything_reports_progress_and_completes(project: Project) -> None:
    project.model = chosen()
    steps: list[tuple[int, int]] = []
    done = embedding_queue.embed_all(project.index, {NODE: project.read}, lambda now, of: steps.append((now, of)))
    assert done == 3
    assert embedding_queue.embed_all(project.index, {NODE: project.read}, lambda *_: None) == 0


def test_a_model_that_does_not_run_leaves_search_as_it_was_and_is_named(project: Project) -> None:
    project.model = Broken("thesaurus-3")
    with pytest.raises(EncodingError):
        project.embed()
    assert project.near("car") == [2]
    (note,) = degraded(project.index, NODE)
    assert "semantic search with thesaurus-1: the model thesaurus-3 does not run" in note
    assert "autology models use static" in for_terminal(note)
    project.model = chosen()  # another one is tried
    assert degraded(project.index, NODE)[0].startswith("semantic search: 0 of 3")


def test_a_model_that_stops_running_leaves_the_search_to_the_old_vectors(project: Project) -> None:
    project.model = chosen()
    project.embed()
    project.model = Broken("thesaurus-2")
    assert project.near("car") == [2]
    assert project.index.encoder_state().name == "thesaurus-1"


def test_a_process_without_the_model_keeps_vectors_of_another_process(project: Project, tmp_path: Path) -> None:
    project.model = chosen()
    project.embed()
    without = Project(tmp_path)
    without.keep(a_node(4, content="another boat"))
    assert without.near("car") == [2]
    project.notes |= without.notes
    project.embed()
    assert project.near("car") == [1, 4]


def test_choosing_another_model_re_encodes_everything_and_drops_the_old_vectors(project: Project) -> None:
    project.model = chosen()
    project.embed()
    project.model = Thesaurus("thesaurus-4", "car harbour")
    project.embed()
    assert project.near("car") == [3]


def test_filters_hold_for_the_model_too(project: Project) -> None:
    project.model = chosen()
    project.embed()
    assert project.near("car", ids=(an_id(3), an_id(1))) == [1]
    assert project.near("car", type="issue") == []


def numbers(due: Sequence[QueuedPassage]) -> set[int]:
    return {each.number for each in due}
