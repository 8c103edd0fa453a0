"""What a command really did: commits as the reflogs have them, pull requests as gh told."""

from __future__ import annotations

import os
import time
from collections import namedtuple

from autology import wire
from autology.text.vcscalls import asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autology.hooks.project import Project
    from autology.text.vcscalls import CommitCall, PullCall

SLACK = 2.0
"""Seconds before the tool's start in which a commit still counts as its own: a reflog's times are
whole seconds, and a busy machine starts the hook late. One counted too early is suggested once all the same."""
UNTOLD = 120.0
"""Seconds taken for a tool whose duration the client does not tell: what it lets a command run by default."""
NAMED_FILES = 300
"""Files of one commit that are looked up; a commit of more moves or formats, and no node speaks of that."""

Made = namedtuple("Made", ("git_dir", "common_dir", "top", "before", "commit", "subject", "merged"))
"""A commit that was made: its repository's folders, the hash before it, its own, its first line, whether it
concludes a merge."""

Changed = namedtuple("Changed", ("files", "known_as", "place"))
"""What it changed: the files as the repository names them (None: git cannot tell), those in the project as
its nodes name them, and where the repository lies if it is not the project's."""

_PULL = r"^\s*(https?://[^\s/]+/[^\s/]+/[^\s/]+/pull/[0-9]+)\s*$"
_MERGED = r"^\W{0,3}((?:Squashed and m|Rebased and m|M)erged pull request \S{1,200})"
_NOT_MERGED = r"already (?:merged|queued)|not mergeable|merge queue|automatically merged"


def happened(given: dict[str, object]) -> tuple[list[Made], list[str]]:
    """Return the commits that a command made, oldest first, and what it did to pull requests, as sentences."""
    tool, response = given.get("tool_input"), given.get("tool_response")
    command = tool.get("command") if isinstance(tool, dict) else None
    if not isinstance(command, str) or not _succeeded(given, response):
        return [], []
    commits, pulls = asked(command, os.environ)
    return list(_made(commits, given)) if commits else [], list(_pulled(pulls, response)) if pulls else []


def changed(made: Made, project: Project) -> Changed:
    """Return what a commit changed; asks git, which takes some 10 ms."""
    files = wire.commit_files(made.git_dir, made.before, made.commit, made.merged)
    known_as, place = _naming(made, project)
    names = (known_as(name) for name in (files or ())[:NAMED_FILES])
    return Changed(files, [name for name in names if name], place)


def _succeeded(given: dict[str, object], response: object) -> bool:
    if given.get("hook_event_name", "PostToolUse") != "PostToolUse" or given.get("tool_name", "Bash") != "Bash":
        return False
    return not (isinstance(response, dict) and (response.get("interrupted") or response.get("is_error")))


def _made(calls: list[CommitCall], given: dict[str, object]) -> Iterator[Made]:
    """Yield what the tool's time has put into the reflogs of the repositories meant."""
    reflog = wire.reflog()
    took = given.get("duration_ms")
    seconds = took / 1000 if isinstance(took, (int, float)) and took >= 0 else UNTOLD
    since = time.time() - seconds - SLACK
    asked_of = set()
    for call in calls:
        git_dir = "" if "\0" in call.git_dir else os.path.expanduser(call.git_dir)
        for folder in _folders(call, given):
            found = reflog.repository(folder, git_dir)
            entries = reflog.commits(found, since) if found else ()
            if entries and found.git_dir not in asked_of:
                asked_of.add(found.git_dir)
                place = (found.git_dir, found.common_dir, found.top)
                for entry in entries:
                    yield Made(*place, entry.before, entry.commit, entry.subject, entry.merged)
            if entries:
                break


def _folders(call: CommitCall, given: dict[str, object]) -> Iterator[str]:
    """Yield the folders that the commit may have run in, the likeliest first; the reflog decides.

    The client's folder moves with `cd`, and what it tells may be the one before or after.
    """
    told = (given.get("cwd"), os.environ.get("CLAUDE_PROJECT_DIR"))
    starts = [start for start in told if isinstance(start, str) and start]
    if call.moved:
        known = "\0" not in call.moved
        moved = [os.path.join(start, os.path.expanduser(call.moved)) for start in starts] if known else []
        starts = [folder for folder in moved if os.path.isdir(folder)] or starts
    else:
        starts = starts[:1]
    inside = "" if "\0" in call.inside else os.path.expanduser(call.inside)
    for start in dict.fromkeys(starts):
        folder = os.path.normpath(os.path.join(start, inside))
        if os.path.isdir(folder):
            yield folder


def _naming(made: Made, project: Project) -> tuple[Callable[[str], str], str]:
    """Return how the project names a file of the repository ("": it does not), and where that is if elsewhere."""
    root = os.path.realpath(project.root)
    own = wire.reflog().repository(root)
    if own and own.common_dir == made.common_dir and own.top and made.top:
        # The same repository, perhaps another work tree of it: its files have the same names there.
        below = os.path.relpath(root, os.path.realpath(own.top)).replace(os.sep, "/")
        prefix = "" if below == "." else f"{below}/"
        return (lambda name: name[len(prefix) :] if name.startswith(prefix) else ""), ""
    top = os.path.realpath(made.top or made.git_dir)
    if top.startswith(os.path.join(root, "")):
        within = os.path.relpath(top, root).replace(os.sep, "/")
        return (lambda name: f"{within}/{name}"), within
    return (lambda _: ""), top


def _pulled(calls: list[PullCall], response: object) -> Iterator[str]:
    import re

    parts = [response.get("stdout"), response.get("stderr")] if isinstance(response, dict) else [response]
    said = "\n".join(part[-20_000:] for part in parts if isinstance(part, str))
    actions = {call.action for call in calls}
    if "create" in actions and "already exists" not in said:
        for match in re.finditer(_PULL, said, re.MULTILINE):
            yield f"opened pull request {match[1]}"
    if "merge" in actions:
        told = [f"{match[1][0].lower()}{match[1][1:]}" for match in re.finditer(_MERGED, said, re.MULTILINE)]
        if not told and not re.search(_NOT_MERGED, said):
            # Where its output is no terminal, gh says nothing of a merge that succeeded.
            told = [f"merged pull request {call.which}".rstrip() for call in calls if call.silent_success]
        yield from told
