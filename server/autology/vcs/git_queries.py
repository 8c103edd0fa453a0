"""Batched git queries for differing files: as many paths per call as a command line holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

DIFF = ("diff-tree", "-r", "-z", "--no-commit-id", "--relative")
RENAMES = ("-M60%", "--diff-filter=R", "--name-status")
"""Options for the renames of a commit, from that similarity on."""
MAX_LINE = 20_000
"""Maximum characters of paths per call: a Windows command line holds 32,767."""

GitQuery = Callable[..., bytes | None]


def differing(query: GitQuery, base: str, head: str, paths: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """Return those of *paths* that differ between two commits, with the status and both blobs."""
    by_path = {}
    for batch in literal(paths):
        out = query(*DIFF, "--no-renames", "--raw", "--no-abbrev", base, head, "--", *batch)
        by_path.update({name: change for _, name, change in changes(out)})
    return by_path


def blobs(query: GitQuery, commit: str, paths: Sequence[str]) -> dict[str, str]:
    """Return the blobs of those of *paths* that are files at *commit*."""
    by_path = {}
    for batch in literal(paths):
        for entry in (query("ls-tree", "-z", commit, "--", *batch) or b"").split(b"\0"):
            facts, _, name = entry.partition(b"\t")
            if facts[7:11] == b"blob":
                by_path[path_of(name)] = path_of(facts[12:])
    return by_path


def literal(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield *paths* as literal pathspecs, in batches that fit a command line."""
    remaining = [f":(literal){name}" for name in paths]
    while remaining:
        lengths = accumulate(len(name) + 1 for name in remaining)
        count = max(1, sum(length <= MAX_LINE for length in lengths))
        yield remaining[:count]
        remaining = remaining[count:]


def changes(out: bytes | None) -> Iterator[tuple[str, str, tuple[str, str, str]]]:
    """Yield (commit, path, (status, blob before, blob after)) from ``--raw -z`` output; \\x01 precedes a commit."""
    commit = ""
    tokens = iter((out or b"").split(b"\0"))
    for token in tokens:
        plain = token.strip()
        if plain.startswith(b"\x01"):
            commit = path_of(plain[1:])
        elif plain.startswith(b":"):
            _, _, before, after, status = path_of(plain).split(" ")
            yield commit, path_of(next(tokens, b"")), (status[:1], before, after)


def renames(out: bytes | None) -> list[tuple[str, str]]:
    """Return the (former, current) paths from the output of a diff with the options RENAMES."""
    names = listed(out)
    return list(zip(names[1::3], names[2::3], strict=False))


def listed(out: bytes | None) -> list[str]:
    """Return the entries of output with ``-z``."""
    return [path_of(name) for name in (out or b"").split(b"\0") if name]


def path_of(name: bytes) -> str:
    """Decode git's output, mostly paths, as text."""
    return name.decode("utf-8", "surrogateescape")
