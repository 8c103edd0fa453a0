"""A node: one thing the project knows, with its relations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from autology.model.errors import ValidationError, quoted

E = TypeVar("E", bound=StrEnum)
TITLE_LIMIT = 100
"""The maximum length of a title, in characters."""


class NodeType(StrEnum):
    """The kinds of knowledge, in the order they are listed everywhere."""

    DECISION = "decision"
    COMPONENT = "component"
    CONVENTION = "convention"
    CONCEPT = "concept"
    PATTERN = "pattern"
    ISSUE = "issue"
    SESSION = "session"

    @property
    def folder(self) -> str:
        """The name of the folder that holds nodes of this type."""
        return f"{self.value}s"


class NodeStatus(StrEnum):
    """Whether a node is current."""

    ACTIVE = "active"
    NEEDS_REVIEW = "needs_review"
    SUPERSEDED = "superseded"


class DecisionStatus(StrEnum):
    """The status of a decision."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"


class RelationType(StrEnum):
    """How one node relates to another."""

    AFFECTS = "affects"
    USES = "uses"
    SUPERSEDES = "supersedes"
    RELATES_TO = "relates_to"
    IMPLEMENTS = "implements"
    DEPENDS_ON = "depends_on"
    DERIVED_FROM = "derived_from"


DERIVED = ("derived", "record")
"""The mark of a relation that was read from a record's own text."""


@dataclass(frozen=True, slots=True)
class Relation:
    """An outgoing edge, stored in its source node's file; ``extra`` are unknown keys of it."""

    type: RelationType
    target: str
    confidence: float = 0.8
    description: str | None = None
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """The type and target, which identify a relation within its node."""
        return (self.type.value, self.target)

    @property
    def is_derived(self) -> bool:
        """Whether it was read from a record's own text: it is never written."""
        return DERIVED in self.extra


@dataclass(frozen=True, slots=True)
class Node:
    """One thing the project knows.

    ``created`` and ``modified`` are ISO 8601 in UTC with a ``Z``, "" if unknown; ``references`` are paths inside the
    project, ``/``-separated; ``extra`` is unknown frontmatter, unchanged.
    """

    id: str
    type: NodeType
    title: str
    content: str
    created: str
    modified: str
    tags: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    confidence: float = 0.9
    session: str | None = None
    source: str = "manual"
    references: tuple[str, ...] = ()
    status: NodeStatus = NodeStatus.ACTIVE
    decision_status: DecisionStatus | None = None
    extra: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    record: str = ""
    """The path of the project's own file that holds its text, if it is an adopted record."""

    @property
    def path(self) -> str:
        """The path of the node's file, relative to the project's root."""
        return self.record or node_path(self.type, self.id)

    def relation(self, type: RelationType, target: str) -> Relation | None:
        """Return the relation of that type to that node, or None."""
        return next((r for r in self.relations if r.type is type and r.target == target), None)


def node_path(type: NodeType, id: str) -> str:
    """Return the path of a node's file, relative to the project's root."""
    return f"{NODES}{type.folder}/{id}.md"


SUPERSEDED_BY = "superseded_by"
"""The key of the links to a node's successors in its file: the other end of their relations to it."""
NODES = ".autology/nodes/"
"""The folder of the nodes' files, from the project's root."""
TURN = "turn"
"""The key of the conversation turn that a node was captured in."""


def turn_of(node: Node) -> str | None:
    """Return the conversation turn that *node* was captured in, if known."""
    turn = node.extra.get(TURN)
    return turn if isinstance(turn, str) and turn else None


# \Z, not $: a trailing newline would pass, and an id names a file.
_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")
_ID_PREFIX = re.compile(r"[0-9a-f][0-9a-f-]{7,35}\Z")
_ID_START = re.compile(r"(?=[a-f]*[0-9])[0-9a-f]{4,7}\Z")
_TAG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_TAG_GAP = re.compile(r"[\s_-]+")
_TAG_OTHER = re.compile(r"[^a-z0-9]+")
_SHARP = re.compile(r"\b([a-z])#")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
TAG_LIMIT = 100
"""The maximum number of a node's tags: beyond that tags distinguish nothing."""
CONTENT_LIMIT = 1_000_000
"""The maximum length of a node, in characters; a book is not a node."""


def is_uuid4(text: str) -> bool:
    """Whether *text* is a UUID of version 4 in its canonical form."""
    return _UUID4.match(text) is not None


def is_id_prefix(text: str) -> bool:
    """Whether *text* can be the first eight or more characters of an id."""
    return _ID_PREFIX.match(text) is not None


def is_id_start(text: str) -> bool:
    """Whether *text* may be the first four to seven characters of an id; with letters only it is more likely a word."""
    return _ID_START.match(text) is not None


def node_type(value: str, field: str = "type") -> NodeType:
    """Return the node type called *value*. Raises ValidationError."""
    return member(NodeType, value, field, "node type")


def node_status(value: str, field: str = "status") -> NodeStatus:
    """Return the status called *value*. Raises ValidationError."""
    return member(NodeStatus, value, field, "status")


def decision_status(value: str, field: str = "decision_status") -> DecisionStatus:
    """Return the decision status called *value*. Raises ValidationError."""
    return member(DecisionStatus, value, field, "decision status")


def relation_type(value: str, field: str = "type") -> RelationType:
    """Return the relation type called *value*. Raises ValidationError."""
    return member(RelationType, value, field, "relation type")


