"""A record as a node, updated as the record changes; and the record's own text from such a node."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from autology.core.importing.import_plan import plain_title, usable_tags
from autology.core.importing.originals import Original, text_hash
from autology.core.nodes.classify import classify
from autology.model.errors import ValidationError
from autology.model.node import (
    REFERENCE_LIMIT,
    DecisionStatus,
    Node,
    NodeStatus,
    NodeType,
    normal_reference,
)
from autology.text.adr.folders import could_be_record
from autology.text.adr.record import Record, parse
from autology.text.adr.record import original as original_text

T = TypeVar("T")

SOURCE = "import_adr"
_AMBIGUOUS_DATE = re.compile(
    r"^\W{0,9}(?:decision )?date\b\W{1,9}(\d{1,2}[./-]\d{1,2}[./-]\d{4})(?!\w)", re.IGNORECASE | re.MULTILINE
)


def read(text: str, path: str) -> Record:
    """Parse the record in *text*, whatever it contains."""
    return parse(text, path)


def node_of(record: Record, original: Original, has: Callable[[str], bool], type: NodeType | None = None) -> Node:
    """Return the node of *record*, without id and times; *type* is that of its node if there is one already.

    *has* knows the project's files.
    """
    type = type or node_type_of(record)
    decision_status = record.decision_status if type is NodeType.DECISION else None
    return Node(
        id="",
        type=type,
        title=plain_title(record.title),
        content=record.content,
        created="",
        modified="",
        tags=usable_tags(record.tags)[0],
        source=SOURCE,
        references=_references(record, original.inside, has),
        status=_status(decision_status, record),
        decision_status=decision_status,
        extra=origin_fields(original, record),
    )


def node_type_of(record: Record) -> NodeType:
    """Return the type of a record's node: a decision if it has the form, else as classified."""
    if record.is_record:
        return NodeType.DECISION
    guesses = classify(record.full_title, record.content, SOURCE)
    if guesses.type is not NodeType.DECISION or could_be_record(record.path):
        return guesses.type
    # An index or a template mentions decisions and is not one.
    others = (guess.type for guess in guesses.alternatives if guess.type is not NodeType.DECISION and guess.score)
    return next(others, NodeType.CONCEPT)


def ambiguous_date(text: str) -> str:
    """Return the date that *text* gives if it is ambiguous, as 03/04/2024; else nothing."""
    match = _AMBIGUOUS_DATE.search(text)
    return match[1] if match else ""


def origin_fields(original: Original, record: Record) -> dict[str, object]:
    """Return the frontmatter from which :func:`text_of` reconstructs the original's text."""
    fields = {
        "origin": original.path,
        "origin_lead": record.lead,
        "origin_frontmatter": record.frontmatter,
        "origin_hash": original.hash,
        "record_number": "" if record.number is None else str(record.number),
    }
    return {key: value for key, value in fields.items() if value}


def text_of(node: Node) -> str:
    """Return the text of the file that *node* was imported from, if it was not edited since."""
    front, lead = (node.extra.get(key) for key in ("origin_frontmatter", "origin_lead"))
    return original_text(front if isinstance(front, str) else "", lead if isinstance(lead, str) else "", node.content)


def is_as_imported(node: Node) -> bool:
    """Whether the node's content is still the imported one."""
    return text_hash(text_of(node)) == node.extra.get("origin_hash")


def moved(node: Node, path: str) -> Node:
    """Return *node* with the path of its moved original."""
    former = str(node.extra.get("origin"))
    references = tuple(path if reference == former else reference for reference in node.references)
    return replace(node, references=references, extra={**node.extra, "origin": path})


def updated(node: Node, original: Original, record: Record, has: Callable[[str], bool], modified: str) -> Node:
    """Return *node* updated from its *original*, parsed as *record*.

    A field that was edited since the import stays; added tags and references stay too.
    """
    former = str(node.extra.get("origin"))
    before = node_of(read(text_of(node), former), original, has, node.type)
    now = node_of(record, original, has, node.type)
    extra = {key: value for key, value in node.extra.items() if key != "record_number"}
    return replace(
        node,
        title=_merged(node.title, before.title, now.title),
        content=now.content,
        tags=_merged_set(node.tags, before.tags, now.tags),
        status=_merged(node.status, before.status, now.status),
        decision_status=_merged(node.decision_status, before.decision_status, now.decision_status),
        references=_merged_set(node.references, (*before.references, former), now.references),
        modified=max(node.modified, modified),
        extra={**extra, **now.extra},
    )


def _status(decision_status: DecisionStatus | None, record: Record) -> NodeStatus:
    if decision_status is DecisionStatus.SUPERSEDED:
        return NodeStatus.SUPERSEDED
    return NodeStatus.NEEDS_REVIEW if decision_status and record.missing else NodeStatus.ACTIVE


def _references(record: Record, inside: bool, has: Callable[[str], bool]) -> tuple[str, ...]:
    paths: dict[str, None] = {}
    for path in (*((record.path,) if inside else ()), *record.mentions):
        try:
            reference = normal_reference(path)
        except ValidationError:
            continue
        if len(paths) < REFERENCE_LIMIT and reference not in paths and has(reference):
            paths[reference] = None
    return tuple(paths)


def _merged(mine: T, before: T, now: T) -> T:
    return now if mine == before else mine


def _merged_set(mine: tuple[str, ...], before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    merged = [item for item in mine if item in now or item not in before]
    return tuple(dict.fromkeys([*merged, *(item for item in now if item not in before)]))
