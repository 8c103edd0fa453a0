"""An entry: what the index stores of a source of any kind."""

from __future__ import annotations

from dataclasses import dataclass

from autology.model.conversation import USER

NODE = "node"
DOCUMENT = "document"
CONVERSATION = "conversation"
CODE = "code"
DECISION = "decision"
MEMORY = "memory"
"""The kinds of a source. CONVERSATION, CODE and DECISION are chunks of conversations; a decision node is a NODE."""
INSTRUCTION = "instruction"
"""The type of a document that instructs coding agents; its kind is DOCUMENT."""
CLIENT_MEMORY = "client_memory"
"""The type of a document that the client wrote for itself, outside of the project; its kind is DOCUMENT."""
CITATION = "citation"
"""The kind of an edge from a node's text, its target a name that is resolved when the edge is followed."""


@dataclass(frozen=True, slots=True)
class Link:
    """An outgoing edge of an entry; *target* is an id, or the name that the author wrote if none is resolved.

    Its *kind* is the entry's, unless it has its own.
    """

    type: str
    target: str
    confidence: float = 1.0
    description: str | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A source's searchable attributes, without its text; *extra_text* is further text to search.

    *rules* are the (kind, term, details) that it governs, as in `text.language.governing`.
    *changed* lists how a sealed decision differs from the accepted one.
    *trust* is the least trusted of its authors; *authors* are names as the text gives them.
    """

    id: str
    kind: str
    type: str
    title: str
    created: str
    modified: str
    status: str = "active"
    confidence: float = 1.0
    decision_status: str | None = None
    session: str | None = None
    origin: str | None = None
    tags: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    rules: tuple[tuple[str, str, str], ...] = ()
    extra_text: str = ""
    project: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()
    trust: str = USER
    org: str | None = None
    scope_project: str | None = None
    branch: str | None = None
    expires_at: str | None = None
    changed: tuple[str, ...] = ()
