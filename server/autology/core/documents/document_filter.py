"""What a search over documents and nodes is narrowed to."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.bounds import bounds
from autology.core.paths import inside
from autology.model.entry import DOCUMENT, NODE
from autology.model.errors import ValidationError
from autology.model.node import NodeType
from autology.model.query import Filter
from autology.text.language.calendar_spans import Clock

TYPES = (DOCUMENT, *(type.value for type in NodeType))


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """What every hit must be; what is left out asks for nothing.

    *path* is a file's or a folder's, relative to the project's root. All *tags* must be there. *author* is one whom
    the frontmatter names as such. *since* and *until* are dates, stamps or words such as ``yesterday``: a document
    counts by when it was last changed.
    """

    path: str | None = None
    type: str | None = None
    tags: tuple[str, ...] = ()
    author: str | None = None
    since: str | None = None
    until: str | None = None

    def filter(self, root: str, clock: Clock) -> Filter:
        """Return this as the index takes it, in the project at *root*. Raises ValidationError where it does not fit."""
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
