"""A problem, or a possible improvement, of what the project knows."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.nodes import sealing
from autology.model.next_step import PLACEHOLDER, Action, Sentence, do
from autology.model.node import DecisionStatus, Node

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
    """What is wrong, why it matters, the evidence, and the steps that fix it.

    *check* is the name of the check that reported it.
    """

    check: str
    severity: str
    what: str
    why: str
    fix: Sentence
    subjects: tuple[Subject, ...]
    evidence: tuple[str, ...]


def rewriting(node: Node, content: str, title: str | None = None) -> Sentence:
    """Return the steps that change the text of *node*: an accepted decision is superseded, or amended with a reason."""
    if node.record and node.decision_status is not DecisionStatus.PROPOSED:
        return Sentence(do(Action.REVIEW, id=node.id[:8], amend=True, file="FILE", reason=PLACEHOLDER))
    if not sealing.is_frozen(node):
        return Sentence(do(Action.UPDATE, id=node.id, content=content))
    kind, older = node.type.value, [node.id]
    newer = do(Action.CAPTURE, title=title or node.title, content=content, type=kind, supersedes=older)
    amend = do(Action.REVIEW, id=node.id[:8], amend=True, file="FILE", reason=PLACEHOLDER)
    return Sentence(newer, ", or ", amend)
