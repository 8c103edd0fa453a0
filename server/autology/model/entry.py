"""An entry: what the index holds of one source, whichever of the vocabularies it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from autology.model.exchange import USER

NODE = "node"
DOCUMENT = "document"
CONVERSATION = "conversation"
CODE = "code"
DECISION = "decision"
MEMORY = "memory"
"""Kinds of what was said: talk, code that was written, sentences that decide. (A node that decides is a node.)"""
CITATION = "citation"
"""The kind of an edge that a node's text makes, its target a name: what that means is asked when it is followed."""


@dataclass(frozen=True, slots=True)
class Link:
    """An outgoing edge of an entry; *target* is an id, or what an author wrote for one.

    Its *kind* is the entry's, unless it has one of its own.
    """

    type: str
    target: str
    confidence: float = 1.0
    description: str | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A source with what it is found by, its text aside; ``told`` is what else it says, to be found too.

    *rules* are (what, term) of what it governs, as `text.governing` has them.
    *changed* is what of a sealed decision is not as it was accepted.
    *trust* is the least trusted of those who wrote it; *authors* are names, as the text gives them.
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
    rules: tuple[tuple[str, str], ...] = ()
    told: str = ""
    project: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()
    trust: str = USER
    org: str | None = None
    scope_project: str | None = None
    branch: str | None = None
    expires_at: str | None = None
    changed: tuple[str, ...] = ()
