"""Gemini CLI: a file per session below ``tmp/<project>/chats``.

Known forms: one JSON object with the messages (until April 2026), and since then a record a line, in which a message
replaces an earlier one with its id, ``$rewindTo`` drops messages and ``$set`` replaces all of them. A project's folder
is named by a hash of its path, or by a short name with the path in ``.project_root``.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from autology.transcripts.agent import FileAgent, Surroundings, open_regular
from autology.transcripts.claude_code_records import repaired
from autology.transcripts.json_records import items, json_lines, mapping, text_in, texts
from autology.transcripts.turns import TurnBuilder

_NAME = re.compile(r"[^/]+/chats/(?:session-[^/]*-[^/]+|[^/]+/[^/]+)\.jsonl?\Z")
_HASH = re.compile(r"[0-9a-f]{64}\Z")
_INJECTED = re.compile(r"\s*<session_context>|\s*This is the Gemini CLI\. We are setting up the context for our chat\.")
_HOOKS = re.compile(r"<hook_context>.*?</hook_context>", re.DOTALL)
"""What the client adds to a prompt for a hook."""
_WRITES = {"write_file": "content", "replace": "new_string"}
_KINDS = ("user", "gemini")


class Gemini(FileAgent):
    """The sessions in ``$GEMINI_CLI_HOME/.gemini``, or in the home folder's."""

    key, label = "gemini", "Gemini CLI"

    def __init__(self, surroundings: Surroundings) -> None:
        self._client = os.path.join(surroundings.folder("GEMINI_CLI_HOME"), ".gemini")
        self._roots = surroundings.roots
        super().__init__(os.path.join(self._client, "tmp"), (".json", ".jsonl"))

    def is_session(self, name: str) -> bool:
        """Whether the file of that name has a session; one that was resumed in the newer form counts once."""
        if _NAME.match(name) is None:
            return False
        return name.endswith("l") or not os.path.exists(os.path.join(self.folder, *f"{name}l".split("/")))

    def session(self, name: str) -> str:
        """Return the id of the session of that name: the client's own begins with its last part."""
        return os.path.splitext(name.rpartition("/")[2])[0]

    def resume(self, name: str) -> Sequence[str]:
        """Return the words of the command that resumes a session by the id in its file; none if it has no such id."""
        builder = TurnBuilder("")
        try:
            with open_regular(self.path(name)) as file:
                whole = _whole(file, builder)[0] if name.endswith(".json") else next(json_lines(file, builder), {})
        except OSError:
            return ()
        id = text_in(whole, "sessionId")
        return ("gemini", "--resume", id) if id else ()

    def parse(self, name: str, file: IO[bytes]) -> TurnBuilder:
        """Return the turns in *file*."""
        builder = TurnBuilder(self.session(name), self._project(name.partition("/")[0]))
        session, messages = _whole(file, builder) if name.endswith(".json") else _lines(file, builder)
        if session.get("kind") == "subagent":
            builder.agent = "subagent"
        for message in messages:
            _add(builder, message)
        return builder

    def _project(self, folder: str) -> str:
        """Return the path of the project with that folder of sessions; "" if unknown."""
        try:
            with open(os.path.join(self.folder, folder, ".project_root"), encoding="utf-8") as file:
                return file.read(4_096).strip()
        except (OSError, ValueError):
            pass
        if not _HASH.match(folder):
            return ""
        try:
            with open(os.path.join(self._client, "projects.json"), encoding="utf-8") as file:
                registered = list(mapping(mapping(json.load(file)).get("projects")))
        except (OSError, ValueError, RecursionError):
            registered = []
        known = (*registered, *self._roots())
        return next(
            (path for path in known if hashlib.sha256(path.encode("utf-8", "replace")).hexdigest() == folder), ""
        )


def _whole(file: IO[bytes], builder: TurnBuilder) -> tuple[Mapping[str, Any], Iterable[Mapping[str, Any]]]:
    try:
        session = mapping(repaired(json.loads(file.read())))
    except (ValueError, RecursionError):
        builder.broken += 1
        return {}, ()
    return session, items(session.get("messages"))


def _lines(file: IO[bytes], builder: TurnBuilder) -> tuple[Mapping[str, Any], Iterable[Mapping[str, Any]]]:
    session: dict[str, Any] = {}
    messages: dict[str, Mapping[str, Any]] = {}
    for fields in json_lines(file, builder):
        if isinstance(target := fields.get("$rewindTo"), str):
            order = list(messages)
            for id in order[order.index(target) if target in messages else 0 :]:
                del messages[id]
        elif isinstance(fields.get("id"), str):
            messages[fields["id"]] = fields
        else:
            update = mapping(fields.get("$set")) or fields
            session.update(update)
            if isinstance(update.get("messages"), list):
                messages = {id: message for message in items(update["messages"]) if (id := text_in(message, "id"))}
    return session, messages.values()


def _add(builder: TurnBuilder, message: Mapping[str, Any]) -> None:
    kind, id, at = message.get("type"), text_in(message, "id"), message.get("timestamp")
    if kind not in _KINDS:
        return
    text = texts(message.get("content"))
    if kind == "user":
        if not _INJECTED.match(text):
            builder.user(id, at, _HOOKS.sub("", text).strip())
        return
    builder.assistant(id, at, text)
    for call in items(message.get("toolCalls")):
        tool, arguments = text_in(call, "name"), mapping(call.get("args"))
        number, at = text_in(call, "id"), call.get("timestamp") or at
        builder.call(number, at, tool, arguments, _written(tool, arguments))
        if text := _result(call):
            builder.result(number, at, text, call.get("status") == "error")


def _result(call: Mapping[str, Any]) -> str:
    """Return the output of a call, as the model got it."""
    responses = (mapping(mapping(part.get("functionResponse")).get("response")) for part in items(call.get("result")))
    return "\n".join(text for fields in responses if (text := text_in(fields, "output") or text_in(fields, "error")))


def _written(tool: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    path, code = text_in(arguments, "file_path"), text_in(arguments, _WRITES.get(tool, ""))
    return {path: code} if path and code else {}


def agent(surroundings: Surroundings) -> Gemini:
    """Return this agent."""
    return Gemini(surroundings)
