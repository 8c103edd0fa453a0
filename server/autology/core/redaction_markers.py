"""Replacing the markers of an edited text by the original text, before the file is written."""

from __future__ import annotations

from autology.model.errors import ValidationError
from autology.text.notes.secret_markers import UnknownMarkerError, unmarked


def restore_markers(content: str, was: str) -> tuple[str, tuple[str, ...]]:
    """Return *content* with its markers replaced by the original text in *was*, and the kinds of redacted secrets.

    Raises:
        ValidationError: it has a marker that stands for nothing in that text.
    """
    try:
        return unmarked(content, was)
    except UnknownMarkerError as unknown:
        problem = f"contains {unknown}, which does not match anything in the file"
        raise ValidationError("content", problem, "Read the file again and keep its markers unchanged.") from None
