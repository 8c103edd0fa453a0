"""A tool: its description for the client, and its implementation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import mcp_types as types

from autology.settings import TOOL_GROUPS
from autology.tools.arguments import Arguments, needed, schema_of
from autology.tools.project import ServedProject

Json = dict[str, Any]
KNOWLEDGE, DOCUMENTS, CONVERSATIONS, MEMORY = TOOL_GROUPS
"""The groups of tools; each can be disabled in the settings."""


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's text, and a note about its hidden parts, or ""."""

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as the answer, with notes about degraded results."""

    items: list[Any]
    notes: Sequence[str] = ()


Answer = Json | str | FileText | Listing
"""What a tool returns: data, prose, a file, or a list."""
A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """One tool; *act* runs in a thread and returns data, or prose as text.

    With *hint*, its search words, the client loads the tool on demand; without, always.
    """

    name: str
    title: str
    description: str
    arguments: type[A]
    act: Callable[[ServedProject, A], Answer]
    writes: bool = True
    destroys: bool = False
    repeatable: bool = True
    hint: str | None = None
    group: str = KNOWLEDGE
    alias: bool = False

    def also(self, name: str) -> Tool[A]:
        """Return the same tool under another *name*, listed in short."""
        return replace(self, name=name, description=f"Same as {self.name}, with its arguments.", alias=True)

    def described(self) -> types.Tool:
        """Return the tool as a client lists it."""
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=needed(self.arguments) if self.alias else schema_of(self.arguments),
            annotations=types.ToolAnnotations(
                title=self.title,
                read_only_hint=not self.writes,
                destructive_hint=self.destroys,
                idempotent_hint=self.repeatable,
                open_world_hint=False,
            ),
            _meta={"anthropic/alwaysLoad": True} if self.hint is None else {"anthropic/searchHint": self.hint},
        )
