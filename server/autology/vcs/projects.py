"""The registry of projects on this machine, used to recognise a moved project.

Conversations are stored under the identity that the project had at the time. The registry, a file of the user with a
line per project and folder, maps identities: by a repository's remote, by its root commit, by properties that survive
a move, or by the id in ``.autology`` if there is no repository.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from autology.vcs import project_identity
from autology.vcs.git_process import NotRunError, git

TIMEOUT = 2.0
"""Deadline in seconds for finding the root commit, once per repository without a remote: git reads 100,000 commits a
second, and a slower hook is noticeable."""


def learned(folder: str, file: str) -> tuple[tuple[str, ...], str]:
    """Return the identities of *folder*'s project, the current one first, and its root; updates the registry *file*."""
    names, root, new_entries = project_identity.recognised(folder, file, _oldest)
    if new_entries:
        _add(file, new_entries)
    return names, root


def named(project: str, root: str, file: str) -> tuple[str, ...]:
    """Return all identities of *project*: a folder, or the name of the one at *root*.

    Empty if it is neither: a folder around projects, or a name that only the index may know.
    """
    folder = root if project.strip().casefold() == os.path.basename(root).casefold() else project
    marks = project_identity.marks(folder) if os.path.isabs(folder) else None
    return learned(folder, file)[0] if marks and (marks.place or marks.common) else ()


def _oldest(marks: project_identity.Marks) -> str:
    """Return the root commit, "" if git cannot tell."""
    # The oldest of all branches: an orphan branch, as for a site, is not the project's root. First parents only: nor is
    # the root of a project that was merged in.
    for revisions in ("--branches", "HEAD"):
        try:
            finished = git("rev-list", ["--first-parent", "--max-parents=0", revisions], marks.root, TIMEOUT)
        except NotRunError:
            return ""
        if finished.code == 0 and finished.out.strip():
            return str(finished.out.split()[-1].decode("ascii", "replace"))
    return ""


def _add(file: str, entries: Iterable[project_identity.Seen]) -> None:
    """Append entries in one write; if that fails, the next call adds them."""
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
