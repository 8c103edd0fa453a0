"""After a command that wrote, a process that goes on sends what changed to the team's hub; after others none does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from autology import detached
from autology.hub.sync.background_retry import BackgroundSender
from autology.model.errors import ValidationError
from autology.model.memory import Scope
from autology.tools import memory_find
from autology.tools.project import ServedProject
from autology.web import calls
from autology.web.project import PageProject
from autology.wire.team import Team
from tests.unit.cli_kit import autology

SENDS = ["hub", "push", "--changed", "--soon"]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Sequence[str], str]]:
    """What was started to go on, and where."""
    made: list[tuple[Sequence[str], str]] = []
    monkeypatch.setattr(detached, "start", lambda arguments, folder: made.append((arguments, folder)))
    return made


WRITES = (
    ("capture", "--title", "A note", "--content", "text"),
    ("memory", "store", "--kind", "observation", "The cache holds 40."),
    ("sync",),
)
READS = (("query", "note"), ("status",), ("memory", "find", "cache"), ("search", "cache"))


@pytest.mark.parametrize("words", WRITES)
def test_a_writing_command_starts_sending_changes(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[tuple[Sequence[str], str]]
) -> None:
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", "postgresql://ada@127.0.0.1:1/x")
    assert autology(*words, project=tmp_path) == 0
    assert started == [(SENDS, str(tmp_path))]


@pytest.mark.parametrize("words", READS)
def test_a_reading_command_sends_nothing(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[tuple[Sequence[str], str]]
) -> None:
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", "postgresql://ada@127.0.0.1:1/x")
    autology(*words, project=tmp_path)
    assert started == []


@pytest.mark.parametrize("words", WRITES)
def test_without_a_hub_nothing_is_started(
    words: tuple[str, ...], tmp_path: Path, started: list[tuple[Sequence[str], str]]
) -> None:
    assert autology(*words, project=tmp_path) == 0
    assert started == []


def test_a_server_that_ends_leaves_what_it_did_not_come_to_to_a_process_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[tuple[Sequence[str], str]]
) -> None:
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", "postgresql://ada@127.0.0.1:1/x")
    project = ServedProject(str(tmp_path))
    project.team.send_rest()
    assert started == []  # nothing was written
    monkeypatch.setattr(project.team.sender, "wake", lambda: None)
    project.team.send_soon()
    monkeypatch.setattr(type(project.team.sender), "pending", True)
    project.team.send_rest()
    assert started == [(SENDS, str(tmp_path))]


def test_changes_on_the_page_are_sent_and_mere_reads_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[tuple[Sequence[str], str]]
) -> None:
    woken: list[str] = []
    monkeypatch.setattr(BackgroundSender, "wake", lambda soon: woken.append("woken"))
    page = PageProject(str(tmp_path))
    made = calls.answer(page, "create", {"title": "A note", "content": "text"})
    assert woken == []  # no hub is set up
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", "postgresql://ada@127.0.0.1:1/x")
    calls.answer(page, "opened", {"id": made["id"]})
    calls.answer(page, "search", {"query": "note"})
    with pytest.raises(ValidationError):
        calls.answer(page, "create", {"title": "", "content": ""})
    assert woken == []
    calls.answer(page, "delete", {"id": made["id"]})
    assert len(woken) == 1
    page.team.send_rest()
    assert started == []  # it was sent
    monkeypatch.setattr(BackgroundSender, "pending", True)
    page.team.send_rest()
    assert started == [(SENDS, str(tmp_path))]


def test_a_change_on_the_page_is_made_though_the_settings_of_the_hub_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(team: Team) -> bool:
        raise OSError(team)

    monkeypatch.setattr(Team, "has_hub", property(unreadable))
    page = PageProject(str(tmp_path))
    assert calls.answer(page, "create", {"title": "A note", "content": "text"})["id"]


def test_the_team_is_asked_for_what_may_lie_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = ServedProject(str(tmp_path))
    assert not project.team.may_have(Scope(org="acme"))  # no hub is set up
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", "postgresql://ada@127.0.0.1:1/x")
    monkeypatch.setenv("CORTEX_PROJECT", "mine")
    assert project.team.may_have(Scope(org="acme"))
    assert project.team.may_have(Scope(project="theirs"))
    assert not project.team.may_have(Scope(project="mine"))
    assert not project.team.may_have(Scope(branch="main"))
    assert not project.team.may_have(Scope())
    requests = memory_find.Find.model_validate({"query": "x", "scope": {"org": "acme"}})
    result = memory_find.act(project, requests)
    assert isinstance(result, dict)
    assert "cannot be reached" in result["degraded"][-1]
