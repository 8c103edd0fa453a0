"""The git history of a project's files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from autology.core.nodes.version_control import Pin, Versions
from autology.text.language.timestamps import stamp
from autology.vcs import git_process, reflog, renames, versions
from autology.vcs.git_queries import listed, path_of

TIMEOUT = 20.0
"""Deadline of one query in seconds; a history of 100,000 commits takes some 10."""
_MARK = b"\x01"  # Precedes a commit's time: no path starts with it.
_MARKDOWN = ("md", "markdown", "mdown", "mkd", "mdx")
_ENDING = re.compile(r"[A-Za-z0-9]+\Z")


class Git:
    """The :class:`~autology.core.nodes.version_control.History` of the project at *root*, up to the commit *head*."""

    def __init__(self, root: str, head: str = "HEAD") -> None:
        self._root = root
        self._head = head
        self._head_cache: tuple[float | None, str | None] = (None, None)

    def dates(self, paths: Sequence[str]) -> Mapping[str, tuple[str, str]]:
        """Return (first committed, last committed) as stamps, by path; empty for a shallow history.

        Renames are followed among files of the same endings, and within the folders of *paths*.
        """
        path_set = set(paths)
        if not path_set or self._shallow():
            return {}
        out = self._query(*_LOG, "-M", "--", *_anywhere(path_set)) or self._query(
            *_LOG, "--no-renames", "--", *_folders(path_set)
        )
        return _dates(_commits(out), path_set) if out else {}

    def versions(self, pins: Sequence[Pin]) -> Mapping[Pin, Versions]:
        """Return the changed ones of *pins*; empty for a shallow history."""
        return {} if self._shallow() else versions.versions(self._query, pins, self._head)

    def moved(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Return the current path of each of *paths* that was moved, as far as git can tell."""
        return renames.moved(self._query, paths, self._head) if paths else {}

    def holding(self, name: str) -> Mapping[str, str]:
        """Return the texts of a few files that contain *name*, by path."""
        return versions.defining(self._query, name, self._head)

    def head(self) -> str | None:
        """Return the project's current commit; None for a shallow history."""
        repository = reflog.repository(self._root)
        if repository is None:
            return None
        moved = reflog.changed(repository)
        if moved is None or moved != self._head_cache[0]:
            out = None if self._shallow() else self._query("rev-parse", "--verify", f"{self._head}^{{commit}}")
            self._head_cache = (moved, out.decode("ascii").strip() if out else None)
        return self._head_cache[1]

    def files(self) -> Sequence[str] | None:
        """Return the project's files that are not ignored, or None without version control."""
        out = self._query("ls-files", "--cached", "--others", "--exclude-standard", "-z")
        return None if out is None else tuple(dict.fromkeys(listed(out)))

    def ignored(self) -> Sequence[str] | None:
        """Return the ignored paths, folders with a trailing ``/``, or None without version control."""
        out = self._query("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
        return None if out is None else listed(out)

    def identity(self) -> str | None:
        """Return the history's root commit, and the folder below the repository's top, if any; else None.

        Only first parents are followed: merging in another project changes nothing.
        """
        if self._shallow():
            return None
        out = self._query("rev-list", "--first-parent", "--max-parents=0", "HEAD")
        folder = self._query("rev-parse", "--show-prefix")
        if not out or folder is None:
            return None
        return "/".join((out.split()[0].decode("ascii"), *path_of(folder.rstrip(b"\n")).split("/"))).rstrip("/")

    def _shallow(self) -> bool:
        """Whether the history is shallow or missing."""
        out = self._query("rev-parse", "--is-shallow-repository")
        return out is None or out.strip() != b"false"

    def _query(self, command: str, *arguments: str) -> bytes | None:
        return git_process.output(command, arguments, self._root, TIMEOUT)


_LOG = ("log", "-z", "--name-status", "--relative", "--format=%x01%at")


def _anywhere(paths: set[str]) -> list[str]:
    """Every file of such an ending below the root, so that a moved record is found at its old path."""
    own = {path.rpartition(".")[2] for path in paths}
    return [f":(glob)**/*.{ending}" for ending in sorted({*_MARKDOWN, *filter(_ENDING.match, own)})]


def _folders(paths: set[str]) -> list[str]:
    return sorted({f":(literal){path.rpartition('/')[0] or '.'}" for path in paths})


_Changes = list[tuple[str, str | None]]
"""The changes of a commit: (path, former path)."""


def _commits(out: bytes) -> Iterator[tuple[int, _Changes]]:
    """Yield (time, changes) of each commit, the newest first."""
    time, changes = 0, _Changes()
    tokens = iter(out.split(b"\0"))
    for token in tokens:
        if token.startswith(_MARK):
            yield time, changes
            time, changes = int(token[1:] or 0), []
        elif status := token.strip():
            name = path_of(next(tokens, b""))
            if status[:1] in (b"R", b"C"):
                name, former = path_of(next(tokens, b"")), name
                changes.append((name, former if status[:1] == b"R" else None))
            else:
                changes.append((name, None))
    yield time, changes


def _dates(commits: Iterator[tuple[int, _Changes]], paths: set[str]) -> dict[str, tuple[str, str]]:
    current_names = {path: path for path in paths}  # Former name -> current name.
    times: dict[str, list[int]] = {}
    for time, changes in commits:
        former_names: dict[str, str] = {}
        begun = []
        for path, former in changes:
            name = current_names.get(path)
            if name is None:
                continue
            times.setdefault(name, []).append(time)
            if former is not None:
                former_names[former] = name
                begun.append(path)
        for path in begun:  # what had this name before was another file
            current_names.pop(path, None)
        current_names |= former_names
    return {name: (_stamp(min(stamps)), _stamp(max(stamps))) for name, stamps in times.items()}


def _stamp(seconds: int) -> str:
    return stamp(datetime.fromtimestamp(min(max(seconds, 0), 253402300799), UTC))
