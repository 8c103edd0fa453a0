"""Commands that write where no project exists yet: they announce the new project and refuse unlikely folders."""

from __future__ import annotations

import argparse
import os

from autology.cli.screen import Screen
from autology.model.errors import StorageError

STEP = "Go to a project's folder, or name one with --project."


def check(root: str, args: argparse.Namespace, screen: Screen) -> None:
    """Announce on a terminal that a project is created at *root*, unless it is one already or a repository.

    Raises:
        StorageError: *root* is the user's home or the root folder, and was not named explicitly.
    """
    if os.path.exists(os.path.join(root, ".autology")):
        return
    real = os.path.realpath(root)
    if args.project is None and real in (os.path.realpath(os.path.expanduser("~")), os.path.dirname(real)):
        raise StorageError(root, "not a project, and not a folder to create one in", STEP)
    if screen.is_watched and not os.path.exists(os.path.join(root, ".git")):
        screen.say(f"created a new project in {os.path.join(root, '.autology')}")
