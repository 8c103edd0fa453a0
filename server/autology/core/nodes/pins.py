"""A note's pin: the time at which it was known to match its references, and their contents then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from autology.model.node import Node
from autology.text.language.timestamps import parse_stamp

REVIEWED = "reviewed"
"""The key in a node's file of the time of its last review."""
WRITTEN = "written"
"""The key of the time of its last writing, if only other fields were changed later."""
SEEN = "seen"
"""The key of the time of the pin, and the contents of the references then, in their order."""
_NOTHING = "-"

Contents = Callable[[str], str]
"""Returns a hash of the content of the project's file at a path, "" if no file can be read."""


def pinned(node: Node) -> str:
    """Return the time at which *node* was known to match its references."""
    return max(_moment(node, WRITTEN) or node.modified, _moment(node, REVIEWED))


def pinned_contents(node: Node) -> Mapping[str, str]:
    """Return the contents that *node* was known to match, by path; empty if it was since written by another tool."""
    at, _, contents = str(node.extra.get(SEEN) or "").partition(" ")
    hashes = contents.split(" ")
    if at != pinned(node) or len(hashes) != len(node.references):
        return {}
    return {path: content for path, content in zip(node.references, hashes, strict=True) if content != _NOTHING}


def mark(node: Node) -> str:
    """Return a value that changes with the pin of *node*."""
    return " ".join((pinned(node), *pinned_contents(node).values()))


def pin(node: Node, contents: Contents) -> Node:
    """Return *node* pinned to the current contents of its references, which it matches."""
    extra = {key: value for key, value in node.extra.items() if key != SEEN}
    hashes = [contents(path) or _NOTHING for path in node.references]
    if any(content != _NOTHING for content in hashes):
        extra[SEEN] = " ".join((pinned(node), *hashes))
    return replace(node, extra=extra) if extra != dict(node.extra) else node


def written(before: Node, after: Node, contents: Contents) -> Node:
    """Return *after*, pinned to the current contents, or as *before* if its text and references did not change.

    Its file says when they were written, if something else was changed since.
    """
    extra = {key: value for key, value in after.extra.items() if key != WRITTEN}
    if (before.title, before.content, before.references) != (after.title, after.content, after.references):
        return pin(replace(after, extra=extra), contents)
    if after.references:
        extra[WRITTEN] = _moment(before, WRITTEN) or before.modified
    return replace(after, extra=extra)


def _moment(node: Node, key: str) -> str:
    try:
        return parse_stamp(str(node.extra[key])) or ""
    except (KeyError, ValueError):
        return ""  # none, or edited by hand
