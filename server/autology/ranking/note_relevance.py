"""Scoring of a node's relevance to the current work: nine factors, each with its reason.

The weights come from the context builder's founding description. A file named in the text counts as a reference;
whether the task is mentioned is decided by search, not by a shared word. Within a group the nearest come first, by
a measure tuned on the decisions of three open-source projects (bench/context)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from autology.model.node import Node, NodeStatus, NodeType
from autology.text.language.timestamps import moment

SAME_FILE, IN_FOLDER, RECENT_FILE, TASK = 1.0, 0.6, 0.4, 0.8
CONFIDENT, RECENT_CHANGE, CONNECTED = 0.2, 0.3, 0.15
MIN_CONFIDENT = 0.8
RECENT_PERIOD = timedelta(days=7)
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
"""Multipliers of the points so far."""
GROUPS = ("high", "medium", "low")
HIGH, MEDIUM = 2.0, 1.0
ALIKE, FRESH = 1.0, 2.0
"""The weights of similar file names and of a change made just now."""
FRESH_DAYS = 30.0
"""The decay constant in days: a decision of this month is still being carried out."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A contribution to the score: its name, its points (may be negative), and the reason."""

    name: str
    points: float
    why: str


NAMES = Factor("names", 0.0, "its words are in the names of the files")
"""The factor of a node that has no other; it adds no points."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts beyond the node's file: the number of relations in both directions, and the task's words in it."""

    relations: int = 0
    task: tuple[str, ...] = ()


def factors(node: Node, current: str | None, recent: Sequence[str], facts: Facts, now: datetime) -> list[Factor]:
    """Return the factors of *node* while *current* is edited, after the *recent* files; its score is their sum."""
    counted = [*_of_files(node, current, recent), *_of_node(node, facts, now)]
    if (times := STATUSES.get(node.status)) is not None:
        so_far = sum(factor.points for factor in counted)
        counted.append(Factor("status", so_far * (times - 1), f"{node.status.value}: {times:g} of its points"))
    if facts.relations >= RELATIONS:
        counted.append(Factor("relations", CONNECTED, f"{facts.relations} relations"))
    return counted


def nearness(alike: float, modified: str, now: datetime) -> float:
    """Return the order within a group: how *alike* its file names are, and how recent it is."""
    return ALIKE * alike + (FRESH * math.exp(-_days(modified, now) / FRESH_DAYS) if modified else 0.0)


def _days(modified: str, now: datetime) -> float:
    return max(0.0, (now - moment(modified)).total_seconds() / 86_400)


def alike(nodes: Sequence[Node], files: Sequence[str]) -> Mapping[str, float]:
    """Return, per node, the share (0-1) of *files* whose names its own files share.

    A module, its test and its documentation share a name. A name that many nodes refer to weighs little.
    """
    file_keys = {kin(file) for file in files}
    names_by_id = {node.id: {kin(reference) for reference in node.references} for node in nodes}
    frequencies = Counter(name for names in names_by_id.values() for name in names & file_keys)
    weights = {name: math.log(1 + len(nodes) / (1 + frequencies[name])) for name in file_keys}
    total = sum(weights.values()) or 1.0
    return {
        id: sum(weights[name] for name in names & file_keys) / total / math.sqrt(len(names)) if names else 0.0
        for id, names in names_by_id.items()
    }


def kin(path: str) -> str:
    """Return the stem of the file name at *path* that it shares with its test, header and documentation."""
    name = path.rstrip("/").rpartition("/")[2]
    bare = name.partition(".")[0] or name
    return (_TEST.sub("", bare) or bare).lower()


_TEST = re.compile(r"\A(?:tests?|spec)[_-]|[_-](?:tests?|spec)\Z", re.IGNORECASE)


def group(score: float) -> str:
    """Return the group of a node with that many points."""
    return GROUPS[0] if score >= HIGH else GROUPS[1] if score >= MEDIUM else GROUPS[2]


def _of_files(node: Node, current: str | None, recent: Sequence[str]) -> Iterator[Factor]:
    if current and (reason := _names(node, current)):
        yield Factor("current_file", SAME_FILE, reason)
    elif current and (folder := _folder(node, current)):
        yield Factor("current_folder", IN_FOLDER, f"refers to {folder}")
    for path in dict.fromkeys(recent):
        if path != current and (reason := _names(node, path)):
            yield Factor("recent_file", RECENT_FILE, reason)


def _of_node(node: Node, facts: Facts, now: datetime) -> Iterator[Factor]:
    if facts.task:
        yield Factor("task", TASK, f"speaks of {', '.join(facts.task)}")
    yield Factor("type", TYPES[node.type], node.type.value)
    if node.confidence >= MIN_CONFIDENT:
        yield Factor("confidence", CONFIDENT, f"{node.confidence:g}")
    if node.modified and now - moment(node.modified) < RECENT_PERIOD:
        yield Factor("recency", RECENT_CHANGE, f"changed {node.modified[:10]}")


def _names(node: Node, path: str) -> str:
    """Return how the node mentions exactly that file, or ""."""
    if path in node.references:
        return f"refers to {path}"
    return f"names {path}" if "/" in path and path in node.content else ""


def _folder(node: Node, path: str) -> str:
    """Return the longest reference that contains *path*, or ""."""
    return max(
        (reference for reference in node.references if path.startswith(f"{reference.rstrip('/')}/")),
        key=len,
        default="",
    )
