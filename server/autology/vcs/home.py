"""The project that a folder lies in, told without running git and known again wherever it is moved."""

from __future__ import annotations

import os
import re
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_REMOTE = re.compile(r'^\s*\[remote "([^"]*)"\]')
_URL = re.compile(r"^\s*url\s*=\s*(\S+)")
_LIMIT = 100_000
"""Bytes of a repository's configuration that are read."""
_ID = re.compile(r"[0-9a-f]{32}\Z")
_SEEN_LIMIT = 1_000_000
"""Bytes of the file of projects that are read, from its end: some 5,000 folders, in 10 ms."""

Marks = namedtuple("Marks", ("root", "common", "remote", "place"))
"""The marks of a project: its folder; the folder that all worktrees of its repository share, and where that is pushed
to ("" for none of them); and what the folder keeps when it is moved ("" for nothing)."""

Seen = namedtuple("Seen", ("place", "commit", "name", "root"))
"""A project as it was seen: what it keeps when it is moved, the commit that it began with ("" for none, or where it has
a remote), what it was called, and its folder."""
FORMER = "-"
"""Stands in the place of a commit where a line tells a name that the project had before it was first seen."""


def marks(folder: str) -> Marks | None:
    """Return the marks of the project that *folder* lies in; None for a folder that does not exist.

    That is its repository, else the folder around it that holds ``.autology``, else *folder* itself.
    """
    if not folder or not os.path.isdir(folder):
        return None
    begin = at = os.path.realpath(folder)
    # A folder of that name in the home belongs to the user, not to every project below.
    users, own = os.path.realpath(os.path.expanduser("~")), ""
    while True:
        marker = os.path.join(at, ".git")
        if os.path.exists(marker) and (common := _common(marker)):
            return Marks(at, common, _remote(common) or "", _place(common))
        own = own or (at if at != users and _id(at) else "")
        parent = os.path.dirname(at)
        if parent == at:
            return Marks(own or begin, "", "", f"id:{_id(own)}" if own else "")
        at = parent


def recognised(
    folder: str, file: str, oldest: Callable[[Marks], str] | None = None
) -> tuple[tuple[str, ...], str, list[Seen]]:
    """Return the names of the project of *folder*, the present one first, its folder, and what is new of it.

    *file* tells which projects were seen, and *oldest* the commit that a history began with. Two projects that were in
    one folder, one after the other, never share a name, and neither do two remotes with one history: a project that
    began as a copy is another.
    """
    seen = _seen(file)
    found = marks(folder)
    if found is None:
        return (*_gone(folder, seen), [])
    if not found.place and not found.common:  # neither a repository nor a project that has an id
        path = _plain_path(found.root)
        return (f"{path}#" if any(entry.name == path for entry in seen) else path,), found.root, []
    commits = [] if found.remote or not found.common else _commits(found, seen, oldest)
    kin = _kin(found, commits, seen)
    name, former = _name(found, commits, kin, [entry for entry in seen if entry not in kin])
    last = next((entry.name for entry in reversed(kin) if entry.place == found.place), "")
    names = tuple(dict.fromkeys((name, *(entry.name for entry in reversed(kin)), *former)))
    fresh = [Seen(found.place, commit, name, found.root) for commit in commits or [""]]
    if not (found.place or commits) or (last == name and all(entry in seen for entry in fresh)):
        return names, found.root, []
    return names, found.root, [*(Seen(found.place, FORMER, path, found.root) for path in former), *fresh]


def identified(folder: str) -> tuple[str, str]:
    """Return what names the project of *folder* where it was never seen before, and the folder that the project is."""
    names, root, _ = recognised(folder, "")
    return names[0], root


def branch(folder: str) -> str | None:
    """Return the branch that is checked out in *folder*; None for none, or without a repository."""
    at = os.path.realpath(folder)
    while True:
        marker = os.path.join(at, ".git")
        if os.path.exists(marker):
            head = _read(os.path.join(_inner(marker) or marker, "HEAD")).strip()
            return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None
        parent = os.path.dirname(at)
        if parent == at:
            return None
        at = parent


def _kin(marks: Marks, commits: Sequence[str], seen: Sequence[Seen]) -> list[Seen]:
    """Return what is told of the project that has *marks* and began with one of *commits*, wherever that was."""
    if marks.remote:
        latest = {entry.place: entry.name for entry in seen}
        places = {place for place, name in latest.items() if place and (place == marks.place or name == marks.remote)}
    else:
        places = {marks.place} if marks.place else set()
    return [entry for entry in seen if entry.place in places or entry.commit in commits]


def _name(marks: Marks, commits: Sequence[str], kin: Sequence[Seen], others: Sequence[Seen]) -> tuple[str, list[str]]:
    """Return what the project is called, and those of its former names that nothing tells yet."""
    paths = [_plain_path(path) for path in (marks.common, marks.root) if path]
    # What was said here before this was a repository, or before it had a remote, is its own unless another was here.
    free = not any(entry.root == marks.root or entry.name in paths for entry in others)
    called = [entry for entry in kin if entry.commit != FORMER and _is_path(entry.name)]
    called.sort(key=lambda entry: entry.commit not in commits)
    fresh = paths[0] if free else f"{paths[0]}#{commits[0] if commits else marks.place}"
    name = marks.remote or next((entry.name for entry in called), fresh)
    known = {name, *(entry.name for entry in kin)}
    return name, [path for path in paths if free and path not in known]


