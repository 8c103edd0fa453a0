"""The values of a unified search: its options, and the answer with its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autology.core.likelihood import NO_VERDICT, Verdict
from autology.core.recall.amendment import Amendment
from autology.core.recall.code_context import CodeGraphAnswer
from autology.core.recall.request import ParsedRequest
from autology.model.conversation import Chunk
from autology.model.hit import Source

CONVERSATIONS, KNOWLEDGE, DOCUMENTS, MEMORIES = "conversations", "knowledge", "documents", "memory"
SOURCES = (CONVERSATIONS, KNOWLEDGE, DOCUMENTS, MEMORIES)
"""Where results come from; also the names of the groups of tools that read them."""


@dataclass(frozen=True, slots=True)
class UnifiedOptions:
    """The options: maximum results (*limit*), one *merged* list or one per kind, relations (*graph*), tool *groups*.

    Memories are limited to those of *org*, if set, and of the current project. With *only_answers*, results that are
    much weaker than the best are left out.
    """

    limit: int = 10
    merged: bool = True
    graph: bool = True
    groups: tuple[str, ...] = (CONVERSATIONS, KNOWLEDGE, DOCUMENTS)
    org: str | None = None
    only_answers: bool = False

    @property
    def sources(self) -> tuple[str, ...]:
        """What is searched: memories only if their tools are enabled."""
        return tuple(source for source in SOURCES if source != MEMORIES or source in self.groups)


@dataclass(frozen=True, slots=True)
class TitledRelation:
    """A relation of a result, with the titles of its ends."""

    source: str
    source_title: str
    type: str
    target: str
    target_title: str


@dataclass(frozen=True, slots=True)
class UnifiedResult:
    """A passage of a conversation, a node, a document or a memory, which may expire.

    *relevance* is how likely it answers (0-1); while results are merged, relative to the others. *beside* is what it is
    found by besides title and text, *standing* a factor for one that was superseded. *via* is the relation that led to
    it, *origin* the record that a node was imported from, *also* near-duplicates,
    *amended* the later passage that changed what it says.
    """

    id: str
    type: str
    title: str
    text: str
    at: str
    relevance: float
    source: str
    path: str
    highlights: tuple[str, ...] = ()
    chunk: Chunk | None = None
    relations: tuple[TitledRelation, ...] = ()
    via: str = ""
    origin: str = ""
    also: tuple[UnifiedResult, ...] = ()
    expires_at: str | None = None
    amended: Amendment | None = None
    beside: str = ""
    standing: float = 1.0


@dataclass(frozen=True, slots=True)
class UnifiedAnswer:
    """The *results*, best first, out of *total*.

    *by_source* counts them by source, *related* those reached only through relations. *code* is the code graph's
    answer, *nodes* the nodes that reference its files, *chunks* the passages of past sessions that changed them;
    *left_out* is the number of weaker results that were left out. If the *verdict* is that none answers, these are all,
    and *nearest* are the nearest of them.
    """

    query: str
    request: ParsedRequest
    options: UnifiedOptions
    results: tuple[UnifiedResult, ...]
    total: int
    by_source: Mapping[str, int]
    related: int
    notes: tuple[str, ...] = ()
    code: CodeGraphAnswer | None = None
    nodes: tuple[Source, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    left_out: int = 0
    verdict: Verdict = NO_VERDICT
    nearest: tuple[UnifiedResult, ...] = ()

    @property
    def count(self) -> int:
        """How many were found."""
        return self.total
