"""Conversations: turns, the exchanges they form, and the chunks into which these are split for search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

USER, ASSISTANT, TOOL = "user", "assistant", "tool"
"""The author of a text."""
TRUST = (USER, ASSISTANT, TOOL)
"""The authors in descending order of trust."""


def trusted_as(least: str) -> tuple[str, ...]:
    """Return the authors trusted as much as *least* or more."""
    return TRUST[: TRUST.index(least) + 1]


class ChunkKind(StrEnum):
    """A chunk's content: talk, written code, or a sentence with a decision."""

    CONVERSATION = "conversation"
    CODE = "code"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of the assistant in one line, with the *code* it wrote, and a short result.

    *replaced* is what its small edits replaced, a line each.
    """

    tool: str
    about: str = ""
    files: tuple[str, ...] = ()
    code: str = ""
    language: str | None = None
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One message or tool result, as the client recorded it.

    *id* is the record's own, the same in every copy of it; *start* is its first byte in its transcript. The *text* of a
    tool's turn is the result of a call; a turn of the assistant may have *calls*.
    """

    id: str
    role: str
    text: str
    at: str
    start: int
    session: str
    folder: str
    branch: str | None = None
    agent: str | None = None
    calls: tuple[Call, ...] = ()
    tool: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a long exchange: the id of its first turn, and the question."""

    id: str
    question: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and everything that answers it, until the next question; part of a long one has its *opening*."""

    turns: tuple[Turn, ...]
    opening: Opening | None = None

    @property
    def id(self) -> str:
        """Its id: its first turn's."""
        return self.opening.id if self.opening else self.turns[0].id

    @property
    def question(self) -> str:
        """The user's words; "" if the transcript begins with an answer."""
        if self.opening:
            return self.opening.question
        return self.turns[0].text if self.turns[0].role == USER else ""

    @property
    def answer(self) -> str:
        """The assistant's words, in one text."""
        return "\n\n".join(turn.text for turn in self.turns if turn.role == ASSISTANT and turn.text)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were touched, without duplicates, as the tools named them."""
        return tuple(dict.fromkeys(file for turn in self.turns for call in turn.calls for file in call.files))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a conversation of at most 2,000 characters, redacted.

    *id* is 24 hexadecimal digits, the same whenever and wherever the same turns are read. *position* orders the chunks
    of one *transcript*. *trust* is the least trusted of its authors. *at* and *until* are timestamps; *project* is the
    repository's identity, *folder* where the session ran. *exchange* is the id of its first exchange, *question* is
    that one's question, in a line.
    """

    id: str
    kind: str
    text: str
    trust: str
    at: str
    until: str
    transcript: str
    position: int
    session: str
    project: str
    folder: str
    exchange: str
    turn: str
    question: str = ""
    branch: str | None = None
    agent: str | None = None
    language: str | None = None
    path: str | None = None
    participants: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
