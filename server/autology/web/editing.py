"""Calls that change something: each says what it did, and the step by which that is taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autology import render, wire
from autology.core import capture, remove
from autology.core import combine as combining
from autology.core import relate as relating
from autology.core import update as updating
from autology.core.undo import Step
from autology.model.errors import ValidationError
from autology.web.project import Project

Json = dict[str, Any]
T = TypeVar("T")


def create(
    project: Project,
    title: str,
    content: str,
    type: str | None = None,
    tags: list[str] | None = None,
    references: list[str] | None = None,
) -> Json:
    """Make a node; a type that is not given is told from the text."""
    material = capture.Material(title, content, type or None, tuple(tags or ()), tuple(references or ()))
    automatic = wire.settings(project.root).relations_automatic

    def about(done: capture.Captured) -> str:
        return f"Created “{done.node.title}”"

    done, told = _done(project, lambda: capture.capture(project.graph, material, automatic), about)
    return {**told, **render.captured(done)}


def update(
    project: Project,
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
    """Change the given fields of a node; with a version, if its file is in that one still."""
    fields = updating.Fields(
        title, content, _listed(tags), status, confidence, type, _listed(references), decision_status
    )

    def about(done: updating.Updated) -> str:
        return f"Changed “{done.node.title}”"

    done, told = _done(project, lambda: updating.update(project.graph, id, fields, version), about)
    return {**told, "text": render.updated(done), "missing_sections": list(done.missing_sections)}


def delete(project: Project, id: str) -> Json:
    """Move a node to the trash."""
    done, told = _done(project, lambda: remove.delete(project.graph, id), lambda d: f"Deleted “{d.node.title}”")
    return {**told, "text": render.deleted(done)}


def restore(project: Project, id: str) -> Json:
    """Bring a node back from the trash."""
    done, told = _done(project, lambda: remove.restore(project.graph, id), lambda d: f"Restored “{d.node.title}”")
    return {**told, "id": done.node.id, "text": render.restored(done)}


def relate(
    project: Project, source: str, target: str, type: str, description: str | None = None, confidence: float = 0.8
) -> Json:
    """Relate two nodes."""
    act = lambda: relating.relate(project.graph, source, target, type, description, confidence)  # noqa: E731
    done, told = _done(project, act, lambda d: f"Related “{d.source}” to “{d.target}”")
    return {**told, "text": render.related(done)}


def unrelate(project: Project, source: str, target: str, type: str) -> Json:
    """Take a relation back."""
    act = lambda: relating.unrelate(project.graph, source, target, type)  # noqa: E731
    done, told = _done(project, act, lambda d: f"Unrelated “{d.source}” and “{d.target}”")
    return {**told, "text": render.unrelated(done)}


def combine(
    project: Project,
    kept: str,
    other: str,
    versions: list[str],
    title: str | None = None,
    content: str | None = None,
    tags: list[str] | None = None,
    references: list[str] | None = None,
) -> Json:
    """Make one node of two."""
    if len(versions) != 2:
        raise ValidationError("versions", f"{len(versions)} are given", "Give the versions of both files as they were.")
    fields = updating.Fields(title, content, _listed(tags), references=_listed(references))
    pair = (versions[0], versions[1])

    def about(done: combining.Combined) -> str:
        return f"Merged “{done.gone.title}” into “{done.node.title}”"

    done, told = _done(project, lambda: combining.combine(project.graph, kept, other, fields, pair), about)
    return {**told, "id": done.node.id, "relations": done.relations}


def undo(project: Project, step: int) -> Json:
    """Take a step back; what that returns can be undone too."""
    return _step(project.undo.take_back(step))


def _listed(given: list[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(given)


def _done(project: Project, act: Callable[[], T], about: Callable[[T], str]) -> tuple[T, Json]:
    done, step = project.undo.recorded(act, about)
    return done, _step(step)


def _step(step: Step | None) -> Json:
    return {"undo": step.number, "about": step.about} if step else {}
