"""One thing that is wrong, or could be better, with what is known."""

from __future__ import annotations

import json
from dataclasses import dataclass

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


def call(tool: str, **arguments: object) -> str:
    """Return a call of *tool* as it is written for whoever makes it."""
    return f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
