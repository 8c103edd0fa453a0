"""Code in unified search: the code graph's answer, and the nodes and past conversations about the same files."""

from __future__ import annotations

from typing import Any, Protocol

from autology.core.documents.library import Library
from autology.core.hybrid_search import rank
from autology.core.recall.conversation_search import ConversationSearch
from autology.model.conversation import Chunk
from autology.model.entry import CODE
from autology.model.hit import Source
from autology.model.query import Filter

NODES, CHUNKS = 10, 5
LOOKED_AT = 30
"""Named chunks of past code that are checked for belonging to one of the files."""


class CodeGraphAnswer(Protocol):
    """The code graph's answer to a question, which search passes on to the front."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of the answer."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its classes, functions or files."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Its limitations."""

    @property
    def summary(self) -> str:
        """The number of answers, as text."""

    def data(self) -> dict[str, Any]:
        """Return the answer as JSON."""

    def lines(self) -> list[str]:
        """Return the answer as lines of text."""


class CodeSearch(Protocol):
    """The project's code graph, as far as unified search needs it."""

    def answer(self, query: str) -> CodeGraphAnswer | None:
        """Return the answer; None if *query* is not a question about code, or names no code."""

    def unanswered(self, query: str) -> tuple[str, ...]:
        """Return notes on why a question about code has no answer."""


def nodes_about(library: Library, answer: CodeGraphAnswer) -> tuple[Source, ...]:
    """Return the nodes that reference a file of *answer*, current ones first."""
    if not answer.paths:
        return ()
    naming = Filter(references=answer.paths)
    return tuple(library.read_current(lambda: library.graph.index.listed(naming, NODES, "")))


def chunks_about(search: ConversationSearch, answer: CodeGraphAnswer) -> tuple[Chunk, ...]:
    """Return the code that past sessions wrote into a file of *answer* and that has one of its names."""
    if not answer.paths:
        return ()
    index = search.index
    code = Filter(kind=CODE, in_sight=search.in_sight())
    with index.keep_open():
        ranked = rank(index, " ".join(answer.names), code, LOOKED_AT, semantic=False)
        chunks = index.chunks([hit.source.id for hit in ranked])
    ordered = [chunks[hit.source.id] for hit in ranked if hit.source.id in chunks]
    return tuple(chunk for chunk in ordered if chunk.path and _is_one_of(chunk.path, answer.paths))[:CHUNKS]


def _is_one_of(path: str, paths: tuple[str, ...]) -> bool:
    path = path.replace("\\", "/")
    return any(path == other or path.endswith(f"/{other}") for other in paths)
