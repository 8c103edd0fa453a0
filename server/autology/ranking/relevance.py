"""How much a node matters to what is being worked on: nine factors, each of which says why it counts.

The weights are those of the founding description of the context builder. A file that the text names counts as one
that it refers to; whether a task is spoken of is told by search, not by a single word that they share. Of the nodes of
a group the nearest come first: how that is told was measured on what three open projects decided (bench/context).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
GROUPS = ("high", "medium", "low")
HIGH, MEDIUM = 2.0, 1.0
ALIKE, FRESH = 1.0, 2.0
"""What files of the same names are worth beside a change made just now."""
FRESH_DAYS = 30.0
"""Days after which two thirds of that are lost: what was decided this month is still being carried out."""


@dataclass(frozen=True, slots=True)
class Factor:
    """One thing that counts: its name, the points that it adds (or takes), and why."""

    name: str
    points: float
    why: str


NAMES = Factor("names", 0.0, "of what the files are named for")
"""The tie of a node that has no other; it adds no points."""


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


def nearness(alike: float, modified: str, now: datetime) -> float:
    """Return what puts a node before others of its group: how *alike* its files are named, and how new it is."""
    days = max(0.0, (now - moment(modified)).total_seconds() / 86_400)
    return ALIKE * alike + FRESH * math.exp(-days / FRESH_DAYS)


def alike(nodes: Sequence[Node], files: Sequence[str]) -> Mapping[str, float]:
    """Return how much of *files* the files of each of *nodes* share a name with, from 0 to 1.

    The test of a module has its name, and so has its documentation. A name that many of the nodes know says little.
    """
    asked = {kin(file) for file in files}
    known = {node.id: {kin(own) for own in node.references} for node in nodes}
    often = Counter(name for names in known.values() for name in names & asked)
    tells = {name: math.log(1 + len(nodes) / (1 + often[name])) for name in asked}
    most = sum(tells.values()) or 1.0
    return {
        id: sum(tells[name] for name in names & asked) / most / math.sqrt(len(names)) if names else 0.0
        for id, names in known.items()
    }


def kin(path: str) -> str:
    """Return what the file at *path* has in its name in common with its test, its header, its documentation."""
    name = path.rstrip("/").rpartition("/")[2]
    bare = name.partition(".")[0] or name
    return (_TEST.sub("", bare) or bare).lower()


_TEST = re.compile(r"\A(?:tests?|spec)[_-]|[_-](?:tests?|spec)\Z", re.IGNORECASE)


def group(score: float) -> str:
    """Return the group that a node with that many points belongs to."""
    return GROUPS[0] if score >= HIGH else GROUPS[1] if score >= MEDIUM else GROUPS[2]


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
