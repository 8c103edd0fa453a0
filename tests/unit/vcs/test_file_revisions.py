"""The commits that changed a file, from git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autology.model.errors import StorageError
from autology.vcs import file_revisions
from autology.vcs.file_revisions import GitRevisions

IDENTITY = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org"}
IDENTITY |= {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org"}


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, env={**os.environ, **IDENTITY})


def commit(root: Path, subject: str, **files: str | None) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path = path.with_name(f"{path.name}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink() if text is None else path.write_text(text, encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", subject)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def subjects(root: Path, path: str) -> list[tuple[str, str]]:
    found = GitRevisions(str(root)).of(path, LIMIT)
    assert found is not None
    return [(one.subject, one.path) for one in found.revisions]


LIMIT = 5
LONG = "Line\n" * 30


def test_renames_are_followed(root: Path) -> None:
    commit(root, "First", a=LONG)
    commit(root, "Other", b="Other.")
    git(root, "mv", "a.md", "c.md")
    commit(root, "Move")
    commit(root, "Change", c=LONG + "More.\n")
    assert subjects(root, "c.md") == [("Change", "c.md"), ("Move", "c.md"), ("First", "a.md")]
    store = GitRevisions(str(root))
    found = store.of("c.md", LIMIT)
    assert found
    assert [store.text(one) for one in found.revisions] == [LONG + "More.\n", LONG, LONG]
    assert (found.more, found.shallow) == (False, False)
    assert (found.revisions[0].author, found.revisions[0].at[:2]) == ("Ada", "20")


def test_a_project_in_a_folder_of_a_repository_and_odd_names_work(root: Path) -> None:
    folder = root / "part"
    commit(root, "Weird \x01 subject\twith tabs", part__a=LONG)
    (folder / ":(top)*.md").write_text(LONG)
    commit(root, "Odd name")
    assert subjects(folder, "a.md") == [("Weird \x01 subject\twith tabs", "part/a.md")]
    assert subjects(folder, ":(top)*.md") == [("Odd name", "part/:(top)*.md")]
    store = GitRevisions(str(folder))
    found = store.of("a.md", LIMIT)
    assert found
    assert store.text(found.revisions[0]) == LONG


def test_what_a_file_was_copied_from_is_not_its_history(root: Path) -> None:
    commit(root, "Template", template=LONG)
    commit(root, "Better template", template=LONG + "Better.\n")
    commit(root, "Decision", a=LONG + "Decided.\n")
    commit(root, "Reason", a=LONG + "Decided, because.\n")
    assert subjects(root, "a.md") == [("Reason", "a.md"), ("Decision", "a.md")]


def test_without_commits_or_git_there_is_no_history(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert subjects(root, "a.md") == []
    assert GitRevisions(str(tmp_path_factory.mktemp("bare"))).of("a.md", LIMIT) is None
    commit(root, "First", a=LONG)
    assert subjects(root, "b.md") == []


def test_new_commits_are_noticed_and_long_histories_are_cut(root: Path) -> None:
    store = GitRevisions(str(root))
    for number in range(LIMIT + 2):
        commit(root, f"Change {number}", a=f"{number}\n")
        if number == 0:
            first = store.of("a.md", LIMIT)
            assert first
            assert len(first.revisions) == 1
    found = store.of("a.md", LIMIT)
    assert found
    assert (len(found.revisions), found.more) == (LIMIT, True)
    assert found.revisions[0].subject == f"Change {LIMIT + 1}"


def test_large_and_binary_texts_are_not_shown(root: Path) -> None:
    commit(root, "Large", a="x" * 1_100_000)
    commit(root, "Binary", a="\0\0")
    commit(root, "Gone", a=None)
    store = GitRevisions(str(root))
    found = store.of("a.md", LIMIT)
    assert found
    assert [store.text(one) for one in found.revisions] == [None, None, None]
    assert store.text(file_revisions.Revision("--help", "", "", "", "a.md")) is None


def test_a_git_that_takes_too_long_is_stopped(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(root, "First", a=LONG)
    monkeypatch.setattr(file_revisions, "TIMEOUT", 1e-6)
    with pytest.raises(StorageError, match="git log --follow"):
        GitRevisions(str(root)).of("a.md", LIMIT)


def test_merged_changes_are_part_of_the_history(root: Path) -> None:
    commit(root, "First", a=LONG)
    git(root, "checkout", "-q", "-b", "side")
    commit(root, "On the side", a=LONG + "Side.\n")
    git(root, "checkout", "-q", "-")
    commit(root, "Elsewhere", b="B")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    assert subjects(root, "a.md") == [("On the side", "a.md"), ("First", "a.md")]
