"""Codex CLI: a file per session, ``rollout-<time>-<id>.jsonl``, one record a line.

Known forms: a first line with the session and bare response items after it (until September 2025), and since then an
envelope of time, type and payload. Older sessions may be compressed with zstd, which the standard library cannot read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import IO, Any

from autology.core.content.files import Stamp
from autology.transcripts.agent import FileAgent, Surroundings
from autology.transcripts.json_records import items, json_lines, mapping, text_in, texts
from autology.transcripts.turns import TurnBuilder

_NAME = re.compile(r"rollout-[0-9T-]+-([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\.jsonl\Z")
_FOLDERS = ("sessions", "archived_sessions")
_COMPRESSED = ".jsonl.zst"
_INJECTED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|skill|user_shell_command|turn_aborted|subagent_notification"
    r"|permissions instructions|hook_prompt)\b|# AGENTS\.md instructions)",
    re.IGNORECASE,
)
"""How the client's own messages in the user's name begin."""
_FOLDER = re.compile(r"<cwd>(.*?)</cwd>|Current working directory: (.*)")
_FAILED = re.compile(r"Process exited with code [1-9]|Exit code: [1-9]")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


class Codex(FileAgent):
    """The sessions in ``$CODEX_HOME``, and those that were archived there."""

    key, label = "codex", "Codex"

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings.folder("CODEX_HOME", ".codex"), (".jsonl", _COMPRESSED), _FOLDERS)
        self._compressed = 0

    def scan(self) -> Mapping[str, Stamp]:
        """Return every session with its stamp."""
        self._compressed = 0
        return super().scan()

    def is_session(self, name: str) -> bool:
        """Whether the file of that name has a session."""
        self._compressed += name.endswith(_COMPRESSED)
        return _NAME.match(name.rpartition("/")[2]) is not None

    def session(self, name: str) -> str:
        """Return the id of the session of that name."""
        match = _NAME.match(name.rpartition("/")[2])
        return match[1].lower() if match else ""

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session; none for an archived one, which it does not find."""
        here = name.startswith("sessions/") and os.path.isfile(self.path(name))
        return ("codex", "resume", self.session(name)) if here else ()

    def unreadable(self) -> Sequence[str]:
        """Return a sentence about compressed sessions."""
        if not self._compressed:
            return ()
        return (f"Codex: {self._compressed} compressed with zstd; to have them read, decompress them with `zstd -d`",)

    def parse(self, name: str, file: IO[bytes]) -> TurnBuilder:
        """Return the turns in *file*."""
        builder = TurnBuilder(self.session(name))
        began = ""
        for fields in json_lines(file, builder):
            kind, payload = fields.get("type"), mapping(fields.get("payload"))
            began = text_in(fields, "timestamp") or began
            if kind == "session_meta":
                _begin(builder, payload)
            elif kind == "turn_context":
                builder.folder = text_in(payload, "cwd") or builder.folder
            elif kind == "response_item":
                _item(builder, payload, began)
            elif "payload" not in fields and "record_type" not in fields:
                if "id" in fields and "timestamp" in fields and kind is None:
                    _begin(builder, fields)  # the first line before there were envelopes
                else:
                    _item(builder, fields, began)
        return builder


def _begin(builder: TurnBuilder, session: Mapping[str, Any]) -> None:
    """Take in where a session runs; of a fork, the first record counts."""
    builder.folder = builder.folder or text_in(session, "cwd")
    builder.branch = builder.branch or text_in(mapping(session.get("git")), "branch")
    if isinstance(session.get("source"), dict) or session.get("thread_source") == "subagent":
        builder.agent = text_in(session, "agent_nickname") or "subagent"


def _item(builder: TurnBuilder, item: Mapping[str, Any], at: str) -> None:
    kind = item.get("type")
    if kind == "message":
        _message(builder, item, at)
    elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
        arguments = _arguments(item)
        id = text_in(item, "call_id") or text_in(item, "id")
        tool = text_in(item, "name") or "shell"
        builder.call(id, at, f"{text_in(item, 'namespace')}{tool}", arguments, _written(tool, arguments))
    elif kind in ("function_call_output", "custom_tool_call_output"):
        output = item.get("output")
        text = texts(output) or texts(mapping(output).get("content"))
        success = mapping(output).get("success")
        try:  # until 2026 a shell's output was JSON with its exit code
            inner = mapping(json.loads(text)) if text.startswith('{"output"') else {}
        except (ValueError, RecursionError):
            inner = {}
        failed = success is False or mapping(inner.get("metadata")).get("exit_code") not in (None, 0)
        text = text_in(inner, "output") or text
        builder.result(text_in(item, "call_id"), at, text, failed or _FAILED.search(text[:200]) is not None)


def _message(builder: TurnBuilder, item: Mapping[str, Any], at: str) -> None:
    role, content = item.get("role"), item.get("content")
    id = f"{at or text_in(item, 'id')}/{role}"
    if role == "assistant":
        builder.assistant(id, at, texts(content))
    elif role == "user":
        parts = [text for part in items(content) if (text := text_in(part, "text"))]
        if any(_INJECTED.match(text) for text in parts):
            if not builder.folder and (match := _FOLDER.search("\n".join(parts))):
                builder.folder = (match[1] or match[2]).strip()
            return
        builder.user(id, at, "\n\n".join(parts))


def _arguments(item: Mapping[str, Any]) -> Mapping[str, Any]:
    if item.get("type") == "custom_tool_call":
        return {"input": text_in(item, "input")}
    if item.get("type") == "local_shell_call":
        return mapping(item.get("action"))
    try:
        return mapping(json.loads(text_in(item, "arguments") or "{}"))
    except (ValueError, RecursionError):
        return {}


def _written(tool: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return what a patch writes, by file."""
    command = arguments.get("command")
    patch = text_in(arguments, "input")
    if not patch and isinstance(command, list) and len(command) > 1 and command[0] == "apply_patch":
        patch = str(command[1])
    if tool != "apply_patch" and not patch.startswith("*** Begin Patch"):
        return {}
    parts = _PATCHED.split(patch)
    written: dict[str, str] = {}
    for path, body in zip(parts[1::2], parts[2::2], strict=False):
        lines = [line[1:] for line in body.splitlines() if line[:1] == "+"]
        written[path.strip()] = "\n".join(lines) or "(deleted)"
    return written


def agent(surroundings: Surroundings) -> Codex:
    """Return this agent."""
    return Codex(surroundings)
