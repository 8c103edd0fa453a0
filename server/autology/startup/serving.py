"""The beginning of ``autology serve``: takes the client's lines, and answers the first of them."""

from __future__ import annotations

import os
import sys

from autology import signals
from autology.startup import streams
from autology.startup.client import Client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from autology.startup.early_answers import EarlyAnswers

GROUPS = ("knowledge", "documents", "conversations", "memory")
"""The groups of tools, in the order of the recorded answers."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which the thread that loads the server lets the one that answers run: one tenth of the default."""


def greet(folder: str | None) -> Client:
    """Return the client of a server for *folder*, by default the client's own; its first requests are being answered.

    With the environment variable AUTOLOGY_EARLY_ANSWERS set to `off`, the SDK answers them.
    """
    # At once: every acknowledged write is on disk, and Python would wait for running threads.
    signals.on(("SIGINT", *signals.TERMINATION_SIGNALS, "SIGBREAK"), lambda _: os._exit(0))
    client = Client(*streams.claim(), _answers(folder))
    sys.setswitchinterval(SWITCH_INTERVAL)
    client.start()
    return client


def served_folder(options: Sequence[str]) -> tuple[str | None] | None:
    """Return the folder that the options of ``serve`` name, (None,) without options, None for any other option."""
    if not options:
        return (None,)
    if len(options) == 2 and options[0] == "--project":
        return (options[1],)
    if len(options) == 1 and options[0].startswith("--project="):
        return (options[0].removeprefix("--project="),)
    return None


def _answers(folder: str | None) -> EarlyAnswers | None:
    if os.environ.get("AUTOLOGY_EARLY_ANSWERS") == "off":
        return None
    from autology.startup import recorded_answers
    from autology.startup.early_answers import EarlyAnswers

    groups = _groups(folder)
    try:
        recorded = recorded_answers.load(groups) if groups is not None else None
    except Exception:  # noqa: BLE001 - a damaged record in any form; the SDK answers then
        return None
    return EarlyAnswers(recorded) if recorded else None


def _groups(folder: str | None) -> tuple[str, ...] | None:
    """Return the enabled groups of tools; None if that cannot be decided yet.

    Usually nothing is configured: then only the existence of two files is checked, because reading the settings takes
    20 ms.
    """
    from autology import places

    try:
        root = places.project_root(folder)
    except OSError:
        return None
    files = (places.config_file(), os.path.join(root, ".autology", "config.yaml"))
    options = (os.environ.get(f"AUTOLOGY_TOOLS_{group.upper()}", "") for group in GROUPS)
    if all(option in ("", "true") for option in options) and not any(map(os.path.lexists, files)):
        return GROUPS
    try:
        from autology import settings

        return settings.load(root).tool_groups
    except Exception:  # noqa: BLE001 - the SDK answers then, and the tools report what is wrong
        return None
