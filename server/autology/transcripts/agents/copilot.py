"""Copilot CLI: a file per session, ``session-state/<id>/events.jsonl``, one event a line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import IO, Any

from autology.transcripts.agent import FileAgent, Surroundings
from autology.transcripts.json_records import json_lines, mapping, text_in
from autology.transcripts.turns import TurnBuilder

_NAME = re.compile(r"session-state/([0-9A-Za-z][0-9A-Za-z_-]{0,99})/events\.jsonl\Z")
_WRITES = {"create": "file_text", "edit": "new_str"}


class Copilot(FileAgent):
    """The sessions in ``$COPILOT_HOME``, or in the home folder's ``.copilot``."""

    key, label = "copilot", "Copilot CLI"

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings.folder("COPILOT_HOME", ".copilot"), (".jsonl",), ("session-state",))

    def is_session(self, name: str) -> bool:
        """Whether the file of that name has a session."""
        return _NAME.match(name) is not None

    def session(self, name: str) -> str:
        """Return the id of the session of that name."""
        match = _NAME.match(name)
        return match[1] if match else ""

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session."""
        return ("copilot", "--resume", self.session(name)) if os.path.isfile(self.path(name)) else ()

    def parse(self, name: str, file: IO[bytes]) -> TurnBuilder:
        """Return the turns in *file*, without those of sub-agents, which have a call as their parent."""
        builder = TurnBuilder(self.session(name))
        for event in json_lines(file, builder):
            data = mapping(event.get("data"))
            if not event.get("agentId") and not data.get("parentToolCallId"):
                _add(builder, event, data)
        return builder


def _add(builder: TurnBuilder, event: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    kind, id, at = event.get("type"), text_in(event, "id"), event.get("timestamp")
    if kind in ("session.start", "session.resume"):
        context = mapping(data.get("context"))
        builder.folder = builder.folder or text_in(context, "cwd")
        builder.branch = builder.branch or text_in(context, "branch")
    elif kind == "user.message" and not data.get("source"):  # a source has what a skill or the client added
        builder.user(id, at, text_in(data, "content"))
    elif kind == "assistant.message":
        builder.assistant(id, at, text_in(data, "content"))
    elif kind == "tool.execution_start":
        tool, arguments = text_in(data, "toolName"), mapping(data.get("arguments"))
        builder.call(text_in(data, "toolCallId") or id, at, tool, arguments, _written(tool, arguments))
    elif kind == "tool.execution_complete":
        failed = data.get("success") is False
        text = text_in(mapping(data.get("error")), "message") or text_in(mapping(data.get("result")), "content")
        builder.result(text_in(data, "toolCallId") or id, at, text, failed)


def _written(tool: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    path, code = text_in(arguments, "path"), text_in(arguments, _WRITES.get(tool, ""))
    return {path: code} if path and code else {}


def agent(surroundings: Surroundings) -> Copilot:
    """Return this agent."""
    return Copilot(surroundings)
