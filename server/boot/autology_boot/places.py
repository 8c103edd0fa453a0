"""The user's data and cache folders, by the platform's own rules."""

import os
import sys


def data_folder():
    """Return the user's data folder; it need not exist."""
    if os.environ.get("AUTOLOGY_DATA_DIR"):
        return _absolute(os.environ["AUTOLOGY_DATA_DIR"])
    if sys.platform == "win32":
        return os.path.join(os.environ.get("APPDATA") or _home("AppData", "Roaming"), "autology")
    mac = _home("Library", "Application Support") if sys.platform == "darwin" else None
    return os.path.join(_xdg("XDG_DATA_HOME") or mac or _home(".local", "share"), "autology")


def cache_folder():
    """Return the user's cache folder; it need not exist."""
    if os.environ.get("AUTOLOGY_CACHE_DIR"):
        return _absolute(os.environ["AUTOLOGY_CACHE_DIR"])
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or _home("AppData", "Local"), "autology", "Cache")
    mac = _home("Library", "Caches") if sys.platform == "darwin" else None
    return os.path.join(_xdg("XDG_CACHE_HOME") or mac or _home(".cache"), "autology")


def _xdg(variable):
    folder = os.environ.get(variable, "")
    return folder if os.path.isabs(folder) else ""  # The specification says to ignore a relative one.


def _home(*names):
    return os.path.join(os.path.expanduser("~"), *names)


def _absolute(folder):
    return os.path.abspath(os.path.expanduser(folder))
