"""The project that a hook is called in, and the session that calls."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class Project:
    """A project's root, and the session's id ("" where it is none that may name a file)."""

    __slots__ = ("root", "session")

    def __init__(self, root: str, given: Mapping[str, object]) -> None:
        self.root = root
        session = given.get("session_id")
        self.session = session if isinstance(session, str) and is_safe_name(session) else ""


def is_safe_name(name: str) -> bool:
    """Whether *name* can name a file of ours: no path, no surprise, on any system."""
    return 0 < len(name) <= 100 and _SAFE.issuperset(name)


def find_root(cwd: object) -> str | None:
    """Return the nearest folder with an `.autology` folder, from *cwd* upwards, else from where the session began."""
    for start in (cwd if isinstance(cwd, str) else "", os.environ.get("CLAUDE_PROJECT_DIR", "")):
        if start and os.path.isabs(start):
            found = _upwards(os.path.abspath(start)) or _upwards(os.path.realpath(start))
            if found:
                return found
    return None


def _upwards(folder: str) -> str | None:
    home = os.path.expanduser("~")
    homes = (home, os.path.realpath(home))
    while True:
        # A folder of that name in the home belongs to the user, not to every project below.
        if folder not in homes and os.path.isdir(os.path.join(folder, ".autology")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


TOOL_GROUPS = ("knowledge", "documents", "conversations", "memory")


def withheld(root: str) -> frozenset[str]:
    """Return the groups of tools that are switched off for the project at *root*.

    Nearly always nothing is set anywhere, and then two files are looked for and none is read.
    """
    from autology import places

    environ = dict(os.environ)
    for group in TOOL_GROUPS:  # what the user chose in the client comes to hooks under another name than to the server
        chosen = environ.get(f"CLAUDE_PLUGIN_OPTION_TOOLS_{group.upper()}", "")
        if chosen:
            environ.setdefault(f"AUTOLOGY_TOOLS_{group.upper()}", chosen)
    named = any(f"AUTOLOGY_TOOLS_{group.upper()}" in environ for group in TOOL_GROUPS)
    files = (places.config_file(), os.path.join(root, ".autology", "config.yaml"))
    if not named and not any(map(os.path.exists, files)):
        return frozenset()
    from autology import settings

    try:
        found = settings.load(root, environ)
    except ImportError:  # YAML of another form than ours takes a library that no hook loads
        return frozenset()
    return frozenset(group for group in TOOL_GROUPS if not getattr(found, f"tools_{group}"))
