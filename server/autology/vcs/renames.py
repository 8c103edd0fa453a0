"""Finding moved files with git: renamed in a commit, or with the same content at another path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autology.vcs import git_queries
from autology.vcs.git_queries import GitQuery, listed

MAX_PATHS = 100
"""Maximum paths looked up: each takes some six git calls, 30 ms together."""
MAX_HOPS = 10
"""Maximum renames followed per file."""
MAX_UNTRACKED = 1_000
"""Maximum untracked files whose content is compared."""


def moved(query: GitQuery, paths: Sequence[str], head: str) -> Mapping[str, str]:
    """Return the current path of each of *paths* that no longer exists, as far as git can tell."""
    tracked = listed(query("ls-files", "--cached", "--others", "--exclude-standard", "-z"))
    deleted = listed(query("ls-files", "--deleted", "-z"))
    files = set(tracked) - set(deleted)
    present = files | {folder for name in files for folder in _folders(name)}
    targets = {path: _followed(query, path.rstrip("/"), head, present) for path in paths[:MAX_PATHS]}
    return {path: target for path, target in targets.items() if target}


def _followed(query: GitQuery, path: str, head: str, present: set[str]) -> str:
    visited = {path}
    for _ in range(MAX_HOPS):
        path = _renamed(query, path, head) or _same_elsewhere(query, path, head, present)
        if not path or path in present:
            return path
        if path in visited:
            return ""
        visited.add(path)
    return ""


def _renamed(query: GitQuery, path: str, head: str) -> str:
    """Return the new name of *path* in the commit that removed it, or ""."""
    if _blob(query, head, path):
        return ""  # only moved on disk
    commit = (query("log", "-1", "-m", "--first-parent", "--no-renames", "--diff-filter=D", "--format=%H", head, "--",
                  f":(literal){path}") or b"").decode("ascii").strip()  # fmt: skip
    if not commit:
        return ""
    pairs = git_queries.renames(query(*git_queries.DIFF, "-m", "--first-parent", *git_queries.RENAMES, commit))
    file = next((current for former, current in pairs if former == path), "")
    return file or _folder(path, pairs) or _copied(query, path, commit, head)


def _folder(path: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return the folder to which all renamed files of the folder *path* went, keeping their names, or ""."""
    inside = [(former[len(path) :], current) for former, current in pairs if former.startswith(f"{path}/")]
    targets = {current.removesuffix(rest) if current.endswith(rest) else "" for rest, current in inside}
    return next(iter(targets)) if len(targets) == 1 else ""


def _folders(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _copied(query: GitQuery, path: str, commit: str, head: str) -> str:
    """Return the only file of *head* with the content that *path* had before *commit* removed it, or ""."""
    blob = _blob(query, f"{commit}^", path)
    lines = listed(query("ls-tree", "-r", "-z", head)) if blob else []
    matching = [name for line in lines for kind, _, name in [line.partition("\t")] if kind.endswith(f" {blob}")]
    return matching[0] if len(matching) == 1 else ""


def _same_elsewhere(query: GitQuery, path: str, head: str, present: set[str]) -> str:
    """Return the only file on disk, not in *head*, with the content that *path* has there, or ""."""
    blob = _blob(query, head, path)
    if not blob:
        return ""
    staged = listed(query("ls-files", "--stage", "-z"))
    matching = [name for line in staged for kind, _, name in [line.partition("\t")] if f" {blob} " in kind]
    untracked = [name for name in listed(query("ls-files", "--others", "--exclude-standard", "-z")) if "\n" not in name]
    # Unfiltered: filters configured by the repository must not run.
    hashes = (query("hash-object", "--no-filters", "--", *untracked[:MAX_UNTRACKED]) or b"") if untracked else b""
    matching += [
        name for name, blob_id in zip(untracked, hashes.decode("ascii").split(), strict=False) if blob_id == blob
    ]
    candidates = list(dict.fromkeys(name for name in matching if name != path and name in present))
    return candidates[0] if len(candidates) == 1 else ""


def _blob(query: GitQuery, commit: str, path: str) -> str:
    return (query("rev-parse", "--verify", "--quiet", f"{commit}:./{path}") or b"").decode("ascii").strip()
