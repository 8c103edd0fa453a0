"""Finds the note that an argument names: by id or its prefix, by path or by title."""

from __future__ import annotations

import re
from pathlib import Path

from autology.core.nodes.graph import Graph
from autology.model.errors import AmbiguousNameError, NotFoundError, ValidationError
from autology.model.node import is_id_prefix
from autology.model.query import Filter


def node_id(graph: Graph, text: str) -> str:
    """Return the full id of the node that *text* names: its id, a prefix of it, or its file's path.

    Raises:
        AutologyError: no node or several match; for one in the trash the message says how to restore it.
    """
    if not text.strip():
        raise ValidationError("id", "is empty", "Give a note's id, as shown by `autology query`.")
    graph.catch_up()
    path = text.strip().replace("\\", "/").removeprefix("./")
    if path.endswith(".md"):
        # Files elsewhere, for instance in another clone, may have the same names: those are not notes of this project.
        absolute = Path(path).absolute().resolve()
        for source in graph.index.listed(Filter(), -1, ""):
            if path == source.path or (path.endswith(f"/{source.path}") and absolute == _resolved(graph, source.path)):
                return source.id
    prefix = text.strip().lower()
    if len(prefix) < MINIMUM_PREFIX and _ID.fullmatch(prefix):
        raise ValidationError("id", f"'{prefix}' is too short", f"Give at least {MINIMUM_PREFIX} characters of it.")
    try:
        return graph.source(text).id
    except NotFoundError:
        deleted = [id for id in graph.files.trashed() if len(prefix) >= MINIMUM_PREFIX and id.startswith(prefix)]
        if len(deleted) == 1:
            raise DeletedError(
                "id", f"{prefix[:36]} was deleted", f"`autology restore {deleted[0]}` restores it."
            ) from None
        raise


def _resolved(graph: Graph, path: str) -> Path:
    return Path(graph.files.root, path).resolve()


class DeletedError(ValidationError):
    """The node is in the trash."""


MINIMUM_PREFIX = 8
"""Minimum number of characters of an id prefix."""
_ID = re.compile(r"[0-9a-f]+")


def node_called(graph: Graph, text: str) -> str:
    """Return the full id of the node that *text* names, as *node_id* does, or whose title it is."""
    return node_id(graph, titled(graph, text))


def titled(graph: Graph, text: str) -> str:
    """Return the id of the one node with the title *text*, ignoring case; *text* if there is none, or it is an id.

    Raises:
        AmbiguousNameError: several nodes have it.
    """
    title = text.strip()
    if not title or is_id_prefix(title.lower()):
        return text
    graph.catch_up()
    sources = graph.index.by_title([title])
    if len(sources) > 1:
        raise AmbiguousNameError(title, sorted((source.id, source.type) for source in sources), "nodes")
    return sources[0].id if sources else text