def member(enum: type[E], value: object, field: str, noun: str) -> E:
    """Return the member of *enum* called *value*. Raises ValidationError."""
    try:
        return enum(value)  # type: ignore[arg-type]
    except ValueError:
        step = f"Use one of: {', '.join(enum)}."
        raise ValidationError(field, f"'{str(value)[:40]}' is not a {noun}", step) from None


def check_title(title: str) -> str:
    """Return *title* stripped if it is valid for a node. Raises ValidationError."""
    stripped = title.strip()
    if not stripped:
        raise ValidationError("title", "is empty", f"Give 1-{TITLE_LIMIT} characters that name the thing.")
    if match := _CONTROL.search(stripped):
        step = "Write the title on one line, as plain text."
        raise ValidationError("title", f"contains the control character U+{ord(match[0]):04X}", step)
    if len(stripped) > TITLE_LIMIT:
        step = f"Shorten it to {TITLE_LIMIT} and keep the rest in the content."
        raise ValidationError("title", f"has {len(stripped)} characters", step)
    return stripped


def check_content(content: str) -> str:
    """Return *content* unchanged if a file can hold it. Raises ValidationError."""
    if not content.strip():
        raise ValidationError("content", "is empty", "Write the content as markdown.")
    return check_text(content, "content", CONTENT_LIMIT)


def check_text(text: str, field: str, limit: int) -> str:
    """Return *text* unchanged if it can be stored within *limit* characters."""
    if len(text) > limit:
        step = f"Keep it under {limit:,}: split it, or reference the file that holds it."
        raise ValidationError(field, f"has {len(text):,} characters", step)
    return check_storable(text, field)


def check_storable(text: str, field: str) -> str:
    """Return *text* unchanged if a text file can contain it. Raises ValidationError."""
    if match := _UNSTORABLE.search(text):
        where = f"contains U+{ord(match[0]):04X} at character {match.start()}"
        raise ValidationError(field, where, "Remove it: text files cannot contain it.")
    return text


def check_confidence(value: float, field: str = "confidence") -> float:
    """Return *value* if it is between 0 and 1. Raises ValidationError."""
    if not 0.0 <= value <= 1.0:  # also refuses NaN
        raise ValidationError(field, f"{value} is outside 0-1", "Give a number from 0.0 to 1.0.")
    return float(value)


def normal_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return *tags* normalised, without duplicates: lower case ASCII letters and digits, separated by hyphens.

    Raises:
        ValidationError: nothing is left of a tag, or it is too long; the message names it.
    """
    unique: dict[str, None] = {}
    for tag in tags:
        normal = _normal_tag(tag)
        if not normal or len(normal) > 100:
            step = "Use lowercase letters, digits and hyphens, as in 'rate-limits'."
            raise ValidationError("tags", f"'{quoted(tag)}' is not valid", step)
        unique[normal] = None
        if len(unique) > TAG_LIMIT:
            raise ValidationError("tags", f"more than {TAG_LIMIT} tags", "Keep the tags that someone would search for.")
    return tuple(unique)


def respelled_tags(tags: Iterable[str]) -> dict[str, str]:
    """Return those of *tags* that are spelled differently when normalised, ignoring case, spaces and underscores."""
    return {tag: normal for tag in tags if (normal := _normal_tag(tag)) and normal != _spaced(tag)}


def _spaced(tag: str) -> str:
    return _TAG_GAP.sub("-", tag.strip().lower()).strip("-")


def _normal_tag(tag: str) -> str:
    spaced = _spaced(tag)
    if _TAG.match(spaced):
        return spaced
    if "[redacted:" in spaced or _CONTROL.search(tag):
        return ""  # it was a secret, or a control character
    plain = spaced.replace("++", "pp")
    plain = _SHARP.sub(r"\1sharp", plain)
    if not plain.isascii():
        import unicodedata  # hooks, which load this module, have no tags

        plain = unicodedata.normalize("NFKD", plain.casefold()).encode("ascii", "ignore").decode("ascii")
    return _TAG_OTHER.sub("-", plain).strip("-")


REFERENCE_LIMIT = 200
"""The maximum number of files that a node refers to."""


def normal_references(paths: Sequence[str]) -> tuple[str, ...]:
    """Return *paths* as a node stores them, without duplicates. Raises ValidationError."""
    if len(paths) > REFERENCE_LIMIT:
        raise ValidationError("references", f"{len(paths)} paths", f"Name at most {REFERENCE_LIMIT}, or a folder.")
    return tuple(dict.fromkeys(map(normal_reference, paths)))


def normal_reference(path: str) -> str:
    """Return *path* as a path inside the project: relative, ``/``-separated, without ``.`` parts.

    Raises:
        ValidationError: it is absolute, leaves the project with ``..``, or is not a path at all.
    """
    step = "Give a path relative to the project's root, as in 'src/auth/jwt.py'."
    text = path.strip().replace("\\", "/")
    if not text or len(text) > 1000 or _CONTROL.search(text):
        raise ValidationError("references", f"'{quoted(path)}' is not a file path", step)
    if text.startswith(("/", "~")) or re.match(r"[A-Za-z]:", text):
        raise ValidationError("references", f"'{quoted(path)}' is absolute", step)
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ValidationError("references", f"'{quoted(path)}' lies outside the project", step)
    if not parts:
        raise ValidationError("references", f"'{quoted(path)}' is the project itself", step)
    return "/".join(parts)
