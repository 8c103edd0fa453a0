"""A session's handoff: what another session needs to go on, quoted from it, without a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autology.core.conversations.past_sessions import recorded
from autology.core.conversations.session_facts import TELLING, SessionFacts, facts_of
from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.sync import clean
from autology.core.conversations.transcripts import Ends
from autology.model.conversation import ASSISTANT, TOOL, USER, Turn
from autology.model.errors import PassageNotFoundError
from autology.text.language.decision_sentences import decisions
from autology.text.language.open_ends import is_open
from autology.text.language.sentences import sentences

QUOTE = 600
"""Characters of a quote: a prompt or an answer is recognised by them, and its session has the rest."""
MOST = 12
"""Entries of a section, the latest: earlier ones are often settled by later ones."""
ENDS = Ends(1_000_000, 8_000_000, whole=10_000_000)
"""What is read of a long session: the goal is at its beginning, and the latest decisions and open ends at its end. A
megabyte takes 75 ms, redaction included."""
_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Quote:
    """What *author* said at *at*, in its own words."""

    text: str
    author: str
    at: str


@dataclass(frozen=True, slots=True)
class Handoff:
    """A session's facts, and quotes of its goal, state, decisions and open ends; *files* with how often it wrote them.

    *failing* is the output of the last command if that failed.
    """

    facts: SessionFacts
    goal: Sequence[Quote]
    state: Sequence[Quote]
    decisions: Sequence[Quote]
    open_ends: Sequence[Quote]
    failing: Quote | None
    files: Sequence[tuple[str, int]]


def handoff(conversations: ConversationSources, session: str) -> Handoff:
    """Return the handoff of a session, secrets redacted.

    Raises:
        PassageNotFoundError: neither the client nor the archive has it.
        StorageError: it cannot be read.
    """
    record = recorded(conversations, session, ENDS)
    turns = [clean(turn) for turn in record.turns if turn.agent is None]
    if not turns:
        raise PassageNotFoundError(session)
    written = Counter(path for turn in turns for call in turn.calls if call.code for path in call.files)
    return Handoff(
        facts=facts_of(session, turns, record),
        goal=_goal(turns),
        state=_state(turns),
        decisions=_decided(turns)[-MOST:],
        open_ends=_open_ends(turns)[-MOST:],
        failing=_failing(turns),
        files=written.most_common(),
    )


def _goal(turns: Sequence[Turn]) -> list[Quote]:
    prompts = [_quote(turn) for turn in _spoken(turns, USER)]
    return [prompt for prompt in prompts if len(prompt.text.split()) >= TELLING][:1] or prompts[:1]


def _state(turns: Sequence[Turn]) -> list[Quote]:
    """Return the last answer and, around it, what the user said last."""
    last = [next(reversed(statements), None) for statements in ([*_spoken(turns, ASSISTANT)], [*_spoken(turns, USER)])]
    return [_quote(turn) for turn in sorted((turn for turn in last if turn), key=lambda turn: turn.start)]


def _decided(turns: Sequence[Turn]) -> list[Quote]:
    return [
        Quote(sentence, turn.role, turn.at)
        for turn in turns
        if turn.role != TOOL
        for sentence in decisions(_BLOCK.sub("", turn.text))
    ]


def _open_ends(turns: Sequence[Turn]) -> list[Quote]:
    """Return what was put off, and the assistant's last question if the user never answered it."""
    ends = [
        Quote(_cut(sentence), turn.role, turn.at)
        for turn in turns
        if turn.role != TOOL
        for sentence in sentences(_BLOCK.sub("", turn.text))
        if is_open(sentence)
    ]
    last = next((turn for turn in reversed(turns) if turn.role != TOOL and turn.text.strip()), None)
    if last and last.role == ASSISTANT:
        questions = [sentence for sentence in sentences(_BLOCK.sub("", last.text)) if sentence.endswith("?")]
        ends += [Quote(_cut(sentence), last.role, last.at) for sentence in questions]
    return list(dict.fromkeys(ends))


def _failing(turns: Sequence[Turn]) -> Quote | None:
    last = next((turn for turn in reversed(turns) if turn.role == TOOL), None)
    return Quote(_cut(last.text), f"output of {last.tool or 'a tool'}", last.at) if last and last.failed else None


def _spoken(turns: Sequence[Turn], role: str) -> Iterator[Turn]:
    return (turn for turn in turns if turn.role == role and turn.text.strip())


def _quote(turn: Turn) -> Quote:
    return Quote(_cut(turn.text), turn.role, turn.at)


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= QUOTE else f"{text[: QUOTE - 1].rstrip()}…"
