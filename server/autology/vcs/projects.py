"""Learning which projects there are on this machine, so that each is known again wherever it is moved.

What was said in a project is kept under the name that the project had then. A file of the user's, a line for each
project and folder, tells under which names: by a repository's remote, by the commit that its history began with, by
what it keeps when it is moved, or by the id that ``.autology`` holds without a repository.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from autology.vcs import home
from autology.vcs.run import NotRunError, git

TIMEOUT = 2.0
"""Seconds for the commit that a history began with, asked once for a repository without a remote: git reads 100,000
commits a second, and a hook that waits longer is felt."""


def learned(folder: str, file: str) -> tuple[tuple[str, ...], str]:
    """Return the names of the project of *folder*, the present one first, and its folder; *file* gets what is new."""
    names, root, news = home.recognised(folder, file, _oldest)
    if news:
        _add(file, news)
    return names, root


def _oldest(marks: home.Marks) -> str:
    """Return the commit that the history began with, "" where git does not tell."""
    # The oldest of all branches: one that begins apart, as for a site, is not the project. First parents alone:
    # another project that was merged in is not it either.
    for which in ("--branches", "HEAD"):
        try:
            ended = git("rev-list", ["--first-parent", "--max-parents=0", which], marks.root, TIMEOUT)
        except NotRunError:
            return ""
        if ended.code == 0 and ended.out.strip():
            return str(ended.out.split()[-1].decode("ascii", "replace"))
    return ""


def _add(file: str, entries: Iterable[home.Seen]) -> None:
    """Append lines, each whole or not at all; where nothing can be written, the next look finds out again."""
    text = "".join(f"{json.dumps(entry)}\n" for entry in entries)
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        try:
            os.write(handle, text.encode())
        finally:
            os.close(handle)
    except OSError:
        return