def _gone(folder: str, seen: Sequence[Seen]) -> tuple[tuple[str, ...], str]:
    """Return the name of the project that *folder* belonged to before it was moved or deleted, and its folder."""
    at = os.path.realpath(folder) if folder else folder
    around = [entry for entry in seen if at == entry.root or at.startswith(os.path.join(entry.root, ""))]
    if not around:
        return (folder,), folder
    nearest = max(len(entry.root) for entry in around)
    last = [entry for entry in around if len(entry.root) == nearest][-1]
    return (last.name,), last.root


def _commits(marks: Marks, seen: Sequence[Seen], oldest: Callable[[Marks], str] | None) -> list[str]:
    """Return the commits that the history began with: by what was seen, else by the reflog and *oldest*."""
    told = [entry.commit for entry in seen if marks.place and entry.place == marks.place]
    if known := list(dict.fromkeys(commit for commit in told if commit not in ("", FORMER))):
        return known
    found = [oldest(marks)] if oldest and not os.path.exists(os.path.join(marks.common, "shallow")) else []
    return list(dict.fromkeys(commit for commit in (*found, _first(marks.common)) if commit))


def _first(common: str) -> str:
    """Return the first commit that the reflog tells of a history that began here; "" for another, or none."""
    line = _read(os.path.join(common, "logs", "HEAD"), 4096).partition("\n")[0]
    words = line.split(" ", 2)
    return words[1] if "\tcommit (initial): " in line and len(words) == 3 else ""


def _inner(marker: str) -> str | None:
    """Return the folder of a worktree's own state."""
    if os.path.isdir(marker):
        return marker
    said = _read(marker)
    if not said.startswith("gitdir:"):
        return None
    return os.path.join(os.path.dirname(marker), said.removeprefix("gitdir:").strip())


def _common(marker: str) -> str | None:
    """Return the folder that all worktrees of a repository share."""
    inner = _inner(marker)
    if inner is None or inner == marker:
        return inner
    shared = _read(os.path.join(inner, "commondir")).strip()
    return os.path.realpath(os.path.join(inner, shared) if shared else inner)


def _id(folder: str) -> str:
    """Return the id that the project in *folder* keeps, "" for none."""
    text = _read(os.path.join(folder, ".autology", "project")).strip()
    return text if _ID.match(text) else ""


def _place(common: str) -> str:
    """Return what stays the same while a repository is moved on one disk, and differs from any other's."""
    try:
        # Both are made by `git init` or `git clone`, and nothing writes them later. The inode alone may be used again.
        inode = os.stat(os.path.join(common, "objects")).st_ino
        made = os.stat(os.path.join(common, "description")).st_mtime_ns
    except OSError:
        return ""
    return f"{inode}:{made}" if inode else ""


def _remote(common: str) -> str | None:
    """Return where the repository is pushed to, as `host/path`; without the credentials that may stand in it.

    A folder of this machine is none: the clone of it is known by the history that they share.
    """
    remotes: dict[str, str] = {}
    name = None
    for line in _read(os.path.join(common, "config")).splitlines():
        if line.lstrip().startswith("["):
            found = _REMOTE.match(line)
            name = found[1] if found else None
        elif name and (url := _URL.match(line)):
            remotes.setdefault(name, url[1])
    url_ = remotes.get("origin") or next(iter(remotes.values()), None)
    return _plain(url_) if url_ else None


def _plain(url: str) -> str | None:
    rest = url.split("://", 1)[-1] if "://" in url else url
    if re.match(r"^[A-Za-z]:[\\/]", url) or url.startswith("file:"):
        return None
    if "://" in url or re.match(r"^[^/@]+@?[^/:]+:(?![\\/]{2})", url):
        host, _, path = rest.rpartition("@")[2].replace(":", "/", 1).partition("/")
        path = re.sub(r"^\d+/", "", path).split("?")[0].split("#")[0]
        return f"{host.lower()}/{path.strip('/').removesuffix('.git')}" if path else None
    return None


def _read(path: str, limit: int = _LIMIT) -> str:
    # Opening a pipe or a device of that name would wait without end.
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb") as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return ""


def _seen(file: str) -> list[Seen]:
    """Return what *file* tells, the oldest first."""
    import json

    try:
        with open(file, "rb") as opened:
            opened.seek(max(0, opened.seek(0, os.SEEK_END) - _SEEN_LIMIT))
            lines = opened.read(_SEEN_LIMIT).splitlines()
    except OSError:
        return []
    seen = []
    for line in lines:
        try:
            entry = Seen(*json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue  # the beginning is cut off, or whoever wrote it was stopped
        if all(isinstance(part, str) for part in entry):
            seen.append(entry)
    return seen


def _plain_path(path: str) -> str:
    return path.replace(os.sep, "/")


def _is_path(name: str) -> bool:
    return name.startswith("/") or name[1:3] in (":/", ":\\")
