"""Sessions written as the client writes them, for conversations to be found in."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Edit:
    """A file that the assistant wrote, or with *old*, a part of it that was replaced."""

    path: str
    code: str
    old: str = ""


@dataclass(frozen=True)
class Said:
    """A question and its answer; *at* as the client writes times. What tools put out follows the edits."""

    at: str
    question: str
    answer: str = ""
    edits: Sequence[Edit] = field(default=())
    output: str = ""


def write(folder: Path, cwd: str, session: str, exchanges: Iterable[Said], branch: str = "main") -> Path:
    """Write a session's transcript below the client's config *folder*; return its path."""
    path = folder / "projects" / cwd.replace("/", "-") / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines: list[Record] = []
    shared = {"cwd": cwd, "sessionId": session, "gitBranch": branch, "version": "2.1.330", "userType": "external"}
    for number, messages in enumerate(exchanges):
        for kind, message in _messages(messages):
            made = uuid.uuid5(uuid.NAMESPACE_URL, f"{session} {number} {len(lines)}")
            lines.append({"type": kind, "uuid": str(made), "timestamp": messages.at, "message": message, **shared})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def turns(path: Path) -> list[str]:
    """Return the ids of what the user said in a transcript."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [r["uuid"] for r in records if r["type"] == "user" and isinstance(r["message"]["content"], str)]


def _messages(said: Said) -> Iterable[tuple[str, Record]]:
    yield "user", {"role": "user", "content": said.question}
    content: list[Record] = [{"type": "text", "text": said.answer}] if said.answer else []
    calls = [{"type": "tool_use", "id": f"t{at}", **_call(edit)} for at, edit in enumerate(said.edits)]
    if said.output:
        calls.append({"type": "tool_use", "id": "out", "name": "Bash", "input": {"command": "make check"}})
    if content or calls:
        yield "assistant", {"role": "assistant", "model": "m", "content": [*content, *calls]}
    for call in calls:
        result = said.output if call["id"] == "out" else "written"
        yield (
            "user",
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call["id"], "content": result}]},
        )


def _call(edit: Edit) -> Record:
    if edit.old:
        return {"name": "Edit", "input": {"file_path": edit.path, "old_string": edit.old, "new_string": edit.code}}
    return {"name": "Write", "input": {"file_path": edit.path, "content": edit.code}}
