"""How much a node matters to what is being worked on: nine factors, each of which says why it counts.

The weights are those of the founding description of the context builder. A file that the text names counts as one
that it refers to; whether a task is spoken of is told by search, not by a single word that they share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from autology.model.node import Node, NodeStatus, NodeType
from autology.text.times import moment

SAME_FILE, IN_FOLDER, RECENT_FILE, TASK = 1.0, 0.6, 0.4, 0.8
SURE, LATE, CONNECTED = 0.2, 0.3, 0.15
SURE_FROM = 0.8
LATELY = timedelta(days=7)
RELATIONS = 3
TYPES = {
    NodeType.DECISION: 0.3,
    NodeType.CONVENTION: 0.25,
    NodeType.COMPONENT: 0.2,
    NodeType.PATTERN: 0.2,
    NodeType.CONCEPT: 0.15,
    NodeType.ISSUE: 0.1,
    NodeType.SESSION: 0.05,
}
STATUSES = {NodeStatus.SUPERSEDED: 0.3, NodeStatus.NEEDS_REVIEW: 0.8}
"""What the points so far are multiplied by."""
HIGH, MEDIUM = 2.0, 1.0


@dataclass(frozen=True, slots=True)
class Factor:
    """One thing that counts: its name, the points that it adds (or takes), and why."""

    name: str
    points: float
    why: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a node beside itself: its relations in both directions, and the words of the task in it."""

    relations: int = 0
    task: tuple[str, ...] = ()


def factors(node: Node, current: str | None, recent: Sequence[str], facts: Facts, now: datetime) -> list[Factor]:
    """Return what counts for *node* while *current* is worked on, after the *recent* files; the sum is its score."""
    found = [*_of_files(node, current, recent), *_of_node(node, facts, now)]
    if (times := STATUSES.get(node.status)) is not None:
        so_far = sum(factor.points for factor in found)
        found.append(Factor("status", so_far * (times - 1), f"{node.status.value}: {times:g} of its points"))
    if facts.relations >= RELATIONS:
        found.append(Factor("relations", CONNECTED, f"{facts.relations} relations"))
    return found


def group(score: float) -> str:
    """Return the group that a node with that many points belongs to."""
    return "high" if score >= HIGH else "medium" if score >= MEDIUM else "low"


def _of_files(node: Node, current: str | None, recent: Sequence[str]) -> Iterator[Factor]:
    if current and (told := _names(node, current)):
        yield Factor("current_file", SAME_FILE, told)
    elif current and (folder := _folder(node, current)):
        yield Factor("current_folder", IN_FOLDER, f"refers to {folder}")
    for path in dict.fromkeys(recent):
        if path != current and (told := _names(node, path)):
            yield Factor("recent_file", RECENT_FILE, told)


def _of_node(node: Node, facts: Facts, now: datetime) -> Iterator[Factor]:
    if facts.task:
        yield Factor("task", TASK, f"speaks of {', '.join(facts.task)}")
    yield Factor("type", TYPES[node.type], node.type.value)
    if node.confidence >= SURE_FROM:
        yield Factor("confidence", SURE, f"{node.confidence:g}")
    if now - moment(node.modified) < LATELY:
        yield Factor("recency", LATE, f"changed {node.modified[:10]}")


def _names(node: Node, path: str) -> str:
    """How the node tells of exactly that file, or ""."""
    if path in node.references:
        return f"refers to {path}"
    return f"names {path}" if "/" in path and path in node.content else ""


def _folder(node: Node, path: str) -> str:
    """The longest reference that *path* lies in, or ""."""
    return max((own for own in node.references if path.startswith(f"{own.rstrip('/')}/")), key=len, default="")
