"""Nodes whose files changed or are gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autology.core.analysis.finding import NOTICE, WARNING, Finding, rewriting
from autology.core.analysis.survey import Survey
from autology.model.next_step import Action, Sentence, do
from autology.model.node import Node, NodeStatus, NodeType


def stale(survey: Survey) -> Iterator[Finding]:
    """Yield nodes with a missing file, and those whose files changed since."""
    for node in survey.nodes.values():
        if node.status is NodeStatus.SUPERSEDED or node.type is NodeType.SESSION:
            continue
        gone = [path for path in node.references if not survey.graph.files.project_has(path)]
        if gone:
            yield _missing(survey, node, gone)
        yield from _drifted(survey, node)


def _missing(survey: Survey, node: Node, gone: Sequence[str]) -> Finding:
    """Return the finding about files that are not at their path; a moved file is followed."""
    moved = {path: survey.moved[path] for path in gone if path in survey.moved}
    lost = [path for path in gone if path not in moved]
    references = list(dict.fromkeys(moved.get(path, path) for path in node.references if path not in lost))
    return Finding(
        "stale",
        WARNING if lost else NOTICE,
        f"Refers to {'a missing file' if lost else 'a file that was moved'}: {node.title}",
        "It may describe code that was removed." if lost else "It is not shown to anyone who works on that file.",
        Sentence(do(Action.UPDATE, id=node.id, references=references)),
        (survey.subject(node.id, gone[0]),),
        tuple(f"moved: {path} → {moved[path]}" if path in moved else f"gone: {path}" for path in gone),
    )


def _drifted(survey: Survey, node: Node) -> Iterator[Finding]:
    stale = [one for one in survey.drifts.get(node.id, ()) if one.what or survey.graph.files.project_has(one.path)]
    matter = any(one.matters for one in stale)
    if stale:
        keep = do(Action.REVIEW, id=node.id[:8], keep=True)
        yield Finding(
            "stale",
            WARNING if matter else NOTICE,
            f"{'Mentions rewritten code' if matter else 'Older than what it refers to'}: {node.title}",
            "It may be out of date." if matter else "The files were changed after it was written.",
            Sentence(rewriting(node, "… as it is now"), ", or ", keep, " if it still holds"),
            (survey.subject(node.id, stale[0].path),),
            tuple(one.summary for one in stale),
        )
