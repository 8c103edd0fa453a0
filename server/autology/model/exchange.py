"""What was said: turns, the exchanges that they make, and the chunks of those that are found and shown as one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

USER, ASSISTANT, TOOL = "user", "assistant", "tool"
"""Who wrote a text."""
TRUST = (USER, ASSISTANT, TOOL)
"""The same, in the order in which they are trusted."""


def trusted_as(least: str) -> tuple[str, ...]:
    """Return those who are trusted as much as *least* or more."""
    return TRUST[: TRUST.index(least) + 1]


class ChunkKind(StrEnum):
    """What a chunk holds: talk, code that was written, or a sentence that decides."""

    CONVERSATION = "conversation"
    CODE = "code"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that the assistant used, in a line; the *code* it wrote, and in short what came of it."""

    tool: str
    about: str = ""
    files: tuple[str, ...] = ()
    code: str = ""
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that was said or done, as the client recorded it.

    *id* is the record's own, the same in every copy of it; *start* is the byte at which it begins in its
    transcript. A turn of a tool has in *text* what came of a call; one of the assistant may hold *calls*.
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
    """What a long exchange began with: the id of its first turn, and the question."""

    id: str
    question: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and all that answered it, until the next question; of a long one a part, with its *opening*."""

    turns: tuple[Turn, ...]
    opening: Opening | None = None

    @property
    def id(self) -> str:
        """What names it: its first turn."""
        return self.opening.id if self.opening else self.turns[0].id

    @property
    def question(self) -> str:
        """What the user said; "" where the transcript begins with an answer."""
        if self.opening:
            return self.opening.question
        return self.turns[0].text if self.turns[0].role == USER else ""

    @property
    def answer(self) -> str:
        """What the assistant said, in one text."""
        return "\n\n".join(turn.text for turn in self.turns if turn.role == ASSISTANT and turn.text)

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that were used, each once."""
        return tuple(dict.fromkeys(call.tool for turn in self.turns for call in turn.calls))

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were touched, each once, as the tools named them."""
        return tuple(dict.fromkeys(file for turn in self.turns for call in turn.calls for file in call.files))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a conversation of at most 2,000 characters, secrets left out.

    *id* is 24 hexadecimal digits, the same whenever and wherever the same turns are read. *position* orders the
    chunks of one *transcript*. *trust* is the least trusted of those who wrote it. *at* and *until* are stamps;
    *project* is the repository's identity, *folder* where the session ran. *exchange* names the first exchange
    in it, *question* is what was asked there, in a line.
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
