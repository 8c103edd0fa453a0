"""Where Claude Code keeps its own memory of a project: ``MEMORY.md`` and topic files beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence

from autology.transcripts.claude_code import project_folder

SETTINGS_LIMIT = 1_000_000
"""Maximum bytes of the client's settings that are read."""
_OFF = ("1", "true", "yes", "on")


class ClientMemoryPlace:
    """Finds the memory of the project at *root* below the client's *folder*.

    The client names it for the repository, so that all its work trees have one: *top* is its main work tree.
    A repository's own settings may switch it off, and never say where it is.
    """

    def __init__(self, root: str, top: str, folder: str, environment: Mapping[str, str]) -> None:
        self._usual = os.path.join(folder, "projects", project_folder(top), "memory")
        self._own = os.path.join(folder, "settings.json")
        self._projects = [os.path.join(root, ".claude", name) for name in ("settings.json", "settings.local.json")]
        self._is_off = environment.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "").lower() in _OFF

    @property
    def configs(self) -> Sequence[str]:
        """The files that decide where it is."""
        return (self._own, *self._projects)

    def folder(self) -> str | None:
        """Return the folder of the memory, which need not exist; None if it is switched off."""
        if self._is_off:
            return None
        own = _settings(self._own)
        enabled = [own, *map(_settings, self._projects)]
        states = [one["autoMemoryEnabled"] for one in enabled if isinstance(one.get("autoMemoryEnabled"), bool)]
        if states and not states[-1]:
            return None
        moved = own.get("autoMemoryDirectory")
        expanded = os.path.expanduser(moved) if isinstance(moved, str) and moved else ""
        return expanded if os.path.isabs(expanded) else self._usual


def _settings(path: str) -> Mapping[str, object]:
    try:
        with open(path, "rb") as file:
            value = json.loads(file.read(SETTINGS_LIMIT))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
