"""Calls that change the project; each reply includes the step that undoes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autology.core.nodes import capture, delete_restore, review
from autology.core.nodes import merge_duplicates as combining
from autology.core.nodes import relate as relating
from autology.core.nodes import update as updating
from autology.core.nodes.undo import UndoStep
from autology.model.errors import ConflictError, ValidationError
from autology.model.node import Node, NodeStatus, NodeType, RelationType
from autology.render import nodes
from autology.text.adr.sections import missing_sections
from autology.web.project import PageProject

Json = dict[str, Any]
T = TypeVar("T")


def create(
    project: PageProject,
    title: str,
    content: str,
    type: str | None = None,
    tags: list[str] | None = None,
    references: list[str] | None = None,
    supersedes: list[str] | None = None,
    decision_status: str | None = None,
) -> Json:
    """Create a node, which may supersede others; without a type it is classified from the text."""
    material = capture.Material(
        title,
        content,
        type or None,
        tuple(tags or ()),
        tuple(references or ()),
        supersedes=tuple(supersedes or ()),
        decision_status=decision_status,
    )
    options = project.settings

    def about(captured: capture.Captured) -> str:
        return f"Created “{captured.node.title}”"

    captured, undo_step = _recorded(
        project,
        lambda: capture.capture(project.graph, material, options.relations_automatic, options.capture_to),
        about,
    )
    return {**undo_step, **nodes.captured(captured)}


def update(
    project: PageProject,
    id: str,
    version: str | None = None,
    title: str | None = None,
    content: str | None = None,
    type: str | None = None,
    status: str | None = None,
    confidence: float | None = None,
    tags: list[str] | None = None,
    references: list[str] | None = None,
    decision_status: str | None = None,
) -> Json:
    """Change the fields that are set; with a version, only if the file is unchanged (compare-and-swap)."""
    fields = updating.Fields(
        title, content, _listed(tags), status, confidence, type, _listed(references), decision_status
    )

    def about(updated: updating.Updated) -> str:
        return f"Changed “{updated.node.title}”"

    updated, undo_step = _recorded(project, lambda: updating.update(project.graph, id, fields, version), about)
    return {**undo_step, "text": nodes.updated(updated), "missing_sections": list(updated.missing_sections)}


def delete(project: PageProject, id: str) -> Json:
    """Move a node to the trash."""
    deleted, undo_step = _recorded(
        project, lambda: delete_restore.delete(project.graph, id), lambda d: f"Deleted “{d.node.title}”"
    )
    return {**undo_step, "text": nodes.deleted(deleted)}


def restore(project: PageProject, id: str) -> Json:
    """Restore a node from the trash."""
    restored, undo_step = _recorded(
        project, lambda: delete_restore.restore(project.graph, id), lambda d: f"Restored “{d.node.title}”"
    )
    return {**undo_step, "id": restored.node.id, "text": nodes.restored(restored)}


def relate(
    project: PageProject, source: str, target: str, type: str, description: str | None = None, confidence: float = 0.8
) -> Json:
    """Relate two nodes."""
    act = lambda: relating.relate(project.graph, source, target, type, description, confidence)  # noqa: E731
    related, undo_step = _recorded(project, act, lambda d: f"Related “{d.source}” to “{d.target}”")
    return {**undo_step, "text": nodes.related(related)}


def unrelate(project: PageProject, source: str, target: str, type: str) -> Json:
    """Remove a relation; a mere relation that both notes state is shown once, and removed from both."""

    def act() -> relating.Related:
        done = relating.unrelate(project.graph, source, target, type)
        if type == RelationType.RELATES_TO and project.graph.index.by_ids([target]):
            relating.unrelate(project.graph, target, source, type)
        return done

    unrelated, undo_step = _recorded(project, act, lambda d: f"Unrelated “{d.source}” and “{d.target}”")
    return {**undo_step, "text": nodes.unrelated(unrelated)}


def combine(
    project: PageProject,
    target: str,
    source: str,
    versions: list[str],
    title: str | None = None,
    content: str | None = None,
    tags: list[str] | None = None,
    references: list[str] | None = None,
) -> Json:
    """Merge two nodes into one."""
    if len(versions) != 2:
        raise ValidationError("versions", f"has {len(versions)} items, not 2", "Give the versions of both files.")
    fields = updating.Fields(title, content, _listed(tags), references=_listed(references))
    pair = (versions[0], versions[1])

    def about(combined: combining.Combined) -> str:
        return f"Merged “{combined.gone.title}” into “{combined.node.title}”"

    act = lambda: combining.combine(project.graph, target, source, fields, pair)  # noqa: E731
    combined, undo_step = _recorded(project, act, about)
    return {**undo_step, "id": combined.node.id, "relations": combined.relations}


def keep(project: PageProject, id: str, reason: str = "") -> Json:
    """Mark a node as reviewed: it holds as it is."""
    settled = _settling(project, id)
    act = lambda: review.keep(project.graph, id, reason)  # noqa: E731
    node, undo_step = _recorded(project, act, lambda node: f"Reviewed “{node.title}”{settled(node)}")
    return {**undo_step, "id": node.id}


def amend(
    project: PageProject, id: str, version: str, reason: str, title: str | None = None, content: str | None = None
) -> Json:
    """Change the text of an accepted decision, for a reason that is kept beside it, only if the file is unchanged."""
    graph = project.graph
    graph.catch_up()
    stored = graph.stored(graph.source(id))
    if stored.version != version:
        raise ConflictError(stored.path)
    settled = _settling(project, id)
    act = lambda: review.amend(graph, stored.entry.id, title, content, reason)  # noqa: E731
    node, undo_step = _recorded(project, act, lambda node: f"Amended “{node.title}”{settled(node)}")
    return {**undo_step, "id": node.id}


def undo(project: PageProject, step: int) -> Json:
    """Undo a step; the returned step redoes it. `reverts` says whether what the step did was undone, or done again."""
    undone = project.undo.take_back(step)
    return {**_step(undone), "reverts": bool(undone and undone.reverts)}


def _settling(project: PageProject, id: str) -> Callable[[Node], str]:
    """Return what tells, of that node once it is reviewed, what the review changes besides, in words."""
    project.graph.catch_up()
    needs_review = project.graph.source(id).status == NodeStatus.NEEDS_REVIEW

    def settled(node: Node) -> str:
        if not needs_review:
            return ""
        is_ours = node.type is NodeType.DECISION and not node.record
        if is_ours and missing_sections(node.content):
            return ": its review is settled; Health still lists it as incomplete"
        return ": it no longer needs review"

    return settled


def _listed(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def _recorded(project: PageProject, act: Callable[[], T], about: Callable[[T], str]) -> tuple[T, Json]:
    result, step = project.undo.recorded(act, about)
    return result, _step(step)


def _step(step: UndoStep | None) -> Json:
    return {"undo": step.number, "about": step.about} if step else {}
