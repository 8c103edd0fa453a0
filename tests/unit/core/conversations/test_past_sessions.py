"""Past sessions as they were held."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.conversations.past_sessions import number_of, replay, sessions
from autology.model.errors import PassageNotFoundError
from autology.wire.project import Project
from tests.fakes import talk

ONE, OTHER = "11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"
KEY = "AKIA" + "QX3TZ7PLMNB2WRD5"


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    message = [
        talk.Said("2026-03-01T10:00:00.000Z", "How do we deploy?", f"With the key {KEY} and a script."),
        talk.Said("2026-03-01T10:10:00.000Z", "And roll back?", "The same, backwards."),
    ]
    talk.write(home / ".claude", str(made), ONE, message)
    talk.write(home / ".claude", str(made), OTHER, [talk.Said("2026-03-02T09:00:00.000Z", "Which cache?", "None.")])
    return made


def test_sessions_are_listed_the_last_first_by_what_was_asked_first(root: Path) -> None:
    all_ = Project(str(root)).conversations
    all_.refresh()
    result = sessions(all_, Project(str(root)).names[0])
    assert [(each.id, each.question) for each in result] == [(OTHER, "Which cache?"), (ONE, "How do we deploy?")]
    assert result[1].began < result[1].ended < result[0].began
    assert sessions(all_, "another") == []


def test_a_session_is_read_from_any_turn_on_without_secrets(root: Path, home: Path) -> None:
    all_ = Project(str(root)).conversations
    whole = replay(all_, ONE, 0, 100)
    assert [(turn.role, turn.text) for turn in whole.turns][::2] == [
        ("user", "How do we deploy?"),
        ("user", "And roll back?"),
    ]
    assert KEY not in whole.turns[1].text
    assert "and a script" in whole.turns[1].text
    part = replay(all_, ONE, 1, 2)
    assert (part.turns, part.more) == (whole.turns[1:3], True)
    assert not whole.more
    assert number_of(all_, ONE, whole.turns[2].id) == 2
    assert number_of(all_, ONE, "unknown") == 0


def test_transcripts_deleted_by_the_client_are_read_from_the_archive(root: Path, home: Path) -> None:
    all_ = Project(str(root)).conversations
    before = replay(all_, ONE, 0, 100).turns
    all_.refresh()
    all_.keep()
    for file in (home / ".claude" / "projects").rglob("*.jsonl"):
        file.unlink()
    assert [turn.text for turn in replay(all_, ONE, 0, 100).turns] == [turn.text for turn in before]


def test_excluded_sessions_are_not_replayed(root: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = home / "config" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f"conversations_excludes: ['{root}']\n", encoding="utf-8")
    assert replay(Project(str(root)).conversations, ONE, 0, 100).turns == []
    config.write_text("conversations: false\n", encoding="utf-8")
    with pytest.raises(PassageNotFoundError):
        replay(Project(str(root)).conversations, ONE, 0, 100)


@pytest.mark.parametrize("session", ["../x", "..", "a/b", "", "x" * 101, "unknown"])
def test_an_invalid_session_id_is_not_looked_up(root: Path, session: str) -> None:
    with pytest.raises(PassageNotFoundError):
        replay(Project(str(root)).conversations, session, 0, 10)
