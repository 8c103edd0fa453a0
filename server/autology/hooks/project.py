"""The project and session that a hook was called for."""

from __future__ import annotations

import os

from autology import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autology.core.lookup_ports import ChunkHit

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class HookProject:
    """A project's root, and the session id, or "" if it is not safe to use in a file name."""

    __slots__ = ("root", "session")

    def __init__(self, root: str, event: Mapping[str, object]) -> None:
        self.root = root
        session = event.get("session_id")
        self.session = session if isinstance(session, str) and is_safe_name(session) else ""


def is_safe_name(name: str) -> bool:
    """Whether *name* is safe as a file name on any system."""
    return 0 < len(name) <= 100 and _SAFE.issuperset(name)


def find_root(cwd: object) -> str | None:
    """Return the nearest folder with an `.autology` folder, from *cwd* upwards, else from the session's folder.

    A relative one is one of the process's own folder.
    """
    for start in (cwd if isinstance(cwd, str) else "", os.environ.get("CLAUDE_PROJECT_DIR", "")):
        if start:
            root = places.closest(os.path.abspath(start), ".autology")
            if root := root or places.closest(os.path.realpath(start), ".autology"):
                return root
    return None


TOOL_GROUPS = ("knowledge", "documents", "conversations", "memory")


def withheld(root: str) -> frozenset[str]:
    """Return the tool groups that are switched off for the project at *root*.

    Usually nothing is configured, and only the existence of two files is checked.
    """
    environ = dict(os.environ)
    for group in TOOL_GROUPS:  # the client passes plugin options to hooks and to the server under different names
        option = environ.get(f"CLAUDE_PLUGIN_OPTION_TOOLS_{group.upper()}", "")
        if option:
            environ.setdefault(f"AUTOLOGY_TOOLS_{group.upper()}", option)
    is_configured = any(f"AUTOLOGY_TOOLS_{group.upper()}" in environ for group in TOOL_GROUPS)
    files = (places.config_file(), os.path.join(root, ".autology", "config.yaml"))
    if not is_configured and not any(map(os.path.exists, files)):
        return frozenset()
    from autology import settings

    try:
        options = settings.load(root, environ)
    except ImportError:  # full YAML needs a library that hooks do not load
        return frozenset()
    return frozenset(group for group in TOOL_GROUPS if not getattr(options, f"tools_{group}"))


def not_excluded(chunks: Sequence[ChunkHit], root: str) -> list[ChunkHit]:
    """Return *chunks* without those of folders that the user excluded after they were indexed.

    Usually nothing is configured, and only the existence of a file is checked.
    """
    name = "CONVERSATIONS_EXCLUDES"
    variables = (f"AUTOLOGY_{name}", f"AUTOLOGY_OPTION_{name}", f"CLAUDE_PLUGIN_OPTION_{name}")
    if not chunks or not (any(map(os.environ.get, variables)) or os.path.exists(places.config_file())):
        return list(chunks)
    from autology import settings
    from autology.text.folder_patterns import is_excluded

    try:
        patterns = settings.load(root).conversations_excludes
    except ImportError:  # full YAML needs a library that hooks do not load
        return []
    return [chunk for chunk in chunks if not is_excluded(chunk.folder, patterns)]
