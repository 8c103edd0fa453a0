"""Putting back what the markers of a text stand for, before it is written over the file that they came from."""

from __future__ import annotations

from autology.model.errors import ValidationError
from autology.text.notes.markers import UnknownMarkerError, unmarked


def put_back(content: str, was: str) -> tuple[str, tuple[str, ...]]:
    """Return *content* with what its markers stand for in the text that *was*, and the kinds of secrets left out.

    Raises:
        ValidationError: it holds a marker that stands for nothing in the text that was.
    """
    try:
        return unmarked(content, was)
    except UnknownMarkerError as unknown:
        problem = f"holds {unknown}, which stands for nothing in the file"
        raise ValidationError("content", problem, "Read the file again and keep its markers as they are.") from None
