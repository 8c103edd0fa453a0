"""The only module that starts git, hardened so that programs configured by a repository never run.

A repository's `.git/config`, attributes and hooks may name programs, and it may come from anywhere: an archive, a
shared disk or a bare repository inside a clone.
"""

from __future__ import annotations

import os
import sys
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Finished = namedtuple("Finished", ("code", "out"))
"""The result of a git command: its exit code, and its standard output as bytes."""

_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "cat-file": (),
    "check-attr": (),
    "config": (),
    "diff-tree": ("--no-ext-diff", "--no-textconv"),
    "grep": ("--no-textconv", "--no-recurse-submodules", "--no-color"),
    "hash-object": ("--no-filters",),
    "log": ("--no-ext-diff", "--no-textconv", "--no-show-signature"),
    "ls-files": (),
    "ls-tree": (),
    "merge-file": (),
    "rev-list": (),
    "rev-parse": (),
}
"""The allowed commands, each with the options that keep it from running programs. Before adding one, check what it
runs: `status`, `diff` and `blame` run content filters whatever the options; these do not."""
_SETTINGS = (
    "core.fsmonitor=",  # not "false": before git 2.36 that was taken for a program
    "core.untrackedCache=false",
    "core.quotePath=false",
    "core.sshCommand=",
    "core.gitProxy=",
    "core.alternateRefsCommand=",
    "credential.helper=",
    "diff.external=",
    "log.showSignature=false",
    "log.mailmap=false",
    "log.follow=false",
    "protocol.allow=never",
    "submodule.recurse=false",
    # A folder of a clone that looks like a bare repository has its own configuration.
    "safe.bareRepository=explicit",
)
"""Overrides of a repository's own settings."""
_ENVIRONMENT = {
    # A partial clone would fetch missing objects with programs that its configuration names. `protocol.allow` alone
    # does not prevent that: `protocol.file.allow` takes precedence.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
_UNSET = frozenset(
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_ATTR_SOURCE GIT_COMMON_DIR GIT_CONFIG GIT_DIR GIT_EXTERNAL_DIFF"
    " GIT_GLOB_PATHSPECS GIT_GRAFT_FILE GIT_ICASE_PATHSPECS GIT_INDEX_FILE GIT_LITERAL_PATHSPECS GIT_NAMESPACE"
    " GIT_NOGLOB_PATHSPECS GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_SHALLOW_FILE GIT_WORK_TREE".split()
)
"""Variables that git sets for its hooks, or that select a different repository than the folder's."""
_CREATE_NO_WINDOW = 0x08000000


class NotRunError(Exception):
    """Raised if git could not be started or timed out; the message includes the next step."""


def git(command: str, arguments: Sequence[str], folder: str, timeout: float, git_dir: str = "") -> Finished:
    """Run a git *command* in *folder* with a *timeout* in seconds, optionally on the repository *git_dir*.

    Raises:
        NotRunError: git is not installed, cannot start, or was stopped after *timeout*.
    """
    import subprocess

    program = executable("git")
    if program is None:
        raise NotRunError("git is not on the PATH. Install it, or start the session in an environment that has it.")
    try:
        process = subprocess.run(
            [program, *_options(program, git_dir), command, *_COMMANDS[command], *arguments],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            creationflags=_CREATE_NO_WINDOW if sys.platform == "win32" else 0,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotRunError(f"git {command} did not end within {timeout:g} s and was stopped. Try it by hand.") from None
    except OSError as error:
        raise NotRunError(f"git cannot be started: {error.strerror or error}. Try it by hand.") from None
    return Finished(process.returncode, process.stdout)


def output(command: str, arguments: Sequence[str], folder: str, timeout: float, git_dir: str = "") -> bytes | None:
    """Return the output of a git command, run by :func:`git`; None if it fails or cannot be run."""
    try:
        finished = git(command, arguments, folder, timeout, git_dir)
    except NotRunError:
        return None
    return finished.out if finished.code == 0 else None


def _options(program: str, git_dir: str) -> list[str]:
    # Hooks are looked up below a file, where none can exist, on any platform.
    settings = (f"core.hooksPath={program}", *_SETTINGS)
    options = ["--no-pager", *(word for setting in settings for word in ("-c", setting))]
    return [*options, f"--git-dir={git_dir}"] if git_dir else options


def _environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name.upper() not in _UNSET}
    return {**inherited, **_ENVIRONMENT}


def executable(program: str) -> str | None:
    """Return the full path of *program* on the PATH.

    Only absolute folders count: Windows would search the current folder first, where a repository can place a
    program of that name.
    """
    endings: tuple[str, ...] = ("",)
    if sys.platform == "win32":
        endings = tuple(ending.lower() for ending in os.environ.get("PATHEXT", ".exe").split(os.pathsep) if ending)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if os.path.isabs(folder):
            for ending in endings:
                path = os.path.join(folder, program + ending)
                if os.path.isfile(path) and os.access(path, os.X_OK):
                    return path
    return None
