"""Accepted decisions whose text is another than the one that was accepted, or that nothing guards yet."""

from __future__ import annotations

from collections.abc import Iterator

from autology.core import freeze
from autology.core.analysis.finding import ERROR, NAMED, NOTICE, Finding, call
from autology.core.analysis.survey import Survey


def frozen(seen: Survey) -> Iterator[Finding]:
    """Yield decisions that were changed by hand, by a merge or with their record since they were accepted."""
    unsealed = []
    for id, node in seen.nodes.items():
        if freeze.is_broken(node):
            yield Finding(
                "frozen",
                ERROR,
                f"Accepted, and changed since: {node.title}",
                "Who relies on it was never told that it says something else now.",
                f"{call('autology_capture', title=node.title, content='…', type='decision', supersedes=[id])}, or "
                f"`autology review {id[:8]}` keeps or takes back what was changed",
                (seen.subject(id, node.title),),
                (f"sealed as {freeze.seal_of(node)}, reads as {freeze.seal(node)}",),
            )
        elif freeze.is_unsealed(node):
            unsealed.append(id)
    if unsealed:
        yield Finding(
            "frozen",
            NOTICE,
            f"{len(unsealed)} accepted decision{'s have' if len(unsealed) > 1 else ' has'} no seal yet",
            "A change of their text by hand or by a merge would not be seen.",
            "`autology review --seal` seals them as they are",
            tuple(seen.subject(id) for id in unsealed),
            tuple(f"no seal: {seen.title(id)}" for id in unsealed[:NAMED]),
        )
