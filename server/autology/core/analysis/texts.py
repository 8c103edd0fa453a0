"""Nodes whose own text is unreadable, incomplete or in need of review."""

from __future__ import annotations

from collections.abc import Iterator

from autology.core.analysis.finding import ERROR, NOTICE, WARNING, Finding, Subject, rewriting
from autology.core.analysis.survey import Survey
from autology.model.next_step import Action, Sentence, do
from autology.model.node import Node, NodeStatus, NodeType
from autology.text.adr.sections import missing_sections

SHORT = 40
"""Characters below which a text adds hardly anything to its title."""


def unreadable(survey: Survey) -> Iterator[Finding]:
    """Yield the files that cannot be read as nodes."""
    for path, reason in survey.graph.index.faults():
        yield Finding(
            "unreadable",
            ERROR,
            f"{path} cannot be read as a node: {reason}",
            "Search cannot find its content.",
            Sentence("Fix the file by hand; ", do(Action.DOCTOR), " says how."),
            (Subject(path.rpartition("/")[2], path),),
            (reason,),
        )


def incomplete(survey: Survey) -> Iterator[Finding]:
    """Yield active decisions that lack a section, and nodes that are nearly empty."""
    for node in survey.nodes.values():
        if node.status is NodeStatus.SUPERSEDED:
            continue
        missing = missing_sections(node.content) if node.type is NodeType.DECISION else ()
        if missing:
            listed = ", ".join(missing)
            yield Finding(
                "incomplete",
                WARNING,
                f"Decision without {listed}: {node.title}",
                "Its rationale cannot be reviewed later.",
                rewriting(node, "… with the missing sections"),
                (survey.subject(node.id),),
                (f"missing: {listed}",),
            )
        elif len(node.content.strip()) < SHORT:
            yield _short(survey, node)


def _short(survey: Survey, node: Node) -> Finding:
    return Finding(
        "incomplete",
        NOTICE,
        f"Nearly empty: {node.title}",
        "It is found, but answers nothing.",
        rewriting(node, "…"),
        (survey.subject(node.id),),
        (f"{len(node.content.strip())} characters",),
    )
