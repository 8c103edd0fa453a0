"""What hooks must know of the settings, in a file so small that reading it costs nothing."""

from __future__ import annotations

import os

from autology import places


def path() -> str:
    """Return where the switches lie."""
    return os.path.join(places.cache_dir(), "switches")


def hooks_on() -> bool:
    """Whether the user lets hooks speak: the environment's word, else the user's settings as last read.

    Where those have changed since, or were never read, hooks speak.
    """
    told = os.environ.get("AUTOLOGY_HOOKS", "").strip().lower()
    if told:
        return told not in ("off", "false", "no", "0")
    try:
        with open(path(), encoding="ascii") as file:
            word, _, stamp = file.read(100).strip().partition(" ")
        return not (word == "off" and stamp == str(os.stat(places.config_file()).st_mtime_ns))
    except (OSError, ValueError):
        return True


def remember(hooks: bool) -> None:
    """Keep what the user's settings say for hooks to read; what cannot be kept is the default."""
    try:
        line = f"{'on' if hooks else 'off'} {os.stat(places.config_file()).st_mtime_ns}\n"
    except OSError:
        line = "on 0\n"
    try:
        with open(path(), encoding="ascii") as file:
            if file.read(100) == line:
                return
    except (OSError, ValueError):
        pass
    if line.startswith("on ") and not os.path.exists(path()):
        return  # the default needs no file
    try:
        os.makedirs(places.cache_dir(), exist_ok=True)
        staged = f"{path()}.{os.getpid()}"
        with open(staged, "w", encoding="ascii") as file:
            file.write(line)
        os.replace(staged, path())
    except OSError:
        return
