"""Conversion of the client's session records to turns, without its metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from autology.model.conversation import ASSISTANT, TOOL, USER, Call, Turn
from autology.text.conversation.injected import is_own_command, is_own_tool, without_injected
from autology.text.language.timestamps import stamp
from autology.text.redaction import redact
from autology.text.source_code import languages
from autology.text.source_code.replaced_lines import replaced_lines

RESULT = 300
"""Characters kept of a tool's output, three quarters from its start: enough to recognise it."""
FAILED = 600
"""Characters kept of an error: errors are searched for when they recur."""
COMMAND = 300
EDITS = 4
"""Edits of one call whose replaced lines are kept."""

SIDE = "sidechain"
"""The name for an anonymous sub-agent: older clients mixed its turns into the session."""

_WRITES = {"Edit": "new_string", "Write": "content", "NotebookEdit": "new_source", "MultiEdit": "edits"}
_SILENT = frozenset(
    "Read Grep Glob LS TodoWrite TodoRead ToolSearch Task Agent Skill TaskOutput BashOutput KillShell AskUserQuestion"
    " ExitPlanMode EnterPlanMode TaskCreate TaskUpdate TaskList TaskGet SendMessage NotebookRead".split()
)
"""Tools whose calls carry no information: what they read is in the project, what they ask is recorded elsewhere."""
_FILES = ("file_path", "notebook_path", "path")


class BrokenLineError(Exception):
    """Raised for a malformed line."""


@dataclass(slots=True)
class Records:
    """Parses a transcript line by line; a tool's output is linked to the call before it."""

    calls: dict[str, tuple[str, bool]] = field(default_factory=dict)
    local: bool = False

    def turns(self, line: bytes, start: int) -> Iterator[Turn]:
        """Yield the turns of the *line* at byte offset *start*. Raises BrokenLineError."""
        if b'"user"' not in line and b'"assistant"' not in line and b'"queued_command"' not in line:
            # Most bytes are metadata, whose records are only checked for completeness.
            if not line[-3:].rstrip().endswith(b"}"):
                raise BrokenLineError
            return
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise BrokenLineError from None
        if not isinstance(record, dict):
            raise BrokenLineError
        if (b"\\u" in line or b"\xed" in line) and _HALVES.search(line):
            record = repaired(record)
        yield from self._turns(record, start)

    def _turns(self, record: Mapping[str, Any], start: int) -> Iterator[Turn]:
        kind = record.get("type")
        local, self.local = self.local, False
        if kind == "assistant":
            yield from self._assistant(record, start)
        elif kind == "user":
            if record.get("isMeta"):
                self.local = "<local-command-caveat>" in str(record.get("message"))
            elif not local and not _is_injected(record):
                yield from self._user(record, start)
        elif kind == "attachment":
            yield from self._queued(record, start)

    def _user(self, record: Mapping[str, Any], start: int) -> Iterator[Turn]:
        content = _content(record)
        results = [block for block in _blocks(content) if block.get("type") == "tool_result"]
        text = _text_of(content)
        if text:
            yield _turn(record, start, USER, text)
        for number, block in enumerate(results, 1):
            turn = self._result(record, block, start)
            if turn:
                yield turn if number == 1 else replace(turn, id=f"{turn.id}/{number}")

    def _result(self, record: Mapping[str, Any], block: Mapping[str, Any], start: int) -> Turn | None:
        tool, own = self.calls.get(str(block.get("tool_use_id")), ("", False))
        failed = block.get("is_error") is True
        if own or ((tool in _SILENT or tool in _WRITES) and not failed):
            return None
        inner = block.get("content")
        text = without_injected(inner if isinstance(inner, str) else "\n".join(_texts(inner)))
        return _turn(record, start, TOOL, short(text, FAILED if failed else RESULT), tool=tool, failed=failed)

    def _assistant(self, record: Mapping[str, Any], start: int) -> Iterator[Turn]:
        message = record.get("message")
        model = message.get("model") if isinstance(message, dict) else None
        if record.get("isApiErrorMessage") or model == "<synthetic>":
            return
        content = _content(record)
        calls = tuple(call for block in _blocks(content) if (call := self._call(block)))
        text = _text_of(content)
        if text or calls:
            yield _turn(record, start, ASSISTANT, text, calls=calls)

    def _call(self, block: Mapping[str, Any]) -> Call | None:
        if block.get("type") != "tool_use":
            return None
        tool, arguments = str(block.get("name") or ""), block.get("input")
        arguments = arguments if isinstance(arguments, dict) else {}
        command = arguments.get("command")
        own = is_own_tool(tool) or (isinstance(command, str) and is_own_command(command))
        self.calls[str(block.get("id"))] = (tool, own)
        if own:
            return None
        files = tuple(path for name in _FILES if isinstance(path := arguments.get(name), str) and path)
        if tool in _WRITES:
            path = files[0] if files else ""
            code, replaced = _written(tool, arguments), _replaced(path, tool, arguments)
            return Call(tool, "", files, code, languages.of_file(path), replaced)
        return Call(tool, "" if tool in _SILENT else about(tool, arguments), files)

    def _queued(self, record: Mapping[str, Any], start: int) -> Iterator[Turn]:
        """Yield a prompt that the user typed while the assistant was still working."""
        attachment = record.get("attachment")
        if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
            return
        if attachment.get("commandMode") not in (None, "prompt") or attachment.get("isMeta"):
            return
        prompt = attachment.get("prompt")
        text = _text_of(prompt)
        if text:
            yield _turn(record, start, USER, text)


