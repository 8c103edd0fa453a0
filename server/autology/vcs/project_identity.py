"""The identity of a folder's project, determined without running git and stable across moves."""

from __future__ import annotations

import os
import re
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_REMOTE = re.compile(r'^\s*\[remote "([^"]*)"\]')
_URL = re.compile(r"^\s*url\s*=\s*(\S+)")
_LIMIT = 100_000
"""Maximum bytes read of a repository's configuration."""
_ID = re.compile(r"[0-9a-f]{32}\Z")
_SEEN_LIMIT = 1_000_000
"""Maximum bytes read from the end of the registry: some 5,000 folders, in 10 ms."""

Marks = namedtuple("Marks", ("root", "common", "remote", "place"))
"""A project's characteristics: its root; its repository's shared git folder and remote ("" for none); and a value that
survives moving the folder ("" for none)."""

Seen = namedtuple("Seen", ("place", "commit", "name", "root"))
"""A registry entry: the value that survives a move, the root commit ("" for none, or if there is a remote), the
identity, and the root."""
FORMER = "-"
"""Marks an entry for an identity that the project had before it was first registered."""


def marks(folder: str) -> Marks | None:
    """Return the characteristics of *folder*'s project; None if the folder does not exist.

    The project is the repository, else the closest parent with an ``.autology`` folder, else *folder* itself.
    """
    if not folder or not os.path.isdir(folder):
        return None
    start = os.path.realpath(folder)
    # An `.autology` folder in the home directory is the user's data, not a project.
    home, own_root = os.path.realpath(os.path.expanduser("~")), ""
    for parent in _upwards(start):
        marker = os.path.join(parent, ".git")
        if os.path.exists(marker) and (common := _common_folder(marker)):
            return Marks(parent, common, _remote(common) or "", _place(common))
        own_root = own_root or (parent if parent != home and _id(parent) else "")
    return Marks(own_root or start, "", "", f"id:{_id(own_root)}" if own_root else "")


def recognised(
    folder: str, file: str, oldest: Callable[[Marks], str] | None = None
) -> tuple[tuple[str, ...], str, list[Seen]]:
    """Return the identities of *folder*'s project, current one first, its root, and new registry entries.

    *file* is the registry; *oldest* returns a root commit. Successive projects in one folder never share an identity,
    nor do two remotes with the same history: a project that began as a copy is a different one.
    """
    registered = _registered(file)
    own_marks = marks(folder)
    if own_marks is None:
        return (*_former_identity(folder, registered), [])
    if not own_marks.place and not own_marks.common:  # neither a repository nor a project with an id
        path = _plain_path(own_marks.root)
        return (f"{path}#" if any(entry.name == path for entry in registered) else path,), own_marks.root, []
    commits = [] if own_marks.remote or not own_marks.common else _commits(own_marks, registered, oldest)
    related = _related_entries(own_marks, commits, registered)
    name, former = _name(own_marks, commits, related, [entry for entry in registered if entry not in related])
    last = next((entry.name for entry in reversed(related) if entry.place == own_marks.place), "")
    names = tuple(dict.fromkeys((name, *(entry.name for entry in reversed(related)), *former)))
    new_entries = [Seen(own_marks.place, commit, name, own_marks.root) for commit in commits or [""]]
    if not (own_marks.place or commits) or (last == name and all(entry in registered for entry in new_entries)):
        return names, own_marks.root, []
    return (
        names,
        own_marks.root,
        [*(Seen(own_marks.place, FORMER, path, own_marks.root) for path in former), *new_entries],
    )


def registered_roots(file: str) -> list[str]:
    """Return the folders of the projects in the registry *file*, latest first, each once."""
    return list(dict.fromkeys(entry.root for entry in reversed(_registered(file)) if entry.root))


def branch(folder: str) -> str | None:
    """Return the branch checked out in *folder*; None if there is none."""
    for at in _upwards(os.path.realpath(folder)):
        marker = os.path.join(at, ".git")
        if os.path.exists(marker):
            head = _read(os.path.join(_git_folder(marker) or marker, "HEAD")).strip()
            return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None
    return None


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def _related_entries(marks: Marks, commits: Sequence[str], registered: Sequence[Seen]) -> list[Seen]:
    """Return the registry entries of the project with *marks* or one of the root *commits*."""
    if marks.remote:
        latest = {entry.place: entry.name for entry in registered}
        places = {place for place, name in latest.items() if place and (place == marks.place or name == marks.remote)}
    else:
        places = {marks.place} if marks.place else set()
    return [entry for entry in registered if entry.place in places or entry.commit in commits]


