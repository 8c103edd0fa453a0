"""A problem, or a possible improvement, of what the project knows."""

from __future__ import annotations

import json
from dataclasses import dataclass

from autology.core.nodes import sealing
from autology.model.node import Node

ERROR, WARNING, NOTICE = "error", "warning", "notice"
SEVERITIES = (ERROR, WARNING, NOTICE)
"""Broken; misleading to a reader who relies on it; could be better."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a finding: a node, or a file that should be one; *line* is its line in it, from 1."""

    title: str
    path: str
    id: str = ""
    line: int = 1


NAMED = 5
"""Nodes named as evidence of a finding about many; its subjects are all of them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, why it matters, the evidence, and the call that fixes it.

    *check* is the name of the check that reported it.
    """

    check: str
    severity: str
    what: str
    why: str
    fix: str
    subjects: tuple[Subject, ...]
    evidence: tuple[str, ...]


def rewriting(node: Node, content: str, title: str | None = None) -> str:
    """Return the call that gives *node* another text: an accepted decision is replaced, or amended with a reason."""
    if not sealing.is_frozen(node):
        return call("autology_update", id=node.id, content=content)
    newer = call(
        "autology_capture", title=title or node.title, content=content, type=node.type.value, supersedes=[node.id]
    )
    return f'{newer}, or `autology review {node.id[:8]} --amend --file FILE --reason "…"`'


def call(tool: str, **arguments: object) -> str:
    """Return a call of *tool* as text for the caller."""
    return f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
