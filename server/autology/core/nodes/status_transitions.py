"""A decision's status: what its text says, and which transitions are allowed."""

from __future__ import annotations

from dataclasses import replace

from autology.core.nodes import sealing
from autology.model.errors import ValidationError
from autology.model.next_step import PLACEHOLDER, Action, NextStep, Sentence, do
from autology.model.node import DecisionStatus, Node, NodeStatus, NodeType
from autology.text.adr.restated import may_state_status, restated
from autology.text.adr.sections import missing_sections

FORMER = "former_status"
"""The key of a superseded decision's previous status, if it was not accepted."""
_NEXT = {
    DecisionStatus.PROPOSED: (DecisionStatus.ACCEPTED, DecisionStatus.REJECTED, DecisionStatus.SUPERSEDED),
    DecisionStatus.ACCEPTED: (DecisionStatus.DEPRECATED, DecisionStatus.SUPERSEDED),
    DecisionStatus.REJECTED: (DecisionStatus.SUPERSEDED,),
    DecisionStatus.DEPRECATED: (DecisionStatus.SUPERSEDED,),
    DecisionStatus.SUPERSEDED: (),
}


def first_status(content: str, wanted: DecisionStatus | None) -> DecisionStatus:
    """Return the status of a new decision: *wanted*, else as its text says, else accepted."""
    return wanted or _stated_status(content) or DecisionStatus.ACCEPTED


def standing(node: Node, status: DecisionStatus) -> Node:
    """Return the decision *node* with *status*, also in its text."""
    if not node.record and _stated_status(node.content) not in (None, status):
        node = replace(node, content=restated(node.content, status))
    if status is DecisionStatus.SUPERSEDED:
        return replace(superseded(node), decision_status=status)
    return replace(node, decision_status=status)


def step(before: Node, after: Node, wanted: DecisionStatus | None) -> Node:
    """Return *after*, which is to replace *before*, in the status *wanted*; else in the one that its text newly states.

    Raises:
        ValidationError: the transition is not allowed; the message names those that are.
    """
    if wanted is None:
        rewritten = after.content != before.content and not after.record
        stated = _stated_status(after.content) if rewritten else None
        if stated is None or stated is _stated_status(before.content) or stated is before.decision_status:
            return after
        _check(before, stated, "content")
        return superseded(after) if stated is DecisionStatus.SUPERSEDED else replace(after, decision_status=stated)
    if wanted is not before.decision_status:
        _check(before, wanted, "decision_status")
        return standing(after, wanted)
    return after


def superseded(node: Node) -> Node:
    """Return *node* marked as replaced."""
    if node.decision_status in (None, DecisionStatus.SUPERSEDED):
        return replace(node, status=NodeStatus.SUPERSEDED)
    extra = dict(node.extra)
    if node.decision_status is not DecisionStatus.ACCEPTED:
        extra[FORMER] = node.decision_status.value
    return replace(node, status=NodeStatus.SUPERSEDED, decision_status=DecisionStatus.SUPERSEDED, extra=extra)


def current(node: Node) -> Node:
    """Return *node*, which is not superseded any longer, in its previous state: an incomplete decision needs review."""
    node = replace(node, status=NodeStatus.NEEDS_REVIEW if is_incomplete(node) else NodeStatus.ACTIVE)
    return reinstated(node) if node.decision_status is DecisionStatus.SUPERSEDED else node


def is_incomplete(node: Node) -> bool:
    """Whether *node* is a decision of our own that lacks a section."""
    return node.type is NodeType.DECISION and not node.record and bool(missing_sections(node.content))


def reinstated(node: Node) -> Node:
    """Return a superseded decision in its previous status."""
    former = str(node.extra.get(FORMER) or "")
    # A sealed one was accepted, whatever was edited there by hand.
    recorded = former == DecisionStatus.DEPRECATED or (former in _OPEN and not sealing.seal_of(node))
    status = DecisionStatus(former) if recorded else DecisionStatus.ACCEPTED
    extra = {key: value for key, value in node.extra.items() if key != FORMER}
    return replace(node, decision_status=status, extra=extra)


_OPEN = (DecisionStatus.PROPOSED, DecisionStatus.REJECTED)


def _check(node: Node, wanted: DecisionStatus, field: str) -> None:
    now = node.decision_status or DecisionStatus.ACCEPTED
    if wanted in _NEXT[now]:
        return
    allowed = ", ".join(_NEXT[now])
    step = Sentence(do(Action.UNRELATE), ' the node that supersedes it; if there is none, set status "active".')
    if now is not DecisionStatus.SUPERSEDED:
        next_ones = f"From {now.value} it can become: {allowed}. " if allowed else ""
        step = Sentence(next_ones, "Any other status needs a review with a reason: ", restating(node, wanted), ".")
    problem = f"the decision is {now.value} and cannot become {wanted.value}"
    raise ValidationError(field, problem, step)


def restating(node: Node, wanted: DecisionStatus, reason: str = PLACEHOLDER) -> NextStep:
    """Return the step that sets the status of *node*, whatever it was."""
    return do(Action.REVIEW, id=node.id[:8], status=wanted.value, reason=reason)


def _stated_status(text: str) -> DecisionStatus | None:
    if not may_state_status(text):
        return None
    from autology.text.adr.record import stated_status  # takes 15 ms to load, which would delay a capture

    return stated_status(text)
