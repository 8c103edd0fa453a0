"""Indexing the sessions of four agents, beside as many of one: the same exchanges, each in its agent's own form.

Milliseconds of the processor per session until its words are found, in one process. The mix has the same number of
sessions, a quarter of each agent's.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from bench.material import corpora
from bench.speed import Prose

ROOT = Path(__file__).resolve().parents[1]
BUDGET = 1.2
"""Times what sessions of Claude Code take, for a mix of four agents."""
FOLDER = "/home/dev/app"
EXCHANGES = 6
BEGAN = 1_790_000_000

OURS = """
import json, resource, sys, time
from autology.core.content.plan import ALONE
from autology.wire.project import Project

conversations = Project(sys.argv[1]).conversations
conversations.pool = ALONE
conversations.live.scan()  # loads the modules
begun = time.process_time()
assert conversations.refresh() == int(sys.argv[2])
print(json.dumps([time.process_time() - begun, sum(conversations.index.chunk_counts().values())]))
"""


class Exchange(NamedTuple):
    """A prompt, a command with its output, and the answer; *at* in seconds since 1970."""

    at: int
    prompt: str
    command: str
    output: str
    answer: str


Session = tuple[str, Sequence[Exchange]]
Write = Callable[[Path, Sequence[Session]], None]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sessions", type=int, default=10_000, help="how many sessions to write of each kind")
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    prose = Prose(corpora(), seed=1)
    sessions = [session(prose, number) for number in range(chosen.sessions)]
    quarter = len(sessions) // len(WRITERS)
    with tempfile.TemporaryDirectory(prefix="autology-agents-") as folder:
        homes: dict[str, Path] = {}
        for name, write in WRITERS.items():
            homes[name] = Path(folder, name)
            write(homes[name], sessions)
        mix = homes["a mix of them"] = Path(folder, "mix")
        for number, write in enumerate(WRITERS.values()):
            write(mix, sessions[number * quarter : (number + 1) * quarter])
        return _measured(homes, {**dict.fromkeys(WRITERS, len(sessions)), mix.name: 4 * quarter}, chosen.rounds)


def _measured(homes: dict[str, Path], counts: dict[str, int], rounds: int) -> int:
    seconds: dict[str, list[float]] = {name: [] for name in homes}
    chunks: dict[str, int] = {}
    for _ in range(rounds):
        for name, home in homes.items():
            taken, chunks[name] = _indexed(home, counts.get(name, counts["mix"]))
            seconds[name].append(taken / counts.get(name, counts["mix"]))
    one = seconds[next(iter(homes))]
    print("| sessions of | passages | ms of the processor each | times Claude Code's |\n|---|---|---|---|")
    for name, taken in seconds.items():
        times = statistics.median(theirs / first for theirs, first in zip(taken, one, strict=True))
        print(f"| {name} | {chunks[name]:,} | {statistics.median(taken) * 1e3:.2f} | {times:.2f} |")
    if times > BUDGET:
        print(f"missed: {name}: {times:.2f} times Claude Code's, of {BUDGET:g}", file=sys.stderr)
    return times > BUDGET


def _indexed(home: Path, sessions: int) -> tuple[float, int]:
    """Return the seconds of the processor for indexing all sessions in *home*, and the number of passages."""
    for folder in ("data", "cache"):
        shutil.rmtree(home / folder, ignore_errors=True)
    own = {"CLAUDE_CONFIG_DIR": "claude", "CODEX_HOME": "codex", "XDG_DATA_HOME": "share", "GEMINI_CLI_HOME": "gemini"}
    own |= {"AUTOLOGY_DATA_DIR": "data", "AUTOLOGY_CACHE_DIR": "cache", "HOME": ""}
    environment = {**os.environ, **{name: str(home / inner) for name, inner in own.items()}}
    environment["PYTHONPATH"] = str(ROOT / "server")
    command = [sys.executable, "-c", OURS, str(home), str(sessions)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    taken, chunks = json.loads(done.stdout)
    return float(taken), int(chunks)


def session(prose: Prose, number: int) -> Session:
    """Return the session of that *number*."""
    chance = prose.chance
    exchanges = [
        Exchange(
            BEGAN + number * 3_600 + place * 60,
            prose.text(25),
            prose.text(6),
            prose.text(chance.randint(10, 150)),
            prose.text(chance.randint(40, 120)),
        )
        for place in range(EXCHANGES)
    ]
    return str(uuid.UUID(int=random.Random(number).getrandbits(128), version=4)), exchanges


def claude_code(home: Path, sessions: Sequence[Session]) -> None:
    """Write *sessions* as Claude Code does."""
    folder = home / "claude" / "projects" / FOLDER.replace("/", "-")
    folder.mkdir(parents=True)
    for id, exchanges in sessions:

        def row(type: str, at: int, content: object, session: str = id) -> dict[str, object]:
            fixed = {"cwd": FOLDER, "sessionId": session, "version": "2.1.330", "gitBranch": "main"}
            uid = f"{session}/{at}/{type}/{len(str(content))}"
            return {
                "type": type,
                "message": {"role": type, "content": content},
                "uuid": uid,
                "timestamp": stamp(at),
            } | fixed

        lines = []
        for one in exchanges:
            call = f"call_{one.at}"
            lines += [
                row("user", one.at, one.prompt),
                row(
                    "assistant",
                    one.at + 1,
                    [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": one.command}}],
                ),
                row("user", one.at + 2, [{"type": "tool_result", "tool_use_id": call, "content": one.output}]),
                row("assistant", one.at + 3, [{"type": "text", "text": one.answer}]),
            ]
        _write(folder / f"{id}.jsonl", lines, exchanges)


def codex(home: Path, sessions: Sequence[Session]) -> None:
    """Write *sessions* as Codex CLI does."""
    for id, exchanges in sessions:
        began = stamp(exchanges[0].at)
        folder = home / "codex" / "sessions" / began[:10].replace("-", "/")
        folder.mkdir(parents=True, exist_ok=True)

        def row(kind: str, at: int, payload: object) -> dict[str, object]:
            return {"timestamp": stamp(at), "type": kind, "payload": payload}

        def message(role: str, text: str) -> dict[str, object]:
            kind = "input_text" if role == "user" else "output_text"
            return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}

        about = {"id": id, "timestamp": began, "cwd": FOLDER, "cli_version": "0.169.0", "git": {"branch": "main"}}
        lines = [row("session_meta", exchanges[0].at, about)]
        for one in exchanges:
            call, command = f"call_{one.at}", json.dumps({"cmd": one.command})
            lines += [
                row("response_item", one.at, message("user", one.prompt)),
                row("event_msg", one.at, {"type": "user_message", "message": one.prompt}),
                row(
                    "response_item",
                    one.at + 1,
                    {"type": "function_call", "name": "exec_command", "arguments": command, "call_id": call},
                ),
                row(
                    "response_item", one.at + 2, {"type": "function_call_output", "call_id": call, "output": one.output}
                ),
                row("response_item", one.at + 3, message("assistant", one.answer)),
            ]
        _write(folder / f"rollout-{began[:19].replace(':', '-')}-{id}.jsonl", lines, exchanges)


def gemini(home: Path, sessions: Sequence[Session]) -> None:
    """Write *sessions* as Gemini CLI does."""
    project = home / "gemini" / ".gemini" / "tmp" / "app"
    folder = project / "chats"
    folder.mkdir(parents=True)
    (project / ".project_root").write_text(FOLDER, encoding="utf-8")
    for id, exchanges in sessions:
        began = stamp(exchanges[0].at)
        lines: list[dict[str, object]] = [{"sessionId": id, "startTime": began, "lastUpdated": began, "kind": "main"}]
        for one in exchanges:
            number = f"shell-{one.at}"
            result = [
                {"functionResponse": {"id": number, "name": "run_shell_command", "response": {"output": one.output}}}
            ]
            call = {"id": number, "name": "run_shell_command", "args": {"command": one.command}, "status": "success",
                    "timestamp": stamp(one.at + 1), "result": result}  # fmt: skip
            lines += [
                {
                    "id": f"{id}/{one.at}/u",
                    "timestamp": stamp(one.at),
                    "type": "user",
                    "content": [{"text": one.prompt}],
                },
                {
                    "id": f"{id}/{one.at}/c",
                    "timestamp": stamp(one.at + 1),
                    "type": "gemini",
                    "content": "",
                    "toolCalls": [call],
                },
                {"$set": {"lastUpdated": stamp(one.at + 2)}},
                {"id": f"{id}/{one.at}/a", "timestamp": stamp(one.at + 3), "type": "gemini", "content": one.answer},
            ]
        _write(folder / f"session-{began[:16].replace(':', '-')}-{id[:8]}.jsonl", lines, exchanges)


def opencode(home: Path, sessions: Sequence[Session]) -> None:
    """Write *sessions* as OpenCode does, with its own tables and indexes."""
    file = home / "share" / "opencode" / "opencode.db"
    file.parent.mkdir(parents=True)
    with closing(sqlite3.connect(file)) as db, db:
        db.executescript(
            "CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, time_updated integer);"
            "CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer,"
            " data text);"
            "CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);"
            "CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);"
            "CREATE INDEX part_message_id_id_idx ON part (message_id, id);"
            "CREATE INDEX part_session_idx ON part (session_id);"
        )
        for id, exchanges in sessions:
            name, last = f"ses_{id.replace('-', '')}", exchanges[-1].at * 1_000
            db.execute("INSERT INTO session VALUES (?, NULL, ?, ?)", (name, FOLDER, last))
            for one in exchanges:
                number = f"{name[4:]}{one.at}"
                question = {"role": "user", "time": {"created": one.at * 1_000}}
                reply = {"role": "assistant", "time": {"created": one.at * 1_000 + 1}, "path": {"cwd": FOLDER}}
                messages = ((f"msg_{number}a", one.at * 1_000, question), (f"msg_{number}b", one.at * 1_000 + 1, reply))
                db.executemany(
                    "INSERT INTO message VALUES (?, ?, ?, ?, ?)",
                    [(m, name, at, at, json.dumps(data)) for m, at, data in messages],
                )
                state = {"status": "completed", "input": {"command": one.command}, "output": one.output,
                         "time": {"start": one.at * 1_000 + 1}}  # fmt: skip
                parts = (
                    ("a", "a", {"type": "text", "text": one.prompt}),
                    ("b", "b", {"type": "tool", "callID": f"call_{one.at}", "tool": "bash", "state": state}),
                    ("b", "c", {"type": "text", "text": one.answer}),
                )
                rows = [(f"prt_{number}{p}", f"msg_{number}{m}", name, json.dumps(data)) for m, p, data in parts]
                db.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", rows)


WRITERS: dict[str, Write] = {"Claude Code": claude_code, "Codex": codex, "Gemini CLI": gemini, "OpenCode": opencode}


def stamp(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))


def _write(file: Path, lines: Sequence[object], exchanges: Sequence[Exchange]) -> None:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8", newline="\n")
    os.utime(file, (exchanges[-1].at, exchanges[-1].at))


if __name__ == "__main__":
    sys.exit(main())
