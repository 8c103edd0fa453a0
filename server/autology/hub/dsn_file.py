"""The addresses of a team's servers: one DSN, or a file that only its owner can read, with one per space pattern."""

from __future__ import annotations

from autology.model.errors import ValidationError
from autology.settings import readable_by_others

SIZE_LIMIT = 100_000
"""Maximum bytes read of the file."""


def dsns(dsn: str, path: str) -> list[tuple[str, str]]:
    """Return (space pattern, DSN) for each configured server, from *dsn* or else from the file at *path*.

    Raises:
        ValidationError: the file cannot be read, or others can read it.
    """
    if dsn:
        return [("*", dsn)]
    return read_file(path) if path else []


def read_file(path: str) -> list[tuple[str, str]]:
    """Return the servers in the file at *path*: a DSN alone, or lines of ``pattern = DSN``. Raises ValidationError."""
    try:
        if readable_by_others(path):
            raise ValidationError("hub_dsn_file", f"{path} can be read by others", f"chmod 600 {path}")
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file.read(SIZE_LIMIT).splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise ValidationError("hub_dsn_file", f"{path} cannot be read: {error}", "Write the DSN into it.") from None
    servers = []
    for line in lines:
        if line and not line.startswith("#"):
            pattern, equals, dsn = line.partition(" = ")
            servers.append((pattern.strip(), dsn.strip()) if equals else ("*", line))
    if not servers:
        raise ValidationError("hub_dsn_file", f"{path} contains no address", "Write the DSN into it.")
    return servers
