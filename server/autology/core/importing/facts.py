"""A record as the fields of a node; and the record's own text from such a node."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from autology.core.importing.originals import Original, text_hash
from autology.core.nodes.classify import classify
from autology.model.errors import ValidationError
from autology.model.node import (
    REFERENCE_LIMIT,
    TAG_LIMIT,
    DecisionStatus,
    Node,
    NodeStatus,
    NodeType,
    normal_reference,
    normal_tags,
)
from autology.text.adr.folders import could_be_record
from autology.text.adr.record import Record, parse
from autology.text.adr.record import original as original_text

SOURCE = "import_adr"
_TWO_WAYS = re.compile(
    r"^\W{0,9}(?:decision )?date\b\W{1,9}(\d{1,2}[./-]\d{1,2}[./-]\d{4})(?!\w)", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Facts:
    """The fields that a record gives its node; *dropped_tags* are invalid."""

    type: NodeType
    title: str
    content: str
    tags: tuple[str, ...]
    status: NodeStatus
    decision_status: DecisionStatus | None
    references: tuple[str, ...]
    dropped_tags: tuple[str, ...] = ()


def read(text: str, path: str) -> Record:
    """Parse the record in *text*, whatever it contains."""
    return parse(text, path)


def facts(record: Record, inside: bool, has: Callable[[str], bool], type: NodeType | None = None) -> Facts:
    """Return the facts of *record*; *type* is the type of its existing node, *has* knows the project's files."""
    type = type or node_type_of(record)
    decided = record.decision_status if type is NodeType.DECISION else None
    tags, dropped = _tags(record)
    return Facts(
        type=type,
        title=" ".join("".join(c if c.isprintable() else " " for c in record.title).split()) or "Untitled",
        content=record.content,
        tags=tags,
        status=_status(decided, record),
        decision_status=decided,
        references=_references(record, inside, has),
        dropped_tags=dropped,
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


def unread_date(text: str) -> str:
    """Return the date that *text* gives if it is ambiguous, as 03/04/2024; else nothing."""
    match = _TWO_WAYS.search(text)
    return match[1] if match else ""


def origin_of(original: Original, record: Record) -> dict[str, object]:
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


def _status(decided: DecisionStatus | None, record: Record) -> NodeStatus:
    if decided is DecisionStatus.SUPERSEDED:
        return NodeStatus.SUPERSEDED
    return NodeStatus.NEEDS_REVIEW if decided and record.missing else NodeStatus.ACTIVE


def _tags(record: Record) -> tuple[tuple[str, ...], tuple[str, ...]]:
    tags: dict[str, None] = {}
    dropped = []
    for tag in record.tags:
        try:
            normal = normal_tags([tag])[0]
        except ValidationError:
            dropped.append(tag)
            continue
        if len(tags) < TAG_LIMIT or normal in tags:
            tags[normal] = None
        else:
            dropped.append(tag)
    return tuple(tags), tuple(dropped)


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
