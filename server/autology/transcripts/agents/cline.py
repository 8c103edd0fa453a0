"""Cline's command line: a file of messages per session (since version 3), or of what it showed per task (before).

A session of version 3 has its folder in a manifest beside it, a task in the list of all tasks.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import IO, Any

from autology.transcripts.agent import FileAgent, Surroundings, open_regular
from autology.transcripts.claude_code_records import repaired
from autology.transcripts.json_records import from_milliseconds, items, mapping, text_in, texts
from autology.transcripts.turns import TurnBuilder

_ID = r"([0-9A-Za-z][0-9A-Za-z_-]{0,150})"
_SESSION = re.compile(rf"sessions/([^/]+)/{_ID}\.messages\.json\Z")
_TASK = re.compile(rf"tasks/{_ID}/ui_messages\.json\Z")
_INPUT = re.compile(r"<user_input\b[^>]*>(.*?)</user_input>", re.DOTALL)
"""Around what the user typed, beside what the client adds."""
_MAIN = ("lead", "")
_USER, _ASSISTANT = ("task", "user_feedback"), ("text", "completion_result", "plan_completion_result")
_EDITS = ("editedExistingFile", "newFileCreated")


class Cline(FileAgent):
    """The sessions in ``$CLINE_DATA_DIR``, else in ``data`` in ``$CLINE_DIR`` or the home folder's ``.cline``."""

    key, label = "cline", "Cline"

    def __init__(self, surroundings: Surroundings) -> None:
        default = os.path.join(surroundings.folder("CLINE_DIR", ".cline"), "data")
        folder = surroundings.environ.get("CLINE_DATA_DIR") or default
        super().__init__(folder, (".json",), ("sessions", "tasks"))

    def is_session(self, name: str) -> bool:
        """Whether the file of that name has a session."""
        return (_SESSION.match(name) or _TASK.match(name)) is not None

    def session(self, name: str) -> str:
        """Return the id of the session of that name."""
        session, task = _SESSION.match(name), _TASK.match(name)
        return session[2] if session else task[1] if task else ""

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session; none for a task of versions before 3."""
        here = _SESSION.match(name) is not None and os.path.isfile(self.path(name))
        return ("cline", "--id", self.session(name)) if here else ()

    def parse(self, name: str, file: IO[bytes]) -> TurnBuilder:
        """Return the turns in *file*."""
        builder = TurnBuilder(self.session(name), self._project(name))
        try:
            content = repaired(json.loads(file.read()))
        except (ValueError, RecursionError):
            builder.broken += 1
            return builder
        if _TASK.match(name):
            for number, shown in enumerate(items(content)):
                _add_shown(builder, f"{number}", shown)
            return builder
        session = mapping(content)
        if text_in(session, "agent") not in _MAIN:
            builder.agent = text_in(session, "agent")
        for number, message in enumerate(items(session.get("messages"))):
            _add(builder, text_in(message, "id") or f"{number}", message)
        return builder

    def _project(self, name: str) -> str:
        """Return the folder in which a session ran; "" if unknown."""
        if match := _SESSION.match(name):
            manifest = mapping(self._json("sessions", match[1], f"{match[1]}.json"))
            return text_in(manifest, "cwd") or text_in(manifest, "workspace_root")
        tasks = items(self._json("state", "taskHistory.json"))
        task = next((task for task in tasks if task.get("id") == self.session(name)), {})
        return text_in(task, "cwdOnTaskInitialization")

    def _json(self, *names: str) -> object:
        try:
            with open_regular(os.path.join(self.folder, *names)) as file:
                return repaired(json.loads(file.read()))
        except (OSError, ValueError, RecursionError):
            return None


def _add(builder: TurnBuilder, id: str, message: Mapping[str, Any]) -> None:
    role, at, content = message.get("role"), from_milliseconds(message.get("ts")), message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for number, block in enumerate(items(content)):
        kind, own = block.get("type"), f"{id}/{number}"
        if kind == "text" and role == "assistant":
            builder.assistant(own, at, text_in(block, "text"))
        elif kind == "text" and role == "user":
            builder.user(own, at, _typed(text_in(block, "text")))
        elif kind == "tool_use":
            tool, arguments = text_in(block, "name"), mapping(block.get("input"))
            builder.call(text_in(block, "id") or own, at, tool, _with_command(arguments), _written(tool, arguments))
        elif kind == "tool_result":
            failed = block.get("is_error") is True
            builder.result(text_in(block, "tool_use_id") or own, at, _output(block.get("content")), failed)


def _typed(text: str) -> str:
    """Return what the user typed of a message's text."""
    parts = _INPUT.findall(text)
    return "\n\n".join(parts) if parts else "" if text.lstrip().startswith("<") else text


def _with_command(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    commands = arguments.get("commands")
    if not isinstance(commands, list):
        return arguments
    return {**arguments, "command": "\n".join(command for command in commands if isinstance(command, str))}


def _output(content: object) -> str:
    results = [text for part in items(content) if (text := text_in(part, "result") or text_in(part, "error"))]
    return "\n".join(results) or texts(content)


def _written(tool: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    path, code = text_in(arguments, "path"), text_in(arguments, "new_text")
    return {path: code} if tool == "editor" and path and code else {}


def _add_shown(builder: TurnBuilder, id: str, shown: Mapping[str, Any]) -> None:
    """Add a message as versions before 3 showed it."""
    kind, at, text = text_in(shown, "say"), from_milliseconds(shown.get("ts")), text_in(shown, "text")
    question = text_in(shown, "ask")
    if kind in _USER:
        builder.user(id, at, text)
    elif kind in _ASSISTANT:
        builder.assistant(id, at, text)
    elif "command" in (kind, question):
        builder.call(id, at, "command", {"command": text}, {})
    elif "command_output" in (kind, question):
        builder.result(id, at, text)
    elif "tool" in (kind, question):
        _add_tool(builder, id, at, text)


def _add_tool(builder: TurnBuilder, id: str, at: str, text: str) -> None:
    try:
        call = mapping(json.loads(text))
    except (ValueError, RecursionError):
        return
    tool, path = text_in(call, "tool"), text_in(call, "path")
    code = text_in(call, "content") or text_in(call, "diff")
    builder.call(id, at, tool, call, {path: code} if tool in _EDITS and path and code else {})


def agent(surroundings: Surroundings) -> Cline:
    """Return this agent."""
    return Cline(surroundings)
