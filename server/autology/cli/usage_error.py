"""The error for arguments that do not make a command."""

from __future__ import annotations

from autology.model.errors import ValidationError


class UsageError(ValidationError):
    """Arguments that cannot be combined, or are missing."""
