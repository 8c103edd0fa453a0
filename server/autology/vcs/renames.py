"""Finding moved files with git: renamed in a commit, or with the same content at another path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autology.vcs import git_queries
from autology.vcs.git_queries import Ask, listed

FOLLOWED = 100
"""Maximum paths looked up: each takes some six git calls, 30 ms together."""
HOPS = 10
"""Maximum renames followed per file."""
UNTRACKED = 1_000
"""Maximum untracked files whose content is compared."""


def moved(ask: Ask, paths: Sequence[str], head: str) -> Mapping[str, str]:
    """Return the current path of each of *paths* that no longer exists, as far as git can tell."""
    tracked = listed(ask("ls-files", "--cached", "--others", "--exclude-standard", "-z"))
    deleted = listed(ask("ls-files", "--deleted", "-z"))
    files = set(tracked) - set(deleted)
    present = files | {folder for name in files for folder in _folders(name)}
    targets = {path: _followed(ask, path.rstrip("/"), head, present) for path in paths[:FOLLOWED]}
    return {path: now for path, now in targets.items() if now}


def _followed(ask: Ask, path: str, head: str, present: set[str]) -> str:
    visited = {path}
    for _ in range(HOPS):
        path = _renamed(ask, path, head) or _same_elsewhere(ask, path, head, present)
        if not path or path in present:
            return path
        if path in visited:
            return ""
        visited.add(path)
    return ""


def _renamed(ask: Ask, path: str, head: str) -> str:
    """Return what *path* was renamed to in the commit that removed it, or ""."""
    if _blob(ask, head, path):
        return ""  # only moved on disk
    commit = (ask("log", "-1", "-m", "--first-parent", "--no-renames", "--diff-filter=D", "--format=%H", head, "--",
                  f":(literal){path}") or b"").decode("ascii").strip()  # fmt: skip
    if not commit:
        return ""
    pairs = git_queries.renames(ask(*git_queries.DIFF, "-m", "--first-parent", *git_queries.RENAMES, commit))
    file = next((now for former, now in pairs if former == path), "")
    return file or _folder(path, pairs) or _copied(ask, path, commit, head)


def _folder(path: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return the folder to which all renamed files of the folder *path* went, keeping their names, or ""."""
    inside = [(former[len(path) :], now) for former, now in pairs if former.startswith(f"{path}/")]
    to = {now.removesuffix(rest) if now.endswith(rest) else "" for rest, now in inside}
    return next(iter(to)) if len(to) == 1 else ""


def _folders(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _copied(ask: Ask, path: str, commit: str, head: str) -> str:
    """Return the only file of *head* with the content that *path* had before *commit* removed it, or ""."""
    blob = _blob(ask, f"{commit}^", path)
    lines = listed(ask("ls-tree", "-r", "-z", head)) if blob else []
    same = [name for line in lines for kind, _, name in [line.partition("\t")] if kind.endswith(f" {blob}")]
    return same[0] if len(same) == 1 else ""


def _same_elsewhere(ask: Ask, path: str, head: str, present: set[str]) -> str:
    """Return the only file on disk, not in *head*, with the content that *path* has there, or ""."""
    blob = _blob(ask, head, path)
    if not blob:
        return ""
    staged = listed(ask("ls-files", "--stage", "-z"))
    same = [name for line in staged for kind, _, name in [line.partition("\t")] if f" {blob} " in kind]
    untracked = [name for name in listed(ask("ls-files", "--others", "--exclude-standard", "-z")) if "\n" not in name]
    # Unfiltered: filters configured by the repository must not run.
    hashes = (ask("hash-object", "--no-filters", "--", *untracked[:UNTRACKED]) or b"") if untracked else b""
    same += [name for name, blob_id in zip(untracked, hashes.decode("ascii").split(), strict=False) if blob_id == blob]
    others = list(dict.fromkeys(name for name in same if name != path and name in present))
    return others[0] if len(others) == 1 else ""


def _blob(ask: Ask, commit: str, path: str) -> str:
    return (ask("rev-parse", "--verify", "--quiet", f"{commit}:./{path}") or b"").decode("ascii").strip()
