"""The first indexing of sessions of four agents, beside as many of Claude Code alone, in alternation.

The same words are written in each agent's form: a prompt, a command with its output, an answer. Each side is read
in a process of its own, from nothing, until everything is found by its words.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bench.indexing import ours
from bench.material import corpora
from bench.speed import Prose

EXCHANGES = 4
BUDGET = 1.15
"""Times Claude Code alone, of the processor: 1.04 for 2,000 sessions, 1.01 for 10,000."""
SCHEMA = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "agents" / "opencode" / "1.18.33" / "opencode.sql"

Exchange = tuple[int, str, str, str, str]
"""When, the prompt, the command, its output, the answer."""
Session = tuple[str, str, list[Exchange]]
"""Its id, its folder and its exchanges."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sessions", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    prose = Prose(corpora(), seed=1)
    with tempfile.TemporaryDirectory(prefix="autology-agents-") as folder:
        root = Path(folder)
        all_sessions = [_session(prose, number) for number in range(chosen.sessions)]
        _claude(root / "one", all_sessions)
        for number, write in enumerate(WRITERS):
            write(root / "four", all_sessions[number :: len(WRITERS)])
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        times: dict[str, list[tuple[float, float]]] = {"one": [], "four": []}
        for _ in range(chosen.rounds):
            for side, taken in times.items():
                taken.append(_read(root / side, chosen.sessions))
    clock, processor = (
        statistics.median(four[at] / one[at] for four, one in zip(times["four"], times["one"], strict=True))
        for at in (0, 1)
    )
    for side, taken in times.items():
        print(f"{chosen.sessions:,} sessions of {side}: {statistics.median(each[0] for each in taken):.1f} s")
    print(f"four agents beside one: {clock:.2f} by the clock, {processor:.2f} of the processor, of {BUDGET:g}")
    return 0 if processor <= BUDGET else 1


def _session(prose: Prose, number: int) -> Session:
    id = str(uuid.UUID(int=prose.chance.getrandbits(128), version=4))
    begun = 1_760_000_000 + number * 2_000
    exchanges = [
        (begun + step * 240, prose.text(25), prose.text(6), prose.text(100), prose.text(80))
        for step in range(EXCHANGES)
    ]
    return id, f"/home/dev/p{number % 20}", exchanges


def _read(home: Path, sessions: int) -> tuple[float, float]:
    for folder in ("data", "cache"):
        shutil.rmtree(home / folder, ignore_errors=True)
    os.environ |= {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        "CODEX_HOME": str(home / ".codex"),
        "GEMINI_CLI_HOME": str(home),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "AUTOLOGY_DATA_DIR": str(home / "data"),
        "AUTOLOGY_CACHE_DIR": str(home / "cache"),
    }
    words, _ = ours("sessions", home)
    with closing(sqlite3.connect(home / "data" / "conversations.sqlite")) as db:
        (many,) = db.execute("SELECT count(*) FROM transcript").fetchone()
    assert many == sessions, (many, sessions)
    return words


def _stamp(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))


def _lines(path: Path, rows: list[object], at: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")
    os.utime(path, (at, at))


def _claude(home: Path, sessions: list[Session]) -> None:
    for id, folder, exchanges in sessions:
        rows: list[object] = []

        def row(
            role: str, content: object, at: int, rows: list[object] = rows, id: str = id, cwd: str = folder
        ) -> None:
            fixed = {"cwd": cwd, "sessionId": id, "version": "2.1.330", "gitBranch": "main", "userType": "external"}
            message = {"role": role, "content": content}
            rows.append(
                {"type": role, "message": message, "uuid": f"{id}-{len(rows)}", "timestamp": _stamp(at), **fixed}
            )

        for at, prompt, command, output, answer in exchanges:
            call = f"toolu_{len(rows)}"
            row("user", prompt, at)
            row("assistant", [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}], at + 1)
            row("user", [{"type": "tool_result", "tool_use_id": call, "content": output}], at + 2)
            row("assistant", [{"type": "text", "text": answer}], at + 3)
        place = home / ".claude" / "projects" / folder.replace("/", "-") / f"{id}.jsonl"
        _lines(place, rows, exchanges[0][0])


