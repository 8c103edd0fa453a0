"""The client's own memory of a project: texts outside of it, which the client itself loads, and no tool changes."""

from __future__ import annotations

from autology.text.documents.instructions import is_instruction

PREFIX = "client_memory:"
"""How the paths of these texts begin: they lie in the client's folder, and are no part of the project."""


def is_client_memory(path: str) -> bool:
    """Whether the text at *path* is the client's own memory."""
    return path.startswith(PREFIX)


def is_of_client(path: str) -> bool:
    """Whether the client loads the text at *path* itself: its memory, or instructions to agents."""
    return is_client_memory(path) or is_instruction(path)
