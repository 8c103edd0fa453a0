"""A transcript that is cut off, rotated or replaced, or written by a clock that was set back: all is found, once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autology.core.conversations.conversations import Conversations
from autology.model.query import Filter
from autology.wire.project import Project
from tests.fakes.transcripts import Session

BEFORE = ("how do we cache tiles", "in a folder of the user", "and for how long", "a day, by their time")
AFTER = ("how do we cache nothing at all", "by a header that says so")


@pytest.fixture
def conversations(home: Path) -> Conversations:
    return Project(str(home)).conversations


def text(conversations: Conversations) -> str:
    result = conversations.index.chunks(conversations.index.ids_starting("", 100_000)).values()
    return "\n\n".join(chunk.text for chunk in sorted(result, key=lambda each: (each.transcript, each.position)))


def spoken(home: Path) -> Session:
    """Return a session that says what is in BEFORE."""
    session = Session(home)
    for question, answer in zip(BEFORE[::2], BEFORE[1::2], strict=True):
        session.user(question)
        session.assistant(answer)
        session.later(minutes=9)
    return session


def goes_on(session: Session) -> None:
    session.user(AFTER[0])
    session.assistant(AFTER[1])


def truncated(session: Session) -> None:
    """Cut the file off within its second line, as a disk that was full or a tool does; the client goes on writing."""
    data = session.file.read_bytes()
    session.file.write_bytes(data[: data.index(b"\n") + 1])
    goes_on(session)


def emptied(session: Session) -> None:
    session.file.write_bytes(b"")
    goes_on(session)


def rotated(session: Session) -> None:
    """Put the file aside under another name, where it is a transcript too, and begin another one."""
    session.file.rename(session.file.with_name("rotated.jsonl"))
    goes_on(session)


def replaced(session: Session) -> None:
    """Put a longer file in its place that holds other talk."""
    other = session.file.with_name("staged")
    shutil.move(session.file, other)
    goes_on(session)
    session.assistant("Much more of it. " * 500)
    other.unlink()


def deleted(session: Session) -> None:
    session.file.unlink()
    goes_on(session)


WAYS = [truncated, emptied, rotated, replaced, deleted]


def each_is_found_once(conversations: Conversations) -> None:
    content = text(conversations)
    assert {part: content.count(part) for part in (*BEFORE, *AFTER)} == dict.fromkeys((*BEFORE, *AFTER), 1)


@pytest.mark.parametrize("way", WAYS)
def test_turns_before_and_after_a_replacement_are_found_once(
    home: Path, conversations: Conversations, way: Callable[[Session], None]
) -> None:
    session = spoken(home)
    conversations.refresh()
    way(session)
    assert conversations.refresh() > 0
    each_is_found_once(conversations)
    assert conversations.refresh() == 0
    goes = Project(str(home)).conversations
    assert goes.refresh() == 0
    each_is_found_once(goes)
    assert goes.coverage().sessions == (2 if way is rotated else 1)


@pytest.mark.parametrize("way", WAYS)
def test_archived_turns_are_found_once_after_the_index_was_lost(
    home: Path, conversations: Conversations, way: Callable[[Session], None]
) -> None:
    session = spoken(home)
    conversations.refresh()
    assert conversations.keep().archived == 1
    way(session)
    conversations.refresh()
    assert conversations.keep().failed == ()
    conversations.index.forget(list(conversations.index.marks()))
    assert text(conversations) == ""
    conversations.refresh()
    each_is_found_once(conversations)


def test_a_continued_transcript_is_archived_under_its_own_name(home: Path, conversations: Conversations) -> None:
    session = spoken(home)
    conversations.keep()
    goes_on(session)
    assert conversations.keep().archived == 1
    assert list(conversations.archive.scan()) == [session.name]


@pytest.mark.parametrize("times", [1, 3])
def test_a_transcript_replaced_repeatedly_loses_nothing(home: Path, conversations: Conversations, times: int) -> None:
    session = Session(home)
    for number in range(times + 1):
        session.file.write_bytes(b"")
        session.user(f"the question of round {number}")
        conversations.refresh()
    assert [text(conversations).count(f"of round {number}") for number in range(times + 1)] == [1] * (times + 1)


@pytest.mark.parametrize("way", [truncated, replaced, emptied])
def test_a_transcript_replaced_while_being_read_is_read_next_time(
    home: Path, conversations: Conversations, way: Callable[[Session], None]
) -> None:
    session = spoken(home)
    conversations.refresh()
    session.user("one more thing")
    reading = conversations.live.read(session.name, conversations.index.mark(session.name))
    way(session)
    with pytest.raises(FileNotFoundError):
        list(reading)
    conversations.refresh()
    each_is_found_once(conversations)


def test_the_mark_of_what_was_read_fits_no_file_that_took_its_place_meanwhile(
    home: Path, conversations: Conversations
) -> None:
    session = spoken(home)
    reading = conversations.live.read(session.name)
    assert list(reading)
    replaced(session)
    mark = reading.mark(0)
    assert conversations.live.read(session.name, mark).restarts


def test_indexed_turns_missing_in_the_archive_survive_deletion_of_the_transcript(
    home: Path, conversations: Conversations
) -> None:
    session = spoken(home)
    conversations.refresh()
    conversations.keep()
    goes_on(session)
    conversations.refresh()
    session.file.unlink()
    conversations.refresh()
    each_is_found_once(conversations)


def test_pruning_by_age_deletes_earlier_versions_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOLOGY_ARCHIVE_DAYS", "30")
    message = Project(str(home)).conversations
    session = spoken(home)
    message.refresh()
    emptied(session)
    message.refresh()
    message.keep()
    session.file.unlink()
    for file in (home / "data" / "archive").rglob("*.gz"):
        os.utime(file, (1_600_000_000, 1_600_000_000))
    message.keep()
    assert text(message) == ""


# ---- a clock that is set back --------------------------------------------------------------------


def test_a_clock_set_back_by_a_day_between_two_turns_loses_and_doubles_nothing(
    home: Path, conversations: Conversations
) -> None:
    session = Session(home)
    session.user(BEFORE[0])
    session.assistant(BEFORE[1])
    conversations.refresh()
    os.utime(session.file, (1_800_000_000, 1_800_000_000))
    conversations.refresh()
    session.later(days=-1)
    session.user(BEFORE[2])
    session.assistant(BEFORE[3])
    goes_on(session)
    os.utime(session.file, (1_799_900_000, 1_799_900_000))
    assert conversations.refresh() == 1
    each_is_found_once(conversations)


def test_turns_recorded_around_a_clock_change_belong_to_both_days(home: Path, conversations: Conversations) -> None:
    session = Session(home)
    session.user("how do we cache tiles")
    session.later(days=-1)
    session.assistant("in a folder of the user")
    conversations.refresh()
    for day in ("2026-02-28", "2026-03-01"):
        where = Filter(kind=None, since=f"{day}T00:00:00Z", until=f"{day}T23:59:59Z")
        assert conversations.index.listed(where, 5, ""), day
