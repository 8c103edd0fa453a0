"""What a list of sessions shows of one: its title, what it came to, its length, and whether it can be resumed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from autology.core.conversations.past_sessions import Recorded, recorded
from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.sync import clean
from autology.core.conversations.transcripts import Ends
from autology.model.agents import agent_of, machine_of
from autology.model.conversation import ASSISTANT, USER, Turn
from autology.model.errors import PassageNotFoundError, StorageError
from autology.text.language.sentences import sentences

LINE = 120
"""Characters of a title or an outcome: a line of a terminal."""
TELLING = 3
"""Words from which a prompt tells what a session is about: "hi" and "go on" do not."""
_COMMIT = re.compile(r"""\bgit\b[^\n|;&]*?\bcommit\b[^\n]*?\s(?:-\w*m|--message)[= ]*(?:"([^"\n]{3,})|'([^'\n]{3,}))""")
_HEREDOC = re.compile(r"\A\$\(cat\b")
_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """A session as a list shows it.

    *prompts* are those of the user; *agent* recorded it; *resume* has the words of the command that resumes it there,
    if it can be resumed; *machine* names another one of the user, "" for this one. *read* bytes were read for them, and
    *left_out* bytes in the middle not: prompts and files are those of the rest.
    """

    id: str
    title: str
    outcome: str
    folder: str
    branch: str | None
    began: str
    ended: str
    prompts: int
    files: tuple[str, ...]
    agent: str
    resume: tuple[str, ...]
    machine: str = ""
    read: int = 0
    left_out: int = 0


def session_facts(conversations: ConversationSources, session: str, ends: Ends | None = None) -> SessionFacts | None:
    """Return the facts of a session, secrets redacted; None if its transcript is gone or cannot be read.

    With *ends*, these alone are read of a long transcript.
    """
    with suppress(PassageNotFoundError, StorageError, FileNotFoundError):
        record = recorded(conversations, session, ends)
        turns = [turn for turn in record.turns if turn.agent is None]
        if turns:
            return facts_of(session, turns, record, clean)
    return None


def facts_of(
    session: str, turns: Sequence[Turn], record: Recorded, clean: Callable[[Turn], Turn] = lambda turn: turn
) -> SessionFacts:
    """Return the facts of the *turns* of a session from its *record*.

    Turns whose text is shown are redacted by *clean* first, unless all are already: to redact all of a long session
    takes longer than to read it.
    """
    stamps = [turn.at for turn in turns if turn.at] or [""]
    gap = record.reading.gap
    last = [turn for turn in turns if turn.start >= gap.stop] if gap else turns
    written = [path for turn in turns for call in turn.calls if call.code for path in call.files]
    return SessionFacts(
        id=session,
        title=_title(turns, clean),
        outcome=_outcome(last, clean),
        folder=turns[0].folder,  # where the client keeps it, whatever folder it went to later
        branch=next((turn.branch for turn in reversed(turns) if turn.branch), None),
        began=min(stamps),
        ended=max(stamps),
        prompts=sum(turn.role == USER for turn in turns),
        files=tuple(dict.fromkeys(written)),
        agent=agent_of(record.transcript),
        resume=tuple(record.resume),
        machine=machine_of(record.transcript),
        read=record.reading.mark(0).end - len(gap),
        left_out=len(gap),
    )


def _title(turns: Sequence[Turn], clean: Callable[[Turn], Turn]) -> str:
    """Return the first prompt that tells something, in a line; what the session came to if none does."""
    prompts: list[str] = []
    for turn in turns:
        if turn.role != USER or not turn.text.strip():
            continue
        prompt = " ".join(clean(turn).text.split())
        if len(prompt.split()) >= TELLING:
            return _line(prompt)
        prompts.append(prompt)
    return _line(_outcome(turns, clean) or " ".join(prompts))


def _outcome(turns: Sequence[Turn], clean: Callable[[Turn], Turn]) -> str:
    """Return the subject of the last commit, else the last statement of the assistant; "" if there is none."""
    for turn in reversed(turns):
        if not any("commit" in call.about for call in turn.calls):
            continue
        for call in reversed(clean(turn).calls):
            match = _COMMIT.search(call.about)
            if match and not _HEREDOC.match(subject := match[1] or match[2]):
                return _line(f"committed: {subject}")
    for turn in reversed(turns):
        if turn.role == ASSISTANT and turn.text:
            text = _BLOCK.sub("", clean(turn).text)
            statements = [one for one in sentences(text) if not one.endswith(("?", ":"))]
            if statements and len(statements[0].split()) >= TELLING:
                return _line(statements[0])
    return ""


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LINE else f"{line[: LINE - 1].rstrip()}…"
