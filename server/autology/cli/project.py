"""The project that a command works on."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from autology import places
from autology.cli.screen import Screen
from autology.model.errors import StorageError
from autology.wire.project import Project

TYPE_CHECKING = False
if TYPE_CHECKING:  # heavy imports that most commands do not need
    from autology.core.atlas.atlas import Atlas


def project_of(args: argparse.Namespace) -> Project:
    """Return the project of ``--project``, else of the current folder."""
    if args.project is not None and not Path(args.project).is_dir():
        raise StorageError(args.project, "no such folder", "Give --project an existing folder.")
    try:
        start = args.project or str(Path.cwd())
    except FileNotFoundError:
        step = "Go to an existing folder, or name one with --project."
        raise StorageError("the current folder", "no longer exists", step) from None
    return Project(places.project_root(start))


def atlas_of(args: argparse.Namespace) -> Atlas:
    """Return the project's whole graph."""
    return project_of(args).atlas


def announce_creation(root: str, args: argparse.Namespace, screen: Screen) -> None:
    """Announce on a terminal that a project is created at *root*, unless that is already a project or a repository.

    Raises:
        StorageError: *root* is the home or the root folder, and was not named explicitly.
    """
    if os.path.exists(os.path.join(root, ".autology")):
        return
    real = os.path.realpath(root)
    if args.project is None and real in (os.path.realpath(os.path.expanduser("~")), os.path.dirname(real)):
        step = "Go to a project's folder, or name one with --project."
        raise StorageError(root, "not a project, and not a folder to create one in", step)
    if screen.is_watched and not os.path.exists(os.path.join(root, ".git")):
        screen.say(f"created a new project in {os.path.join(root, '.autology')}")
