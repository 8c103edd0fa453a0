"""LoCoMo's ten conversations, as text and as transcripts of Claude Code."""

from __future__ import annotations

import json
import os
import re
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from autology.tools import recall_previous_discussions
from autology.tools.project import ServedProject
from bench.published._checkouts import checkout
from bench.recall import began

EVIDENCE = re.compile(r"D(\d+):\d+")

DEVELOPED_ON = 5
"""Our ranking was developed with the first five conversations (bench/quality.py); the others are new to it."""

Search = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its category, and the turns that its answer stands in (``D1:3``)."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """The turns of a session, each a speaker and a text; *number* counts from 1."""

    number: str
    began: datetime
    turns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]


def conversations() -> list[Conversation]:
    """Return the conversations of a checkout of the data set."""
    file = checkout("snap-research/locomo", "data/locomo10.json") / "data" / "locomo10.json"
    return [_conversation(each) for each in json.loads(file.read_text(encoding="utf-8"))]


def recalled(sessions: Sequence[Session], folder: Path, records: Callable[[Session], Iterator[str]]) -> Search:
    """Return a search through recall_previous_discussions that tells the numbers of the sessions found, best first.

    *records* writes a session as texts of the user, one a turn, a minute apart.
    """
    for variable in ("CLAUDE_CONFIG_DIR", "AUTOLOGY_DATA_DIR", "AUTOLOGY_CACHE_DIR"):
        os.environ[variable] = str(folder / variable.lower())
    root = folder / "project"
    root.mkdir()
    transcripts = folder / "claude_config_dir" / "projects" / "conversation"
    transcripts.mkdir(parents=True)
    numbers = {}
    for session in sessions:
        id = str(uuid.uuid5(uuid.NAMESPACE_URL, session.number))
        numbers[id] = session.number
        lines = (_record(id, str(root), session, at, text) for at, text in enumerate(records(session)))
        (transcripts / f"{id}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    project = ServedProject(str(root))
    project.conversations.refresh()
    project.conversations.encode()

    def search(query: str) -> list[str]:
        answer = recall_previous_discussions.act(project, recall_previous_discussions.Recall(query=query))
        assert isinstance(answer, dict)
        return list(dict.fromkeys(numbers[each["context"]["session_id"]] for each in answer["results"]))

    return search


def scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="autology-published-", ignore_cleanup_errors=True)


def _conversation(raw: dict[str, Any]) -> Conversation:
    dialogue = raw["conversation"]
    numbers = sorted((key[8:] for key in dialogue if re.fullmatch(r"session_\d+", key)), key=int)
    sessions = tuple(
        Session(
            number,
            began(dialogue[f"session_{number}_date_time"]),
            tuple((turn.get("speaker", "?"), turn.get("text", "")) for turn in dialogue[f"session_{number}"]),
        )
        for number in numbers
    )
    questions = (Question(each["question"], each["category"], tuple(each.get("evidence", ()))) for each in raw["qa"])
    return Conversation(sessions, tuple(questions))


def _record(id: str, cwd: str, session: Session, at: int, text: str) -> str:
    record = {
        "type": "user",
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{id} {at}")),
        "timestamp": (session.began + timedelta(minutes=at)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "sessionId": id,
        "cwd": cwd,
        "message": {"role": "user", "content": text},
    }
    return json.dumps(record) + "\n"
