"""Transcripts that are parsed as a whole: a reading of their turns, and the form in which these are archived."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from autology.core.content.files import Stamp
from autology.core.conversations.transcripts import Mark
from autology.model.exchange import ASSISTANT, TOOL, USER, Call, Turn
from autology.transcripts.claude_code_records import BrokenLineError, repaired

TYPE = "autology-turn"
"""The type of an archived turn's record."""
_ROLES = (USER, ASSISTANT, TOOL)


class TurnsReading:
    """The :class:`~autology.core.conversations.transcripts.Reading` of *turns*, which are numbered from 0.

    A turn's number stands for the byte of a mark. Turns after the mark may have changed: the proof covers what precedes
    its offset.
    """

    def __init__(self, turns: Sequence[Turn], stamp: Stamp, mark: Mark | None, broken: int = 0) -> None:
        self._turns = turns
        self._stamp = stamp
        self._mark = mark
        self._broken = broken
        self._proofs = _proofs(turns)
        offset = mark.offset if mark is not None else 0
        resumes = mark is not None and offset < len(self._proofs) and self._proofs[offset] == mark.proof
        self.restarts = not resumes
        self.start = offset if resumes else 0

    def near_end(self, size: int) -> TurnsReading:  # noqa: ARG002 - the turns are in memory already
        """Return it: only the calling client's session is read from near its end."""
        return self

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns, in order."""
        return iter(self._turns[self.start :])

    def mark(self, offset: int) -> Mark:
        """Return a mark for resuming at *offset*."""
        return Mark(
            stamp=self._stamp,
            offset=offset,
            end=len(self._turns),
            proof=self._proofs[offset],
            session=self._turns[0].session if self._turns else "",
            broken=self._broken,
            copied=self._mark.copied if self._mark is not None else 0,
        )


def _proofs(turns: Sequence[Turn]) -> list[str]:
    """Return a hash of the turns before each number."""
    running = blake2b(digest_size=16)
    proofs = [running.hexdigest()]
    for turn in turns:
        running.update(f"{turn.id}\0{turn.text}\0{turn.calls}\0".encode("utf-8", "replace"))
        proofs.append(running.hexdigest())
    return proofs


def record(turn: Turn) -> dict[str, Any]:
    """Return *turn* as a record of the archive. Field names are those whose content redaction knows."""
    fields: dict[str, Any] = {
        "type": TYPE,
        "uuid": turn.id,
        "role": turn.role,
        "text": turn.text,
        "timestamp": turn.at,
        "sessionId": turn.session,
        "cwd": turn.folder,
        "gitBranch": turn.branch,
        "agentId": turn.agent,
        "tool": turn.tool,
        "failed": turn.failed,
        "calls": [
            {
                "tool": call.tool,
                "text": call.about,
                "files": call.files,
                "content": call.code,
                "language": call.language,
            }
            for call in turn.calls
        ],
    }
    return {name: value for name, value in fields.items() if value}


class TurnRecords:
    """Parses archived turns, line by line."""

    def __init__(self) -> None:
        self._number = 0

    def turns(self, line: bytes, start: int) -> Iterator[Turn]:  # noqa: ARG002 - a turn's number is its place
        """Yield the turn in *line*. Raises BrokenLineError."""
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            raise BrokenLineError from None
        if not isinstance(fields, dict):
            raise BrokenLineError
        if fields.get("type") == TYPE and fields.get("role") in _ROLES:
            yield _turn(repaired(fields), self._number)
            self._number += 1


def _turn(fields: Mapping[str, Any], number: int) -> Turn:
    calls = fields.get("calls")
    return Turn(
        id=text_in(fields, "uuid"),
        role=text_in(fields, "role"),
        text=text_in(fields, "text"),
        at=text_in(fields, "timestamp"),
        start=number,
        session=text_in(fields, "sessionId"),
        folder=text_in(fields, "cwd"),
        branch=text_in(fields, "gitBranch") or None,
        agent=text_in(fields, "agentId") or None,
        calls=tuple(_call(call) for call in calls if isinstance(call, dict)) if isinstance(calls, list) else (),
        tool=text_in(fields, "tool"),
        failed=fields.get("failed") is True,
    )


def _call(fields: Mapping[str, Any]) -> Call:
    files = fields.get("files")
    return Call(
        tool=text_in(fields, "tool"),
        about=text_in(fields, "text"),
        files=tuple(file for file in files if isinstance(file, str)) if isinstance(files, list) else (),
        code=text_in(fields, "content"),
        language=text_in(fields, "language") or None,
    )


def text_in(fields: Mapping[str, Any], name: str) -> str:
    """Return the text in a field; "" if it has none."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""
