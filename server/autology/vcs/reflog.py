"""New commits according to a repository's reflog, read as a file without starting git.

A commit appends a line to ``logs/HEAD`` in the git folder of its work tree; nothing else shows it as reliably and
cheaply. A repository without reflogs, or with reftables, has no such file and yields nothing.
"""

from __future__ import annotations

import os
from collections import namedtuple

TIMEOUT = 2.0
"""Deadline in seconds of git, which answers in some 5 ms; a slower hook is noticeable."""
TAIL = 64 * 1024
"""Bytes read from the end of a reflog: some 300 lines."""
_POINTER = 4096
"""Maximum bytes of a `.git` file or a `commondir`."""

Repository = namedtuple("Repository", ("git_dir", "common_dir", "top"))
"""A repository as seen from a work tree: its git folder, the one shared by all work trees, and the work tree's top (""
if bare)."""

Entry = namedtuple("Entry", ("before", "commit", "time", "subject", "merged"))
"""A commit: its parent's hash (zeros: none), its own, seconds since 1970, its subject, and whether it concludes a
merge."""


def repository(directory: str, git_dir: str = "") -> Repository | None:
    """Return the repository that git would use in *directory*, optionally with an explicit *git_dir*."""
    if git_dir:
        folder = os.path.join(directory, git_dir)
        return _repository(folder, os.path.abspath(directory)) if os.path.isdir(folder) else None
    folder = os.path.abspath(directory)
    while True:
        inside = os.path.join(folder, ".git")
        if os.path.isdir(inside):
            return _repository(inside, folder)
        if target := _pointer_target(inside):
            return _repository(target, folder)
        if os.path.isfile(os.path.join(folder, "HEAD")) and os.path.isdir(os.path.join(folder, "objects")):
            return _repository(folder, "")
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def changed(repository: Repository) -> float | None:
    """Return the reflog's modification time in seconds since 1970; None if it does not exist."""
    try:
        return os.stat(_log(repository)).st_mtime
    except OSError:
        return None


def commits(repository: Repository, since: float) -> tuple[Entry, ...]:
    """Return the commits recorded since *since*, oldest first.

    The last line counts by the file's modification time, because committer times can be arbitrary.
    """
    written = changed(repository)
    if written is None or written < since:
        return ()
    lines = _tail(_log(repository))
    entries = []
    for index, line in enumerate(lines):
        entry = _entry(line)
        if entry and (entry.time >= int(since) or index == len(lines) - 1):
            entries.append(entry)
    return tuple(entries)


def changed_files(git_dir: str, before: str, commit: str, merged: bool) -> tuple[str, ...] | None:
    """Return the paths that *commit* changed, relative to the work tree's top, according to git.

    *before* is its parent's hash; a commit that *merged* is compared with that. None if git cannot tell.
    """
    from autology.vcs.git_process import output

    commits = [before, commit] if merged else ["--root", "--no-commit-id", commit]
    out = output("diff-tree", ["-r", "-z", "--name-only", *commits], git_dir, TIMEOUT, git_dir)
    return None if out is None else tuple(name.decode("utf-8", "replace") for name in out.split(b"\0") if name)


def _repository(git_dir: str, top: str) -> Repository:
    git_dir = os.path.abspath(git_dir)
    shared = _line(os.path.join(git_dir, "commondir"))
    common = os.path.normpath(os.path.join(git_dir, shared)) if shared else git_dir
    return Repository(git_dir, common, top)


def _pointer_target(file: str) -> str:
    """Return the git folder that a work tree's or submodule's `.git` file points to, or ""."""
    line = _line(file)
    if not line.startswith("gitdir:"):
        return ""
    folder = os.path.join(os.path.dirname(file), line.removeprefix("gitdir:").strip())
    return folder if os.path.isdir(folder) else ""


def _line(file: str) -> str:
    # Opening a pipe or a device would block: only regular files are opened.
    if not os.path.isfile(file):
        return ""
    try:
        with open(file, "rb") as opened:
            return os.fsdecode(opened.read(_POINTER)).strip()
    except OSError:
        return ""


def _log(repository: Repository) -> str:
    return os.path.join(repository.git_dir, "logs", "HEAD")


def _tail(file: str) -> list[bytes]:
    if not os.path.isfile(file):
        return []
    try:
        with open(file, "rb") as opened:
            size = opened.seek(0, os.SEEK_END)
            opened.seek(max(0, size - TAIL))
            data = opened.read(TAIL)
    except OSError:
        return []
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return lines[1:] if size > TAIL else lines


def _entry(line: bytes) -> Entry | None:
    """Parse a commit entry: `old new Name <mail> seconds zone\\tcommit: subject`; None for other entries."""
    facts, tab, message = line.partition(b"\t")
    if not tab or not message.startswith((b"commit: ", b"commit (")):
        return None
    words = facts.split(b" ")
    before, commit = words[0].decode("ascii", "replace"), words[1].decode("ascii", "replace") if len(words) > 1 else ""
    # At least: old new <mail> seconds zone.
    if len(words) < 5 or not (_is_hash(before) and _is_hash(commit) and words[-2].isdigit()):
        return None
    subject = message.partition(b": ")[2].decode("utf-8", "replace")
    return Entry(before, commit, int(words[-2]), subject, message.startswith(b"commit (merge)"))


def _is_hash(text: str) -> bool:
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")
