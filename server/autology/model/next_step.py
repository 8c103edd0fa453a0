"""What to do next, as an action with arguments; each front words it as its own tool or command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Action(StrEnum):
    """What a user or a model can do; the value is its neutral wording."""

    CAPTURE = "capture"
    QUERY = "query"
    READ_NODE = "read node"
    UPDATE = "update"
    DELETE = "delete"
    RELATE = "relate"
    UNRELATE = "unrelate"
    REVIEW = "review"
    RESTORE = "restore"
    SEARCH_DOCUMENTS = "search documents"
    READ_DOCUMENT = "read document"
    UPDATE_DOCUMENT = "update document"
    DELETE_DOCUMENT = "delete document"
    FIND_MEMORIES = "find memories"
    READ_MEMORY = "read memory"
    PURGE_MEMORIES = "purge memories"
    SEARCH_EVERYTHING = "search everything"
    RECALL = "recall"
    READ_PASSAGE = "read passage"
    SEARCH_CODE_HISTORY = "search code history"
    INIT = "init"
    SYNC = "sync"
    DOCTOR = "doctor"
    RECORDS = "records"
    ARCHIVE = "archive"
    INSTALL_MODEL = "install model"
    USE_MODEL = "use model"
    INSTALL_PARSERS = "install parsers"
    CHECK_HUB = "check hub"


PLACEHOLDER = "…"
"""An argument, or the beginning of one, that is left to the reader."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """An *action* and its *arguments*; an argument that is true is an option without a value."""

    action: Action
    arguments: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        words = (name if value is True else str(value) for name, value in self.arguments.items())
        return f"`{' '.join([self.action, *words])}`"


def do(action: Action, **arguments: object) -> NextStep:
    """Return *action* with *arguments* as a next step."""
    return NextStep(action, arguments)


class Noun(StrEnum):
    """A word that fronts word differently: a node is called a note in a terminal."""

    NODE = "node"
    NODE_AT_START = "Node"


class Sentence(str):
    """A text that contains next steps and nouns; as a plain string it is worded neutrally.

    A longer text that is to keep them is built from parts, not by formatting.
    """

    parts: tuple[str | NextStep, ...]

    def __new__(cls, *parts: str | NextStep) -> Sentence:
        """Return the text of *parts*, some of which may be sentences."""
        flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Sentence) else (part,)))
        sentence = super().__new__(cls, "".join(map(str, flat)))
        sentence.parts = flat
        return sentence

    @property
    def steps(self) -> tuple[NextStep, ...]:
        """The next steps in it, in order."""
        return tuple(part for part in self.parts if isinstance(part, NextStep))

    def worded(self, wording: Callable[[NextStep], str], nouns: Mapping[str, str]) -> str:
        """Return the text with each next step as *wording* words it, and other words for *nouns*."""
        return "".join(_word(part, wording, nouns) for part in self.parts)


def _word(part: str | NextStep, wording: Callable[[NextStep], str], nouns: Mapping[str, str]) -> str:
    if isinstance(part, NextStep):
        return wording(part)
    return nouns.get(part, str(part)) if isinstance(part, Noun) else part
