"""Changing a node: only the fields that are set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from autology.core.adoption.record_node import BESIDE
from autology.core.content.codec import clean, text_of
from autology.core.nodes import pins, relate, status_transitions
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_draft import NodeDraft
from autology.core.redaction_markers import restore_markers
from autology.model.errors import ConflictError, ValidationError
from autology.model.next_step import Action, Sentence, do
from autology.model.node import (
    DecisionStatus,
    Node,
    NodeStatus,
    NodeType,
    check_confidence,
    check_content,
    check_title,
    decision_status,
    node_status,
    node_type,
    normal_references,
    normal_tags,
    respelled_tags,
)
from autology.text.adr.sections import missing_sections
from autology.text.notes.fields import in_line_ends_of


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
    decision_status: str | None = None

    def set_names(self) -> tuple[str, ...]:
        """Return the names of the fields that are set."""
        return tuple(name for name in _CHECKS if getattr(self, name) is not None)


@dataclass(frozen=True, slots=True)
class Updated:
    """The node in its new state, the changed fields (none if nothing differed), and what its text lacks."""

    node: Node
    fields: tuple[str, ...]
    missing_sections: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()
    absent_references: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    respelled: Mapping[str, str] = field(default_factory=dict)


def update(graph: Graph, id: str, fields: Fields, version: str | None = None) -> Updated:
    """Change the *fields* of a node and its ``modified``; with *version* only if its file still has that one.

    Markers in the content keep what they stand for in the file.

    Raises:
        ValidationError: no field is set, a value is invalid, or it changes a frozen text.
        NotFoundError: unknown node.
        ConflictError, StorageError: nothing was changed.
    """
    names = fields.set_names()
    if not names:
        step = "Give at least one of title, content, tags, status, confidence, type, references, decision_status."
        raise ValidationError("fields", "no fields to update", step)
    content = check_content(fields.content) if fields.content is not None else None
    others, kinds = redacted(replace(fields, content=None))
    values = checked(others)
    new_decision_status = values.pop("decision_status", None)

    def act(draft: NodeDraft) -> tuple[Node, tuple[str, ...], tuple[str, ...]]:
        stored = draft.read(id)
        if version not in (None, stored.version):
            raise ConflictError(stored.path)
        _refuse_contradiction(graph, stored.entry, fields)
        restored, left_out = restore_markers(content, stored.entry.content) if content is not None else (None, ())
        changed = replace(stored.entry, **values)
        changed = changed if restored is None else replace(changed, content=restored)
        if not changed.record:
            changed = in_line_ends_of(text_of(stored.data), stored.entry, changed)
        node = _with_status(stored.entry, changed, fields, new_decision_status)
        if node == stored.entry:
            return node, (), left_out  # a file that would say the same is not touched
        node = pins.written(stored.entry, replace(node, modified=graph.stamp()), graph.files.content)
        return draft.replace(stored, node), names, left_out

    node, changed, left_out = graph.change(act)
    is_ours = node.type is NodeType.DECISION and not node.record
    missing = missing_sections(node.content) if is_ours and _sets_text(fields) else ()
    absent = tuple(path for path in node.references if fields.references and not graph.files.project_has(path))
    respelled = respelled_tags(fields.tags or ())
    notes = [*graph.notes, *_kept_beside(node, fields)]
    return Updated(node, changed, missing, (*kinds, *left_out), absent, tuple(notes), respelled)


def _kept_beside(node: Node, fields: Fields) -> list[str]:
    """Return a note on a status that the record's own form has no place for."""
    if fields.decision_status is None or not node.extra.get(BESIDE):
        return []
    return [f"the records of this collection state no status: it is kept beside {node.record}, not in it"]


def redacted(fields: Fields) -> tuple[Fields, tuple[str, ...]]:
    """Return the fields redacted, and the kinds of secrets. Raises ValidationError."""
    kinds: list[str] = []
    # Checked first: what is too long is refused before it is searched for secrets.
    without_secrets = replace(
        fields,
        title=clean(check_title(fields.title), kinds) if fields.title is not None else None,
        content=clean(check_content(fields.content), kinds) if fields.content is not None else None,
        tags=_cleaned(fields.tags, kinds),
        references=_cleaned(fields.references, kinds),
    )
    return without_secrets, tuple(kinds)


def _cleaned(texts: tuple[str, ...] | None, kinds: list[str]) -> tuple[str, ...] | None:
    return None if texts is None else tuple(clean(text, kinds) for text in texts)


_CHECKS: Mapping[str, Callable[[Any], object]] = {
    "title": check_title,
    "content": check_content,
    "tags": normal_tags,
    "status": node_status,
    "confidence": check_confidence,
    "type": node_type,
    "references": normal_references,
    "decision_status": decision_status,
}
"""Converts each field to the node's value, or raises ValidationError."""


def checked(fields: Fields) -> dict[str, Any]:
    """Return the validated value of each set field, by name. Raises ValidationError."""
    return {name: _CHECKS[name](getattr(fields, name)) for name in fields.set_names()}


def _refuse_contradiction(graph: Graph, node: Node, fields: Fields) -> None:
    """Raise if *fields* make active what another node supersedes."""
    if fields.status in (None, NodeStatus.SUPERSEDED.value) or node.status is not NodeStatus.SUPERSEDED:
        return
    if sources := relate.superseders(graph.index, node.id):
        titles = graph.titles(sources)
        named = "; ".join(f"'{titles.get(id, '')}' ({id[:8]})" for id in sources)
        consequence = f" removes the supersession by {named}; the node is then active again."
        raise ValidationError("status", "the node is superseded", Sentence(do(Action.UNRELATE), consequence))


def _with_status(before: Node, node: Node, fields: Fields, new_decision_status: DecisionStatus | None) -> Node:
    """Return *node* with a valid status: a decision has a decision status, and needs review while it is incomplete."""
    if node.type is not NodeType.DECISION:
        if new_decision_status is not None:
            step = 'Leave it out, or give type "decision" too.'
            raise ValidationError("decision_status", f"a {node.type.value} has none", step)
        return _reviewed_if_incomplete(before, node, fields)
    if node.record and node.decision_status is None:
        # What its own words mean is unknown, or for its collection to say.
        return node if new_decision_status is None else status_transitions.standing(node, new_decision_status)
    if node.decision_status is None:
        node = status_transitions.standing(node, status_transitions.first_status(node.content, new_decision_status))
    else:
        node = status_transitions.step(before, node, new_decision_status)
    if fields.status == NodeStatus.SUPERSEDED.value:
        return status_transitions.superseded(node)
    if fields.status is not None and node.decision_status is DecisionStatus.SUPERSEDED:
        node = status_transitions.reinstated(node)
    return _reviewed_if_incomplete(before, node, fields)


def _reviewed_if_incomplete(before: Node, node: Node, fields: Fields) -> Node:
    """Return *node* marked for review if its new text is incomplete; active again if that was the only reason."""
    if not _sets_text(fields) or fields.status is not None:
        return node
    if status_transitions.is_incomplete(node):
        return replace(node, status=NodeStatus.NEEDS_REVIEW) if node.status is NodeStatus.ACTIVE else node
    was_incomplete = node.status is NodeStatus.NEEDS_REVIEW and status_transitions.is_incomplete(before)
    return replace(node, status=NodeStatus.ACTIVE) if was_incomplete else node


def _sets_text(fields: Fields) -> bool:
    return fields.content is not None or fields.type is not None
