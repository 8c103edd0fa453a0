"""Git's merge driver for notes: registration in a clone, its state, and git's own file merge."""

from __future__ import annotations

import os
from collections.abc import Sequence

from autology.core.nodes.merge_driver import DRIVER, Registration
from autology.model.errors import StorageError
from autology.model.next_step import Action, Sentence, do
from autology.vcs.git_process import NotRunError, git, output

TIMEOUT = 10.0
"""Deadline in seconds for a git query or a file merge; both take milliseconds."""
_ATTRIBUTES = ".autology/.gitattributes"
_LINE = f"*.md merge={DRIVER}"
_PROBE = ".autology/nodes/decisions/note.md"


class GitMergeDriver:
    """The :class:`~autology.core.nodes.merge_driver.MergeDriver` of the project at *root*."""

    def __init__(self, root: str) -> None:
        self._root = root

    def state(self) -> Registration | None:
        """Return the state of the registration, or None without git."""
        attribute = self._git("check-attr", "merge", "--", _PROBE)
        if attribute is None:
            return None
        command = self._git("config", "--get", f"merge.{DRIVER}.driver")
        return Registration(attribute.rstrip().endswith(f": {DRIVER}"), (command or "").strip() or None)

    def register(self, start: Sequence[str]) -> None:
        """Register the command *start* as merge driver; idempotent.

        Raises:
            StorageError: git or the disk refused.
        """
        step = Sentence("Make the repository writable, then run ", do(Action.INIT), " again.")
        state = self.state()
        for key, value in (("name", "notes, field by field"), ("driver", driver_command(start))):
            if self._git("config", "--local", f"merge.{DRIVER}.{key}", value) is None:
                raise StorageError("git's configuration", f"merge.{DRIVER}.{key} cannot be set", step)
        if state is None or not state.attributes:
            try:
                self._add_line()
            except OSError as error:
                raise StorageError(_ATTRIBUTES, error.strerror or str(error), step) from None

    def _add_line(self) -> None:
        path = os.path.join(self._root, *_ATTRIBUTES.split("/"))
        with open(path, "ab+") as file:
            file.seek(0)
            existing = file.read()
            newline = b"\r\n" if b"\r\n" in existing else b"\n"
            file.write((b"" if not existing or existing.endswith(b"\n") else newline) + _LINE.encode() + newline)

    def _git(self, command: str, *arguments: str) -> str | None:
        out = output(command, arguments, self._root, TIMEOUT)
        return None if out is None else out.decode("utf-8", "replace")


def driver_command(start: Sequence[str]) -> str:
    """Return the shell command for git: our driver, with git's own merge as fallback."""
    plain = (word.replace("\\", "/").replace("%", "%%") for word in start)
    words = " ".join("'{}'".format(word.replace("'", "'\\''")) for word in plain)
    fallback = "git merge-file --marker-size=%L %A %O %B"
    return f"{words} merge-driver %O %A %B %L %P || {{ test $? -gt 1 && {fallback}; }} || exit 1"


def merge_file(ours: str, base: str, theirs: str, marker: int) -> int:
    """Merge into the file *ours* with git's text merge; return the number of conflicts.

    Unmergeable files (binary) count as one conflict and leave *ours* unchanged.
    """
    labels = ("-L", "ours", "-L", "base", "-L", "theirs")
    paths = [os.path.abspath(path) for path in (ours, base, theirs)]
    try:
        finished = git("merge-file", (f"--marker-size={marker}", *labels, *paths), os.getcwd(), TIMEOUT)
    except NotRunError:
        return 1
    return finished.code if 0 <= finished.code <= 127 else 1
