"""The files changed by a commit, according to git."""

from __future__ import annotations

from autology.vcs.run import NotRunError, git

TIMEOUT = 2.0
"""Deadline in seconds; git answers in some 5 ms, and a slower hook is noticeable."""


def files(git_dir: str, before: str, commit: str, merged: bool) -> tuple[str, ...] | None:
    """Return the paths that *commit* changed, relative to the work tree's top.

    *before* is its parent's hash; a commit that *merged* is compared with that. None if git cannot tell.
    """
    what = [before, commit] if merged else ["--root", "--no-commit-id", commit]
    try:
        ended = git("diff-tree", ["-r", "-z", "--name-only", *what], git_dir, TIMEOUT, git_dir)
    except NotRunError:
        return None
    if ended.code != 0:
        return None
    return tuple(name.decode("utf-8", "replace") for name in ended.out.split(b"\0") if name)
