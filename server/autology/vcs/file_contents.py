"""Finding the commit at which a file had the content that a pin recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autology.core.nodes.version_control import Pin
from autology.text.notes.content_id import content_id
from autology.vcs import git_queries
from autology.vcs.git_queries import GitQuery

MAX_CONTENTS = 20
"""Maximum contents read per file when blob ids alone do not identify the recorded one."""
_FILTERS = ("filter", "ident", "working-tree-encoding")


def changed(query: GitQuery, head: str, pins: Sequence[Pin]) -> Sequence[Pin]:
    """Return those of *pins* whose files at *head* differ from the recorded content."""
    now = git_queries.blobs(query, head, sorted({pin.path for pin in pins}))
    return [pin for pin in pins if not _is_same(query, now.get(pin.path, ""), pin.saw)]


def bases(query: GitQuery, base: str, head: str, pins: Sequence[Pin]) -> Iterator[tuple[str, Pin]]:
    """Yield the changed *pins*, each with the commit that had the recorded content.

    *base* is the last commit before the pins, "" for none. If the content was never committed, the file's first commit
    after *base* is used.
    """
    blobs_at_base = git_queries.blobs(query, base, sorted({pin.path for pin in pins})) if base else {}
    waiting = []
    for pin in pins:
        if _is_same(query, blobs_at_base.get(pin.path, ""), pin.saw):
            yield base, pin
        else:
            waiting.append(pin)
    if waiting:
        yield from _committed(query, base, head, waiting)


def _committed(query: GitQuery, base: str, head: str, pins: Sequence[Pin]) -> Iterator[tuple[str, Pin]]:
    paths = sorted({pin.path for pin in pins})
    introduced = _introduced(query, f"{base}..{head}" if base else head, paths)
    filtered: set[str] | None = None
    for pin in pins:
        entries = introduced.get(pin.path, [])
        commit = next((commit for commit, blob in entries if blob.startswith(pin.saw)), "")
        if not commit and entries and _may_differ(query, entries[0][1]):
            commit = next((commit for commit, blob in entries[:MAX_CONTENTS] if _is_same(query, blob, pin.saw)), "")
        if not commit and base:
            filtered = _filtered(query, paths) if filtered is None else filtered
            commit = base if pin.path in filtered else ""
        if not commit:
            rest = (f"{base}..{head}" if base else head, "--", f":(literal){pin.path}")
            first = (query("log", "--first-parent", "--format=%H", *rest) or b"").split()
            commit = first[-1].decode("ascii") if first else ""
        if commit:
            yield commit, pin


def _introduced(query: GitQuery, commits: str, paths: Sequence[str]) -> Mapping[str, list[tuple[str, str]]]:
    """Return, by path, the (commit, blob) pairs that *commits* introduced for *paths*, newest first."""
    by_path: dict[str, list[tuple[str, str]]] = {}
    options = ("-z", "--raw", "--no-abbrev", "--no-renames", "--relative")
    for batch in git_queries.literal(paths):
        out = query("log", "--full-history", *options, "--format=%x01%H", commits, "--", *batch)
        for commit, path, (_, _, after) in git_queries.changes(out):
            if after.strip("0"):  # skip removals
                by_path.setdefault(path, []).append((commit, after))
    return by_path


def _is_same(query: GitQuery, blob: str, saw: str) -> bool:
    """Whether *blob* has the recorded content; with CRLF line ends or another hash function it is read."""
    if blob.startswith(saw):
        return True
    if not blob:
        return False
    data = query("cat-file", "blob", blob)
    return data is not None and (len(blob) != SHA1 or b"\r\n" in data) and content_id(data) == saw


SHA1 = 40
"""Length of a SHA-1 blob id; repositories with other hashes need their contents read."""


def _may_differ(query: GitQuery, blob: str) -> bool:
    """Whether the file has contents whose blob ids do not identify the recorded one."""
    return len(blob) != SHA1 or b"\r\n" in (query("cat-file", "blob", blob) or b"")


def _filtered(query: GitQuery, paths: Sequence[str]) -> set[str]:
    """Return those of *paths* that a git filter changes on commit: their recorded content cannot be identified."""
    filtered_paths = set()
    for batch in git_queries.literal(paths):
        names = [name.removeprefix(":(literal)") for name in batch]
        attributes = (query("check-attr", "-z", *_FILTERS, "--", *names) or b"").split(b"\0")
        values = zip(attributes[::3], attributes[2::3], strict=False)
        filtered_paths |= {
            git_queries.path_of(name) for name, value in values if value not in (b"unspecified", b"unset")
        }
    return filtered_paths
