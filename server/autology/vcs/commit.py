"""What one commit changed, asked of git itself."""

from __future__ import annotations

from autology.vcs.run import NotRunError, run

TIMEOUT = 2.0
"""Seconds; git answers in some 5 ms, and a hook that waits longer is felt."""

# Nothing is locked, fetched, asked for or paged, and the folder is the one we name.
_QUIET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}


def files(git_dir: str, before: str, commit: str, merged: bool) -> tuple[str, ...] | None:
    """Return the paths that *commit* changed, relative to the work tree's top.

    *before* is the hash that it was made upon; a commit that *merged* is compared with that.
    None where git cannot tell.
    """
    what = [before, commit] if merged else ["--root", "--no-commit-id", commit]
    arguments = [f"--git-dir={git_dir}", "diff-tree", "-r", "-z", "--name-only", *what]
    try:
        ended = run("git", arguments, git_dir, TIMEOUT, _QUIET)
    except NotRunError:
        return None
    if ended.code != 0:
        return None
    return tuple(name.decode("utf-8", "replace") for name in ended.out.split(b"\0") if name)