def _codex(home: Path, sessions: list[Session]) -> None:
    for id, folder, exchanges in sessions:
        at = exchanges[0][0]
        rows: list[object] = [
            {
                "timestamp": _stamp(at),
                "type": "session_meta",
                "payload": {"id": id, "cwd": folder, "cli_version": "0.53.0"},
            }
        ]
        for at, prompt, command, output, answer in exchanges:
            call = f"call_{len(rows)}"
            items = [
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]},
                {
                    "type": "function_call",
                    "name": "shell",
                    "call_id": call,
                    "arguments": json.dumps({"command": command}),
                },
                {"type": "function_call_output", "call_id": call, "output": output},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]},
            ]
            rows += [
                {"timestamp": _stamp(at + step), "type": "response_item", "payload": item}
                for step, item in enumerate(items)
            ]
        day = time.strftime("%Y/%m/%d", time.gmtime(at))
        name = time.strftime(f"rollout-%Y-%m-%dT%H-%M-%S-{id}.jsonl", time.gmtime(at))
        _lines(home / ".codex" / "sessions" / day / name, rows, at)


def _gemini(home: Path, sessions: list[Session]) -> None:
    for id, folder, exchanges in sessions:
        short = folder.rpartition("/")[2]
        place = home / ".gemini" / "tmp" / short
        rows: list[object] = [{"sessionId": id, "projectHash": short, "startTime": _stamp(exchanges[0][0])}]
        for at, prompt, command, output, answer in exchanges:
            call = f"{id}-{len(rows)}"
            response = [{"functionResponse": {"name": "run_shell_command", "response": {"output": output}}}]
            use = {"id": call, "name": "run_shell_command", "args": {"command": command}, "result": response}
            rows.append({"id": f"{call}u", "timestamp": _stamp(at), "type": "user", "content": [{"text": prompt}]})
            both = {"timestamp": _stamp(at + 1), "type": "gemini"}
            rows.append({"id": f"{call}c", **both, "content": "", "toolCalls": [{**use, "status": "success"}]})
            rows.append({"id": f"{call}a", **both, "content": answer})
        name = time.strftime(f"session-%Y-%m-%dT%H-%M-{id}.jsonl", time.gmtime(exchanges[0][0]))
        _lines(place / "chats" / name, rows, exchanges[0][0])
        (place / ".project_root").write_text(folder, encoding="utf-8")


def _opencode(home: Path, sessions: list[Session]) -> None:
    place = home / ".local" / "share" / "opencode"
    place.mkdir(parents=True)
    tables = (line for line in SCHEMA.read_text(encoding="utf-8").splitlines() if line.startswith("CREATE"))
    with closing(sqlite3.connect(place / "opencode.db")) as db:
        db.executescript("\n".join(tables))
        db.execute("CREATE INDEX message_session_idx ON message (session_id)")
        db.execute("CREATE INDEX part_session_idx ON part (session_id)")
        for long, folder, exchanges in sessions:
            id = f"ses_{long.replace('-', '')}"
            begun = exchanges[0][0] * 1_000
            sql = "INSERT INTO session(id, project_id, slug, directory, title, version, time_created, time_updated)"
            db.execute(f"{sql} VALUES (?, 'p', 's', ?, 't', '1', ?, ?)", (id, folder, begun, begun))
            for number, (at, prompt, command, output, answer) in enumerate(exchanges):
                state = {"status": "completed", "input": {"command": command}, "output": output}
                tool = {"type": "tool", "tool": "bash", "callID": f"c{number}", "state": state}
                parts = ([{"type": "text", "text": prompt}], [tool, {"type": "text", "text": answer}])
                for role, some in zip(("user", "assistant"), parts, strict=True):
                    message, moment = f"{id}-{number}{role}", at * 1_000
                    data = json.dumps({"role": role, "time": {"created": moment}})
                    db.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message, id, moment, moment, data))
                    for place_of, part in enumerate(some):
                        row = (f"{message}-{place_of}", message, id, moment, moment, json.dumps(part))
                        db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
        db.commit()


WRITERS: tuple[Callable[[Path, list[Session]], None], ...] = (_claude, _codex, _gemini, _opencode)


if __name__ == "__main__":
    sys.exit(main())
