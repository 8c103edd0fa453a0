"""One thing that is wrong, or could be better, with what is known."""

from __future__ import annotations

import json
from dataclasses import dataclass

from autology.core import sealing
from autology.model.node import Node

ERROR, WARNING, NOTICE = "error", "warning", "notice"
SEVERITIES = (ERROR, WARNING, NOTICE)
"""What is broken; what misleads whoever relies on it; what could be better."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a finding is about: a node, or a file that should be one; *line* is where in it, from 1."""

    title: str
    path: str
    id: str = ""
    line: int = 1


NAMED = 5
"""Nodes named as evidence of a finding about many; its subjects are all of them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, why that matters, what it rests on, and the call that mends it.

    *check* is the name of what found it.
    """

    check: str
    severity: str
    what: str
    why: str
    fix: str
    subjects: tuple[Subject, ...]
    evidence: tuple[str, ...]


def rewriting(node: Node, content: str, title: str | None = None) -> str:
    """Return the call that gives *node* another text: what is accepted is replaced, or amended with a reason."""
    if not sealing.is_frozen(node):
        return call("autology_update", id=node.id, content=content)
    newer = call(
        "autology_capture", title=title or node.title, content=content, type=node.type.value, supersedes=[node.id]
    )
    return f'{newer}, or `autology review {node.id[:8]} --amend --file FILE --reason "…"`'


def call(tool: str, **arguments: object) -> str:
    """Return a call of *tool* as it is written for whoever makes it."""
    return f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