def _name(
    marks: Marks, commits: Sequence[str], related: Sequence[Seen], others: Sequence[Seen]
) -> tuple[str, list[str]]:
    """Return the project's identity, and former identities that are not registered yet."""
    paths = [_plain_path(path) for path in (marks.common, marks.root) if path]
    # Conversations from before the repository or its remote existed belong to it, unless another project was here.
    is_unclaimed = not any(entry.root == marks.root or entry.name in paths for entry in others)
    named_entries = [entry for entry in related if entry.commit != FORMER and _is_path(entry.name)]
    named_entries.sort(key=lambda entry: entry.commit not in commits)
    new_name = paths[0] if is_unclaimed else f"{paths[0]}#{commits[0] if commits else marks.place}"
    name = marks.remote or next((entry.name for entry in named_entries), new_name)
    registered_names = {name, *(entry.name for entry in related)}
    return name, [path for path in paths if is_unclaimed and path not in registered_names]


def _former_identity(folder: str, registered: Sequence[Seen]) -> tuple[tuple[str, ...], str]:
    """Return the identity and root of the project that *folder* belonged to before it was moved or deleted."""
    path = os.path.realpath(folder) if folder else folder
    enclosing = [entry for entry in registered if path == entry.root or path.startswith(os.path.join(entry.root, ""))]
    if not enclosing:
        return (folder,), folder
    longest = max(len(entry.root) for entry in enclosing)
    last = [entry for entry in enclosing if len(entry.root) == longest][-1]
    return (last.name,), last.root


def _commits(marks: Marks, registered: Sequence[Seen], oldest: Callable[[Marks], str] | None) -> list[str]:
    """Return the root commits, from the registry, else from the reflog and *oldest*."""
    recorded = [entry.commit for entry in registered if marks.place and entry.place == marks.place]
    if commits := list(dict.fromkeys(commit for commit in recorded if commit not in ("", FORMER))):
        return commits
    root_commits = [oldest(marks)] if oldest and not os.path.exists(os.path.join(marks.common, "shallow")) else []
    return list(dict.fromkeys(commit for commit in (*root_commits, _first(marks.common)) if commit))


def _first(common: str) -> str:
    """Return the initial commit according to the reflog, "" if the history began elsewhere."""
    line = _read(os.path.join(common, "logs", "HEAD"), 4096).partition("\n")[0]
    words = line.split(" ", 2)
    return words[1] if "\tcommit (initial): " in line and len(words) == 3 else ""


def _git_folder(marker: str) -> str | None:
    """Return the git folder of a worktree."""
    if os.path.isdir(marker):
        return marker
    pointer = _read(marker)
    if not pointer.startswith("gitdir:"):
        return None
    return os.path.join(os.path.dirname(marker), pointer.removeprefix("gitdir:").strip())


def _common_folder(marker: str) -> str | None:
    """Return the git folder shared by all worktrees of a repository."""
    git_folder = _git_folder(marker)
    if git_folder is None or git_folder == marker:
        return git_folder
    shared = _read(os.path.join(git_folder, "commondir")).strip()
    return os.path.realpath(os.path.join(git_folder, shared) if shared else git_folder)


def _id(folder: str) -> str:
    """Return the id stored in the project at *folder*, or ""."""
    text = _read(os.path.join(folder, ".autology", "project")).strip()
    return text if _ID.match(text) else ""


def _place(common: str) -> str:
    """Return a value that stays the same when a repository is moved on one disk, and is unique to it."""
    try:
        # `git init` and `git clone` create both, and nothing modifies them. Inodes alone may be reused.
        inode = os.stat(os.path.join(common, "objects")).st_ino
        created = os.stat(os.path.join(common, "description")).st_mtime_ns
    except OSError:
        return ""
    return f"{inode}:{created}" if inode else ""


def _remote(common: str) -> str | None:
    """Return the repository's remote as `host/path`, without credentials.

    Local folders do not count: such a clone is recognised by the shared history.
    """
    remotes: dict[str, str] = {}
    name = None
    for line in _read(os.path.join(common, "config")).splitlines():
        if line.lstrip().startswith("["):
            match = _REMOTE.match(line)
            name = match[1] if match else None
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
    # Opening a pipe or a device would block forever.
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb") as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return ""


def _registered(file: str) -> list[Seen]:
    """Return the registry's entries, oldest first."""
    import json

    try:
        with open(file, "rb") as opened:
            opened.seek(max(0, opened.seek(0, os.SEEK_END) - _SEEN_LIMIT))
            lines = opened.read(_SEEN_LIMIT).splitlines()
    except OSError:
        return []
    entries = []
    for line in lines:
        try:
            entry = Seen(*json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue  # the first line may be cut off, or its writer was interrupted
        if all(isinstance(part, str) for part in entry):
            entries.append(entry)
    return entries


def _plain_path(path: str) -> str:
    return path.replace(os.sep, "/")


def _is_path(name: str) -> bool:
    return name.startswith("/") or name[1:3] in (":/", ":\\")
