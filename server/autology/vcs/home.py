"""The project that a folder lies in, told without running git: one for all worktrees and clones of a repository."""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.core.ports import Home

_REMOTE = re.compile(r'^\s*\[remote "([^"]*)"\]')
_URL = re.compile(r"^\s*url\s*=\s*(\S+)")
_LIMIT = 100_000
"""Bytes of a repository's configuration that are read."""


def home(folder: str) -> Home:
    """Return the project of *folder*: its repository's remote, else its repository, else the folder itself."""
    from autology.core.ports import Home  # a hook asks for less

    return Home(*identified(folder))


def identified(folder: str) -> tuple[str, str]:
    """Return what identifies the project of *folder*, and the folder that the project is."""
    if not folder or not os.path.isdir(folder):
        return folder, folder
    at = os.path.realpath(folder)
    while True:
        marker = os.path.join(at, ".git")
        if os.path.exists(marker) and (common := _common(marker)):
            return _remote(common) or common.replace(os.sep, "/"), at
        parent = os.path.dirname(at)
        if parent == at:
            return os.path.realpath(folder).replace(os.sep, "/"), os.path.realpath(folder)
        at = parent


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


def _remote(common: str) -> str | None:
    """Return where the repository is pushed to, as `host/path`; without the credentials that may stand in it."""
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
    if re.match(r"^[A-Za-z]:[\\/]", url):
        return url.replace("\\", "/").removesuffix(".git")
    if "://" in url or re.match(r"^[^/@]+@?[^/:]+:(?![\\/]{2})", url):
        host, _, path = rest.rpartition("@")[2].replace(":", "/", 1).partition("/")
        path = re.sub(r"^\d+/", "", path).split("?")[0].split("#")[0]
        return f"{host.lower()}/{path.strip('/').removesuffix('.git')}" if path else None
    return os.path.realpath(url).replace(os.sep, "/").removesuffix(".git") if os.path.isabs(url) else None


def _read(path: str) -> str:
    # Opening a pipe or a device of that name would wait without end.
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb") as file:
            return file.read(_LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""
