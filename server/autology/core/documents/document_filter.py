"""A filter for searching documents and nodes."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.paths import inside
from autology.core.time_range import bounds
from autology.model.entry import CLIENT_MEMORY, DOCUMENT, INSTRUCTION, NODE
from autology.model.errors import ValidationError
from autology.model.node import NodeType
from autology.model.query import Filter
from autology.text.language.calendar_spans import Clock

TYPES = (DOCUMENT, INSTRUCTION, CLIENT_MEMORY, *(type.value for type in NodeType))


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """The conditions for every hit; empty fields are ignored.

    *path* is a file's or a folder's, relative to the project's root. All *tags* must be present. *author* is named in
    the frontmatter. *since* and *until* are dates, timestamps or words such as ``yesterday``, and apply to a document's
    last change.
    """

    path: str | None = None
    type: str | None = None
    tags: tuple[str, ...] = ()
    author: str | None = None
    since: str | None = None
    until: str | None = None

    def filter(self, root: str, clock: Clock) -> Filter:
        """Return the filter for the index of the project at *root*. Raises ValidationError if a field is invalid."""
        if self.type is not None and self.type not in TYPES:
            raise ValidationError("type", f"'{self.type[:40]}' is none", f"Use one of: {', '.join(TYPES)}.")
        since, until = bounds(self.since, self.until, clock).stamps
        return Filter(
            kind=None,
            kinds=(NODE, DOCUMENT),
            path=inside(self.path, root, "path") if self.path is not None else None,
            type=self.type,
            tags=tuple(tag.strip().removeprefix("#").lower() for tag in self.tags),
            author=self.author,
            since=since,
            until=until,
        )
