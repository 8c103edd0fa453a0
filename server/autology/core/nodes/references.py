"""The files that a node refers to, as it stores them."""

from __future__ import annotations

from collections.abc import Sequence

from autology.model.errors import ValidationError
from autology.model.node import normal_reference
from autology.model.options import REFERENCES


def references(paths: Sequence[str]) -> tuple[str, ...]:
    """Return *paths* as a node stores them, without duplicates. Raises ValidationError."""
    if len(paths) > REFERENCES:
        raise ValidationError("references", f"{len(paths)} paths", f"Name at most {REFERENCES}, or a folder.")
    return tuple(dict.fromkeys(normal_reference(path) for path in paths))
