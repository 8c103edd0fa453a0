"""Nodes whose own text is unreadable, incomplete or in need of review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from autology.core.adoption.record_facts import Manner
from autology.core.analysis.finding import ERROR, NAMED, NOTICE, WARNING, Finding, Subject, rewriting
from autology.core.analysis.survey import Survey
from autology.model.next_step import Action, Sentence, do
from autology.model.node import DecisionStatus, Node, NodeStatus, NodeType
from autology.text.adr.sections import missing_sections, parts_named, section_name
from autology.text.language.plural import counted
from autology.text.records.section_words import speaks_of

SHORT = 40
"""Characters below which a text adds hardly anything to its title."""
LISTED = 4
"""Sections named in the line that sums up a finding; the evidence has all of them."""
LONGEST_LABEL = 80
"""Characters of a line that may name the section below it without being a heading."""


def unreadable(survey: Survey) -> Iterator[Finding]:
    """Yield what of the configuration cannot be used, and the files that cannot be read as nodes."""
    for problem in survey.unusable_settings:
        path, _, reason = problem.partition(": ")
        yield Finding(
            "unreadable",
            ERROR,
            problem,
            "Records that it should adopt may be missing from every answer.",
            Sentence("Correct the setting by hand; ", do(Action.DOCTOR), " shows how records are read."),
            (Subject(path.rpartition("/")[2], path),),
            (reason,),
        )
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
        is_configured = records.snapshot.manners[one.manner].configured
        if missing := _unspoken(node.content, one.missing, is_configured=is_configured):
            lacking.setdefault(one.manner, []).append((node, missing))
    for at, nodes in sorted(lacking.items()):
        manner = records.snapshot.manners[at]
        counts = Counter(section for _, missing in nodes for section in missing)
        ignoring = do(Action.RECORDS, folder=manner.folder or ".", sections="none")
        named = [f"{node.title}: {', '.join(missing)}" for node, missing in nodes[:NAMED]]
        more = len(nodes) - NAMED
        yield Finding(
            "incomplete",
            NOTICE,
            _lacking(len(nodes), manner, counts),
            "A reader of the others looks for them.",
            Sentence("Add them where they matter. If these records need none, to not be asked again: ", ignoring),
            tuple(survey.subject(node.id) for node, _ in nodes),
            (*named, f"… and {more} more") if more > 0 else tuple(named),
        )


def _unspoken(content: str, sections: Sequence[str], *, is_configured: bool) -> tuple[str, ...]:
    """Return those of *sections* that *content* does not speak of: no line names one, as ``**Decision:** …`` does, in
    whatever language, and no sentence has its telling words, as "an alternative would be …". That is not enough for
    sections that the configuration asks for.
    """
    if not sections:
        return ()
    lines = {section_name(line) for line in content.splitlines() if len(line) <= LONGEST_LABEL}
    absent = set(missing_sections(content))
    return tuple(
        section
        for section in sections
        if section_name(section) not in lines
        and parts_named(section, is_title=True) <= absent
        and (is_configured or not speaks_of(content, section))
    )


def _lacking(records: int, manner: Manner, counts: Counter[str]) -> str:
    """Return which sections of a collection are lacking in how many of its *records*."""
    place = manner.folder or "this project"
    what = "accepted record" if manner.stated else "record"
    if len(counts) == 1:
        has = "has" if records == 1 else "have"
        return f"{counted(records, what)} in {place} {has} no “{next(iter(counts))}” section, which most there have"
    named = [section if records == 1 else f"{section} (in {count})" for section, count in counts.most_common(LISTED)]
    more = len(counts) - LISTED
    listed = f"{', '.join(named)} and {more} more" if more > 0 else ", ".join(named)
    return f"{counted(records, what, 'lack')} sections that most in {place} have: {listed}"


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
