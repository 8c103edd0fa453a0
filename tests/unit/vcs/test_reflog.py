"""A reflog tells which commits happened, in whatever kind of repository, and is read as a file."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from autology.vcs import reflog
from autology.vcs.reflog import changed_files as files
from tests.unit.hooks_kit import commit, git, repository


def found(folder: Path, since: float = 0) -> list[tuple[str, str]]:
    place = reflog.repository(str(folder))
    assert place is not None
    return [(entry.commit, entry.subject) for entry in reflog.commits(place, since)]


def test_commits_are_distinguished_from_other_reflog_entries(tmp_path: Path) -> None:
    repository(tmp_path)
    first = commit(tmp_path, "Begin: with a colon")
    second = commit(tmp_path, "Second ✓")
    git(tmp_path, "checkout", "-q", "-b", "other")
    git(tmp_path, "reset", "-q", "--hard", "HEAD~1")
    third = commit(tmp_path, "Third")
    git(tmp_path, "checkout", "-q", "main")
    assert found(tmp_path) == [(first, "Begin: with a colon"), (second, "Second ✓"), (third, "Third")]


def test_an_amended_commit_and_a_concluded_merge_are_commits(tmp_path: Path) -> None:
    repository(tmp_path)
    commit(tmp_path, "Begin", "a")
    git(tmp_path, "checkout", "-q", "-b", "other")
    commit(tmp_path, "Theirs", "b")
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, "Ours", "c")
    git(tmp_path, "merge", "-q", "--no-commit", "--no-ff", "other")
    git(tmp_path, "commit", "-q", "-m", "Merge other")
    place = reflog.repository(str(tmp_path))
    assert place is not None
    merge = reflog.commits(place, 0)[-1]
    assert (merge.subject, merge.merged) == ("Merge other", True)
    assert files(place.git_dir, merge.before, merge.commit, merge.merged) == ("b",)
    git(tmp_path, "commit", "-q", "--amend", "-m", "Merged")
    assert reflog.commits(place, 0)[-1].subject == "Merged"


def test_a_commit_s_files_are_named_as_they_are(tmp_path: Path) -> None:
    repository(tmp_path)
    commit(tmp_path, "Begin", "a", "ü b/ß.txt", "z\ttab")
    place = reflog.repository(str(tmp_path))
    assert place is not None
    (first,) = reflog.commits(place, 0)
    assert set(files(place.git_dir, first.before, first.commit, first.merged) or ()) == {"a", "ü b/ß.txt", "z\ttab"}
    assert files(place.git_dir, first.before, "0" * 40, first.merged) is None


def test_each_work_tree_has_its_own_reflog(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    commit(main, "Begin")
    git(main, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    there = commit(tmp_path / "side", "Aside")
    assert (there, "Aside") in found(tmp_path / "side")
    assert (there, "Aside") not in found(main)
    places = [reflog.repository(str(folder)) for folder in (main, tmp_path / "side")]
    assert places[0] is not None
    assert places[1] is not None
    assert places[0].common_dir == places[1].common_dir
    assert places[1].top == str(tmp_path / "side")


def test_a_submodule_s_is_found_through_its_pointer(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    commit(inner, "Inner")
    outer = repository(tmp_path / "outer")
    commit(outer, "Outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    there = commit(outer / "sub", "Inside")
    assert found(outer / "sub")[-1] == (there, "Inside")
    assert there not in [made for made, _ in found(outer)]


def test_the_repository_is_found_from_a_subfolder_and_by_git_dir(tmp_path: Path) -> None:
    repository(tmp_path)
    first = commit(tmp_path, "Begin", "deep/er/a")
    assert found(tmp_path / "deep" / "er") == [(first, "Begin")]
    place = reflog.repository(str(tmp_path / "deep"), "../.git")
    assert place is not None
    assert [entry.commit for entry in reflog.commits(place, 0)] == [first]


def test_only_commits_since_the_given_time_are_returned(tmp_path: Path) -> None:
    repository(tmp_path)
    old = {"GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}
    commit(tmp_path, "Old", env=old)
    began = time.time()
    new = commit(tmp_path, "New")
    assert found(tmp_path, began - 1) == [(new, "New")]
    os.utime(tmp_path / ".git" / "logs" / "HEAD", (began - 100, began - 100))
    assert found(tmp_path, began - 1) == []


def test_the_last_commit_counts_whatever_date_it_was_given(tmp_path: Path) -> None:
    repository(tmp_path)
    old = {"GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}
    commit(tmp_path, "Old", env=old)
    last = commit(tmp_path, "Dated back", env=old)
    assert found(tmp_path, time.time() - 3600) == [(last, "Dated back")]


def test_a_long_reflog_is_read_at_its_end_only(tmp_path: Path) -> None:
    repository(tmp_path)
    last = commit(tmp_path, "Last")
    log = tmp_path / ".git" / "logs" / "HEAD"
    line = log.read_bytes()
    log.write_bytes(line.replace(b"Last", b"x" * 1000) * 5000 + line)
    began = time.process_time()
    assert found(tmp_path)[-1] == (last, "Last")
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"garbage\n",
        b"\t\n",
        b"\tcommit: x\n",
        b"a b c\tcommit: x\n",
        b"0" * 40 + b" " + b"1" * 40 + b"\tcommit: x\n",
        b"0" * 40 + b" " + b"1" * 40 + b" Dev <d> soon +0000\tcommit: x\n",
        b"0" * 40 + b" ../../etc/passwd Dev <d> 1 +0000\tcommit: x\n",
        b"0" * 40 + b" --output=x Dev <d> 1 +0000\tcommit: x\n",
        bytes(range(256)) * 10,
    ],
)
def test_a_damaged_reflog_tells_nothing(tmp_path: Path, line: bytes) -> None:
    repository(tmp_path)
    (tmp_path / ".git" / "logs").mkdir(exist_ok=True)
    (tmp_path / ".git" / "logs" / "HEAD").write_bytes(line)
    assert found(tmp_path) == []


def test_without_a_repository_none_is_found(tmp_path: Path) -> None:
    assert reflog.repository(str(tmp_path)) is None
    assert reflog.repository(str(tmp_path), "nowhere") is None
    (tmp_path / ".git").write_text("gitdir: /nowhere\n", encoding="utf-8")
    assert reflog.repository(str(tmp_path)) is None
    (tmp_path / ".git").write_bytes(b"\xff\xfe" * 5000)
    assert reflog.repository(str(tmp_path)) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_pipe_in_the_place_of_a_reflog_is_not_waited_for(tmp_path: Path) -> None:
    repository(tmp_path)
    (tmp_path / ".git" / "logs").mkdir(exist_ok=True)
    os.mkfifo(tmp_path / ".git" / "logs" / "HEAD")
    assert found(tmp_path) == []


def test_a_repository_without_reflogs_tells_nothing(tmp_path: Path) -> None:
    repository(tmp_path)
    git(tmp_path, "config", "core.logAllRefUpdates", "false")
    commit(tmp_path, "Unlogged")
    assert found(tmp_path) == []
