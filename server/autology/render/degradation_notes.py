"""The notes of an answer, about degraded results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autology.render.next_steps import for_tools
from autology.text.redaction import redact
from autology.text.sanitising import clean_line

LIMIT = 2_000
"""Maximum characters of a note: a path has up to 1,000, the problem takes a line."""


def noted(entry: dict[str, Any], notes: Sequence[str]) -> dict[str, Any]:
    """Return *entry* with its *notes* as ``degraded``, if there are any."""
    return {**entry, "degraded": lines(notes)} if notes else entry


def lines(notes: Sequence[str]) -> list[str]:
    """Return each note on one line; notes may quote names and contents of files."""
    return [redact(clean_line(for_tools(note), LIMIT))[0] for note in notes]
