"""Folders outside the project: the platform's own, or those set in the environment."""

from __future__ import annotations

import os
import sys


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


def client_folder() -> str:
    """Return the client's own folder: transcripts, settings, plugins."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


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
