"""Runs an import and prints its plan, progress and result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autology.cli.screen import Screen
from autology.core.importing import gathering, older_index_relations, other_tool_plan, record_plan
from autology.core.importing.apply import ImportResult, apply
from autology.core.importing.import_plan import Addition, ImportPlan
from autology.core.importing.older_index_relations import MovedRelations, PendingRelations
from autology.core.nodes.graph import Graph
from autology.model.next_step import Sentence
from autology.model.node import NodeStatus, NodeType
from autology.text.language.plural import counted
from autology.wire.project import Project

LISTED = 10
"""Maximum number of list entries printed; --json prints all."""


@dataclass(frozen=True, slots=True)
class CombinedPlan:
    """Everything to import: records, and relations that exist only in the index of an older version."""

    adr: ImportPlan
    older: PendingRelations

    def __bool__(self) -> bool:
        """Whether there is anything to import."""
        return bool(self.adr or self.older.relations)

    @property
    def left_out(self) -> bool:
        """Whether any file cannot be imported."""
        return bool(self.adr.refused or self.adr.conflicts)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found, neither new nor already imported."""
        adr = self.adr
        existing = adr.unchanged or adr.changed or adr.moved or adr.conflicts or adr.refused
        return not (self or existing or self.older.without_ends)


@dataclass(frozen=True, slots=True)
class CombinedResult:
    """The result of an import."""

    adr: ImportResult
    older: MovedRelations


def plan(project: Project, folders: Sequence[str], screen: Screen) -> CombinedPlan:
    """Return the plan for importing *folders*."""
    with screen.progress("reading records") as progress:
        adr = record_plan.plan(project.graph, project.history, project.originals, folders, progress)
    return CombinedPlan(adr, older_index_relations.waiting(project.graph))


def plan_foreign(project: Project, kind: str, sources: Sequence[str], screen: Screen) -> CombinedPlan:
    """Return the plan for importing another tool's memories."""
    with screen.progress("reading memories") as progress:
        data = gathering.gather(kind, sources, project.originals)
        progress(len(sources), len(sources))
    return CombinedPlan(other_tool_plan.plan(project.graph, data), PendingRelations())


def execute(graph: Graph, planned: CombinedPlan, screen: Screen) -> CombinedResult:
    """Execute the plan."""
    older = MovedRelations(0)
    if planned.older.relations:
        with screen.progress("importing relations") as progress:
            older = older_index_relations.bring_in(graph, planned.older, progress)
    with screen.progress("writing notes") as progress:
        adr = apply(graph, planned.adr, progress)
    return CombinedResult(adr, older)


def show(planned: CombinedPlan, screen: Screen) -> None:
    """Print the plan."""
    adr = planned.adr
    if adr.additions:
        _show_additions(adr, screen)
    if adr.relations:
        replaced = f", {adr.supersessions} of them supersessions" if adr.supersessions else ""
        screen.line(f"  {counted(len(adr.relations), 'relation')} between them{replaced}")
    edited = {"changed since they were imported": adr.changed, "moved": adr.moved}
    for description, paths in edited.items():
        if paths:
            _list(f"{counted(len(paths), 'file')} {description}: their notes will be updated", paths, screen)
    if adr.circles:
        circles = [f"{newer} would supersede {older}" for newer, older in adr.circles]
        _list("records that supersede each other in a cycle; they are related only:", circles, screen, "yellow")
    if adr.unchanged:
        screen.line(f"  {counted(len(adr.unchanged), 'file', 'are')} imported already, unchanged")
    if adr.conflicts:
        _list("Left unchanged:", [Sentence(f"{c.origin}: ", c.reason) for c in adr.conflicts], screen, "yellow")
    if adr.remarks:
        _list("Unrecognised parts, left out:", adr.remarks, screen, "yellow")
    if adr.refused:
        _list("Cannot be imported:", [Sentence(f"{r.path}: ", r.reason) for r in adr.refused], screen, "yellow")
    _show_older(planned.older, screen)


def _show_older(older: PendingRelations, screen: Screen) -> None:
    if older.relations:
        count = counted(len(older.relations), "relation")
        screen.line(f"  {count} found only in an older index, to be added to their notes")
    if older.without_ends:
        count = counted(len(older.without_ends), "relation")
        screen.line(f"  {count} of an older index without both notes: left out")


