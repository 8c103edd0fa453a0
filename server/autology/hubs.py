"""Where the team's hubs are: one address, or a file that only its owner reads, with one for each space."""

from __future__ import annotations

from autology.model.errors import ValidationError
from autology.settings import readable_by_others

NO_ORG = "team"
"""The organisation where the settings name none: a hub of one team needs no name."""
LARGEST = 100_000
"""Bytes of the file that are read."""


def dsns(own: str, path: str) -> list[tuple[str, str]]:
    """Return patterns of spaces, each with the address of the hub that keeps them; nothing where none is set up.

    Raises:
        ValidationError: the file cannot be read, or others can.
    """
    if own:
        return [("*", own)]
    return read(path) if path else []


def read(path: str) -> list[tuple[str, str]]:
    """Return what the file at *path* says: a DSN alone, or lines of ``pattern = DSN``. Raises ValidationError."""
    try:
        if readable_by_others(path):
            raise ValidationError("hub_dsn_file", f"{path} can be read by others", f"chmod 600 {path}")
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file.read(LARGEST).splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise ValidationError("hub_dsn_file", f"{path} cannot be read: {error}", "Write the DSN into it.") from None
    found = []
    for line in lines:
        if line and not line.startswith("#"):
            pattern, equals, dsn = line.partition(" = ")
            found.append((pattern.strip(), dsn.strip()) if equals else ("*", line))
    if not found:
        raise ValidationError("hub_dsn_file", f"{path} holds no address", "Write the DSN into it.")
    return found
