"""The settings that hooks need, in a file so small that reading it costs nothing."""

from __future__ import annotations

import os

from autology import places


def path() -> str:
    """Return the path of the file."""
    return os.path.join(places.cache_dir(), "switches")


def hooks_on() -> bool:
    """Whether the user has hooks enabled: from the environment, else from the user's settings as last read.

    If those have changed since, or were never read, hooks are on.
    """
    return _on(0, "AUTOLOGY_HOOKS")


def suggestions_on() -> bool:
    """Whether past work that a prompt comes close to is suggested; determined as in :func:`hooks_on`."""
    return _on(1, "AUTOLOGY_SUGGESTIONS", "CLAUDE_PLUGIN_OPTION_SUGGESTIONS")


def remember(hooks: bool, suggestions: bool = True) -> None:
    """Save the user's settings for hooks; if that fails, the defaults apply."""
    words = " ".join("on" if switch else "off" for switch in (hooks, suggestions))
    try:
        line = f"{words} {os.stat(places.config_file()).st_mtime_ns}\n"
    except OSError:
        line = f"{_DEFAULT} 0\n"
    try:
        with open(path(), encoding="ascii") as file:
            if file.read(100) == line:
                return
    except (OSError, ValueError):
        pass
    if line.startswith(_DEFAULT) and not os.path.exists(path()):
        return  # the default needs no file
    try:
        os.makedirs(places.cache_dir(), exist_ok=True)
        staged = f"{path()}.{os.getpid()}"
        with open(staged, "w", encoding="ascii") as file:
            file.write(line)
        os.replace(staged, path())
    except OSError:
        return


_DEFAULT = "on on"


def _on(which: int, *names: str) -> bool:
    for name in names:
        if value := os.environ.get(name, "").strip().lower():
            return value not in ("off", "false", "no", "0")
    try:
        with open(path(), encoding="ascii") as file:
            *words, stamp = file.read(100).split()
        return not (words[which] == "off" and stamp == str(os.stat(places.config_file()).st_mtime_ns))
    except (OSError, ValueError, IndexError):
        return True
