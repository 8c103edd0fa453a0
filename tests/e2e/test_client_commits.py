"""Commits and pull requests in the client: what was made is spoken of, once, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.driving import SUGGESTED, Claude, Session, Told, bash

MADE = {
    "git commit": 'git commit -q -m "Made plainly"',
    "git -C": 'git -C . commit -q -m "Made by path"',
    "env": 'env LC_ALL=C git commit -q -m "Made by env"',
    "a shell": """bash -c "git commit -q -m 'Made by a shell'" """,
    "an amendment": 'git commit -q --amend -m "Made again"',
    "in a folder": 'cd sub && git commit -q -m "Made in a folder" && cd ..',
    "among other words": 'git status -s; git commit -q -m "Made among others" | cat; git log -1 --format=%s',
}
NOT_MADE = {
    "nothing to commit": "git commit -q -m nothing",
    "nothing to commit, forgiven": "git commit -q -m nothing || true",
    "a hook refuses": "HOOK_FAILS=1 git commit -q -m refused",
    "a hook refuses, forgiven": "HOOK_FAILS=1 git commit -q -m refused; true",
    "words only": 'echo "git commit -m made"',
    "an earlier commit is shown": "git log -1 --format='git commit %s'",
    "a dry run": "git commit --dry-run || true",
}
PULLS = {
    "gh pr create": ("gh pr create --fill", "opened pull request https://example.invalid/o/r/pull/7"),
    "gh pr merge": ("gh pr merge 7 --squash", "erged pull request"),
}
NO_PULLS = {
    "gh pr list": "gh pr list",
    "gh fails": "gh pr create --broken",
    "gh fails, forgiven": "gh pr create --broken || true",
    "words of gh": 'echo "gh pr create"',
}
BOTH = "a commit and a pull request"

GH = """#!/bin/sh
case "$*" in
  *--broken*) echo "pull request create failed: GraphQL" >&2; exit 1 ;;
  "pr create"*) echo "https://example.invalid/o/r/pull/$(cat number)"; echo $(($(cat number) + 1)) > number ;;
  "pr list"*) printf '7\\tA title\\tOPEN\\n' ;;
esac
"""
CHECK = '#!/bin/sh\ntest -z "$HOOK_FAILS"\n'


@pytest.fixture(scope="module")
def claude(start: Callable[[], Claude]) -> Claude:
    made = start()
    for file, text in ((made.programs / "gh", GH), (made.project / ".git" / "hooks" / "pre-commit", CHECK)):
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)
    (made.project / "number").write_text("7\n", encoding="utf-8")
    (made.project / "sub").mkdir()
    made.capture("Keep the index beside the notes", "So that it can be made anew.", "--references", "made.txt")
    made.sh("git add -A && git commit -q -m knowledge")
    return made


@pytest.fixture(scope="module")
def session(claude: Claude) -> Session:
    """One session with everything that is, or only looks like, a commit or a pull request."""
    change = "echo {} >> made.txt && git add made.txt && "
    steps = {name: bash(change.format(at) + command) for at, (name, command) in enumerate(MADE.items())}
    steps |= {
        name: bash(f"touch {at} && git add {at} && {command}")
        for at, (name, command) in enumerate(NOT_MADE.items())
        if "refuses" in name
    }
    steps |= {
        name: bash(f"git reset -q --hard && {command}" if "nothing" in name else command)
        for name, command in NOT_MADE.items()
        if "refuses" not in name
    }
    steps |= {name: bash(command) for name, (command, _) in PULLS.items()}
    steps |= {name: bash(command) for name, command in NO_PULLS.items()}
    steps[BOTH] = bash('git commit -q --allow-empty -m "Made with a pull request" && gh pr create --fill')
    steps["nothing more"] = bash("git status --short")
    return claude.session(steps)


def suggestions(told: Told) -> int:
    assert all(event == "PostToolUse" for event, _ in told.hooks)
    return told.said.count(SUGGESTED)


@pytest.mark.parametrize("name", MADE)
def test_a_commit_is_spoken_of_in_the_next_request(session: Session, name: str) -> None:
    result = session.after[name]
    assert not result.failed
    assert suggestions(result) == 1
    assert "Made" in result.said
    assert "made.txt" in result.said
    assert "Keep the index beside the notes" in result.said


@pytest.mark.parametrize("name", NOT_MADE)
def test_commands_that_made_no_commit_are_not_reported(session: Session, name: str) -> None:
    assert session.after[name].hooks == ()


@pytest.mark.parametrize("name", PULLS)
def test_a_pull_request_that_is_opened_or_merged_is_spoken_of(session: Session, name: str) -> None:
    assert suggestions(session.after[name]) == 1
    assert PULLS[name][1] in session.after[name].said


@pytest.mark.parametrize("name", NO_PULLS)
def test_commands_that_changed_no_pull_request_are_not_reported(session: Session, name: str) -> None:
    assert session.after[name].hooks == ()


def test_a_commit_and_a_pull_request_in_one_command_are_spoken_of_together_and_once(session: Session) -> None:
    result = session.after[BOTH]
    assert suggestions(result) == 1
    assert "Made with a pull request" in result.said
    assert "opened pull request https://example.invalid/o/r/pull/8" in result.said


def test_each_commit_is_suggested_once_to_the_model_and_once_to_the_user(session: Session) -> None:
    spoken = len(MADE) + len(PULLS) + 1
    assert session.requests[-1].any_text.count(SUGGESTED) == spoken
    assert len([message for message in session.messages if "/autology:capture keeps why" in message]) == spoken
    assert session.after["nothing more"].hooks == ()


def test_commits_and_pull_requests_in_a_project_without_knowledge_are_not_spoken_of(
    start: Callable[[], Claude],
) -> None:
    bare = start()
    session = bare.session({"commit": bash("touch x && git add x && git commit -q -m x")})
    assert not session.after["commit"].failed
    assert (session.first.hooks, session.after["commit"].hooks, session.messages) == ((), (), [])
    assert not (bare.project / ".autology").exists()
