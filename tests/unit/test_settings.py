"""Settings come from the user; a repository may narrow them, and its links lead nowhere."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from autology import places, settings


def load_settings(project: Path, text: str) -> settings.Settings:
    (project / ".autology").mkdir(exist_ok=True)
    (project / ".autology" / "config.yaml").write_text(text, encoding="utf-8")
    return settings.load(str(project), {})


def test_a_repository_may_ask_for_more_certainty_but_not_for_less(tmp_path: Path) -> None:
    assert load_settings(tmp_path, "relations:\n  automatic: 0.9\n").relations_automatic == 0.9
    result = load_settings(tmp_path, "relations:\n  automatic: 0.1\n")
    assert result.relations_automatic == 0.8
    assert result.ignored == (".autology/config.yaml: relations_automatic: a repository may only narrow it",)


def test_the_environment_wins_over_both_files(tmp_path: Path) -> None:
    load_settings(tmp_path, "relations_automatic: 0.95\n")
    result = settings.load(str(tmp_path), {"AUTOLOGY_RELATIONS_AUTOMATIC": "0.85"})
    assert result.relations_automatic == 0.95  # narrower still
    assert settings.load(str(tmp_path), {"AUTOLOGY_RELATIONS_AUTOMATIC": "much"}).ignored


@pytest.mark.parametrize("linked", [".autology", ".autology/config.yaml"])
def test_a_link_is_not_followed(tmp_path: Path, linked: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    load_settings(outside, "canary: 1\n")
    project = tmp_path / "project"
    at = project / linked
    at.parent.mkdir(parents=True)
    at.symlink_to(outside / linked)
    assert settings.load(str(project), {}).ignored == (".autology/config.yaml: symbolic links are not followed",)


def test_a_settings_path_that_is_not_a_file_is_reported_without_blocking(tmp_path: Path) -> None:
    (tmp_path / ".autology").mkdir()
    os.mkfifo(tmp_path / ".autology" / "config.yaml")
    assert "not a regular file" in settings.load(str(tmp_path), {}).ignored[0]


@pytest.mark.parametrize("prefix", ["AUTOLOGY_OPTION", "CLAUDE_PLUGIN_OPTION"])
def test_options_chosen_in_the_plugin_take_effect(tmp_path: Path, prefix: str) -> None:
    results = {"CONVERSATIONS": "false", "CONVERSATIONS_EXCLUDES": "/a, */b", "ARCHIVE": "false", "ARCHIVE_DAYS": "90"}
    result = settings.load(str(tmp_path), {f"{prefix}_{name}": value for name, value in results.items()})
    assert (result.conversations, result.archive, result.archive_days) == (False, False, 90)
    assert result.conversations_excludes == ("/a", "*/b")


def test_an_option_at_its_default_does_not_override_the_users_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("conversations: false\narchive_days: 30\nconversations_excludes: /private\n", encoding="utf-8")
    monkeypatch.setenv("AUTOLOGY_CONFIG", str(file))
    left = {
        "CONVERSATIONS": "true",
        "CONVERSATIONS_EXCLUDES": "",
        "ARCHIVE_DAYS": "0",
        "ARCHIVE": "${user_config.archive}",
    }
    result = settings.load(str(tmp_path), {f"AUTOLOGY_OPTION_{name}": value for name, value in left.items()})
    assert (result.conversations, result.archive, result.archive_days) == (False, True, 30)
    assert result.conversations_excludes == ("/private",)
    assert result.ignored == ()
    chosen = settings.load(str(tmp_path), {"AUTOLOGY_OPTION_ARCHIVE_DAYS": "7", "AUTOLOGY_ARCHIVE_DAYS": "5"})
    assert chosen.archive_days == 5
    assert settings.load(str(tmp_path), {"AUTOLOGY_OPTION_ARCHIVE_DAYS": "soon"}).ignored == (
        "the plugin's options: archive_days: 'soon' is not valid",
    )


def client_keeps(home: Path, text: str) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(text, encoding="utf-8")


def options(**chosen: object) -> str:
    return json.dumps(
        {"pluginConfigs": {"other@shop": {"options": {"archive": True}}, "autology@autology": {"options": chosen}}}
    )


def test_a_command_in_a_terminal_reads_the_options_where_the_client_keeps_them(home: Path, tmp_path: Path) -> None:
    client_keeps(home, options(archive=False, archive_days=30.0, conversations_excludes="/a, */b", unknown=1))
    result = settings.load(str(tmp_path), {})
    assert (result.archive, result.archive_days, result.conversations_excludes) == (False, 30, ("/a", "*/b"))
    assert result.ignored == ()


def test_options_passed_by_the_client_override_stored_ones_and_the_environment_overrides_both(
    home: Path, tmp_path: Path
) -> None:
    client_keeps(home, options(archive=False, archive_days=30))
    results = {"AUTOLOGY_OPTION_ARCHIVE": "true", "AUTOLOGY_OPTION_ARCHIVE_DAYS": "7", "AUTOLOGY_ARCHIVE_DAYS": "5"}
    result = settings.load(str(tmp_path), results)
    assert (result.archive, result.archive_days) == (True, 5)


def test_another_folder_of_the_client_is_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client_keeps(tmp_path, options(conversations=False))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / ".claude"))
    assert not settings.load(str(tmp_path), {}).conversations


def test_options_of_a_disabled_plugin_are_ignored(home: Path, tmp_path: Path) -> None:
    client_keeps(
        home, json.dumps({**json.loads(options(archive=False)), "enabledPlugins": {"autology@autology": False}})
    )
    assert settings.load(str(tmp_path), {}).archive


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", "null", '{"pluginConfigs": 3}', '{"pluginConfigs": {"autology@x": 3}}', "[" * 100_000],
)
def test_settings_of_the_client_that_make_no_sense_change_nothing(home: Path, tmp_path: Path, text: str) -> None:
    client_keeps(home, text)
    result = settings.load(str(tmp_path), {})
    assert (result.archive, result.archive_days) == (True, 0)
    assert all("the client's settings" in results for results in result.ignored)


def test_an_option_that_does_not_fit_is_named(home: Path, tmp_path: Path) -> None:
    client_keeps(home, options(archive_days="soon", archive=[1]))
    assert settings.load(str(tmp_path), {}).ignored == (
        "the plugin's options: archive: '[1]' is not valid",
        "the plugin's options: archive_days: 'soon' is not valid",
    )


def test_the_state_of_the_settings_changes_with_each_file_and_variable(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / ".autology" / "config.yaml"
    seen = [settings.state_of_settings(str(tmp_path))]
    assert settings.state_of_settings(str(tmp_path)) == seen[0]
    for path, text in (
        (project, "archive: false\n"),
        (Path(places.config_file()), "archive: false\n"),
        (home / ".claude" / "settings.json", "{}"),
        (project, "archive: no\n"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_000_000_000, 1_000_000_000))
        seen.append(settings.state_of_settings(str(tmp_path)))
    monkeypatch.setenv("AUTOLOGY_ARCHIVE", "true")
    seen.append(settings.state_of_settings(str(tmp_path)))
    project.unlink()
    seen.append(settings.state_of_settings(str(tmp_path)))
    assert len(set(seen)) == len(seen)


def test_a_file_that_may_be_written_again_within_a_tick_never_has_the_same_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "YOUNG_NS", 600_000_000_000)  # this very moment lasts, on a busy machine
    load_settings(tmp_path, "archive: false\n")
    assert settings.state_of_settings(str(tmp_path)) != settings.state_of_settings(str(tmp_path))
