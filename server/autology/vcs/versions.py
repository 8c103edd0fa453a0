"""What files said at some time, and what they say now, by git's history."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate

from autology.core.ports import Versions

SIMILAR = "-M60%"
"""How much two files share that git takes for one that was renamed."""
LONGEST = 1_000_000
"""Bytes of a file that are compared."""
COMMITS = 5
"""Commits that are named as having changed a file."""
_DIFF = ("diff-tree", "-r", "-z", "--no-commit-id", "--relative")

Ask = Callable[..., bytes | None]


def versions(ask: Ask, since: Mapping[str, Sequence[str]], head: str) -> Mapping[tuple[str, str], Versions]:
    """Return, by (stamp, path), what changed of each path from the last commit before that stamp to *head*."""
    # What a branch brought in later was not there yet, whenever it was written.
    out = ask("log", "--first-parent", "--format=%ct %H", head)
    commits = (
        sorted((int(line.split()[0]), at, line.split()[1]) for at, line in enumerate(reversed(out.splitlines())))
        if out
        else []
    )
    times = [time for time, _, _ in commits]
    bases: dict[str, dict[str, list[str]]] = {}
    for stamp, paths in since.items():
        at = bisect_right(times, datetime.fromisoformat(stamp).timestamp()) if paths else 0
        if at and at < len(commits):
            bases.setdefault(commits[at - 1][2].decode("ascii"), {})[stamp] = list(paths)
    found = {}
    for base, asked in bases.items():
        wanted = sorted({path for paths in asked.values() for path in paths})
        changes = _changes(ask, base, head, wanted)
        made = {path: _version(ask, commit, head, path, now) for path, (commit, now) in changes.items()}
        made = {path: version for path, version in made.items() if version.before != version.after or not version.now}
        found.update({(stamp, path): made[path] for stamp, paths in asked.items() for path in paths if path in made})
    return found


LINE = 20_000
"""Characters of paths in one call: a command line holds 32,767 on Windows."""


def _differing(ask: Ask, base: str, head: str, wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield those of *wanted* that are not the same in both commits, each after what became of it."""
    waiting = [f":(literal){path}" for path in wanted]
    while waiting:
        lengths = accumulate(len(path) + 1 for path in waiting)
        many = max(1, sum(length <= LINE for length in lengths))
        some, waiting = waiting[:many], waiting[many:]
        yield from _pairs(ask(*_DIFF, "--no-renames", "--name-status", base, head, "--", *some))


def _changes(ask: Ask, base: str, head: str, wanted: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return since which commit those of *wanted* are not as they were, and where they lie, "" if nowhere."""
    changed: dict[str, tuple[str, str]] = {}
    for status, name in _differing(ask, base, head, wanted):
        if status == "A":  # it was there, but not committed yet
            added = ask("log", "--diff-filter=A", "--format=%H", f"{base}..{head}", "--", f":(literal){name}")
            if added and (first := added.split()[-1].decode("ascii")) != head:
                changed[name] = (first, name)
        else:
            changed[name] = (base, "" if status == "D" else name)
    if any(not now for _, now in changed.values()):
        moved = (ask(*_DIFF, SIMILAR, "--diff-filter=R", "--name-status", base, head) or b"").split(b"\0")
        for former, now in zip(map(_path, moved[1::3]), map(_path, moved[2::3]), strict=False):
            if former in changed and not changed[former][1]:
                changed[former] = (base, now)
    return changed


def _pairs(out: bytes | None) -> list[tuple[str, str]]:
    tokens = (out or b"").split(b"\0")
    return [(_path(status)[:1], _path(name)) for status, name in zip(tokens[::2], tokens[1::2], strict=False)]


def _version(ask: Ask, base: str, head: str, path: str, now: str) -> Versions:
    before = _text(ask, base, path)
    after = _text(ask, head, now) if now else ""
    names = (f":(literal){name}" for name in dict.fromkeys((path, now)) if name)
    out = ask("log", f"-{COMMITS}", "--no-merges", "--format=%h %cs %s", f"{base}..{head}", "--", *names) or b""
    return Versions(path, now, before, after, tuple(_path(line) for line in out.splitlines()))


def defining(ask: Ask, name: str, head: str) -> Mapping[str, str]:
    """Return the texts of the files of *head* that hold *name* as a word, by path; of five at most."""
    out = ask("grep", "-l", "-z", "-w", "-I", "-F", "-e", name, head, "--") or b""
    paths = [_path(part.partition(b":")[2]) for part in out.split(b"\0") if part][:5]
    return {path: _text(ask, head, path) for path in paths}


def _text(ask: Ask, commit: str, path: str) -> str:
    out = ask("cat-file", "blob", f"{commit}:./{path}")
    return out[:LONGEST].decode("utf-8", "replace") if out else ""


def _path(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
