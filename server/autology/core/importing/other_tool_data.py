"""Another tool's data, as values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from autology.core.importing.originals import Refused
from autology.model.node import DecisionStatus, Node, NodeType, RelationType


@dataclass(frozen=True, slots=True)
class ForeignLink:
    """A relation to the item called *target*; *written* if the text itself contains it."""

    target: str
    type: RelationType
    description: str | None = None
    confidence: float = 0.8
    written: bool = False


@dataclass(frozen=True, slots=True)
class ForeignItem:
    """One item of another tool: *key* identifies it there, *names* are what links call it."""

    key: str
    title: str
    content: str
    moment: str
    names: tuple[str, ...] = ()
    type: NodeType | None = None
    tags: tuple[str, ...] = ()
    links: tuple[ForeignLink, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)
    decision_status: DecisionStatus | None = None
    node: Node | None = None  # what it is where it was a node already

    @property
    def hash(self) -> str:
        """A hash of the item's current state."""
        links = [(link.target, link.type, link.description) for link in self.links]
        extra = sorted(self.extra.items())
        return state_hash([self.title, self.content, self.type, *self.tags, links, extra, repr(self.node)])


@dataclass(frozen=True, slots=True)
class ForeignData:
    """Everything that a tool called *kind* stored, what could not be read of it, and notes about it."""

    kind: str
    items: tuple[ForeignItem, ...]
    refused: tuple[Refused, ...] = ()
    remarks: tuple[str, ...] = ()


def state_hash(values: Sequence[object]) -> str:
    """Return a hash of *values* by which a later import sees whether they changed."""
    return sha256(json.dumps(values, default=str).encode("utf-8", "surrogatepass")).hexdigest()
