"""Parts of tree-sitter's syntax trees."""

from __future__ import annotations

from typing import Any

Node = Any
"""A node of tree-sitter, which is not there before it is installed."""


def text(node: Node | None) -> str:
    """Return the source text of a node."""
    return node.text.decode("utf-8", "replace") if node is not None else ""


def field(node: Node, name: str) -> Node | None:
    """Return the field *name* of a node."""
    return node.child_by_field_name(name)


def field_children(node: Node, name: str) -> list[Node]:
    """Return the children of the field *name* of a node."""
    child = field(node, name)
    return child.named_children if child is not None else []


def first_child(node: Node, *kinds: str) -> Node | None:
    """Return the first child of one of *kinds*."""
    return next((child for child in node.named_children if child.type in kinds), None)


def children_of(node: Node | None) -> list[Node]:
    """Return the children of a node, none if there is no node."""
    return node.named_children if node is not None else []
