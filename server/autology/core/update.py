"""Changing a node: only the fields that are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from autology.core import capture
from autology.core.graph import Draft, Graph
from autology.model.errors import ValidationError
from autology.model.node import (
    DecisionStatus,
    Node,
    NodeStatus,
    NodeType,
    check_confidence,
    check_content,
    check_title,
    node_status,
    node_type,
    normal_tags,
)
from autology.text.adr import missing_sections
from autology.text.redact import redact


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields to change; None leaves one as it is."""

    title: str | None = None
    content: str | None = None
    tags: tuple[str, ...] | None = None
    status: str | None = None
    confidence: float | None = None
    type: str | None = None
    references: tuple[str, ...] | None = None

    def given(self) -> tuple[str, ...]:
        """The names of the fields that are to be changed."""
        names = ("title", "content", "tags", "status", "confidence", "type", "references")
        return tuple(name for name in names if getattr(self, name) is not None)


@dataclass(frozen=True, slots=True)
class Updated:
    """The node as it is now, which fields were given, and what its text still lacks."""

    node: Node
    fields: tuple[str, ...]
    missing_sections: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()
    absent_references: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def update(graph: Graph, id: str, fields: Fields) -> Updated:
    """Change the given *fields* of a node and renew its ``modified``.

    Raises:
        ValidationError: no field is given, or a value does not fit.
        NotFoundError: there is no such node.
        ConflictError, StorageError: nothing was changed.
    """
    given = fields.given()
    if not given:
        fits = "Give at least one of title, content, tags, status, confidence, type, references."
        raise ValidationError("fields", "no fields to update", fits)
    fields, kinds = _redacted(fields)
    changes = _changes(fields)

    def act(draft: Draft) -> Node:
        stored = draft.read(id)
        node = replace(stored.node, modified=graph.stamp())
        for change in changes:
            node = change(node)
        node = _reviewed(node, fields)
        draft.replace(stored, node)
        return node

    graph.refresh()
    node = graph.change(act)
    missing = missing_sections(node.content) if node.type is NodeType.DECISION and _text_given(fields) else ()
    absent = tuple(path for path in node.references if fields.references and not graph.files.project_has(path))
    return Updated(node, given, missing, kinds, absent, tuple(graph.notes))


def _redacted(fields: Fields) -> tuple[Fields, tuple[str, ...]]:
    """The fields without secrets, and the kinds that were left out."""
    title, in_title = redact(fields.title) if fields.title is not None else (None, ())
    content, in_content = redact(fields.content) if fields.content is not None else (None, ())
    kinds = tuple(finding.kind for finding in (*in_title, *in_content))
    return replace(fields, title=title, content=content), kinds


def _changes(fields: Fields) -> list[Callable[[Node], Node]]:
    """What each given field does to a node, once its value was found to fit."""
    changes: list[Callable[[Node], Node]] = []
    if fields.title is not None:
        title = check_title(fields.title)
        changes.append(lambda node: replace(node, title=title))
    if fields.content is not None:
        content = check_content(fields.content)
        changes.append(lambda node: replace(node, content=content))
    if fields.tags is not None:
        tags = normal_tags(fields.tags)
        changes.append(lambda node: replace(node, tags=tags))
    if fields.status is not None:
        status = node_status(fields.status)
        changes.append(lambda node: replace(node, status=status))
    if fields.confidence is not None:
        confidence = check_confidence(fields.confidence)
        changes.append(lambda node: replace(node, confidence=confidence))
    if fields.type is not None:
        type = node_type(fields.type)
        changes.append(lambda node: replace(node, type=type))
    if fields.references is not None:
        references = capture.references(fields.references)
        changes.append(lambda node: replace(node, references=references))
    return changes


def _reviewed(node: Node, fields: Fields) -> Node:
    """*node* as its type asks: a decision has a decision status, and needs review while it is incomplete."""
    if node.type is not NodeType.DECISION:
        return node
    if node.decision_status is None:
        node = replace(node, decision_status=DecisionStatus.ACCEPTED)
    incomplete = _text_given(fields) and fields.status is None and bool(missing_sections(node.content))
    if incomplete and node.status is NodeStatus.ACTIVE:
        return replace(node, status=NodeStatus.NEEDS_REVIEW)
    return node


def _text_given(fields: Fields) -> bool:
    return fields.content is not None or fields.type is not None
