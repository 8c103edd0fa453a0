"""Three-way merge of a markdown file with frontmatter."""

from __future__ import annotations

from dataclasses import replace

from autology.model.errors import UnreadableNodeError
from autology.model.node import Node
from autology.text.notes import frontmatter, yaml_subset
from autology.text.notes.frontmatter import Split
from autology.text.notes.frontmatter_merge import LayoutError, MergedFront, merge_front
from autology.text.notes.node_body import NodeBody, labels, related_list
from autology.text.notes.node_file import read_node
from autology.text.notes.three_way_merge import MARKER, Merged, merge_text, pick
from autology.text.notes.yaml_subset import YamlError


class UnmergeableError(ValueError):
    """The files can only be merged as plain text; the message says why."""


def merge_note(base: str, ours: str, theirs: str, marker: int = MARKER) -> Merged:
    """Return the file with both sides' changes of *base* ("" if both created the file).

    Frontmatter is merged field by field, the body by :func:`merge_text`. In a node's file the list of related nodes is
    derived from the merged relations, so that it never conflicts.

    Raises:
        UnmergeableError: one of them lacks readable frontmatter, or comparing them would take too long.
    """
    picked = pick(base, ours, theirs)
    if picked is not None:
        return Merged(picked)
    base, ours, theirs = _one_newline(base, ours, theirs)
    versions = [_split(text) for text in ((base or _empty(ours)), ours, theirs)]
    b, o, t = versions
    try:
        front = merge_front(b.front, o.front, t.front, o.newline, marker)
    except (YamlError, LayoutError) as error:
        raise UnmergeableError(f"frontmatter: {error}") from None
    closing = pick(b.closing, o.closing, t.closing) or o.closing
    top = (pick(b.opening, o.opening, t.opening) or o.opening) + front.text + closing
    bodies = _settled(front, base, (ours, theirs)) or (b.body, o.body, t.body)
    body = merge_text(*bodies, marker)
    if body.coarse:
        raise UnmergeableError("the versions differ too much for a merge by paragraphs")
    return Merged(top + body.text, body.conflicts + len(front.undecided))


def _split(text: str) -> Split:
    parts = frontmatter.split(text)
    if parts is None:
        raise UnmergeableError("no frontmatter between '---' lines")
    return parts


def _empty(like: str) -> str:
    newline = _split(like).newline
    return f"---{newline}---{newline}"


def _one_newline(base: str, ours: str, theirs: str) -> tuple[str, str, str]:
    """The versions with the changed newlines, if a side changed them."""
    kinds = ["\r\n" in text for text in (base or ours, ours, theirs)]
    if len(set(kinds)) == 1:
        return base, ours, theirs
    windows = pick(*kinds)
    unix = [text.replace("\r\n", "\n") for text in (base, ours, theirs)]
    b, o, t = [text.replace("\n", "\r\n") for text in unix] if windows else unix
    return b, o, t


# ---- nodes -------------------------------------------------------------------------------------


def _settled(front: MergedFront, base: str, sides: tuple[str, str]) -> tuple[str, str, str] | None:
    """The three bodies with the same heading and list of related nodes; None if these are not nodes' files."""
    try:
        nodes = [read_node(text) for text in sides]
        before = read_node(base) if base else None
        merged = read_node(f"---\n{''.join(yaml_subset.entry(k, v) for k, v in front.settled.items())}---\n")
    except UnreadableNodeError:
        return None
    newline = _split(sides[0]).newline
    bodies = [NodeBody.of(_split(text).body, node.title) for text, node in zip(sides, nodes, strict=True)]
    if not any(body.text.strip() for body in bodies):
        return None  # what is kept beside a record: it has no body
    was = NodeBody.of(_split(base).body, before.title) if before else None
    head = _head(merged, nodes, bodies) if (was or bodies[0]).head and "title" not in front.undecided else ""
    related = _list(merged, nodes, bodies, was.related if was else "", newline)
    ours, theirs = (body.with_generated(head, related, newline) for body in bodies)
    return was.with_generated(head, related, newline) if was else f"{head}{newline}{newline}{related}", ours, theirs


def _head(merged: Node, nodes: list[Node], bodies: list[NodeBody]) -> str:
    """The heading of the merged title, in its author's layout; "" leaves each version's own."""
    if not all(body.head for body in bodies):
        return ""
    return next((body.head for body, node in zip(bodies, nodes, strict=True) if node.title == merged.title), "")


def _list(merged: Node, nodes: list[Node], bodies: list[NodeBody], was: str, newline: str) -> str:
    """The list of related nodes for the merged relations: a side's own if it fits, else a new one."""
    picked = pick(was, bodies[0].related, bodies[1].related)
    for body, node in zip(bodies, nodes, strict=True):
        if picked == body.related and node.relations == merged.relations:
            return body.related
    before = labels(was)
    merged_titles = dict(before)
    for body in reversed(bodies):
        merged_titles |= {id: title for id, title in labels(body.related).items() if before.get(id) != title}
    return related_list(replace(merged, content=nodes[0].content), merged_titles, newline)
