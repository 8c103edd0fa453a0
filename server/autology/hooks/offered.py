"""Which tools the settings keep from the client, so that no hook tells it to use them."""

from __future__ import annotations

import os

from autology import places

GROUPS = ("knowledge", "documents", "conversations", "memory")


def withheld(root: str) -> frozenset[str]:
    """Return the groups of tools that are switched off for the project at *root*.

    Nearly always nothing is set anywhere, and then two files are looked for and none is read.
    """
    environ = dict(os.environ)
    for group in GROUPS:  # what the user chose in the client comes to hooks under another name than to the server
        chosen = environ.get(f"CLAUDE_PLUGIN_OPTION_TOOLS_{group.upper()}", "")
        if chosen:
            environ.setdefault(f"AUTOLOGY_TOOLS_{group.upper()}", chosen)
    named = any(f"AUTOLOGY_TOOLS_{group.upper()}" in environ for group in GROUPS)
    files = (places.config_file(), os.path.join(root, ".autology", "config.yaml"))
    if not named and not any(map(os.path.exists, files)):
        return frozenset()
    from autology import settings

    found = settings.load(root, environ)
    return frozenset(group for group in GROUPS if not getattr(found, f"tools_{group}"))
