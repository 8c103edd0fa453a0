"""The formats of keys, tokens and passwords, and the places where they occur."""

from __future__ import annotations

Secret = tuple[str, int, int]
"""The kind of a secret, and the positions at which it begins and ends."""
