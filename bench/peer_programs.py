"""The programs that bench/peers.py compares: how each is filled, started and called; FTS5 runs in process.

Each runs by its own defaults. Others are installed into .build/peers, from the package registries, once.
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from client import FLAGS, PYTHON, ROOT, Server, apart, serving
from pauses import settle

from bench import material

PEERS = ROOT / ".build" / "peers"
SERVER_MEMORY = "@modelcontextprotocol/server-memory@2026.8.31"
BASIC_MEMORY = "basic-memory==0.24.1"  # wants Python 3.12
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Note:
    title: str
    body: str


class Store:
    """Something that keeps notes and finds them; *answer* is what it said last."""

    most: int | None = None
    """The most notes that it is filled with; more take hours."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.answer = folder, ""

    def fill(self, notes: Sequence[Note]) -> None:
        """Put *notes* into the store before it is opened, as files in its own format."""
        raise NotImplementedError

    def open(self) -> None:
        raise NotImplementedError

    def write(self, note: Note) -> None:
        raise NotImplementedError

    def search(self, query: str) -> None:
        raise NotImplementedError

    def settle(self) -> None:
        """Wait until everything is indexed."""

    def memory(self) -> tuple[float, float]:
        """Return the megabytes it holds now, and held at most, without its children (Linux)."""
        return 0.0, 0.0

    def close(self) -> None:
        raise NotImplementedError


class Fts5(Store):
    def fill(self, notes: Sequence[Note]) -> None:
        self.folder.mkdir(parents=True)
        self.open()
        self.database.execute("CREATE VIRTUAL TABLE note USING fts5(title, body)")
        with self.database:
            self.database.executemany("INSERT INTO note VALUES (?, ?)", ((note.title, note.body) for note in notes))
        self.close()

    def open(self) -> None:
        self.database = sqlite3.connect(self.folder / "notes.sqlite")

    def write(self, note: Note) -> None:
        with self.database:
            self.database.execute("INSERT INTO note VALUES (?, ?)", (note.title, note.body))

    def search(self, query: str) -> None:
        asked = " OR ".join(f'"{word}"' for word in query.split())
        rows = self.database.execute(
            "SELECT title, body FROM note WHERE note MATCH ? ORDER BY bm25(note) LIMIT ?", (asked, SHOWN)
        )
        self.answer = json.dumps(rows.fetchall())

    def close(self) -> None:
        self.database.close()


class Served(Store):
    """A server over MCP, with a home, a cache and a project of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.project = folder / "project"
        self.project.mkdir(parents=True)

    def command(self) -> list[str]:
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        return {}

    def open(self) -> None:
        # One cache for every size: the program is unpacked once.
        shared = {"AUTOLOGY_CACHE_DIR": str(self.folder.parents[1] / "cache"), "HOME": str(self.folder)}
        self.server = Server(self.command(), self.project, {**apart(self.folder), **shared, **self.environment()})

    def ask(self, tool: str, **arguments: object) -> None:
        result = self.server.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise RuntimeError(f"{tool} failed: {json.dumps(result)[:500]}")
        self.answer = json.dumps(result)

    def memory(self) -> tuple[float, float]:
        file = Path(f"/proc/{self.server.process.pid}/status")
        status = file.read_text(encoding="utf-8") if file.exists() else ""
        now, most = (re.search(rf"{name}:\s+(\d+)", status) for name in ("VmRSS", "VmHWM"))
        return (int(now[1]) / 1024, int(most[1]) / 1024) if now and most else (0.0, 0.0)

    def close(self) -> None:
        try:
            self.server.close()
        except subprocess.TimeoutExpired:
            self.server.process.kill()
            self.server.process.wait()


class Autology(Served):
    def command(self) -> list[str]:
        return serving()

    def environment(self) -> Mapping[str, str]:
        return {"CLAUDE_PROJECT_DIR": str(self.project)}

    def fill(self, notes: Sequence[Note]) -> None:
        folder = self.project / ".autology" / "nodes" / "concepts"
        folder.mkdir(parents=True)
        for note in notes:
            id = uuid.uuid4()
            front = f"id: {id}\ntype: concept\ntitle: {note.title}\nconfidence: 0.9\ncreated: 2026-01-01T00:00:00Z\n"
            text = f"---\n{front}modified: 2026-01-01T00:00:00Z\nsource: manual\nstatus: active\n---\n\n{note.body}\n"
            (folder / f"{id}.md").write_text(text, encoding="utf-8", newline="\n")

    def settle(self) -> None:
        settle(self.server)

    def write(self, note: Note) -> None:
        self.ask("autology_capture", title=note.title, content=note.body, type="concept")

    def search(self, query: str) -> None:
        self.ask("autology_query", query=query, limit=SHOWN)


class Prototype(Served):
    """Some 90 lines of the standard library: a markdown file a note, FTS5, one look at each folder's time."""

    file = "proto_server.py"

    def command(self) -> list[str]:
        return [PYTHON, *FLAGS, str(_prototypes() / self.file), "stdlib"]

    def environment(self) -> Mapping[str, str]:
        return {"PROTO_ROOT": str(self.project / "docs")}

    def fill(self, notes: Sequence[Note]) -> None:
        folder = self.project / "docs" / "concepts"
        folder.mkdir(parents=True)
        for number, note in enumerate(notes):
            front = f"id: n{number}\ntitle: {json.dumps(note.title)}\ntype: concept\ntags: []\n"
            (folder / f"n{number}.md").write_text(f"---\n{front}---\n\n{note.body}\n", encoding="utf-8", newline="\n")
        command = [PYTHON, *FLAGS, str(_prototypes() / "proto_server.py"), "sync"]
        subprocess.run(command, env={**os.environ, **self.environment()}, check=True)

    def write(self, note: Note) -> None:
        self.ask("capture", title=note.title, content=note.body, type="concept")

    def search(self, query: str) -> None:
        self.ask("query", query=query, limit=SHOWN)


