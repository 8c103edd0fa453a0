"""Calls that change something; each reply includes the undo step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autology.core.nodes import capture, delete_restore
from autology.core.nodes import combine as combining
from autology.core.nodes import relate as relating
from autology.core.nodes import update as updating
from autology.core.nodes.undo import UndoStep
from autology.model.errors import ValidationError
from autology.render import nodes
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
) -> Json:
    """Create a node; without a type it is classified from the text."""
    material = capture.Material(title, content, type or None, tuple(tags or ()), tuple(references or ()))
    automatic = project.settings.relations_automatic

    def about(done: capture.Captured) -> str:
        return f"Created “{done.node.title}”"

    done, undo_step = _done(project, lambda: capture.capture(project.graph, material, automatic), about)
    return {**undo_step, **nodes.captured(done)}


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

    def about(done: updating.Updated) -> str:
        return f"Changed “{done.node.title}”"

    done, undo_step = _done(project, lambda: updating.update(project.graph, id, fields, version), about)
    return {**undo_step, "text": nodes.updated(done), "missing_sections": list(done.missing_sections)}


def delete(project: PageProject, id: str) -> Json:
    """Move a node to the trash."""
    done, undo_step = _done(
        project, lambda: delete_restore.delete(project.graph, id), lambda d: f"Deleted “{d.node.title}”"
    )
    return {**undo_step, "text": nodes.deleted(done)}


def restore(project: PageProject, id: str) -> Json:
    """Restore a node from the trash."""
    done, undo_step = _done(
        project, lambda: delete_restore.restore(project.graph, id), lambda d: f"Restored “{d.node.title}”"
    )
    return {**undo_step, "id": done.node.id, "text": nodes.restored(done)}


def relate(
    project: PageProject, source: str, target: str, type: str, description: str | None = None, confidence: float = 0.8
) -> Json:
    """Relate two nodes."""
    act = lambda: relating.relate(project.graph, source, target, type, description, confidence)  # noqa: E731
    done, undo_step = _done(project, act, lambda d: f"Related “{d.source}” to “{d.target}”")
    return {**undo_step, "text": nodes.related(done)}


def unrelate(project: PageProject, source: str, target: str, type: str) -> Json:
    """Remove a relation."""
    act = lambda: relating.unrelate(project.graph, source, target, type)  # noqa: E731
    done, undo_step = _done(project, act, lambda d: f"Unrelated “{d.source}” and “{d.target}”")
    return {**undo_step, "text": nodes.unrelated(done)}


def combine(
    project: PageProject,
    kept: str,
    other: str,
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

    def about(done: combining.Combined) -> str:
        return f"Merged “{done.gone.title}” into “{done.node.title}”"

    done, undo_step = _done(project, lambda: combining.combine(project.graph, kept, other, fields, pair), about)
    return {**undo_step, "id": done.node.id, "relations": done.relations}


def undo(project: PageProject, step: int) -> Json:
    """Undo a step; the returned step redoes it."""
    return _step(project.undo.take_back(step))


def _listed(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def _done(project: PageProject, act: Callable[[], T], about: Callable[[T], str]) -> tuple[T, Json]:
    done, step = project.undo.recorded(act, about)
    return done, _step(step)


def _step(step: UndoStep | None) -> Json:
    return {"undo": step.number, "about": step.about} if step else {}
