"""What a note is pinned to: the moment at which it was known to fit its references, and what they said then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from autology.model.node import Node
from autology.text.language.timestamps import parse_stamp

REVIEWED = "reviewed"
"""What a node's file calls the moment of its last review."""
WRITTEN = "written"
"""What it calls the moment when it was last written, where what was changed later is nothing of its text."""
SEEN = "seen"
"""What it calls the moment of the last of both, and the contents that its references had, in their order."""
_NOTHING = "-"

Contents = Callable[[str], str]
"""Returns what tells the content of the project's file at a path from others, "" where no file can be read."""


def pinned(node: Node) -> str:
    """Return the moment at which *node* was known to fit what it refers to."""
    return max(_moment(node, WRITTEN) or node.modified, _moment(node, REVIEWED))


def seen(node: Node) -> Mapping[str, str]:
    """Return the contents that *node* was known to fit, by path; nothing where it was written without us since."""
    at, _, contents = str(node.extra.get(SEEN) or "").partition(" ")
    known = contents.split(" ")
    if at != pinned(node) or len(known) != len(node.references):
        return {}
    return {path: content for path, content in zip(node.references, known, strict=True) if content != _NOTHING}


def mark(node: Node) -> str:
    """Return what is another as soon as *node* is pinned to something else."""
    return " ".join((pinned(node), *seen(node).values()))


def pin(node: Node, contents: Contents) -> Node:
    """Return *node*, which fits its references at this moment, pinned to what they say now."""
    kept = {key: value for key, value in node.extra.items() if key != SEEN}
    known = [contents(path) or _NOTHING for path in node.references]
    if any(content != _NOTHING for content in known):
        kept[SEEN] = " ".join((pinned(node), *known))
    return replace(node, extra=kept) if kept != dict(node.extra) else node


def written(before: Node, after: Node, contents: Contents) -> Node:
    """Return *after*, pinned to what its references say now, or as *before* was where its text and they are the same.

    Its file says when they were written, if something else of it was changed since.
    """
    kept = {key: value for key, value in after.extra.items() if key != WRITTEN}
    if (before.title, before.content, before.references) != (after.title, after.content, after.references):
        return pin(replace(after, extra=kept), contents)
    if after.references:
        kept[WRITTEN] = _moment(before, WRITTEN) or before.modified
    return replace(after, extra=kept)


def _moment(node: Node, key: str) -> str:
    try:
        return parse_stamp(str(node.extra[key])) or ""
    except (KeyError, ValueError):
        return ""  # none, or what somebody wrote there
