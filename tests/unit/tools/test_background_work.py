"""A server reads and keeps past sessions by itself, beside what it is asked, and whatever they hold."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from autology import log
from autology.core.content import collection
from autology.core.nodes.node_codec import NodeCodec
from autology.model.query import Filter
from autology.tools import background_work, calls, query
from autology.tools.project import ServedProject
from autology.wire import user
from tests.fakes.project import a_node, an_id
from tests.fakes.transcripts import Session


async def served(project: ServedProject, done: Callable[[], object]) -> None:
    """Serve *project* until it is *done*."""
    end = time.monotonic() + 120
    async with calls.calls(project) as running:
        running.greeted()
        while not done() and time.monotonic() < end:
            await anyio.sleep(0.05)


def test_a_server_reads_archives_and_encodes_new_conversations(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_work, "STARTUP_DELAY", 0.0)
    Session(home).user("where does the cache live")

    def done() -> bool:
        return bool(list((home / "data" / "archive").rglob("*.gz"))) and not user.conversation_index().unencoded()

    anyio.run(served, ServedProject(str(tmp_path)), done)
    assert user.conversation_index().chunk_counts() == {"conversation": 1}
    assert len(list((home / "data" / "archive").rglob("*.gz"))) == 1


def test_a_server_completes_what_was_found_by_its_words_first(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collection, "MANY", 2)
    nodes = tmp_path / ".autology" / "nodes" / "concepts"
    nodes.mkdir(parents=True)
    for number in range(4):
        (nodes / f"{an_id(number)}.md").write_bytes(
            NodeCodec().serialise(a_node(number, title=f"Thing {number}", content="An automobile is parked."))
        )
    project = ServedProject(str(tmp_path))
    assert project.graph.index.encoder_state().unencoded == 4
    assert project.embedding_due
    anyio.run(served, project, lambda: not project.graph.index.encoder_state().unencoded)
    assert len(project.graph.index.vectors(Filter(), 10)) == 4


def test_notes_are_read_ahead_once_after_a_first_call_of_any_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_work, "STARTUP_DELAY", 0.0)
    read: list[bool] = []

    class Seen(ServedProject):
        def read_ahead(self) -> None:
            super().read_ahead()
            read.append(self.opened)

    async def called() -> None:
        async with calls.calls(Seen(str(tmp_path))) as running:
            for _ in range(3):
                await running.run(query.TOOL, query.Query(query="a thing"))
                await anyio.sleep(0.1)

    anyio.run(called)
    assert read == [True]


def test_nothing_is_read_before_the_session_has_begun(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Session(home).user("where does the cache live")
    monkeypatch.setattr(background_work, "STARTUP_DELAY", 3600.0)
    begun = time.monotonic()
    anyio.run(served, ServedProject(str(tmp_path)), lambda: time.monotonic() - begun > 0.3)
    assert not (home / "data" / "conversations.sqlite").exists()


def test_a_failure_is_logged_and_the_server_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_work, "STARTUP_DELAY", 0.0)

    class Broken(ServedProject):
        def read_past(self) -> None:
            raise RuntimeError("nobody knew")

    anyio.run(served, Broken(str(tmp_path)), lambda: log.tail(1))
    assert "past sessions: RuntimeError: nobody knew" in log.tail(1)[0]


def test_what_a_server_held_can_be_freed_after_it(home: Path, tmp_path: Path) -> None:
    (tmp_path / ".autology").mkdir()
    begun = time.monotonic()
    anyio.run(served, ServedProject(str(tmp_path)), lambda: gc.get_freeze_count() or time.monotonic() - begun > 60)
    assert time.monotonic() - begun < 60  # it froze what it had opened
    assert gc.get_freeze_count() == 0
