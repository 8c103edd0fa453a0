"""`autology connect` shows the change of a client's file, makes it after consent, and `disconnect` undoes it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from autology.__main__ import main
from autology.wire import user

FILES = {
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/mcp.json",
    "opencode": ".config/opencode/opencode.json",
}


@pytest.fixture(autouse=True)
def executable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    archive = tmp_path / "autology.pyz"
    archive.touch()
    monkeypatch.setattr("sys.argv", [str(archive)])
    monkeypatch.setenv("XDG_CONFIG_HOME", str(Path(os.environ["HOME"]) / ".config"))
    return archive


@pytest.mark.parametrize("client", sorted(FILES))
def test_a_client_is_connected_and_disconnected_without_a_trace(
    home: Path, executable: Path, capsys: pytest.CaptureFixture[str], client: str
) -> None:
    file = home / FILES[client]
    before = sorted(home.rglob("*"))
    assert main(["connect", client, "--yes"]) == 0
    printed = capsys.readouterr().out
    assert ('\n  +  "mcp' if file.suffix == ".json" else "\n  +command") in printed
    assert f"autology disconnect {client}" in printed
    assert str(executable) in file.read_text(encoding="utf-8")
    assert main(["connect", client, "--yes"]) == 0
    assert "is connected already" in capsys.readouterr().out
    assert main(["disconnect", client, "--yes"]) == 0
    after = [path for path in sorted(home.rglob("*")) if path not in before]
    assert [path for path in after if path.is_file() and "autology" not in str(path)] == []
    assert main(["disconnect", client, "--yes"]) == 0
    assert "was not connected" in capsys.readouterr().out


def test_without_consent_nothing_changes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", "codex"]) == 1
    assert "Pass --yes" in capsys.readouterr().err
    assert not (home / ".codex").exists()


def test_a_file_that_cannot_be_parsed_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = home / FILES["gemini"]
    file.parent.mkdir()
    file.write_text('{"theme": ', encoding="utf-8")
    assert main(["connect", "gemini", "--yes"]) == 1
    assert "Nothing was changed" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == '{"theme": '


def test_all_clients_are_listed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text("[", encoding="utf-8")
    main(["connect", "codex", "--yes"])
    capsys.readouterr()
    assert main(["connect", "--json"]) == 0
    rows = {row["client"]: row for row in json.loads(capsys.readouterr().out)["clients"]}
    assert set(rows) == set(FILES)
    assert rows["codex"]["connected"] is True
    assert "cannot be edited" in rows["gemini"]["problem"]
    assert main(["connect"]) == 0
    assert "no configuration here" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_linked_file_stays_linked(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.toml"
    target.write_text('model = "x"\n', encoding="utf-8")
    file = home / FILES["codex"]
    file.parent.mkdir()
    file.symlink_to(target)
    assert main(["connect", "codex", "--yes"]) == 0
    assert file.is_symlink()
    assert "autology" in target.read_text(encoding="utf-8")


def test_a_file_that_changed_meanwhile_is_not_overwritten(home: Path) -> None:
    file = home / "mcp.json"
    file.write_text('{"new": 1}', encoding="utf-8")
    with pytest.raises(Exception, match="changed meanwhile"):
        user.write_client_config(str(file), "{}", '{"x": 1}')
    assert file.read_text(encoding="utf-8") == '{"new": 1}'


def test_from_source_there_is_nothing_to_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["autology"])
    assert main(["connect", "codex", "--yes"]) == 1
    assert "build.py build" in capsys.readouterr().err


HOOKED = {"codex": (".codex/hooks.json", "SessionStart"), "gemini": (".gemini/settings.json", "BeforeAgent")}


@pytest.mark.skipif(os.name == "nt", reason="no hooks are added there")
@pytest.mark.parametrize("client", sorted(HOOKED))
def test_hooks_are_shown_added_and_removed_with_the_server(
    home: Path, executable: Path, capsys: pytest.CaptureFixture[str], client: str
) -> None:
    name, event = HOOKED[client]
    file = home / name
    assert main(["connect", client, "--yes"]) == 0
    assert f"@{client}" in capsys.readouterr().out
    (group,) = json.loads(file.read_text(encoding="utf-8"))["hooks"][event]
    assert str(executable) in group["hooks"][0]["command"]
    assert main(["connect", client, "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == []
    assert main(["disconnect", client, "--yes"]) == 0
    assert not file.exists()


def test_a_client_is_connected_to_the_server_only(home: Path) -> None:
    assert main(["connect", "gemini", "--server-only", "--yes"]) == 0
    assert set(json.loads((home / ".gemini" / "settings.json").read_text(encoding="utf-8"))) == {"mcpServers"}
    assert main(["connect", "codex", "--server-only", "--yes"]) == 0
    assert {file.name for file in (home / ".codex").rglob("*")} == {"config.toml"}


@pytest.mark.skipif(os.name == "nt", reason="no hooks are added there")
def test_without_a_readable_file_of_hooks_nothing_is_changed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "hooks.json").write_text("{", encoding="utf-8")
    assert main(["connect", "codex", "--yes"]) == 1
    assert "hooks.json" in capsys.readouterr().err
    assert not (home / ".codex" / "config.toml").exists()


SKILLED = {"codex": ".codex/skills", "gemini": ".gemini/skills", "opencode": ".config/opencode/skills"}


@pytest.mark.parametrize("client", sorted(SKILLED))
def test_a_skill_is_shown_written_and_removed_with_its_folders(
    home: Path, capsys: pytest.CaptureFixture[str], client: str
) -> None:
    folder = home / SKILLED[client]
    assert main(["connect", client, "--yes"]) == 0
    assert "+name: autology" in capsys.readouterr().out
    text = (folder / "autology" / "SKILL.md").read_text(encoding="utf-8")
    assert text.startswith("---\nname: autology\ndescription: Use when")
    assert "autology_query" in text
    assert main(["disconnect", client, "--yes"]) == 0
    assert not folder.exists()


def test_a_skill_of_that_name_that_somebody_else_wrote_stays(home: Path) -> None:
    file = home / ".gemini" / "skills" / "autology" / "SKILL.md"
    file.parent.mkdir(parents=True)
    (file.parent.parent / "other").mkdir()
    file.write_text("---\nname: autology\n---\nmine\n", encoding="utf-8")
    assert main(["connect", "gemini", "--yes"]) == 0
    assert file.read_text(encoding="utf-8").endswith("mine\n")
    assert main(["disconnect", "gemini", "--yes"]) == 0
    assert file.read_text(encoding="utf-8").endswith("mine\n")
