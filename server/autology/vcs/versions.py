"""Former and current versions of files, from git's history."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from autology.core.nodes.version_control import Pin, Versions
from autology.vcs import file_contents, git_queries
from autology.vcs.git_queries import GitQuery

SIZE_LIMIT = 1_000_000
"""Maximum bytes compared of a file."""
MAX_COMMITS = 5
"""Maximum commits listed per changed file."""


def versions(query: GitQuery, pins: Sequence[Pin], head: str) -> Mapping[Pin, Versions]:
    """Return the changed versions of *pins*, up to *head*.

    Recorded contents are looked up in history, so that committing exactly that content is not a change. For commits in
    the same second as the pin the content decides which came first.
    """
    # First parents: a branch merged later was not visible yet, whenever it was written.
    out = query("log", "--first-parent", "--format=%ct %H", head)
    commits = (
        sorted((int(line.split()[0]), index, line.split()[1]) for index, line in enumerate(reversed(out.splitlines())))
        if out
        else []
    )
    times = [time for time, _, _ in commits]
    bases: dict[str, list[Pin]] = {}
    for pin in pins:
        index = bisect_right(times, datetime.fromisoformat(pin.at).timestamp())
        if not pin.saw and index and index < len(commits):
            bases.setdefault(commits[index - 1][2].decode("ascii"), []).append(pin)
    before: dict[str, list[Pin]] = {}
    for pin in file_contents.changed(query, head, [pin for pin in pins if pin.saw]) if commits else ():
        index = bisect_left(times, datetime.fromisoformat(pin.at).timestamp())
        if index < len(commits):
            before.setdefault(commits[index - 1][2].decode("ascii") if index else "", []).append(pin)
    for base, group in before.items():
        for commit, pin in file_contents.bases(query, base, head, group):
            bases.setdefault(commit, []).append(pin)
    return {pin: version for base, group in bases.items() for pin, version in _since(query, base, head, group)}


def _since(query: GitQuery, base: str, head: str, pins: Sequence[Pin]) -> Iterator[tuple[Pin, Versions]]:
    """Yield those of *pins* whose files changed since the commit *base*."""
    changes = _changes(query, base, head, sorted({pin.path for pin in pins}))
    by_path = {path: _version(query, commit, head, path, now) for path, (commit, now) in changes.items()}
    by_path = {path: version for path, version in by_path.items() if version.before != version.after or not version.now}
    yield from ((pin, by_path[pin.path]) for pin in pins if pin.path in by_path)


def _changes(query: GitQuery, base: str, head: str, paths: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return for each changed path of *paths* the base commit and its current path, "" if deleted."""
    changed: dict[str, tuple[str, str]] = {}
    for name, (status, _, _) in git_queries.differing(query, base, head, paths).items():
        if status == "A":  # it existed, but was not committed yet
            added = query("log", "--diff-filter=A", "--format=%H", f"{base}..{head}", "--", f":(literal){name}")
            if added and (first := added.split()[-1].decode("ascii")) != head:
                changed[name] = (first, name)
        else:
            changed[name] = (base, "" if status == "D" else name)
    if any(not current for _, current in changed.values()):
        for former, current in git_queries.renames(query(*git_queries.DIFF, *git_queries.RENAMES, base, head)):
            if former in changed and not changed[former][1]:
                changed[former] = (base, current)
    return changed


def _version(query: GitQuery, base: str, head: str, path: str, current: str) -> Versions:
    before = _text(query, base, path)
    after = _text(query, head, current) if current else ""
    names = (f":(literal){name}" for name in dict.fromkeys((path, current)) if name)
    out = query("log", f"-{MAX_COMMITS}", "--no-merges", "--format=%h %cs %s", f"{base}..{head}", "--", *names) or b""
    return Versions(path, current, before, after, tuple(git_queries.path_of(line) for line in out.splitlines()))


def defining(query: GitQuery, name: str, head: str) -> Mapping[str, str]:
    """Return the texts of the files of *head* that contain *name* as a word, by path; at most five."""
    out = query("grep", "-l", "-z", "-w", "-I", "-F", "-e", name, head, "--") or b""
    paths = [git_queries.path_of(part.partition(b":")[2]) for part in out.split(b"\0") if part][:5]
    return {path: _text(query, head, path) for path in paths}


def _text(query: GitQuery, commit: str, path: str) -> str:
    out = query("cat-file", "blob", f"{commit}:./{path}")
    return out[:SIZE_LIMIT].decode("utf-8", "replace") if out else ""
