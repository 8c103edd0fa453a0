"""The project that a command is about."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from autology import wire
from autology.cli.screen import Screen
from autology.core.graph import Graph
from autology.model.errors import AmbiguousNameError, NotFoundError, StorageError, ValidationError
from autology.model.node import is_id_prefix
from autology.model.query import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:  # these load much that other commands need not
    from autology.core.atlas.atlas import Atlas
    from autology.core.documents.library import Library
    from autology.core.memory.ledger import Ledger


def root(asked: argparse.Namespace) -> str:
    """Return the project's root: the one that ``--project`` or the present folder lies in."""
    if asked.project is not None and not Path(asked.project).is_dir():
        raise StorageError(asked.project, "there is no such folder", "Give --project a folder that exists.")
    try:
        start = asked.project or str(Path.cwd())
    except FileNotFoundError:
        step = "Go into a folder that exists, or name one with --project."
        raise StorageError("the present folder", "is gone", step) from None
    return wire.project_root(start)


def known(graph: Graph, text: str) -> str:
    """Return the whole id of the node that *text* names: its id, the beginning of it, or its file's path.

    Raises:
        AutologyError: there is none, or several; of one in the trash the message says how to bring it back.
    """
    if not text.strip():
        raise ValidationError("id", "is empty", "Give a node's id, as `autology query` shows it.")
    graph.catch_up()
    path = text.strip().replace("\\", "/").removeprefix("./")
    if path.endswith(".md"):
        # A clone elsewhere has files of the same names: a path from there is no node of this project.
        there = Path(path).absolute().resolve()
        for source in graph.index.listed(Filter(), -1, ""):
            if path == source.path or (path.endswith(f"/{source.path}") and there == _resolved(graph, source.path)):
                return source.id
    asked = text.strip().lower()
    if len(asked) < ID_BEGINNING and _ID.fullmatch(asked):
        raise ValidationError("id", f"'{asked}' is too short", f"Give at least {ID_BEGINNING} characters of it.")
    try:
        return graph.source(text).id
    except NotFoundError:
        gone = [id for id in graph.files.trashed() if len(asked) >= ID_BEGINNING and id.startswith(asked)]
        if len(gone) == 1:
            raise DeletedError(
                "id", f"{asked[:36]} was deleted", f"`autology restore {gone[0]}` brings it back."
            ) from None
        raise


def _resolved(graph: Graph, path: str) -> Path:
    return Path(graph.files.root, path).resolve()


class DeletedError(ValidationError):
    """A node that lies in the trash."""


ID_BEGINNING = 8
"""Characters that an id may be shortened to."""
_ID = re.compile(r"[0-9a-f]+")


def meant(graph: Graph, text: str) -> str:
    """Return the whole id of the node that *text* names, as *known* does, or that has it as its title."""
    return known(graph, titled(graph, text))


def titled(graph: Graph, text: str) -> str:
    """Return the id of the one node whose title *text* is, whatever its case; *text* where none has it, or it is an id.

    Raises:
        AmbiguousNameError: several have it.
    """
    asked = text.strip()
    if not asked or is_id_prefix(asked.lower()):
        return text
    graph.catch_up()
    found = graph.index.by_title([asked])
    if len(found) > 1:
        raise AmbiguousNameError(asked, sorted((source.id, source.type) for source in found), "nodes")
    return found[0].id if found else text


def graph(asked: argparse.Namespace) -> Graph:
    """Return what that project knows."""
    return wire.graph(root(asked))


def ledger(asked: argparse.Namespace) -> Ledger:
    """Return the way in to the memories of that project and of the user."""
    at = root(asked)
    return wire.ledger(wire.memories(wire.graph(at), at), at, "command_line")


def library(asked: argparse.Namespace) -> Library:
    """Return that project's documents."""
    at = root(asked)
    return wire.library(wire.graph(at), at)


def atlas(asked: argparse.Namespace, screen: Screen) -> Atlas:
    """Return that project's whole graph, up to its files."""
    at = root(asked)
    told = wire.library(wire.graph(at), at)
    with screen.progress("reading documents") as progress:
        told.refresh(progress=progress)
    return wire.atlas(told, at)
