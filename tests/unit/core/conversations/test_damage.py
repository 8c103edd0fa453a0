"""A damaged index of what was said is made anew from the transcripts; nothing that it holds stops a question."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from autology.core.recall import discussions
from autology.core.recall.request import RecallRequest
from autology.model.conversation import Chunk
from autology.model.errors import AutologyError
from autology.model.query import Filter
from autology.wire.project import Project
from tests.fakes.transcripts import Session, resumed
from tests.unit.index.test_damage import at_rest, columns, turned

SESSION = "5e550000-0000-4000-8000-000000000000"


@pytest.fixture
def whole(home: Path) -> Path:
    """The index of two sessions, one a fork of the other, at rest."""
    first = Session(home, session=SESSION)
    for number in range(6):
        first.user(f"question {number} about storage")
        first.assistant(f"We decided to cache answer {number} because it is slow. " + "It depends on much. " * 30)
        first.tool("Write", "ok", file_path=f"/home/dev/app/f{number}.py", content="x = 1\ny = 2\nz = 3")
    resumed(home, first).user("and now?")
    message = Project(str(home)).conversations
    message.refresh()
    message.encode()
    place = home / "data" / "conversations.sqlite"
    at_rest(place)
    return Path(shutil.copy(place, home / "whole.sqlite"))


def opened(home: Path, whole: Path) -> Project:
    """What was said, by a copy of the index at *whole*."""
    place = home / "data" / "conversations.sqlite"
    for file in place.parent.glob("conversations.sqlite*"):
        file.unlink()
    shutil.copy(whole, place)
    return Project(str(home))


def everything_asked(project: Project) -> Iterator[Callable[[], object]]:
    """Yield all that is asked of the index, as tools, commands and upkeep do."""
    message, memory = project.conversations, project.conversation_search
    index = message.index
    for ask in (
        RecallRequest("storage cache"),
        RecallRequest("storage", type="decision"),
        RecallRequest("cache", project="."),
    ):
        yield partial(discussions.recall, memory, ask, "test")
    ids: list[str] = []
    yield lambda: ids.extend(index.ids_starting("", 3))
    for id in ids:
        yield partial(index.around, id, 1, 1)
    received: list[Chunk] = []
    yield lambda: received.extend(index.chunks(ids).values())
    for chunk in received:
        yield partial(index.of_turn, chunk.turn)
        yield partial(index.of_exchange, chunk.exchange)
    yield lambda: index.semantic_candidates("storage", Filter(kind=None, session=SESSION), 5)
    yield from (index.projects, index.chunk_counts, index.unencoded, message.coverage, message.refresh, message.encode)


@pytest.mark.parametrize("value", [b"\xff\x00", "letters"])
def test_a_value_of_another_type_in_any_column_stops_nothing(home: Path, whole: Path, value: object) -> None:
    looked = 0
    for table, column in columns(whole):
        project = opened(home, whole)
        turned(home / "data" / "conversations.sqlite", table, column, value)
        for requests in everything_asked(project):
            with suppress(AutologyError):
                requests()
        looked += 1
    assert looked > 50
