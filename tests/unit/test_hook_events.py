"""A user who silences hooks in the settings silences them, and a repository cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology import hook_events
from autology.wire.project import Project


@pytest.fixture
def config(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = home / "user-config.yaml"
    monkeypatch.setenv("AUTOLOGY_CONFIG", str(file))
    monkeypatch.delenv("AUTOLOGY_HOOKS", raising=False)
    return file


def test_hooks_are_on_by_default(config: Path) -> None:
    assert hook_events.hooks_on()


def test_the_users_switch_for_hooks_takes_effect_once_settings_are_read(config: Path, tmp_path: Path) -> None:
    config.write_text("hooks: off\n", encoding="utf-8")
    assert Project(str(tmp_path)).settings.hooks is False
    assert not hook_events.hooks_on()
    config.write_text("hooks: on   \n", encoding="utf-8")
    assert hook_events.hooks_on()  # changed since it was read: the default holds
    assert Project(str(tmp_path)).settings.hooks is True
    assert hook_events.hooks_on()


def test_the_environment_overrides_the_switch_for_hooks(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text("hooks: off\n", encoding="utf-8")
    _ = Project(str(tmp_path)).settings
    monkeypatch.setenv("AUTOLOGY_HOOKS", "on")
    assert hook_events.hooks_on()


def test_a_repository_cannot_silence_hooks(config: Path, tmp_path: Path) -> None:
    (tmp_path / ".autology").mkdir()
    (tmp_path / ".autology" / "config.yaml").write_text("hooks: off\n", encoding="utf-8")
    settings = Project(str(tmp_path)).settings
    assert settings.hooks is True
    assert any("hooks" in result for result in settings.ignored)
    assert hook_events.hooks_on()


def test_suggestions_are_switched_off_by_the_settings_the_environment_or_the_plugin_s_option(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hook_events.suggestions_on()
    config.write_text("suggestions: off\n", encoding="utf-8")
    assert Project(str(tmp_path)).settings.suggestions is False
    assert not hook_events.suggestions_on()
    assert hook_events.hooks_on()
    monkeypatch.setenv("AUTOLOGY_SUGGESTIONS", "on")
    assert hook_events.suggestions_on()
    monkeypatch.delenv("AUTOLOGY_SUGGESTIONS")
    config.unlink()
    assert hook_events.suggestions_on()
    monkeypatch.setenv("CLAUDE_PLUGIN_OPTION_SUGGESTIONS", "false")
    assert not hook_events.suggestions_on()


def test_a_slow_reader_of_older_settings_does_not_overwrite_newer_ones(config: Path, tmp_path: Path) -> None:
    before = hook_events.settings_stamp()
    config.write_text("suggestions: off\n", encoding="utf-8")
    _ = Project(str(tmp_path)).settings
    hook_events.remember(True, True, before)
    assert not hook_events.suggestions_on()


def test_switches_that_another_version_kept_are_the_defaults(config: Path) -> None:
    config.write_text("hooks: on\n", encoding="utf-8")
    file = Path(hook_events.path())
    file.parent.mkdir(parents=True, exist_ok=True)
    for kept in ("", "on", f"on {config.stat().st_mtime_ns}", "off", "? ? ?", "\x00"):
        file.write_text(kept, encoding="utf-8")
        assert hook_events.suggestions_on()
        assert hook_events.hooks_on()
