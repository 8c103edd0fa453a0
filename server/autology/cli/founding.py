"""A command that writes where there is no project yet: what comes of it is said, and nobody gets one by accident."""

from __future__ import annotations

import argparse
import os

from autology.cli.screen import Screen
from autology.model.errors import StorageError

STEP = "Go into a project's folder, or name one with --project."


def check(root: str, asked: argparse.Namespace, screen: Screen) -> None:
    """Say on a terminal what is made at *root*, where it is no project yet and no repository either.

    Raises:
        StorageError: it is the user's home, or the root of all files, and nobody named it.
    """
    if os.path.exists(os.path.join(root, ".autology")):
        return
    real = os.path.realpath(root)
    if asked.project is None and real in (os.path.realpath(os.path.expanduser("~")), os.path.dirname(real)):
        raise StorageError(root, "is no project, and was not made one", STEP)
    if screen.is_watched and not os.path.exists(os.path.join(root, ".git")):
        screen.say(f"no project was here: {os.path.join(root, '.autology')} is made, and keeps what this folder knows")