_HALVES = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")


def repaired(value: Any) -> Any:
    """Replace lone surrogates in *value*, which truncation can leave and UTF-8 cannot encode."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {repaired(key): repaired(item) for key, item in value.items()}
    return [repaired(item) for item in value] if isinstance(value, list) else value


def short(text: str, limit: int) -> str:
    """Return *text*, or its start and end if it is long, without splitting a secret."""
    if len(text) <= limit:
        return text
    # Half a secret would not be recognised later.
    text, _ = redact(text)
    if len(text) <= limit:
        return text
    head = limit * 3 // 4
    return f"{text[:head].rstrip()} … {text[-(limit - head - 3) :].lstrip()}"


def _turn(
    record: Mapping[str, Any],
    start: int,
    role: str,
    text: str,
    calls: tuple[Call, ...] = (),
    tool: str = "",
    failed: bool = False,
) -> Turn:
    return Turn(
        id=_word(record, "uuid") or f"byte {start} of {_word(record, 'sessionId')}",
        role=role,
        text=text,
        at=moment(record.get("timestamp")),
        start=start,
        session=_word(record, "sessionId"),
        folder=_word(record, "cwd"),
        branch=_word(record, "gitBranch") or None,
        agent=_word(record, "agentId") or (SIDE if record.get("isSidechain") is True else None),
        calls=calls,
        tool=tool,
        failed=failed,
    )


def _is_injected(record: Mapping[str, Any]) -> bool:
    """Whether a user record was not typed by the user."""
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return bool(
        record.get("isCompactSummary")
        or record.get("isVisibleInTranscriptOnly")
        or record.get("promptSource") == "system"
        or record.get("turnOrigin") == "task_notification"
        or kind == "task-notification"
    )


def _content(record: Mapping[str, Any]) -> Any:
    message = record.get("message")
    return message.get("content") if isinstance(message, dict) else None


def _blocks(content: object) -> list[Mapping[str, Any]]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return without_injected(content)
    return "\n\n".join(part for text in _texts(content) if (part := without_injected(text)))


def _texts(content: object) -> list[str]:
    texts = (block.get("text") for block in _blocks(content) if block.get("type") == "text")
    return [text for text in texts if isinstance(text, str)]


def _written(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the code that a tool call writes; for a deletion, the deleted code."""
    if tool == "MultiEdit":
        return "\n…\n".join(_written("Edit", edit) for edit in _blocks(arguments.get("edits")))
    new, old = arguments.get(_WRITES[tool]), arguments.get("old_string")
    if isinstance(new, str) and new.strip():
        return new
    return f"(deleted)\n{old}" if isinstance(old, str) and old.strip() else ""


def _replaced(path: str, tool: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the small edits of a tool call replaced, a line each."""
    edits = _blocks(arguments.get("edits"))[:EDITS] if tool == "MultiEdit" else [arguments]
    replaced = (replaced_lines(path, _word(edit, "old_string"), _word(edit, "new_string")) for edit in edits)
    return tuple(line for line in replaced if line)


def about(tool: str, arguments: Mapping[str, Any]) -> str:
    for name in ("command", "query", "url", "pattern", "prompt", "description"):
        value = arguments.get(name)
        if isinstance(value, str) and value.strip():
            return f"{tool}: {short(value.strip(), COMMAND)}"
    try:
        return f"{tool}: {short(json.dumps(arguments, ensure_ascii=False), COMMAND)}" if arguments else tool
    except (ValueError, RecursionError):
        return tool


def _word(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def moment(text: object) -> str:
    """Return a record's time as a stamp, or ""."""
    if not isinstance(text, str):
        return ""
    try:
        if len(text) in (20, 24) and text[10] == "T" and text[-1] == "Z":
            datetime.fromisoformat(text[:19])
            return f"{text[:19]}Z"
        return stamp(datetime.fromisoformat(text).astimezone(UTC))
    except (ValueError, OverflowError):  # converting the time zone may leave the calendar's range
        return ""
