"""Paths from a caller, relative to the project."""

from __future__ import annotations

import posixpath

from autology.model.errors import ValidationError


def inside(path: str, root: str, field: str) -> str | None:
    """Return *path* relative to the project's *root* and ``/``-separated; None for the root itself.

    Raises:
        ValidationError: it lies outside; *field* is the name for the message.
    """
    slashed = path.strip().replace("\\", "/")
    base = root.replace("\\", "/").rstrip("/")
    if slashed == base or slashed.startswith(f"{base}/"):
        slashed = slashed[len(base) :].lstrip("/") or "."
    plain = posixpath.normpath(slashed or ".")
    if plain.startswith(("/", "..")) or ":" in plain[:2]:
        fits = "Give a path relative to its root, for example docs/api."
        raise ValidationError(field, f"'{path[:80]}' lies outside the project", fits)
    return None if plain == "." else plain
