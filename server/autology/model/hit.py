"""Search results: a source, and how well one of its fields matched."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

from autology.model.entry import NODE


@dataclass(frozen=True, slots=True)
class Source:
    """One indexed file, without its content."""

    id: str
    type: str
    title: str
    status: str
    confidence: float
    created: str
    modified: str
    path: str
    decision_status: str | None = None
    session: str | None = None
    origin: str | None = None
    kind: str = NODE
    project: str | None = None
    language: str | None = None
    org: str | None = None
    scope_project: str | None = None
    branch: str | None = None
    expires_at: str | None = None


SOURCE_FIELDS = tuple(field.name for field in fields(Source))
"""The columns of a source, in the order in which an index reads them."""


class Candidate(NamedTuple):
    """A source that matched in *field*; scores are comparable within one field, higher is better.

    *passage* is its best matching passage; *others* are the scores of its other passages, best first.
    *cosine* compares the query alone, if the score was computed from more than the query.
    *document* is the score of the source as a whole, 0 if it was not computed.
    A tuple, because a query makes hundreds, and a tuple takes a quarter of the time.
    """

    source: Source
    field: str
    score: float
    passage: tuple[int, int] | None = None
    others: tuple[float, ...] = ()
    cosine: float = 0.0
    document: float = 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """A passage of a source: its range, and its score."""

    id: str
    passage: tuple[int, int]
    score: float = 1.0
