"""What a list of sessions shows of one: its title, what it came to, its length, and whether it can be resumed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from autology.core.conversations.past_sessions import Recorded, recorded
from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.sync import clean
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
    if it can be resumed; *machine* names another one of the user, "" for this one.
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


def session_facts(conversations: ConversationSources, session: str) -> SessionFacts | None:
    """Return the facts of a session, secrets redacted; None if its transcript is gone or cannot be read."""
    with suppress(PassageNotFoundError, StorageError, FileNotFoundError):
        record = recorded(conversations, session)
        turns = [clean(turn) for turn in record.turns if turn.agent is None]
        if turns:
            return facts_of(session, turns, record)
    return None


def facts_of(session: str, turns: Sequence[Turn], record: Recorded) -> SessionFacts:
    """Return the facts of the *turns* of a session, redacted, from its *record*."""
    stamps = [turn.at for turn in turns if turn.at] or [""]
    written = [path for turn in turns for call in turn.calls if call.code for path in call.files]
    return SessionFacts(
        id=session,
        title=title_of(turns),
        outcome=outcome_of(turns),
        folder=turns[0].folder,  # where the client keeps it, whatever folder it went to later
        branch=next((turn.branch for turn in reversed(turns) if turn.branch), None),
        began=min(stamps),
        ended=max(stamps),
        prompts=sum(turn.role == USER for turn in turns),
        files=tuple(dict.fromkeys(written)),
        agent=agent_of(record.transcript),
        resume=tuple(record.resume),
        machine=machine_of(record.transcript),
    )


def title_of(turns: Sequence[Turn]) -> str:
    """Return the first prompt that tells something, in a line; what the session came to if none does."""
    prompts = [" ".join(turn.text.split()) for turn in turns if turn.role == USER and turn.text.strip()]
    telling = next((prompt for prompt in prompts if len(prompt.split()) >= TELLING), "")
    return _line(telling or outcome_of(turns) or " ".join(prompts))


def outcome_of(turns: Sequence[Turn]) -> str:
    """Return the subject of the last commit, else the last statement of the assistant; "" if there is none."""
    for turn in reversed(turns):
        for call in reversed(turn.calls):
            match = _COMMIT.search(call.about)
            if match and not _HEREDOC.match(subject := match[1] or match[2]):
                return _line(f"committed: {subject}")
    for turn in reversed(turns):
        if turn.role == ASSISTANT and turn.text:
            statements = [one for one in sentences(_BLOCK.sub("", turn.text)) if not one.endswith(("?", ":"))]
            if statements and len(statements[0].split()) >= TELLING:
                return _line(statements[0])
    return ""


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LINE else f"{line[: LINE - 1].rstrip()}…"
