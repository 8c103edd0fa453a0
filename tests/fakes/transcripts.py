"""Transcripts as the client writes them: a session that is told line by line."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BEGIN = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)


def client_folder(home: Path) -> Path:
    """Return the client's own folder in *home*."""
    return home / ".claude"


class Session:
    """A session of the client, written to its file as it goes on; every call adds the records of one thing."""

    def __init__(
        self,
        home: Path,
        folder: str = "/home/dev/app",
        session: str = "",
        agent: str = "",
        begin: datetime = BEGIN,
        branch: str = "main",
    ) -> None:
        self.id = session or str(uuid.uuid4())
        self.folder = folder
        self.agent = agent
        self.branch = branch
        self.now = begin
        slug = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in folder)
        place = client_folder(home) / "projects" / slug
        name = f"{self.id}/subagents/agent-{agent}.jsonl" if agent else f"{self.id}.jsonl"
        self.file = place / name
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.name = f"{slug}/{name}"
        self.rows: list[dict[str, Any]] = []
        self._calls = 0

    def later(self, **time: float) -> Session:
        """Let time pass."""
        self.now += timedelta(**time)
        return self

    def user(self, text: Any, **more: Any) -> str:
        """Add what the user typed; return the record's id."""
        return self.row("user", message={"role": "user", "content": text}, **more)

    def assistant(self, text: str, **more: Any) -> str:
        """Add what the assistant said."""
        return self._block({"type": "text", "text": text}, **more)

    def tool(self, name: str, result: Any = "", failed: bool = False, **given: Any) -> str:
        """Add a call of a tool and what came of it; return the id of the call's record."""
        self._calls += 1
        call = f"toolu_{self.id[:8]}_{self._calls}"
        id = self._block({"type": "tool_use", "id": call, "name": name, "input": given})
        content: dict[str, Any] = {"tool_use_id": call, "type": "tool_result", "content": result}
        if failed:
            content["is_error"] = True
        self.row("user", message={"role": "user", "content": [content]}, toolUseResult={"stdout": result})
        return id

    def meta(self, text: str) -> str:
        """Add what the client put there itself."""
        return self.user(text, isMeta=True)

    def context(self, text: str, event: str = "UserPromptSubmit") -> str:
        """Add what a hook gave the model."""
        content = {"type": "hook_additional_context", "content": [text], "hookName": event, "hookEvent": event}
        return self.row(
            "attachment", attachment=content, rendered=[{"content": f"<system-reminder>{text}</system-reminder>"}]
        )

    def queued(self, text: str, mode: str = "prompt") -> str:
        """Add what the user typed while the assistant was at work."""
        return self.row("attachment", attachment={"type": "queued_command", "prompt": text, "commandMode": mode})

    def bookkeeping(self, size: int = 500) -> None:
        """Add what the client writes for itself."""
        self.raw(json.dumps({"type": "api-request", "sessionId": self.id, "body": "secretly " * (size // 9)}) + "\n")

    def compacted(self, summary: str) -> None:
        """Add a compaction."""
        self.row("system", subtype="compact_boundary", content="Conversation compacted")
        text = f"This session is being continued from a previous conversation.\nSummary:\n{summary}"
        self.user(text, isCompactSummary=True, isVisibleInTranscriptOnly=True)
        self.meta("<local-command-caveat>The command below was run directly.</local-command-caveat>")
        self.user("<command-name>/compact</command-name>\n<command-args>keep it</command-args>")
        self.user("<local-command-stdout>Compacted PRECOMPACT-OUTPUT</local-command-stdout>")

    def row(self, type: str, **fields: Any) -> str:
        """Add a record; return its id."""
        self.now += timedelta(seconds=1)
        record = {
            "parentUuid": self.rows[-1]["uuid"] if self.rows else None,
            "isSidechain": bool(self.agent),
            "type": type,
            "uuid": str(uuid.uuid4()),
            "timestamp": self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "userType": "external",
            "cwd": self.folder,
            "sessionId": self.id,
            "version": "2.1.330",
            "gitBranch": self.branch,
            **({"agentId": self.agent} if self.agent else {}),
            **fields,
        }
        self.add(record)
        return str(record["uuid"])

    def add(self, record: dict[str, Any]) -> None:
        """Add a record as it is."""
        self.rows.append(record)
        self.raw(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")

    def raw(self, text: str) -> None:
        """Add *text*, a record or not."""
        with self.file.open("a", encoding="utf-8", newline="") as file:
            file.write(text)

    def _block(self, block: dict[str, Any], **more: Any) -> str:
        message = {"role": "assistant", "model": "claude-opus-5-5", "content": [block]}
        return self.row("assistant", message=message, **more)


def resumed(home: Path, of: Session, **more: Any) -> Session:
    """Return a session that begins with a copy of another's records, as a fork does: same ids, its own session."""
    made = Session(home, of.folder, begin=of.now, **more)
    for row in of.rows:
        made.add({**row, "sessionId": made.id})
    return made
