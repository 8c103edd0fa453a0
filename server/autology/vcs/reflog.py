"""What a repository's reflog says was committed, read as a file: no git is started.

A commit leaves a line at the end of ``logs/HEAD`` in the git folder of its work tree; nothing
else shows as surely and as cheaply that it happened. A repository without reflogs, or with
its references in tables, has no such file and answers with nothing.
"""

from __future__ import annotations

import os
from collections import namedtuple

TAIL = 64 * 1024
"""Bytes read from the end of a reflog: some 300 lines."""
_POINTER = 4096
"""Bytes of a `.git` file or a `commondir`: a path and a word."""

Repository = namedtuple("Repository", ("git_dir", "common_dir", "top"))
"""A repository as seen from a work tree: its git folder, the one its work trees share, and the
work tree's top ("" where there is none)."""

Entry = namedtuple("Entry", ("before", "commit", "time", "subject", "merged"))
"""One commit: the hash that HEAD had before it (zeros: none), its own, seconds since 1970, its
message's first line, and whether it concludes a merge."""


def repository(directory: str, git_dir: str = "") -> Repository | None:
    """Return the repository that git would use in *directory*; *git_dir* names its git folder."""
    if git_dir:
        folder = os.path.join(directory, git_dir)
        return _repository(folder, os.path.abspath(directory)) if os.path.isdir(folder) else None
    at = os.path.abspath(directory)
    while True:
        inside = os.path.join(at, ".git")
        if os.path.isdir(inside):
            return _repository(inside, at)
        if pointed := _pointed(inside):
            return _repository(pointed, at)
        if os.path.isfile(os.path.join(at, "HEAD")) and os.path.isdir(os.path.join(at, "objects")):
            return _repository(at, "")
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def changed(repository: Repository) -> float | None:
    """Return when the reflog was last written, seconds since 1970; None where there is none."""
    try:
        return os.stat(_log(repository)).st_mtime
    except OSError:
        return None


def commits(repository: Repository, since: float) -> tuple[Entry, ...]:
    """Return the commits entered since the moment *since*, oldest first.

    The last line counts by the file's own time: the time inside a line is the committer's,
    which may be set to anything.
    """
    written = changed(repository)
    if written is None or written < since:
        return ()
    lines = _tail(_log(repository))
    found = []
    for at, line in enumerate(lines):
        entry = _entry(line)
        if entry and (entry.time >= int(since) or at == len(lines) - 1):
            found.append(entry)
    return tuple(found)


def _repository(git_dir: str, top: str) -> Repository:
    git_dir = os.path.abspath(git_dir)
    shared = _line(os.path.join(git_dir, "commondir"))
    common = os.path.normpath(os.path.join(git_dir, shared)) if shared else git_dir
    return Repository(git_dir, common, top)


def _pointed(file: str) -> str:
    """Return the git folder that the `.git` file of a further work tree or a submodule names."""
    line = _line(file)
    if not line.startswith("gitdir:"):
        return ""
    folder = os.path.join(os.path.dirname(file), line.removeprefix("gitdir:").strip())
    return folder if os.path.isdir(folder) else ""


def _line(file: str) -> str:
    # A pipe or a device of that name would be waited for: only a regular file is opened.
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
    """Return the commit that a reflog's line enters: `old new Name <mail> seconds zone\\tcommit: subject`."""
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
