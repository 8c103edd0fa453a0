"""Paths: the project's folder and index, and the user's folders by platform and environment variables."""

from __future__ import annotations

import os
import sys


def closest(folder: str, mark: str) -> str | None:
    """Return *folder* or its closest parent that is marked by ``.autology`` or ``.git``; None if there is none."""
    while not _is_marked(folder, mark):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def data_dir() -> str:
    """Return the folder for lasting data: shared memories, logs, audit."""
    return os.environ.get("AUTOLOGY_DATA_DIR") or os.path.join(_base("data"), "autology")


def cache_dir() -> str:
    """Return the folder for data that can be rebuilt."""
    folder = os.environ.get("AUTOLOGY_CACHE_DIR")
    if folder:
        return folder
    return os.path.join(_base("cache"), "autology", *(("Cache",) if os.name == "nt" else ()))


def config_file() -> str:
    """Return the path of the user's own settings file."""
    path = os.environ.get("AUTOLOGY_CONFIG")
    return path or os.path.join(_base("config"), "autology", "config.yaml")


def temporary_copies() -> str:
    """Return the folder into which the program is unpacked if the cache folder is not writable."""
    from tempfile import gettempdir

    if sys.platform == "win32":
        return os.path.join(gettempdir(), "autology")
    return os.path.join(gettempdir(), f"autology-{os.getuid()}")


def word_tables() -> list[str]:
    """Return the paths of the encoder's tables in the unpacked copies of this program: hooks run from its archive."""
    copies = os.path.join(cache_dir(), "app")
    try:
        names = [name for name in os.listdir(copies) if not name.startswith(".")]
    except OSError:
        return []
    return [os.path.join(copies, name, "autology", "embedding", "static.bin") for name in names]


def client_folder() -> str:
    """Return the client's own folder: transcripts, settings, plugins."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def conversation_index() -> str:
    """Return the path of the user's index of conversations."""
    return os.path.join(data_dir(), "conversations.sqlite")


def enforced_notes() -> str:
    """Return the path of the user's choices of notes to enforce."""
    return os.path.join(data_dir(), "enforced.json")


def project_registry() -> str:
    """Return the path of the list of known projects."""
    return os.path.join(data_dir(), "projects.jsonl")


def project_root(start: str | None = None) -> str:
    """Return the project of *start*: the nearest ``.autology`` upwards, else git's root, else *start*."""
    begin = os.path.abspath(start or os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd())
    return closest(begin, ".autology") or closest(begin, ".git") or begin


def index_file(root: str) -> str:
    """Return the path of the index of the project at *root*: inside the project, unless that is not writable."""
    project_folder = os.path.join(root, ".autology")
    cache = os.path.join(project_folder, "cache")
    if (
        os.path.isdir(project_folder)
        and not _linked(project_folder, cache)
        and os.access(cache if os.path.isdir(cache) else project_folder, os.W_OK)
    ):
        return os.path.join(cache, "index.sqlite")
    from hashlib import sha256

    name = sha256(os.path.realpath(root).encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return os.path.join(cache_dir(), "indexes", f"{name}.sqlite")


def offered_candidates(root: str) -> str:
    """Return the path of what past sessions of the project at *root* settled and no note says, as last mined."""
    return f"{index_file(root).removesuffix('.sqlite')}-mined.jsonl"


def readable_index(root: str) -> str:
    """Return the index for read-only access: that of :func:`index_file`, or, until that exists, the one in the project.

    A project that became read-only later still contains its earlier index.
    """
    path = index_file(root)
    if os.path.isfile(path):
        return path
    project_folder = os.path.join(root, ".autology")
    cache = os.path.join(project_folder, "cache")
    return path if _linked(project_folder, cache) else os.path.join(cache, "index.sqlite")


def _linked(project_folder: str, cache: str) -> bool:
    """Whether a folder, or a file that SQLite writes for an index, is a link: one in a repository may lead anywhere."""
    logs = ("", "-wal", "-shm", "-journal")
    files = [f"{cache}/index{name}.sqlite{log}" for name in ("", "-code") for log in logs]
    return any(map(os.path.islink, (project_folder, cache, *files)))


def write_state(path: str, text: str) -> None:
    """Replace the small file *path* of the cache, atomically but not durably; on failure it stays unchanged."""
    folder, name = os.path.split(path)
    staged = os.path.join(folder, f".{name}.{os.getpid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(staged, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
        os.replace(staged, path)
    except OSError:
        return


def _is_marked(folder: str, mark: str) -> bool:
    path = os.path.join(folder, mark)
    if mark == ".git":
        return os.path.exists(path)  # a file in a work tree
    # In the home directory, that folder is the user's data, not a project.
    return os.path.isdir(path) and os.path.realpath(folder) != os.path.realpath(os.path.expanduser("~"))


def _base(kind: str) -> str:
    home = os.path.expanduser("~")
    if os.name == "nt":
        name = "LOCALAPPDATA" if kind == "cache" else "APPDATA"
        return os.environ.get(name) or os.path.join(home, "AppData", "Local" if kind == "cache" else "Roaming")
    xdg = os.environ.get({"data": "XDG_DATA_HOME", "cache": "XDG_CACHE_HOME", "config": "XDG_CONFIG_HOME"}[kind])
    if xdg and os.path.isabs(xdg):
        return xdg
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches" if kind == "cache" else "Application Support")
    return os.path.join(home, {"data": ".local/share", "cache": ".cache", "config": ".config"}[kind])
