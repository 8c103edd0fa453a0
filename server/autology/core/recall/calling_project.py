"""The project that a question is asked in: its own past is meant, unless the question names another project."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from autology.core.conversations.conversation_index import ConversationIndex
from autology.core.likelihood import IndexedQuestion
from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.request import ParsedRequest
from autology.model.conversation import Chunk
from autology.model.query import Filter
from autology.ranking.evidence import Match
from autology.text.tokens import share_a_word

ELSEWHERE = 0.8
"""The factor for the relevance of another project's passages.

On the open half of tests/labelled/prompts4, recall puts the right session first for 46 of 73 prompts with 1, for 48
with 0.9, 50 with 0.8 and 49 with 0.65; unified search for 52, 54, 55 and 54 of 75.
"""
LIKELY_ELSEWHERE = 0.5
"""The factor for how likely another project's passages answer.

Of 114 questions on what was never discussed, in four sets of tests/labelled, recall tells 82 with 1, 84 with 0.8 and 86
with 0.5, and takes as many others wrongly for unanswered.
"""


class CallingProject:
    """The project whose identities are *names*, as it weighs the passages that answer *query*.

    A project without past conversations weighs all alike. Weighing raises StorageError.
    """

    def __init__(self, index: ConversationIndex, names: Sequence[str], query: str) -> None:
        self._index = index
        self._names = tuple(names)
        self._query = query
        self._named: dict[str, bool] = {}  # by folder: a question's passages come from few

    @cached_property
    def _has_past(self) -> bool:
        return bool(self._names) and bool(self._index.listed(Filter(kind=None, projects=self._names), 1, ""))

    def relevance(self, relevance: float, chunk: Chunk) -> float:
        """Return the *relevance* of *chunk* as it counts in this project."""
        return relevance * ELSEWHERE if self._is_elsewhere(chunk) else relevance

    def match(self, match: Match, chunk: Chunk, subject: IndexedQuestion) -> Match:
        """Return how *chunk* matches the question as it counts in this project; it holds the name of its own one."""
        match = subject.named(match, _folder_name(chunk))
        if not subject.not_held([match]) or not self._is_elsewhere(chunk):
            return match
        return match._replace(likelihood=match.likelihood * LIKELY_ELSEWHERE)

    def _is_elsewhere(self, chunk: Chunk) -> bool:
        """Whether *chunk* is of another project, which the question does not name by its folder."""
        if not chunk.project or chunk.project in self._names or not self._has_past:
            return False
        if chunk.folder not in self._named:
            self._named[chunk.folder] = share_a_word(_folder_name(chunk), self._query)
        return not self._named[chunk.folder]


def _folder_name(chunk: Chunk) -> str:
    return chunk.folder.replace("\\", "/").rstrip("/").rpartition("/")[2]


def calling_project(search: ConversationSearch, question: ParsedRequest) -> CallingProject:
    """Return the project that *question* is asked in; it weighs all alike if only certain projects are searched."""
    names = () if question.where.projects else search.names
    return CallingProject(search.index, names, question.request.query)
