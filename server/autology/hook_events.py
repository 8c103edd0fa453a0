"""The hook events, and the user's switches for hooks, cached in a small file that is fast to read."""

from __future__ import annotations

import os

from autology import places


class HookEvent:
    """A hook event of Claude Code.

    *client_event* is the client's name for it; *tools* are the tools or sources it applies to, "" for all; each of the
    *conditions* starts a separate hook; *seconds* is the client's deadline; and *prefilter* the function of the
    executable's entry point that drops inputs by their bytes, "" for none.
    """

    __slots__ = ("client_event", "conditions", "prefilter", "seconds", "tools")

    def __init__(
        self, client_event: str, tools: str, conditions: tuple[str, ...], seconds: int, prefilter: str = ""
    ) -> None:
        self.client_event, self.tools, self.conditions = client_event, tools, conditions
        self.seconds, self.prefilter = seconds, prefilter


EVENTS = {
    "post-commit": HookEvent(
        "PostToolUse", "Bash", ("Bash(*git*commit*)", "Bash(*gh*pr*)"), 5, "may_speak_of_a_commit"
    ),
    "pre-compact": HookEvent("PreCompact", "", (), 5),
    "pre-command": HookEvent("PreToolUse", "Bash", (), 5, "may_run_a_command"),
    "pre-edit": HookEvent("PreToolUse", "Edit|Write|MultiEdit|NotebookEdit", (), 5, "may_edit_a_file"),
    "prompt-submit": HookEvent("UserPromptSubmit", "", (), 5, "may_ask_for_the_past"),
    "session-end": HookEvent("SessionEnd", "", (), 2),
    "session-start": HookEvent("SessionStart", "startup|resume|clear|compact|fork", (), 5),
}
"""Every event by its name; `autology.hooks` has a module for each, and the plugin's hooks.json an entry."""
_DEFAULT = "on on"


def path() -> str:
    """Return the path of the switches."""
    return os.path.join(places.cache_dir(), "switches")


def hooks_on() -> bool:
    """Whether the user has hooks enabled: from the environment, else from the user's settings as last read.

    If those have changed since, or were never read, hooks are on.
    """
    return _on(0, "AUTOLOGY_HOOKS")


def suggestions_on() -> bool:
    """Whether past work that a prompt resembles is suggested; determined as in :func:`hooks_on`."""
    return _on(1, "AUTOLOGY_SUGGESTIONS", "CLAUDE_PLUGIN_OPTION_SUGGESTIONS")


def settings_stamp() -> int:
    """Return when the user's settings last changed, in nanoseconds; 0 without a file of settings."""
    try:
        return os.stat(places.config_file()).st_mtime_ns
    except OSError:
        return 0


def remember(hooks: bool, suggestions: bool, stamp: int) -> None:
    """Save the user's settings for hooks, as read when their file had that *stamp*; if that fails, the defaults apply.

    Settings that have changed since are saved by the next reader: this one would overwrite them with older ones.
    """
    if stamp != settings_stamp():
        return
    words = " ".join("on" if switch else "off" for switch in (hooks, suggestions))
    line = f"{words} {stamp}\n" if stamp else f"{_DEFAULT} 0\n"
    try:
        with open(path(), encoding="ascii") as stored:
            if stored.read(100) == line:
                return
    except (OSError, ValueError):
        pass
    if not line.startswith(_DEFAULT) or os.path.exists(path()):  # the default needs no file
        places.write_state(path(), line)


def _on(position: int, *names: str) -> bool:
    for name in names:
        if value := os.environ.get(name, "").strip().lower():
            return value not in ("off", "false", "no", "0")
    try:
        with open(path(), encoding="ascii") as file:
            *words, stamp = file.read(100).split()
        return not (words[position] == "off" and stamp == str(os.stat(places.config_file()).st_mtime_ns))
    except (OSError, ValueError, IndexError):
        return True
