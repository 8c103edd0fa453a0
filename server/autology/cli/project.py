"""The project that a command is about."""

from __future__ import annotations

import argparse
from pathlib import Path

from autology import wire
from autology.cli.program import UsageError
from autology.core.graph import Graph
from autology.model.errors import StorageError


def root(asked: argparse.Namespace) -> str:
    """Return the project's root: the one that ``--project`` or the present folder lies in."""
    if asked.project is not None and not Path(asked.project).is_dir():
        raise UsageError("--project", f"'{asked.project}' is no folder", "Give a folder that exists.")
    try:
        start = asked.project or str(Path.cwd())
    except FileNotFoundError:
        step = "Go into a folder that exists, or name one with --project."
        raise StorageError("the present folder", "is gone", step) from None
    return wire.project_root(start)


def graph(asked: argparse.Namespace) -> Graph:
    """Return what that project knows."""
    return wire.graph(root(asked))
