"""Nodes whose own text is unreadable, incomplete or in need of review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from autology.core.analysis.finding import ERROR, NAMED, NOTICE, WARNING, Finding, Subject, rewriting
from autology.core.analysis.survey import Survey
from autology.model.next_step import Action, Sentence, do
from autology.model.node import DecisionStatus, Node, NodeStatus, NodeType
from autology.text.adr.sections import missing_sections, parts_named, section_name
from autology.text.language.plural import counted

SHORT = 40
"""Characters below which a text adds hardly anything to its title."""
LONGEST_LABEL = 80
"""Characters of a line that may name the section below it without being a heading."""


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
    """Yield active decisions that lack a section, and nodes that are nearly empty.

    The records of a collection are one finding: what is missing there is what most of them have.
    """
    yield from _of_collections(survey)
    for node in survey.nodes.values():
        if node.status is NodeStatus.SUPERSEDED:
            continue
        is_ours = node.type is NodeType.DECISION and not node.record
        missing = missing_sections(node.content) if is_ours else ()
        if missing:
            listed = ", ".join(missing)
            yield Finding(
                "incomplete",
                WARNING,
                f"No section {' and no '.join(missing)}: {node.title}",
                "Its rationale cannot be reviewed later.",
                rewriting(node, "… with the missing sections"),
                (survey.subject(node.id),),
                (f"missing: {listed}",),
            )
        elif len(node.content.strip()) < SHORT:
            yield _short(survey, node)


def _of_collections(survey: Survey) -> Iterator[Finding]:
    """Yield a finding for each collection some of whose accepted records lack sections that most have."""
    records = survey.graph.records
    if records is None:
        return
    lacking: dict[int, list[tuple[Node, tuple[str, ...]]]] = {}
    for node in survey.nodes.values():
        one = records.get(node.record) if node.record else None
        if one is None or node.decision_status is not DecisionStatus.ACCEPTED:
            continue
        if missing := _not_in_lines(node.content, one.missing):
            lacking.setdefault(one.manner, []).append((node, missing))
    for at, nodes in sorted(lacking.items()):
        folder = records.snapshot.manners[at].folder or "."
        counts = Counter(section for _, missing in nodes for section in missing)
        ignoring = do(Action.RECORDS, folder=folder, sections="none")
        yield Finding(
            "incomplete",
            NOTICE,
            _lacking(len(nodes), folder, counts),
            "A reader of the others looks for them.",
            Sentence("Add them where they matter. If this collection has none, to not be asked again: ", ignoring),
            tuple(survey.subject(node.id) for node, _ in nodes),
            tuple(f"{node.title}: {', '.join(missing)}" for node, missing in nodes[:NAMED]),
        )


def _not_in_lines(content: str, sections: Sequence[str]) -> tuple[str, ...]:
    """Return those of *sections* that no line of *content* names, as ``**Decision:** …`` does, in whatever language."""
    if not sections:
        return ()
    lines = {section_name(line) for line in content.splitlines() if len(line) <= LONGEST_LABEL}
    absent = set(missing_sections(content))
    return tuple(
        section
        for section in sections
        if section_name(section) not in lines and parts_named(section, is_title=True) <= absent
    )


def _lacking(records: int, folder: str, counts: Counter[str]) -> str:
    """Return which sections of a collection are lacking in how many of its *records*."""
    if len(counts) == 1:
        has = "has" if records == 1 else "have"
        return (
            f"{counted(records, 'record')} in {folder} {has} no “{next(iter(counts))}” section, which most there have"
        )
    listed = ", ".join(f"{section} (in {count})" for section, count in counts.most_common())
    return f"{counted(records, 'record', 'lack')} sections that most in {folder} have: {listed}"


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
