"""A labelled world (tests/labelled/moment, …/sessions): projects, past sessions and notes in a throwaway home.

Transcripts are written as the client writes them and read by the executable, as a user's are.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.client import EXECUTABLE, FLAGS, PYTHON

HERE = Path(__file__).resolve().parents[1] / "tests" / "labelled" / "moment"
STEP = timedelta(seconds=25)


class World:
    """The projects of the world.json in *labels*, in *folder*: keys of sessions and notes, texts of turns, by id.

    *more* are further sessions in the same form.
    """

    def __init__(self, folder: Path, labels: Path = HERE, more: Sequence[Mapping[str, Any]] = ()) -> None:
        facts = json.loads((labels / "world.json").read_text(encoding="utf-8"))
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "SYSTEMROOT")}
        self.environment = {
            **kept,
            "HOME": str(folder),
            "AUTOLOGY_DATA_DIR": str(folder / "data"),
            "AUTOLOGY_CACHE_DIR": str(folder / "cache"),
            "CLAUDE_CONFIG_DIR": str(folder / ".claude"),
            "CLAUDECODE": "1",
            "TZ": "UTC",
        }
        self.marks = {session["key"]: session.get("marks", []) for session in facts["sessions"]}
        self.projects = tuple(facts["files"])
        self.notes: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self._chunks: dict[str, str] = {}
        for name, files in facts["files"].items():
            self._make_project(name, files)
        now = datetime.now(UTC)
        for session in (*facts["sessions"], *more):
            began = (now - timedelta(days=session["days"])).replace(hour=10, minute=5, second=0, microsecond=0)
            self._write(session, began)
        for note in facts["notes"]:
            command = [
                "capture",
                "--json",
                "--title",
                note["title"],
                "--type",
                note["type"],
                "--content",
                note["content"],
            ]
            references = ["--references", *note["references"]] if note["references"] else []
            id = json.loads(self.run(note["project"], *command, *references))["id"]
            self.notes[id] = note["key"]
            if "days" in note:
                self._date(note, id, now - timedelta(days=note["days"]))
        for name in facts["files"]:
            self.run(name, "sync")

    def project(self, name: str) -> Path:
        return self.folder / "dev" / name

    def run(self, project: str, *arguments: str, message: str = "", may: tuple[int, ...] = (0,)) -> str:
        """Return what the executable prints; its exit code must be among those that *may* be."""
        command = [PYTHON, *FLAGS, str(EXECUTABLE), *arguments]
        cwd, env = self.project(project), self.environment
        done = subprocess.run(command, cwd=cwd, env=env, input=message, capture_output=True, text=True, check=False)
        if done.returncode not in may:
            raise RuntimeError(f"{arguments}: {done.stderr}")
        return done.stdout

    def hook(self, project: str, prompt: str) -> str:
        """Return what the prompt hook adds to *prompt* in a new session."""
        event = {"session_id": str(uuid.uuid4()), "cwd": str(self.project(project)), "prompt": prompt}
        answer = self.run(project, "hook", "prompt-submit", message=json.dumps(event))
        return str(json.loads(answer)["hookSpecificOutput"]["additionalContext"]) if answer.strip() else ""

    def chunks(self) -> dict[str, str]:
        """Return the session of every indexed chunk, by id."""
        if not self._chunks:
            with closing(sqlite3.connect(self.folder / "data" / "conversations.sqlite")) as db:
                self._chunks.update(db.execute("SELECT id, session FROM source WHERE session IS NOT NULL"))
        return self._chunks

    def _make_project(self, name: str, files: Mapping[str, str]) -> None:
        for path, content in files.items():
            file = self.project(name) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        for arguments in (("init", "-q", "-b", "main"), ("config", "user.email", "a@b"), ("config", "user.name", "A")):
            subprocess.run(["git", *arguments], cwd=self.project(name), check=True)
        self.run(name, "init", "--yes")

    def _date(self, note: Mapping[str, Any], id: str, at: datetime) -> None:
        """Make a note as old as it is said to be."""
        (file,) = (self.project(note["project"]) / ".autology" / "nodes").glob(f"*/{id}.md")
        dated = re.sub(
            r"(?m)^(created|modified): .*$", rf"\1: {at:%Y-%m-%dT%H:%M:%SZ}", file.read_text(encoding="utf-8")
        )
        file.write_text(dated, encoding="utf-8")

    def _write(self, session: Mapping[str, Any], began: datetime) -> None:
        """Write the transcript of *session*."""
        folder, id = self.project(session["project"]), str(uuid.uuid5(uuid.NAMESPACE_URL, session["key"]))
        self.keys[id] = session["key"]
        rows: list[dict[str, Any]] = []

        def add(type: str, message: dict[str, Any], **more: object) -> None:
            rows.append(
                {
                    "parentUuid": rows[-1]["uuid"] if rows else None,
                    "isSidechain": False,
                    "type": type,
                    "message": message,
                    "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{session['key']}{len(rows)}")),
                    "timestamp": (began + STEP * (len(rows) + 1)).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                    "cwd": str(folder),
                    "sessionId": id,
                    "version": "2.1.330",
                    "gitBranch": "main",
                    **more,
                }
            )

        def answer(block: dict[str, Any]) -> None:
            add("assistant", {"id": f"msg_{len(rows)}", "type": "message", "role": "assistant", "content": [block]})

        for turn in session["turns"]:
            if turn[0] == "u":
                add("user", {"role": "user", "content": turn[1]}, promptSource="user")
            elif turn[0] == "a":
                answer({"type": "text", "text": turn[1]})
            else:
                tool = f"toolu_{session['key']}_{len(rows)}"
                name, arguments, output = used(turn, folder)
                answer({"type": "tool_use", "id": tool, "name": name, "input": arguments})
                result: dict[str, Any] = {"type": "tool_result", "tool_use_id": tool, "content": output}
                if turn[0] == "bash" and turn[3:] == [True]:
                    result["is_error"] = True
                add(
                    "user",
                    {"role": "user", "content": [result]},
                    toolUseResult={"filePath": arguments.get("file_path")},
                )
        self.texts.update((row["uuid"], text_of(row["message"]["content"])) for row in rows)
        transcripts = self.folder / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(folder))
        transcripts.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        (transcripts / f"{id}.jsonl").write_text(lines, encoding="utf-8")


def text_of(content: str | list[dict[str, Any]]) -> str:
    """Return the text of a message's content."""
    return content if isinstance(content, str) else "\n".join(str(block.get("text", "")) for block in content)


def used(turn: list[Any], folder: Path) -> tuple[str, dict[str, str], str]:
    """Return the name, the arguments and the output of the tool that *turn* used."""
    if turn[0] == "bash":
        return "Bash", {"command": turn[1]}, turn[2]
    path = str(folder / turn[1])
    if turn[2]:
        return "Edit", {"file_path": path, "old_string": turn[2], "new_string": turn[3]}, f"{path} has been updated."
    return "Write", {"file_path": path, "content": turn[3]}, f"{path} has been created."
