"""The project that a command is about."""

from __future__ import annotations

import argparse
from pathlib import Path

from autology import wire
from autology.cli.program import UsageError
from autology.core.documents import Library
from autology.core.graph import Graph


def root(asked: argparse.Namespace) -> str:
    """Return the project's root: the one that ``--project`` or the present folder lies in."""
    if asked.project is not None and not Path(asked.project).is_dir():
        raise UsageError("--project", f"'{asked.project}' is no folder", "Give a folder that exists.")
    return wire.project_root(asked.project or str(Path.cwd()))


def graph(asked: argparse.Namespace) -> Graph:
    """Return what that project knows."""
    return wire.graph(root(asked))


def library(asked: argparse.Namespace) -> Library:
    """Return that project's documents."""
    at = root(asked)
    return wire.library(wire.graph(at), at)
