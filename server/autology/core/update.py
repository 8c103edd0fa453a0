"""Changing a node: only the fields that are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

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
    values, kinds = _checked(fields)

    def act(draft: Draft) -> Node:
        stored = draft.read(id)
        node = _reviewed(replace(stored.node, **values, modified=graph.stamp()), fields)
        draft.replace(stored, node)
        return node

    graph.refresh()
    node = graph.change(act)
    missing = missing_sections(node.content) if node.type is NodeType.DECISION and _text_given(fields) else ()
    absent = tuple(path for path in fields.references and node.references or () if not graph.files.project_has(path))
    return Updated(node, given, missing, kinds, absent, tuple(graph.notes))


def _checked(fields: Fields) -> tuple[Mapping[str, object], tuple[str, ...]]:
    """The given fields as a node holds them, and the kinds of secrets that were left out."""
    values: dict[str, object] = {}
    kinds: list[str] = []
    if fields.title is not None:
        title, found = redact(check_title(fields.title))
        values["title"] = check_title(title[:100])
        kinds += [finding.kind for finding in found]
    if fields.content is not None:
        values["content"], found = redact(check_content(fields.content))
        kinds += [finding.kind for finding in found]
    if fields.tags is not None:
        values["tags"] = normal_tags(fields.tags)
    if fields.status is not None:
        values["status"] = node_status(fields.status)
    if fields.confidence is not None:
        values["confidence"] = check_confidence(fields.confidence)
    if fields.type is not None:
        values["type"] = node_type(fields.type)
    if fields.references is not None:
        values["references"] = capture.references(fields.references)
    return MappingProxyType(values), tuple(kinds)


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
