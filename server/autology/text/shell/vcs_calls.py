"""Commits and pull requests that a shell command makes."""

from __future__ import annotations

from autology.text.shell.parsing import UNKNOWN
from autology.text.shell.program_calls import ProgramCall, calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PROGRAMS = frozenset(["git", "gh"])
_GIT_VALUES = frozenset(["-c", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source"])
_GH_VALUES = frozenset(
    "-R --repo --hostname -b --body -F --body-file -t --subject --title -A --author-email --match-head-commit".split()
)
_METHODS = frozenset(["-m", "--merge", "-s", "--squash", "-r", "--rebase"])
_NOT_NOW = ("--auto", "--disable-auto", "--help", "-h")


class CommitCall:
    """A `git commit`: where it runs, as far as the line determines that."""

    __slots__ = ("git_dir", "inside", "moved")

    def __init__(self, moved: str, inside: str, git_dir: str) -> None:
        self.moved = moved  # by `cd` before it, relative to the initial folder
        self.inside = inside  # by `-C` options, relative to that
        self.git_dir = git_dir  # by `--git-dir` or GIT_DIR, relative to that; "" for git's own search


class PullCall:
    """A `gh pr create` or `gh pr merge`."""

    __slots__ = ("action", "silent_success", "which")

    def __init__(self, action: str, which: str, silent_success: bool) -> None:
        self.action = action  # "create" or "merge"
        self.which = which  # the number, address or branch, if given
        # `gh pr merge` prints nothing without a terminal: the evidence is only that the line succeeded, and could not
        # have without it.
        self.silent_success = silent_success


def commits_and_pulls(line: str, variables: Mapping[str, str]) -> tuple[list[CommitCall], list[PullCall]]:
    """Return the commits and pull requests that the command line *line* requests."""
    commits: list[CommitCall] = []
    pulls: list[PullCall] = []
    for call in calls(line, _PROGRAMS, variables):
        if call.words[0] == "git":
            if request := _commit(call):
                commits.append(request)
        elif pull := _pull(call):
            pulls.append(pull)
    return commits, pulls


def _commit(call: ProgramCall) -> CommitCall | None:
    inside = ""
    git_dir = call.git_dir
    words = iter(call.words[1:])
    for word in words:
        key, sign, value = word.partition("=")
        if word == "-C":
            to = next(words, "")
            inside = to if to.startswith(("/", "~")) or to[1:2] == ":" or not inside else f"{inside}/{to}"
        elif key == "--git-dir":
            git_dir = value if sign else next(words, "")
        elif word in _GIT_VALUES:
            next(words, None)
        elif not word.startswith("-"):
            if word != "commit":
                return None
            rest = set(words)
            return None if rest & {"--dry-run", "--help", "-h"} else CommitCall(call.directory, inside, git_dir)
    return None


def _pull(call: ProgramCall) -> PullCall | None:
    plain = _plain(call.words[1:])
    if len(plain) < 2 or plain[0] != "pr" or plain[1] not in ("create", "new", "merge"):
        return None
    options = [word for word in call.words if word.startswith("-")]
    if any(word in ("--help", "-h", "--dry-run") for word in options):
        return None
    if plain[1] != "merge":
        return PullCall("create", "", silent_success=False)
    asks_now = not any(word.partition("=")[0] in _NOT_NOW for word in options)
    method = any(word in _METHODS or _has_method(word) for word in options)
    which = plain[2] if len(plain) > 2 and UNKNOWN not in plain[2] else ""
    return PullCall("merge", which, silent_success=asks_now and method and call.certain)


def _has_method(word: str) -> bool:
    """Whether a bundle of short options (`-sd`) selects a merge method."""
    return word[:1] == "-" and word[1:2] != "-" and 2 < len(word) < 5 and bool(set("msr") & set(word[1:]))


def _plain(words: tuple[str, ...]) -> list[str]:
    """Return *words* without options; of options with values only the ambiguous ones are known."""
    plain: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in _GH_VALUES:
            skip = True
        elif not word.startswith("-"):
            plain.append(word)
    return plain
