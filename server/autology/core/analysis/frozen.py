"""Accepted decisions whose text differs from the accepted one, or that have no seal yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autology.core.analysis.finding import ERROR, NAMED, NOTICE, WARNING, Finding
from autology.core.analysis.survey import Survey
from autology.core.nodes import sealing
from autology.core.nodes.status_transitions import restating
from autology.model.next_step import PLACEHOLDER, Action, Sentence, do
from autology.model.node import DecisionStatus, Node
from autology.text.adr.record import stated_status


def frozen(survey: Survey) -> Iterator[Finding]:
    """Yield decisions that were changed by hand, by a merge or with their record since they were accepted."""
    unsealed = []
    for id, node in survey.nodes.items():
        if changed := sealing.changed(node):
            yield _changed(survey, node, changed)
        elif sealing.is_unsealed(node):
            unsealed.append(id)
        elif sealing.is_frozen(node) and node.decision_status is ACCEPTED and _is_contradicted(node):
            yield _contradicted(survey, node)
    if unsealed:
        yield Finding(
            "frozen",
            NOTICE,
            f"{len(unsealed)} accepted decision{'s have' if len(unsealed) > 1 else ' has'} no seal yet",
            "Changes to their text by hand or by a merge would go unnoticed.",
            Sentence(do(Action.REVIEW, seal=True), " seals them as they are"),
            tuple(survey.subject(id) for id in unsealed),
            tuple(f"no seal: {survey.title(id)}" for id in unsealed[:NAMED]),
        )


ACCEPTED = DecisionStatus.ACCEPTED


def _changed(survey: Survey, node: Node, changed: Sequence[str]) -> Finding:
    only_status = changed == (sealing.STATUS,)
    return Finding(
        "frozen",
        WARNING if only_status else ERROR,
        f"Accepted, and changed since: {node.title}",
        "Its status was reset without a reason; its text stays frozen."
        if only_status
        else "Readers rely on the accepted text, which has changed.",
        Sentence(
            do(Action.REVIEW, id=node.id[:8], keep=True, reason=PLACEHOLDER),
            f" accepts its current text; or restore the accepted text: `git log -p -- {survey.paths[node.id]}`",
        ),
        (survey.subject(node.id, node.title),),
        (f"changed since it was accepted: {', '.join(changed)}",),
    )


def _contradicted(survey: Survey, node: Node) -> Finding:
    stated = stated_status(node.content) or ACCEPTED
    back = restating(node, stated, "it was never accepted")
    if stated is DecisionStatus.DEPRECATED:
        back = do(Action.UPDATE, id=node.id, decision_status=stated.value)
    return Finding(
        "frozen",
        WARNING,
        f"Stored as accepted, but its text says {stated.value}: {node.title}",
        "Its text is frozen, and it is shown as accepted.",
        Sentence(back, "; if it is accepted, ", restating(node, ACCEPTED), " updates its text"),
        (survey.subject(node.id, node.title),),
        (f"decision_status accepted, the text states {stated.value}",),
    )


def _is_contradicted(node: Node) -> bool:
    return stated_status(node.content) in (DecisionStatus.PROPOSED, DecisionStatus.REJECTED, DecisionStatus.DEPRECATED)
