"""Whom a memory is for when nobody said: the environment, the settings, git; and never a path of this machine."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autology.core.memory import scopes
from autology.model.errors import ValidationError
from autology.model.memory import Scope, check_scope_part
from autology.vcs.project_identity import branch


def scope_of(
    identity: str = "example.org/acme/shop", on: str | None = "main", org: str = "", project: str = ""
) -> scopes.ScopeSources:
    return scopes.ScopeSources(org, project, lambda: identity, lambda: on)


def test_the_environment_wins_over_the_settings_and_these_over_git() -> None:
    assert scopes.default({}, scope_of()) == Scope(None, "example.org/acme/shop", "main")
    assert scopes.default({}, scope_of(org="acme", project="mine")) == Scope("acme", "mine", "main")
    environ = {"CORTEX_ORG": "o", "CORTEX_PROJECT": "p", "CORTEX_BRANCH": "b"}
    assert scopes.default(environ, scope_of(org="acme", project="mine")) == Scope("o", "p", "b")
    assert scopes.default({"CORTEX_ORG": "  "}, scope_of(on=None)) == Scope(None, "example.org/acme/shop", None)


@pytest.mark.parametrize(
    "identity", ["/home/ada/my shop/.git", "/srv/x", "C:\\Users\\ada\\shop", "C:/Users/ada/shop/.git", "/"]
)
def test_a_repository_without_a_remote_is_named_without_its_path(identity: str) -> None:
    project = scopes.default({}, scope_of(identity)).project
    assert project is not None
    assert check_scope_part("project", project) == project
    assert "ada" not in project
    assert "/" not in project
    assert project == scopes.default({}, scope_of(identity)).project
    assert project != scopes.default({}, scope_of(f"{identity}2")).project


def test_invalid_scope_names_are_converted_and_stay_distinct() -> None:
    names = ["feature/über cool", "feature/uber cool", "x" * 150, "x" * 151]
    parts = [scopes.default({}, scope_of(on=name)).branch for name in names]
    assert len(set(parts)) == len(names)
    for part in parts:
        assert part is not None
        assert check_scope_part("branch", part) == part


@pytest.mark.parametrize("variable", ["CORTEX_ORG", "CORTEX_PROJECT", "CORTEX_BRANCH"])
def test_a_variable_that_does_not_fit_is_named(variable: str) -> None:
    with pytest.raises(ValidationError, match=variable):
        scopes.default({variable: "a b"}, scope_of())


def test_the_branch_is_that_of_the_worktree(tmp_path: Path) -> None:
    def git(*arguments: str, at: Path = tmp_path) -> None:
        name = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *name, *arguments], cwd=at, check=True, capture_output=True)

    assert branch(str(tmp_path)) is None
    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "begin")
    git("worktree", "add", "-q", "-b", "topic/one", "tree")
    below = tmp_path / "tree" / "deep"
    below.mkdir()
    assert (branch(str(tmp_path)), branch(str(below))) == ("main", "topic/one")
    git("checkout", "-q", "--detach")
    assert branch(str(tmp_path)) is None
