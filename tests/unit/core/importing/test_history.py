"""What git knows of records: when they were made and changed; and nothing a repository configures is run."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from autology.vcs.git import Git
from tests.unit.cli_kit import NYGARD, git, records, repository

FIRST, SECOND, THIRD = "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    records(root / "doc" / "arch", {"0001-x.md": NYGARD, "0002-ü y.md": "# 2. Other\n"})
    return repository(root, at=FIRST)


def test_dates_are_those_of_the_first_and_the_last_commit(project: Path) -> None:
    records(project / "doc" / "arch", {"0001-x.md": NYGARD + "\nMore.\n"})
    git(project, "commit", "-q", "-a", "-m", "more", at=SECOND)
    dates = Git(str(project)).dates(["doc/arch/0001-x.md", "doc/arch/0002-ü y.md", "doc/arch/none.md"])
    assert dates == {"doc/arch/0001-x.md": (FIRST, SECOND), "doc/arch/0002-ü y.md": (FIRST, FIRST)}


def test_a_renamed_folder_keeps_the_dates_of_its_files(project: Path) -> None:
    git(project, "mv", "doc/arch", "docs")
    git(project, "commit", "-q", "-m", "move", at=SECOND)
    git(project, "mv", "docs/0001-x.md", "docs/0007-x.md")
    git(project, "commit", "-q", "-m", "rename", at=THIRD)
    dates = Git(str(project)).dates(["docs/0007-x.md", "docs/0002-ü y.md"])
    assert dates == {"docs/0007-x.md": (FIRST, THIRD), "docs/0002-ü y.md": (FIRST, SECOND)}


def test_files_are_the_tracked_and_the_new_ones_but_not_the_ignored(project: Path) -> None:
    (project / ".gitignore").write_text("build/\n", encoding="utf-8")
    records(project / "build", {"0001-x.md": "x"})
    assert set(Git(str(project)).files() or ()) == {".gitignore", "doc/arch/0001-x.md", "doc/arch/0002-ü y.md"}


def test_a_project_is_known_by_its_first_commit_and_its_folder_below_the_top(project: Path) -> None:
    root = git(project, "rev-list", "--max-parents=0", "HEAD").strip()
    assert Git(str(project)).identity() == root
    assert Git(str(project / "doc")).identity() == f"{root}/doc"
    git(project, "commit", "-q", "--allow-empty", "-m", "more")
    assert Git(str(project)).identity() == root


def test_a_project_below_the_top_sees_its_own_files_only(project: Path) -> None:
    history = Git(str(project / "doc"))
    assert history.dates(["arch/0001-x.md"]) == {"arch/0001-x.md": (FIRST, FIRST)}
    assert set(history.files() or ()) == {"arch/0001-x.md", "arch/0002-ü y.md"}


def test_without_a_repository_or_a_commit_there_is_no_history(tmp_path: Path) -> None:
    for folder in (tmp_path / "plain", tmp_path / "empty"):
        folder.mkdir()
    git(tmp_path / "empty", "init", "-q")
    for folder in (tmp_path / "plain", tmp_path / "empty"):
        history = Git(str(folder))
        assert (history.dates(["a.md"]), history.identity()) == ({}, None)
    assert Git(str(tmp_path / "plain")).files() is None
    assert Git(str(tmp_path / "empty")).files() == ()


def test_without_git_history_is_empty(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(project))
    history = Git(str(project))
    assert (history.dates(["doc/arch/0001-x.md"]), history.files(), history.identity()) == ({}, None, None)


def test_a_shallow_clone_knows_no_dates(project: Path, tmp_path: Path) -> None:
    git(project, "commit", "-q", "--allow-empty", "-m", "more", at=SECOND)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{project}", "shallow")
    history = Git(str(tmp_path / "shallow"))
    assert (history.dates(["doc/arch/0001-x.md"]), history.identity()) == ({}, None)
    assert history.files()


@pytest.mark.skipif(os.name == "nt", reason="the trap is a shell script")
def test_programs_that_a_repository_configures_are_not_run(project: Path, tmp_path: Path) -> None:
    sprung = tmp_path / "sprung"
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{sprung}'\ncat\n", encoding="utf-8")
    trap.chmod(trap.stat().st_mode | stat.S_IXUSR)
    hooks = project / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "post-checkout", "fsmonitor-watchman", "reference-transaction"):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch '{sprung}'\n", encoding="utf-8")
        (hooks / hook).chmod(0o755)
    (project / ".gitattributes").write_text("*.md diff=trap filter=trap\n", encoding="utf-8")
    keys = ("core.fsmonitor", "core.pager", "pager.log", "pager.ls-files", "diff.external", "gpg.program")
    keys += ("diff.trap.textconv", "diff.trap.command", "filter.trap.clean", "core.sshCommand", "core.editor")
    for key in keys:
        git(project, "config", key, str(trap))
    git(project, "config", "log.showSignature", "true")
    git(project, "config", "core.untrackedCache", "true")
    sprung.unlink(missing_ok=True)  # the configuring itself may have run some
    history = Git(str(project))
    assert history.dates(["doc/arch/0001-x.md"]) == {"doc/arch/0001-x.md": (FIRST, FIRST)}
    assert history.files()
    assert history.identity()
    assert not sprung.exists()
