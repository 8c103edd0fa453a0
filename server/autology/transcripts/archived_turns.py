"""Turns as the archive keeps those of other agents than Claude Code: a record each, written and parsed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from autology.model.conversation import ASSISTANT, TOOL, USER, Call, Turn
from autology.transcripts.claude_code_records import BrokenLineError, repaired
from autology.transcripts.json_records import text_in

TYPE = "autology-turn"
"""The type of an archived turn's record."""
_ROLES = (USER, ASSISTANT, TOOL)


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
