"""A passage: a stretch of a source that is indexed, ranked and shown as a unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """Characters *start* to *stop* of a source's content, under *heading* (its path, ``A > B``)."""

    start: int
    stop: int
    heading: str
    text: str
