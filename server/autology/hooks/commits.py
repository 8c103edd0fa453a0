"""Detects the results of a command: new commits from the reflogs, pull requests from gh's output."""

from __future__ import annotations

import os
import time
from collections import namedtuple

from autology import wire
from autology.text.shell.vcs_calls import commits_and_pulls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autology.hooks.project import HookProject
    from autology.text.shell.vcs_calls import CommitCall, PullCall

SLACK = 2.0
"""Clock tolerance in seconds before the tool's start: reflogs have whole seconds, and a busy machine starts the hook
late. A commit that is counted twice is still suggested only once."""
DEFAULT_DURATION = 120.0
"""The assumed duration of a tool if the client reports none: its default command timeout."""
MAX_FILES = 300
"""Maximum files of a commit that are looked up; larger commits usually move or reformat files."""

NewCommit = namedtuple("NewCommit", ("git_dir", "common_dir", "top", "before", "commit", "subject", "merged"))
"""A new commit: its repository's folders, the parent hash, its own hash, its subject, whether it is a merge."""

Changed = namedtuple("Changed", ("files", "known_as", "place"))
"""A commit's files: as named in the repository (None if git cannot tell), as the project's nodes name them, and the
repository's place if it is not the project's."""

_PULL = r"^\s*(https?://[^\s/]+/[^\s/]+/[^\s/]+/pull/[0-9]+)\s*$"
_MERGED = r"^\W{0,3}((?:Squashed and m|Rebased and m|M)erged pull request \S{1,200})"
_NOT_MERGED = r"already (?:merged|queued)|not mergeable|merge queue|automatically merged"


def detected(event: dict[str, object]) -> tuple[list[NewCommit], list[str]]:
    """Return the commits that a command made, oldest first, and its pull request actions, as sentences."""
    tool, response = event.get("tool_input"), event.get("tool_response")
    command = tool.get("command") if isinstance(tool, dict) else None
    if not isinstance(command, str) or not _succeeded(event, response):
        return [], []
    commits, pulls = commits_and_pulls(command, os.environ)
    return list(_new_commits(commits, event)) if commits else [], list(_pull_actions(pulls, response)) if pulls else []


def changed(commit: NewCommit, project: HookProject) -> Changed:
    """Return what a commit changed; runs git, which takes some 10 ms."""
    files = wire.reflog().changed_files(commit.git_dir, commit.before, commit.commit, commit.merged)
    known_as, place = _path_mapping(commit, project)
    names = (known_as(name) for name in (files or ())[:MAX_FILES])
    return Changed(files, [name for name in names if name], place)


def _succeeded(event: dict[str, object], response: object) -> bool:
    if event.get("hook_event_name", "PostToolUse") != "PostToolUse" or event.get("tool_name", "Bash") != "Bash":
        return False
    return not (isinstance(response, dict) and (response.get("interrupted") or response.get("is_error")))


def _new_commits(calls: list[CommitCall], event: dict[str, object]) -> Iterator[NewCommit]:
    """Yield the reflog entries of the command's repositories that were written while the tool ran."""
    reflog = wire.reflog()
    duration = event.get("duration_ms")
    seconds = duration / 1000 if isinstance(duration, (int, float)) and duration >= 0 else DEFAULT_DURATION
    since = time.time() - seconds - SLACK
    seen_repositories = set()
    for call in calls:
        git_dir = "" if "\0" in call.git_dir else os.path.expanduser(call.git_dir)
        for folder in _folders(call, event):
            repository = reflog.repository(folder, git_dir)
            entries = reflog.commits(repository, since) if repository else ()
            if entries and repository.git_dir not in seen_repositories:
                seen_repositories.add(repository.git_dir)
                place = (repository.git_dir, repository.common_dir, repository.top)
                for entry in entries:
                    yield NewCommit(*place, entry.before, entry.commit, entry.subject, entry.merged)
            if entries:
                break


def _folders(call: CommitCall, event: dict[str, object]) -> Iterator[str]:
    """Yield the folders in which the commit may have run, likeliest first; the reflogs decide.

    `cd` changes the client's folder, and the reported one may be from before or after.
    """
    candidates = (event.get("cwd"), os.environ.get("CLAUDE_PROJECT_DIR"))
    starts = [start for start in candidates if isinstance(start, str) and start]
    if call.moved:
        is_literal = "\0" not in call.moved
        moved = [os.path.join(start, os.path.expanduser(call.moved)) for start in starts] if is_literal else []
        starts = [folder for folder in moved if os.path.isdir(folder)] or starts
    else:
        starts = starts[:1]
    inside = "" if "\0" in call.inside else os.path.expanduser(call.inside)
    for start in dict.fromkeys(starts):
        folder = os.path.normpath(os.path.join(start, inside))
        if os.path.isdir(folder):
            yield folder


def _path_mapping(commit: NewCommit, project: HookProject) -> tuple[Callable[[str], str], str]:
    """Return a function that maps repository files to project paths ("" if outside), and the repository's place."""
    root = os.path.realpath(project.root)
    own_repository = wire.reflog().repository(root)
    if own_repository and own_repository.common_dir == commit.common_dir and own_repository.top and commit.top:
        # The same repository, perhaps a different work tree: the relative paths are the same.
        subfolder = os.path.relpath(root, os.path.realpath(own_repository.top)).replace(os.sep, "/")
        prefix = "" if subfolder == "." else f"{subfolder}/"
        return (lambda name: name[len(prefix) :] if name.startswith(prefix) else ""), ""
    top = os.path.realpath(commit.top or commit.git_dir)
    if top.startswith(os.path.join(root, "")):
        subfolder = os.path.relpath(top, root).replace(os.sep, "/")
        return (lambda name: f"{subfolder}/{name}"), subfolder
    return (lambda _: ""), top


def _pull_actions(calls: list[PullCall], response: object) -> Iterator[str]:
    import re

    parts = [response.get("stdout"), response.get("stderr")] if isinstance(response, dict) else [response]
    output = "\n".join(part[-20_000:] for part in parts if isinstance(part, str))
    actions = {call.action for call in calls}
    if "create" in actions and "already exists" not in output:
        for match in re.finditer(_PULL, output, re.MULTILINE):
            yield f"opened pull request {match[1]}"
    if "merge" in actions:
        merges = [f"{match[1][0].lower()}{match[1][1:]}" for match in re.finditer(_MERGED, output, re.MULTILINE)]
        if not merges and not re.search(_NOT_MERGED, output):
            # Without a terminal, gh prints nothing after a successful merge.
            merges = [f"merged pull request {call.which}".rstrip() for call in calls if call.silent_success]
        yield from merges
