"""``autology languages``, and what the code graph answers with the parsers, without them, and with damaged ones."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from autology import extras
from autology.codegraph.parsing import installed as shelf
from autology.wire import user
from autology.wire.project import Project
from tests.fakes import parsers
from tests.fakes.sources import program
from tests.unit.cli_kit import autology, repository, run_json

POSIX_ONLY = pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid"), reason="rights are other there")


def project_in(tmp_path: Path, language: str) -> Path:
    """A repository that holds the program in *language*."""
    root = tmp_path / "project"
    for path, text in program(language).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return repository(root)


def data(home: Path) -> Path:
    return home / "data"


# ---- installing and removing ---------------------------------------------------------------------------


def test_at_first_python_is_read_and_the_others_are_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run_json(capsys, "languages", "list", project=tmp_path)
    assert not result["installed"]
    assert result["languages"][0] == {"name": "Python", "endings": [".py"], "read": True}
    assert {each["name"] for each in result["languages"]} > {
        "JavaScript",
        "TypeScript",
        "Go",
        "Rust",
        "Java",
        "C",
        "C++",
    }
    assert not any(each["read"] for each in result["languages"][1:])
    assert autology("languages", project=tmp_path) == 0
    assert "Run `autology languages install` to read all of them" in capsys.readouterr().out


def test_the_parsers_are_installed_and_removed(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = tmp_path / "wheels"
    monkeypatch.setattr(shelf.Languages.__init__, "__defaults__", (str(parsers.wheels(wheels)),))
    user._languages.cache_clear()
    assert autology("languages", "install", "--wheels", str(wheels), project=tmp_path) == 0
    output = capsys.readouterr()
    assert "installed and tested" in output.out
    assert "installing the parsers of JavaScript, TypeScript" in output.err
    folder = data(home) / "languages" / "tree-sitter" / extras.tag()
    assert (folder / "packages" / "tree_sitter_go" / "__init__.py").exists()
    assert user.languages().place.ready
    assert autology("languages", "remove", project=tmp_path) == 0
    assert not (data(home) / "languages").exists()
    assert autology("languages", "remove", project=tmp_path) == 0
    assert "were not installed" in capsys.readouterr().out
    user._languages.cache_clear()


def test_parsers_that_do_not_run_are_not_installed(tmp_path: Path, home: Path) -> None:
    wheels = tmp_path / "wheels"
    languages = shelf.Languages(str(data(home) / "languages"), str(parsers.wheels(wheels, runs=False)))
    with pytest.raises(shelf.ParsingError, match="were fetched and do not run here: ImportError: no"):
        languages.install(str(wheels))
    assert not (data(home) / "languages").exists()


def test_without_a_network_it_says_how_to_bring_the_packages(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "0",
        "PIP_CONFIG_FILE": os.devnull,
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    assert autology("languages", "install", project=tmp_path) == 1
    output = capsys.readouterr().err
    assert "no package index was reached" in output
    assert "`autology languages install --wheels wheels`" in output
    assert not (data(home) / "languages").exists()


def test_a_folder_of_wheels_without_the_right_ones_installs_nothing(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("languages", "install", "--wheels", str(tmp_path), project=tmp_path) == 1
    assert "could not be fetched" in capsys.readouterr().err
    assert not (data(home) / "languages").exists()


@POSIX_ONLY
def test_a_disk_that_refuses_is_said_with_the_next_step(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data(home).write_text("no folder", encoding="utf-8")
    assert autology("languages", "install", "--wheels", str(tmp_path), project=tmp_path) == 1
    assert "Python is read without it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [("list", "--wheels", "."), ("remove", "--wheels", "."), ("install", "--wheels", "nowhere"), ("use",)]
)
def test_conflicting_arguments_of_languages_are_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert autology("languages", *arguments, project=tmp_path) in (1, 2)


def test_parsers_for_another_python_are_said_to_be_that(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = parsers.installed(data(home))
    folder.rename(folder.with_name("cpython-399-plan9-vax"))
    assert run_json(capsys, "languages", "list", project=tmp_path)["other_pythons"] == ["cpython-399-plan9-vax"]
    root = project_in(tmp_path, "Go")
    assert autology("graph", "--code", "what calls Save", project=root) == 1
    assert "installed for another Python (cpython-399-plan9-vax)" in capsys.readouterr().err


def test_the_lock_names_each_parser_by_its_hashes() -> None:
    text = Path(shelf.REQUIREMENTS).read_text(encoding="utf-8")
    for each in shelf.LANGUAGES:
        assert f"{each.package.replace('_', '-')}==" in text
    assert text.count("--hash=sha256:") > 60
    assert "http" not in text


# ---- what is answered -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "asked", "about", "callers"),
    [
        ("TypeScript", "what calls Store.save", "src/store.ts:Store.save", {"src/app.ts:run", "src/app.ts:start"}),
        ("Go", "what calls Store.Save", "store/store.go:Store.Save", {"app/app.go:Run", "app/app.go:Start"}),
    ],
)
def test_callers_are_listed_in_other_languages(
    tmp_path: Path,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    language: str,
    asked: str,
    about: str,
    callers: set[str],
) -> None:
    root = project_in(tmp_path, language)
    parsers.installed(data(home))
    result = run_json(capsys, "graph", "--code", asked, project=root)
    assert [each["name"] for each in result["about"]] == [about]
    assert {link["source"] for link in result["links"]} == callers
    assert "degraded" not in result
    twin = run_json(
        capsys, "graph", "--code", f"what calls {'twin' if language == 'TypeScript' else 'Twin'}", project=root
    )
    assert twin["links"] == []
    assert [(each["line"], each["could_be"]) for each in twin["open"]] == [(2 if language == "TypeScript" else 3, 2)]


def test_effects_and_structure_are_listed_in_typescript(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project_in(tmp_path, "TypeScript")
    parsers.installed(data(home))
    made_up = run_json(capsys, "graph", "--code", "structure of src/store.ts", project=root)
    assert {link["target"] for link in made_up["links"]} >= {
        "src/store.ts:helper",
        "src/store.ts:Store.save",
        "src/db.ts",
    }
    affected = run_json(capsys, "graph", "--code", "what is affected by changes to Db.open", project=root)
    assert {(link["source"], link.get("distance", 1)) for link in affected["links"]} >= {
        ("src/store.ts:Store.save", 1),
        ("src/app.ts:run", 2),
    }


def test_a_changed_file_is_read_again_and_what_was_read_is_kept(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project_in(tmp_path, "TypeScript")
    (root / ".autology").mkdir()
    parsers.installed(data(home))
    code = Project(str(root)).code
    first = code.current().graph
    assert Project(str(root)).code.current().graph == first
    (root / "src" / "app.ts").write_text("export const nothing = 1;\n", encoding="utf-8")
    assert run_json(capsys, "graph", "--code", "what calls Store.save", project=root)["links"] == []
    shutil.rmtree(data(home) / "languages")
    assert not any(symbol.path.endswith(".ts") for symbol in code.current().graph.symbols)


def test_one_unread_source_file_is_reported_in_the_singular(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".autology").mkdir()
    (tmp_path / "one.ts").write_text("export const one = 1\n", encoding="utf-8")
    assert autology("status", project=tmp_path) == 0
    assert "1 source file is not read, 1 of TypeScript" in capsys.readouterr().out


def test_without_the_parsers_it_is_said_which_files_are_not_read_and_what_changes_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project_in(tmp_path, "TypeScript")
    (root / "tool.py").write_text("def go(): ...\ngo()\n", encoding="utf-8")
    unread = "5 source files are not read, 5 of TypeScript: `autology languages install` has them read"
    assert autology("graph", "--code", "what calls save", project=root) == 1
    assert unread in capsys.readouterr().err
    result = run_json(capsys, "graph", "--code", "what calls go", project=root)
    assert [link["source"] for link in result["links"]] == ["tool.py"]
    assert result["degraded"] == [unread]
    assert {each["text"] for each in run_json(capsys, "doctor", project=root)["facts"]} >= {unread}
    assert run_json(capsys, "status", project=root)["unread_sources"] == unread
    assert autology("status", project=root) == 0


def test_with_the_parsers_doctor_says_what_is_read(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project_in(tmp_path, "Go")
    parsers.installed(data(home))
    [message] = [
        each["text"] for each in run_json(capsys, "doctor", project=root)["facts"] if each["area"] == "languages"
    ]
    assert message.startswith("Python, JavaScript, TypeScript")
    assert "unread_sources" not in run_json(capsys, "status", project=root)


def test_parsers_that_are_damaged_are_named_and_python_is_read_on(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project_in(tmp_path, "TypeScript")
    (root / "tool.py").write_text("def go(): ...\ngo()\n", encoding="utf-8")
    folder = parsers.installed(data(home))
    (folder / "packages" / "tree_sitter.py").write_text("raise ImportError('cut short')\n", encoding="utf-8")
    with parsers.apart(folder / "packages", monkeypatch):
        result = run_json(capsys, "graph", "--code", "what calls go", project=root)
        assert [link["source"] for link in result["links"]] == ["tool.py"]
        assert "do not run here: ImportError: cut short" in result["degraded"][0]
        assert "Run `autology languages install`." in result["degraded"][0]
        problems = [each["problem"] for each in run_json(capsys, "doctor", project=root)["findings"]]
        assert any("do not run here" in each for each in problems)
        assert "do not run" in run_json(capsys, "languages", "list", project=root)["problem"]
    (folder / "packages" / "tree_sitter.py").unlink()
    user._languages.cache_clear()
    again = run_json(capsys, "graph", "--code", "what calls Store.save", project=root)
    assert len(again["links"]) == 2  # what could not be read then was not taken for empty
