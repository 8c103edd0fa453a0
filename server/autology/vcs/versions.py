"""Former and current versions of files, from git's history."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from autology.core.nodes.history import Pin, Versions
from autology.vcs import file_contents, git_queries
from autology.vcs.git_queries import Ask

LONGEST = 1_000_000
"""Maximum bytes compared of a file."""
COMMITS = 5
"""Maximum commits listed per changed file."""


def versions(ask: Ask, pins: Sequence[Pin], head: str) -> Mapping[Pin, Versions]:
    """Return what changed in each of *pins*, up to *head*.

    Recorded contents are looked up in history, so that committing exactly that content is not a change. For commits in
    the same second as the pin the content decides which came first.
    """
    # First parents: a branch merged later was not visible yet, whenever it was written.
    out = ask("log", "--first-parent", "--format=%ct %H", head)
    commits = (
        sorted((int(line.split()[0]), at, line.split()[1]) for at, line in enumerate(reversed(out.splitlines())))
        if out
        else []
    )
    times = [time for time, _, _ in commits]
    bases: dict[str, list[Pin]] = {}
    for pin in pins:
        at = bisect_right(times, datetime.fromisoformat(pin.at).timestamp())
        if not pin.saw and at and at < len(commits):
            bases.setdefault(commits[at - 1][2].decode("ascii"), []).append(pin)
    before: dict[str, list[Pin]] = {}
    for pin in file_contents.changed(ask, head, [pin for pin in pins if pin.saw]) if commits else ():
        at = bisect_left(times, datetime.fromisoformat(pin.at).timestamp())
        if at < len(commits):
            before.setdefault(commits[at - 1][2].decode("ascii") if at else "", []).append(pin)
    for base, group in before.items():
        for commit, pin in file_contents.bases(ask, base, head, group):
            bases.setdefault(commit, []).append(pin)
    return {pin: version for base, group in bases.items() for pin, version in _since(ask, base, head, group)}


def _since(ask: Ask, base: str, head: str, pins: Sequence[Pin]) -> Iterator[tuple[Pin, Versions]]:
    """Yield those of *pins* whose files changed since the commit *base*."""
    changes = _changes(ask, base, head, sorted({pin.path for pin in pins}))
    by_path = {path: _version(ask, commit, head, path, now) for path, (commit, now) in changes.items()}
    by_path = {path: version for path, version in by_path.items() if version.before != version.after or not version.now}
    yield from ((pin, by_path[pin.path]) for pin in pins if pin.path in by_path)


def _changes(ask: Ask, base: str, head: str, wanted: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return for each changed path of *wanted* the base commit and its current path, "" if deleted."""
    changed: dict[str, tuple[str, str]] = {}
    for name, (status, _, _) in git_queries.differing(ask, base, head, wanted).items():
        if status == "A":  # it existed, but was not committed yet
            added = ask("log", "--diff-filter=A", "--format=%H", f"{base}..{head}", "--", f":(literal){name}")
            if added and (first := added.split()[-1].decode("ascii")) != head:
                changed[name] = (first, name)
        else:
            changed[name] = (base, "" if status == "D" else name)
    if any(not now for _, now in changed.values()):
        for former, now in git_queries.renames(ask(*git_queries.DIFF, *git_queries.RENAMES, base, head)):
            if former in changed and not changed[former][1]:
                changed[former] = (base, now)
    return changed


def _version(ask: Ask, base: str, head: str, path: str, now: str) -> Versions:
    before = _text(ask, base, path)
    after = _text(ask, head, now) if now else ""
    names = (f":(literal){name}" for name in dict.fromkeys((path, now)) if name)
    out = ask("log", f"-{COMMITS}", "--no-merges", "--format=%h %cs %s", f"{base}..{head}", "--", *names) or b""
    return Versions(path, now, before, after, tuple(git_queries.path_of(line) for line in out.splitlines()))


def defining(ask: Ask, name: str, head: str) -> Mapping[str, str]:
    """Return the texts of the files of *head* that hold *name* as a word, by path; of five at most."""
    out = ask("grep", "-l", "-z", "-w", "-I", "-F", "-e", name, head, "--") or b""
    paths = [git_queries.path_of(part.partition(b":")[2]) for part in out.split(b"\0") if part][:5]
    return {path: _text(ask, head, path) for path in paths}


def _text(ask: Ask, commit: str, path: str) -> str:
    out = ask("cat-file", "blob", f"{commit}:./{path}")
    return out[:LONGEST].decode("utf-8", "replace") if out else ""