class PrototypeOnSdk(Prototype):
    """The same behind the SDK that ours is built on; on a Python that has it."""

    def command(self) -> list[str]:
        return [sys.executable, str(_prototypes() / "proto_sdk.py")]


class ServerMemory(Served):
    def command(self) -> list[str]:
        return server_memory()

    def environment(self) -> Mapping[str, str]:
        return {"MEMORY_FILE_PATH": str(self.folder / "memory.jsonl")}

    def fill(self, notes: Sequence[Note]) -> None:
        lines = (json.dumps({"type": "entity", **_entity(note)}) for note in notes)
        (self.folder / "memory.jsonl").write_text("\n".join(lines), encoding="utf-8", newline="\n")

    def write(self, note: Note) -> None:
        self.ask("create_entities", entities=[_entity(note)])

    def search(self, query: str) -> None:
        self.ask("search_nodes", query=query)


class BasicMemory(Served):
    most = 100

    def command(self) -> list[str]:
        program = PEERS / "basic-memory" / "bin" / "basic-memory"
        made = PEERS / "basic-memory" / "made-from"  # Written last: an installation that was broken off is made again.
        if not made.exists() or made.read_text(encoding="utf-8") != BASIC_MEMORY:
            PEERS.mkdir(parents=True, exist_ok=True)
            where = str(PEERS / "basic-memory")
            uv = [sys.executable, "-m", "uv"]
            _run([*uv, "venv", "--quiet", "--clear", "--python", _python(), "--no-python-downloads", where])
            freed = PEERS / "freed.txt"  # It asks for a certifi of its own day, which not every registry has.
            freed.write_text("certifi\n", encoding="utf-8")
            _run([*uv, "pip", "install", "--quiet", "--python", where, "--overrides", str(freed), BASIC_MEMORY])
            made.write_text(BASIC_MEMORY, encoding="utf-8")
        return [str(program), "mcp"]

    def environment(self) -> Mapping[str, str]:
        return {"BASIC_MEMORY_HOME": str(self.folder / "notes")}

    def fill(self, notes: Sequence[Note]) -> None:
        self.open()
        for number, note in enumerate(notes):
            if number % 20 == 0:
                print(f"basic-memory: {number} of {len(notes)} notes written", file=sys.stderr)
            self.write(note)
        self.close()

    def write(self, note: Note) -> None:
        self.ask("write_note", title=note.title, content=note.body, directory="notes")

    def search(self, query: str) -> None:
        self.ask("search_notes", query=query, page_size=SHOWN)


PROTOTYPE = "prototype"
PROGRAMS: dict[str, Callable[[Path], Store]] = {
    PROTOTYPE: Prototype,
    "prototype on the SDK": PrototypeOnSdk,
    "Autology": Autology,
    "FTS5 alone": Fts5,
    "server-memory": ServerMemory,
    "basic-memory": BasicMemory,
}


def milliseconds(act: Callable[[], None]) -> float:
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


def _entity(note: Note) -> dict[str, object]:
    return {"name": note.title, "entityType": "concept", "observations": [note.body]}


@cache
def _prototypes() -> Path:
    try:
        return material.prototypes()
    except SystemExit as absent:
        raise RuntimeError(str(absent)) from None


def server_memory() -> list[str]:
    """Return the command that starts server-memory, installed if need be. Raises RuntimeError if it cannot be."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        raise RuntimeError("it needs Node.js with npm")
    program = PEERS / "node_modules" / "@modelcontextprotocol" / "server-memory" / "dist" / "index.js"
    if not program.exists():
        PEERS.mkdir(parents=True, exist_ok=True)
        _run([npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(PEERS), SERVER_MEMORY])
    return [node, str(program)]


def _python() -> str:
    """Return a Python that basic-memory runs on; found here, for a version manager's stand-in ends the installer."""
    for minor in (12, 13):
        managed = sorted((Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*/bin/python3"))
        for python in [*map(str, managed), shutil.which(f"python3.{minor}")]:
            if python and subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0:
                return python
    raise RuntimeError("it needs Python 3.12 or 3.13")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"`{' '.join(command[:4])} …` failed: {done.stderr.strip()[-300:]}")
