"""A user who silences hooks in the settings silences them, and a repository cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology import switches, wire


@pytest.fixture
def config(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = home / "user-config.yaml"
    monkeypatch.setenv("AUTOLOGY_CONFIG", str(file))
    monkeypatch.delenv("AUTOLOGY_HOOKS", raising=False)
    return file


def test_hooks_speak_where_nothing_was_said(config: Path) -> None:
    assert switches.hooks_on()


def test_a_users_word_holds_once_the_settings_were_read(config: Path, tmp_path: Path) -> None:
    config.write_text("hooks: off\n", encoding="utf-8")
    assert wire.settings(str(tmp_path)).hooks is False
    assert not switches.hooks_on()
    config.write_text("hooks: on   \n", encoding="utf-8")
    assert switches.hooks_on()  # changed since it was read: the default holds
    assert wire.settings(str(tmp_path)).hooks is True
    assert switches.hooks_on()


def test_the_environment_wins(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text("hooks: off\n", encoding="utf-8")
    wire.settings(str(tmp_path))
    monkeypatch.setenv("AUTOLOGY_HOOKS", "on")
    assert switches.hooks_on()


def test_a_repository_cannot_silence_hooks(config: Path, tmp_path: Path) -> None:
    (tmp_path / ".autology").mkdir()
    (tmp_path / ".autology" / "config.yaml").write_text("hooks: off\n", encoding="utf-8")
    settings = wire.settings(str(tmp_path))
    assert settings.hooks is True
    assert any("hooks" in told for told in settings.ignored)
    assert switches.hooks_on()
