"""All checks, or the requested ones, in one report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from autology.core.analysis import coverage, duplicates, frozen, references, relations, structure, tags, texts
from autology.core.analysis.finding import SEVERITIES, Finding
from autology.core.analysis.survey import Survey, survey
from autology.core.nodes.graph import Graph
from autology.core.nodes.version_control import History
from autology.model.errors import ValidationError
from autology.model.node import NodeType, is_id_prefix

Check = Callable[[Survey], Iterable[Finding]]

CHECKS: Mapping[str, Check] = {
    "unreadable": texts.unreadable,
    "dangling": relations.dangling,
    "frozen": frozen.frozen,
    "chains": relations.chains,
    "incomplete": texts.incomplete,
    "duplicates": duplicates.duplicates,
    "stale": references.stale,
    "orphans": relations.orphans,
    "tags": tags.tags,
    "coverage": coverage.coverage,
    "hubs": structure.hubs,
    "bridges": structure.bridges,
    "communities": structure.communities,
}


@dataclass(frozen=True, slots=True)
class Analysis:
    """The findings, worst first; the checks made, the number of nodes examined, and what was degraded."""

    findings: tuple[Finding, ...]
    checks: tuple[str, ...]
    nodes: int
    notes: tuple[str, ...] = field(default=())


def analyze(graph: Graph, history: History, focus: str | None = None) -> Analysis:
    """Return the problems and possible improvements of what the project knows.

    *focus* is a check's name, a node's type, a node's id or id prefix, or a file or folder that nodes refer to.

    Raises:
        ValidationError: the focus is none of these.
        NotFoundError, AmbiguousIdError: no node, or several, have that id.
    """
    return graph.read_current(lambda: _analyze(graph, history, focus.strip() if focus and focus.strip() else None))


def _analyze(graph: Graph, history: History, focus: str | None) -> Analysis:
    surveyed = survey(graph, history)
    names = tuple(name for name in CHECKS if focus == name) or _worth_making(surveyed)
    about = None if focus is None or focus in CHECKS else _about(surveyed, focus)
    findings = [
        finding
        for name in names
        for finding in CHECKS[name](surveyed)
        if about is None or any(subject.id in about for subject in finding.subjects)
    ]
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    looked = len(surveyed.nodes) if about is None else len(about)
    return Analysis(tuple(findings), names, looked, tuple(graph.notes))


def _worth_making(surveyed: Survey) -> tuple[str, ...]:
    """Return the checks that are made where none is requested."""
    return tuple(name for name in CHECKS if name != "coverage" or coverage.is_expected(surveyed))


def _about(surveyed: Survey, focus: str) -> set[str]:
    """Return the ids of the nodes that *focus* names."""
    if focus in set(NodeType):
        return {id for id, node in surveyed.nodes.items() if node.type == focus}
    if is_id_prefix(focus.lower()):
        return {surveyed.graph.source(focus).id}
    path = focus.replace("\\", "/").removeprefix("./").rstrip("/")
    ids = {
        id
        for id, node in surveyed.nodes.items()
        if any(own == path or own.startswith(f"{path}/") or path.startswith(f"{own}/") for own in node.references)
    }
    if not ids:
        fits = f"Use one of: {', '.join(CHECKS)}; a node's type or id; or a file or folder that a node refers to."
        raise ValidationError("focus", f"'{focus[:60]}' is unknown", fits)
    return ids