def _show_additions(adr: ImportPlan, screen: Screen) -> None:
    folders = Counter(addition.origin.rpartition("/")[0] or "." for addition in adr.additions)
    _list(
        f"{counted(len(adr.additions), 'file', 'become')} {'a note' if len(adr.additions) == 1 else 'notes'}:",
        [f"{folder}/  {count}" for folder, count in sorted(folders.items())],
        screen,
        "bold",
    )
    decisions = [a for a in adr.additions if a.node.type is NodeType.DECISION]
    if decisions:
        statuses = Counter(a.node.decision_status.value for a in decisions if a.node.decision_status)
        counts = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
        screen.line(f"  {counted(len(decisions), 'decision')}{f': {counts}' if counts else ''}")
    if incomplete := [a for a in decisions if a.missing and a.node.status is NodeStatus.NEEDS_REVIEW]:
        missing = Counter(part for a in incomplete for part in a.missing)
        counts = ", ".join(f"{part} {count}" for part, count in missing.most_common())
        verb = "lacks a section and needs" if len(incomplete) == 1 else "lack a section and need"
        screen.line(f"  {len(incomplete)} of them {verb} review ({counts})")
    if others := [f"{a.origin}: {a.node.type.value}" for a in adr.additions if not a.is_record]:
        _list("not in the form of a record, type inferred from the text:", others, screen)
    if dates := [f"{a.origin}: {a.unread_date}" for a in adr.additions if a.unread_date]:
        heading = "ambiguous dates; the date from git or the file is used (write 2024-04-03 to be clear):"
        _list(heading, dates, screen, "yellow")
    if dropped := [f"{a.origin}: {', '.join(a.dropped_tags)}" for a in adr.additions if a.dropped_tags]:
        _list("invalid tags, left in the text only:", dropped, screen)


def show_done(planned: CombinedPlan, result: CombinedResult, screen: Screen) -> None:
    """Print the result."""
    parts = [f"{counted(result.adr.added, 'note')} added"] if result.adr.added else []
    if result.adr.edited:
        parts.append(f"{counted(result.adr.edited, 'note')} changed")
    if result.older.count:
        parts.append(f"{counted(result.older.count, 'relation')} imported from an older index")
    if parts or not planned.left_out:
        screen.line(f"✓ {', '.join(parts) or 'Nothing new: everything is imported already'}.", "green")
    else:
        screen.line("Nothing was imported: see above for the reasons.")
    for edge, reason in result.older.refused:
        shown = Sentence(f"{edge.source[:8]} {edge.type} {edge.target[:8]}: ", reason)
        screen.line(f"  not imported: {screen.safe(shown, 500)}")
    for note in result.adr.notes:
        screen.line(f"  Note: {screen.safe(note, 500)}")


def as_json(planned: CombinedPlan) -> dict[str, Any]:
    """Return the plan as JSON data."""
    adr = planned.adr
    return {
        "additions": [_addition(addition) for addition in adr.additions],
        "changed": list(adr.changed),
        "moved": list(adr.moved),
        "unchanged": len(adr.unchanged),
        "conflicts": [{"origin": c.origin, "id": c.id, "reason": c.reason} for c in adr.conflicts],
        "refused": [{"path": r.path, "reason": r.reason} for r in adr.refused],
        "relations": [{"source": s, "type": kind.value, "target": t} for s, kind, t in adr.relations],
        "supersessions": adr.supersessions,
        "circles": [{"newer": newer, "older": older} for newer, older in adr.circles],
        "older_relations": len(planned.older.relations),
        "remarks": list(adr.remarks),
    }


def done_as_json(result: CombinedResult | None) -> dict[str, Any] | None:
    """Return the result as JSON data."""
    if result is None:
        return None
    return {"added": result.adr.added, "edited": result.adr.edited, "older_relations": result.older.count}


def _addition(addition: Addition) -> dict[str, Any]:
    node = addition.node
    return {
        "origin": addition.origin,
        "id": node.id,
        "type": node.type.value,
        "title": node.title,
        "status": node.status.value,
        "decision_status": node.decision_status.value if node.decision_status else None,
        "record": addition.is_record,
        "missing_sections": list(addition.missing),
        "dropped_tags": list(addition.dropped_tags),
        "unread_date": addition.unread_date or None,
    }


def _list(heading: str, entries: Sequence[str], screen: Screen, style: str = "") -> None:
    screen.line(f"  {screen.styled(heading, style) if style else heading}")
    for entry in entries[:LISTED]:
        screen.line(f"    {screen.safe(entry, 300)}")
    if len(entries) > LISTED:
        screen.line(f"    … and {len(entries) - LISTED} more; --json lists all")
