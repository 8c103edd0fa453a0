"""A served project follows its settings, and reads them only when they have changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autology import hook_events, places
from autology.tools.project import ServedProject


@pytest.mark.usefixtures("home")
def test_settings_are_read_again_only_when_a_file_or_a_variable_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, own = ServedProject(str(tmp_path)), Path(places.config_file())
    first = project.settings
    assert first.archive
    assert project.settings is first
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("archive: false\n", encoding="utf-8")
    assert not project.settings.archive
    monkeypatch.setenv("AUTOLOGY_ARCHIVE", "true")
    assert project.settings.archive


@pytest.mark.usefixtures("home")
def test_switches_of_hooks_that_were_cleared_away_are_saved_again(tmp_path: Path) -> None:
    project, own = ServedProject(str(tmp_path)), Path(places.config_file())
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text("hooks: false\n", encoding="utf-8")
    os.utime(own, (1_000_000_000, 1_000_000_000))
    assert not project.settings.hooks
    assert not hook_events.hooks_on()
    Path(hook_events.path()).unlink()
    assert hook_events.hooks_on()
    assert not project.settings.hooks
    assert not hook_events.hooks_on()
