"""Settings come from the user; a repository may narrow them, and its links lead nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autology import settings


def told(project: Path, text: str) -> settings.Settings:
    (project / ".autology").mkdir(exist_ok=True)
    (project / ".autology" / "config.yaml").write_text(text, encoding="utf-8")
    return settings.load(str(project), {})


def test_a_repository_may_ask_for_more_certainty_but_not_for_less(tmp_path: Path) -> None:
    assert told(tmp_path, "relations:\n  automatic: 0.9\n").relations_automatic == 0.9
    found = told(tmp_path, "relations:\n  automatic: 0.1\n")
    assert found.relations_automatic == 0.8
    assert found.ignored == (".autology/config.yaml: relations_automatic: a repository may only narrow it",)


def test_the_environment_wins_over_both_files(tmp_path: Path) -> None:
    told(tmp_path, "relations_automatic: 0.95\n")
    found = settings.load(str(tmp_path), {"AUTOLOGY_RELATIONS_AUTOMATIC": "0.85"})
    assert found.relations_automatic == 0.95  # narrower still
    assert settings.load(str(tmp_path), {"AUTOLOGY_RELATIONS_AUTOMATIC": "much"}).ignored


@pytest.mark.parametrize("linked", [".autology", ".autology/config.yaml"])
def test_a_link_is_not_followed(tmp_path: Path, linked: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    told(outside, "canary: 1\n")
    project = tmp_path / "project"
    at = project / linked
    at.parent.mkdir(parents=True)
    at.symlink_to(outside / linked)
    assert settings.load(str(project), {}).ignored == (".autology/config.yaml: is a link, which is not followed",)


def test_what_is_no_file_is_named_and_waits_for_nobody(tmp_path: Path) -> None:
    (tmp_path / ".autology").mkdir()
    os.mkfifo(tmp_path / ".autology" / "config.yaml")
    assert "no regular file" in settings.load(str(tmp_path), {}).ignored[0]
