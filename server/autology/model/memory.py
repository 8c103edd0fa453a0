"""A memory: one item of knowledge with a kind, a scope and a lifetime."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from types import MappingProxyType

from autology.model.errors import ValidationError, quoted
from autology.model.node import check_storable, member

CONTENT_BYTES = 1_048_576
"""The maximum length of an item's content, in bytes of UTF-8."""
DEDUPES = ("skip", "suggest", "off")
"""The handling of a duplicate item: skipped, stored and linked, stored."""
MERGES = ("prefer_newer", "prefer_existing", "combine", "skip")
"""The ways to merge an item with the stored one of the same id."""
SCOPE_LIMIT = 100
MEMORIES = ".autology/memory/"
"""The folder of memories, with a subfolder per kind."""


class Kind(StrEnum):
    """The kinds of memories, in the order they are listed everywhere."""

    ENTITY = "entity"
    RELATION = "relation"
    OBSERVATION = "observation"
    SECTION = "section"
    RUNBOOK = "runbook"
    CHANGE = "change"
    ISSUE = "issue"
    DECISION = "decision"
    TODO = "todo"
    RELEASE_NOTE = "release_note"
    DDL = "ddl"
    PR_CONTEXT = "pr_context"
    INCIDENT = "incident"
    RELEASE = "release"
    RISK = "risk"
    ASSUMPTION = "assumption"


@dataclass(frozen=True, slots=True)
class Scope:
    """Who a memory is for: an organisation, a project, a branch; None for a part that is not set."""

    org: str | None = None
    project: str | None = None
    branch: str | None = None

    def set_parts(self) -> dict[str, str]:
        """Return the parts that are set, by name."""
        parts = (("org", self.org), ("project", self.project), ("branch", self.branch))
        return {name: part for name, part in parts if part is not None}

    def covers(self, other: Scope) -> bool:
        """Whether every part that is set in this scope is the same in the other."""
        theirs = other.set_parts()
        return all(theirs.get(name) == part for name, part in self.set_parts().items())


@dataclass(frozen=True, slots=True)
class Memory:
    """One item; timestamps are in UTC, ``expires_at`` None means never.

    *data* has the kind's own fields, *metadata* the caller's: JSON values both.
    *extra* is unknown frontmatter of the file.
    """

    id: str
    kind: Kind
    content: str
    scope: Scope
    created_at: str
    updated_at: str
    expires_at: str | None = None
    content_hash: str = ""
    data: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    metadata: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    tags: tuple[str, ...] = ()
    ttl_policy: str | None = None
    idempotency_key: str | None = None
    near_duplicate_of: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def path(self) -> str:
        """The path of the memory's file, relative to its root."""
        return memory_path(self.kind.value, self.id)

    def expired(self, now: str) -> bool:
        """Whether it has expired at the time *now*."""
        return self.expires_at is not None and self.expires_at <= now


def memory_path(kind: str, id: str) -> str:
    """Return the path of the file with the memory with that kind and id, relative to its root."""
    return f"{MEMORIES}{kind}/{id}.md"


def kind(value: object) -> Kind:
    """Return the kind called *value*. Raises ValidationError."""
    return member(Kind, value, "kind", "kind")


_SCOPE_PART = re.compile(r"[A-Za-z0-9_./@-]{1,100}\Z")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?\Z", re.IGNORECASE)


def check_scope_part(name: str, value: str) -> str:
    """Return *value* if it is valid as a part of a scope. Raises ValidationError."""
    if not _SCOPE_PART.match(value):
        step = "Use 1-100 letters, digits and any of - _ . / @."
        raise ValidationError(f"scope.{name}", f"'{quoted(value)}' is not valid", step)
    return value


def check_id(value: str) -> str:
    """Return *value* if it is valid as an item's id, and its file's name on any system. Raises ValidationError."""
    if not _ID.match(value) or _DEVICE.match(value) or value.endswith("."):
        step = "Use 1-100 letters, digits, dots, dashes and underscores, beginning with a letter or a digit."
        raise ValidationError("id", f"'{quoted(value)}' is not valid", step)
    return value


def check_content(content: object) -> str:
    """Return *content* unchanged if a file can hold it. Raises ValidationError."""
    if not isinstance(content, str):
        raise ValidationError("content", f"is {_type(content)}, not text", "Give a non-empty string.")
    if not content.strip():
        raise ValidationError("content", "is empty", "Give a non-empty string.")
    check_storable(content, "content")
    size = len(content.encode("utf-8"))
    if size > CONTENT_BYTES:
        step = "Keep it under 1 MB: split it into several items."
        raise ValidationError("content", f"has {size:,} bytes", step)
    return content


def content_hash(content: str) -> str:
    """Return a SHA-256 of *content* that ignores Unicode form and white space."""
    plain = " ".join(unicodedata.normalize("NFC", content).split())
    return sha256(plain.encode("utf-8")).hexdigest()


def _type(value: object) -> str:
    return "missing" if value is None else f"a {type(value).__name__}"
