"""Whether a node needs review, the reasons, and the step that settles it, for all front ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autology.core.nodes import sealing
from autology.model.next_step import PLACEHOLDER, Action, NextStep, Sentence, do
from autology.model.node import Node, NodeStatus
from autology.render.next_steps import for_tools
from autology.text.sanitising import clean_line

Json = dict[str, Any]

DRIFTS = 3
"""Maximum drifted references shown of a node; a review shows all."""


def changes(node: Node) -> list[str]:
    """Return a line about how a sealed decision differs from its accepted text; empty if it does not."""
    changed = sealing.changed(node)
    return [f"changed since it was accepted: {', '.join(changed)}"] if changed else []


def keeping(node: Node) -> NextStep:
    """Return the review step that keeps *node* unchanged; changes after acceptance need a reason."""
    reason = {"reason": PLACEHOLDER} if changes(node) else {}
    return do(Action.REVIEW, id=node.id[:8], keep=True, **reason)


def standing(node: Node, drifted: Sequence[str]) -> Json:
    """Return a node's status for display; a drifted node, or one changed after it was accepted, needs review.

    If so, the changes and the step that settles them are included.
    """
    differences = changes(node)
    if not differences and not drifted:
        return {"status": node.status.value}
    entry: Json = {"status": NodeStatus.NEEDS_REVIEW.value}
    if differences:
        entry["changed"] = differences
        restore = f" if this holds, else restore the accepted text: `git log -p -- {node.path}`"
        settle = Sentence(keeping(node), restore)
    else:
        settle = Sentence(keeping(node), " if it still holds, else ", do(Action.UPDATE), " it or capture what does")
    entry["settle"] = for_tools(settle)
    return {**entry, "drifted": [clean_line(line, 400) for line in drifted[:DRIFTS]]} if drifted else entry
