"""Sidecars: what we add to a record of the project, as frontmatter without a body beside it."""

from __future__ import annotations

import re

from autology.model.errors import UnreadableNodeError
from autology.model.node import Node, NodeType
from autology.text.notes.node_file import edit_front, read_node, write_front

RECORD = "record"
"""The key of the record's path."""
LIMIT = 200_000
"""Maximum bytes of a sidecar; those of a hundred relations have 20,000."""
_NAMED = re.compile(rb"^record:[ \t]*\S", re.MULTILINE)


def read(data: bytes) -> Node | None:
    """Return the sidecar in *data*, a node without content whose ``record`` is the path; None if it is none."""
    if len(data) > LIMIT or not _NAMED.search(data):
        return None
    try:
        node = read_node(data.decode("utf-8"), NodeType.DECISION)
    except (UnicodeDecodeError, UnreadableNodeError):
        return None
    return node if path_of(node) else None


def path_of(node: Node) -> str:
    """Return the path of the record that *node* is the sidecar of, "" if it is none."""
    path = node.extra.get(RECORD)
    if not isinstance(path, str):
        return ""
    from autology.text.records.outline import form_of

    valid = form_of(path) is not None and not path.startswith(("/", ".autology/")) and ".." not in path.split("/")
    return path if valid and not node.content.strip() else ""


def written(node: Node) -> bytes:
    """Return the data of a new sidecar."""
    return write_front(node).encode()


def edited(data: bytes, before: Node, after: Node) -> bytes:
    """Return *data*, the sidecar *before*, updated to *after*."""
    return edit_front(data.decode("utf-8"), before, after).encode()
