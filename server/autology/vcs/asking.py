"""Asking git which files differ, with as many paths in a call as a command line holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

DIFF = ("diff-tree", "-r", "-z", "--no-commit-id", "--relative")
LINE = 20_000
"""Characters of paths in one call: a command line holds 32,767 on Windows."""

Ask = Callable[..., bytes | None]


def differing(ask: Ask, base: str, head: str, wanted: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """Return of those of *wanted* that differ in two commits what became of them, and their blobs in both."""
    found = {}
    for some in literal(wanted):
        out = ask(*DIFF, "--no-renames", "--raw", "--no-abbrev", base, head, "--", *some)
        found.update({name: change for _, name, change in changes(out)})
    return found


def blobs(ask: Ask, commit: str, paths: Sequence[str]) -> dict[str, str]:
    """Return the blobs of those of *paths* that are files at *commit*."""
    found = {}
    for some in literal(paths):
        for entry in (ask("ls-tree", "-z", commit, "--", *some) or b"").split(b"\0"):
            facts, _, name = entry.partition(b"\t")
            if facts[7:11] == b"blob":
                found[path(name)] = path(facts[12:])
    return found


def literal(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield *paths* as git takes them literally, as many at once as a command line holds."""
    waiting = [f":(literal){each}" for each in paths]
    while waiting:
        lengths = accumulate(len(each) + 1 for each in waiting)
        many = max(1, sum(length <= LINE for length in lengths))
        yield waiting[:many]
        waiting = waiting[many:]


def changes(out: bytes | None) -> Iterator[tuple[str, str, tuple[str, str, str]]]:
    """Yield (commit, path, (status, blob before, blob after)) from ``--raw -z`` output; \\x01 precedes a commit."""
    commit = ""
    tokens = iter((out or b"").split(b"\0"))
    for token in tokens:
        plain = token.strip()
        if plain.startswith(b"\x01"):
            commit = path(plain[1:])
        elif plain.startswith(b":"):
            _, _, before, after, status = path(plain).split(" ")
            yield commit, path(next(tokens, b"")), (status[:1], before, after)


def path(name: bytes) -> str:
    """Return what git says, a path above all, as text."""
    return name.decode("utf-8", "surrogateescape")
