"""The plan of an import, as values: shown first, then applied. And what every import makes of ids, titles and tags."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from uuid import UUID

from autology.core.content.codec import Stored
from autology.core.importing.originals import Refused
from autology.model.errors import UnreadableNodeError, ValidationError
from autology.model.node import TAG_LIMIT, Node, RelationType, normal_tags
from autology.text.notes.node_file import read_node, write_node

MOST_RELATIONS = 500
"""Relations imported with one node: an index of records may name more, and frontmatter is limited."""


@dataclass(frozen=True, slots=True)
class Addition:
    """A file that becomes a node; *is_record* if it has the form of a decision record.

    *unread_date* is its date, if that is ambiguous.
    """

    origin: str
    node: Node
    is_record: bool
    missing: tuple[str, ...] = ()
    dropped_tags: tuple[str, ...] = ()
    unread_date: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file that is left alone, the node that it belongs to, and why."""

    origin: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class NodeEdit:
    """An existing node in its new state."""

    stored: Stored[Node]
    node: Node


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The changes of an import.

    *changed*, *moved*, *unchanged* are paths of files whose nodes exist; *circles* are (newer, older) paths of
    supersessions that would close a cycle and became mere relations; *titles* names every node that relations may lead
    to; *remarks* list what was not understood and is kept as text, and which accepted texts change.
    """

    additions: tuple[Addition, ...] = ()
    edits: tuple[NodeEdit, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    refused: tuple[Refused, ...] = ()
    circles: tuple[tuple[str, str], ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether it changes anything."""
        return bool(self.additions or self.edits)

    @property
    def relations(self) -> list[tuple[str, RelationType, str]]:
        """The new relations, already part of the nodes of *additions* and *edits*, as (source, type, target)."""
        known = {(edit.node.id, *relation.key) for edit in self.edits for relation in edit.stored.entry.relations}
        nodes = [addition.node for addition in self.additions] + [edit.node for edit in self.edits]
        return [(node.id, r.type, r.target) for node in nodes for r in node.relations if (node.id, *r.key) not in known]

    @property
    def supersessions(self) -> int:
        """How many of the new relations are supersessions."""
        return sum(type is RelationType.SUPERSEDES for _, type, _ in self.relations)


def node_edits(stored: Mapping[str, Stored[Node]], nodes: Mapping[str, Node]) -> tuple[NodeEdit, ...]:
    """Return the changes to the *stored* nodes that are others among *nodes* now."""
    return tuple(
        NodeEdit(before, nodes[key]) for key, before in stored.items() if nodes.get(key, before.entry) != before.entry
    )


def derived_id(*parts: str) -> str:
    """Return the id that follows from *parts*: two people who import the same get the same ids."""
    digest = sha256(json.dumps(parts).encode("utf-8")).digest()
    return str(UUID(bytes=digest[:16], version=4))


def plain_title(title: str) -> str:
    """Return *title* on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in title).split()) or "Untitled"


def usable_tags(tags: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return those of *tags* that a node can have, in normal form, and the others."""
    usable: dict[str, None] = {}
    dropped = []
    for tag in tags:
        try:
            normal = normal_tags([tag])[0]
        except ValidationError:
            dropped.append(tag)
            continue
        if len(usable) < TAG_LIMIT or normal in usable:
            usable[normal] = None
        else:
            dropped.append(tag)
    return tuple(usable), tuple(dropped)


def is_storable(node: Node) -> bool:
    """Whether the node's file, with its frontmatter and relations, is not too long to be read."""
    try:
        return read_node(write_node(node, {}), node.type) == node
    except UnreadableNodeError:
        return False
