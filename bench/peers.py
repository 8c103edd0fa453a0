"""Writing and finding notes compared with plain FTS5, server-memory and basic-memory.

The same notes and the same questions for each, over MCP as a client asks (FTS5: in process, the floor), taking turns
question by question. What is measured:

  start      milliseconds from starting the program to its answer to the handshake
  write      milliseconds until a note is acknowledged, over the last fifth of the notes: the store is full by then
  phrase     milliseconds of a search for four words that stand side by side in one of the notes
  words      milliseconds of a search for three of one note's twelve rarest words, in any order, as people ask
  found      the share of those searches whose note is among the first ten that are named in the answer
  processor  seconds of the processor, all of it together, the program's own children included
  memory     most megabytes that the program held at once, without its children (Linux)

50 and 95 are the median and the 95th percentile. A busy machine stretches milliseconds: compare columns of one run.
Others are installed into .build/peers, from the package registries, once; what cannot be is said and left out.
On a busy machine basic-memory alone takes minutes to start for the first time: how far it is stands on standard error.
"""

import argparse
import json
import random
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from client import ROOT, Server, apart, serving
from knowledge import COMMON, text

PEERS = ROOT / ".build" / "peers"
SERVER_MEMORY = "@modelcontextprotocol/server-memory@2026.8.31"
BASIC_MEMORY = "basic-memory==0.24.1"  # wants Python 3.12
NOTES, QUESTIONS, SHOWN = 200, 40, 10


@dataclass
class Note:
    title: str
    body: str


@dataclass
class Measured:
    start: float = 0.0
    write: list[float] = field(default_factory=list)
    phrase: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    found: dict[str, int] = field(default_factory=lambda: {"phrase": 0, "words": 0})
    processor: float = 0.0
    memory: float = 0.0


class Store:
    """Something that keeps notes and finds them; *answer* is what it said last."""

    def __init__(self) -> None:
        self.answer = ""

    def write(self, note: Note) -> None:
        raise NotImplementedError

    def search(self, query: str) -> None:
        raise NotImplementedError

    def memory(self) -> float:
        return 0.0

    def close(self) -> None:
        pass


class Fts5(Store):
    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir()
        self.database = sqlite3.connect(folder / "notes.sqlite")
        self.database.execute("CREATE VIRTUAL TABLE note USING fts5(title, body)")

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


class Spoken(Store):
    """A server: *command*, and how its tools are called."""

    def __init__(self, command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
        super().__init__()
        (folder / "project").mkdir(parents=True)
        kept = {**apart(folder), "AUTOLOGY_CACHE_DIR": str(folder.parent / "cache"), "HOME": str(folder)}
        self.server = Server(command, folder / "project", {**kept, **environment})

    def ask(self, tool: str, **arguments: object) -> None:
        result = self.server.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise RuntimeError(f"{tool} failed: {json.dumps(result)[:500]}")
        self.answer = json.dumps(result)

    def memory(self) -> float:
        status = Path(f"/proc/{self.server.process.pid}/status")
        peak = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
        return int(peak[1]) / 1024 if peak else 0.0

    def close(self) -> None:
        try:
            self.server.close()
        except subprocess.TimeoutExpired:
            self.server.process.kill()
            self.server.process.wait()


class Autology(Spoken):
    def __init__(self, folder: Path) -> None:
        super().__init__(serving(), folder, {"CLAUDE_PROJECT_DIR": str(folder / "project")})

    def write(self, note: Note) -> None:
        self.ask("autology_capture", title=note.title, content=note.body, type="concept")

    def search(self, query: str) -> None:
        self.ask("autology_query", query=query, limit=SHOWN, detail="brief")


def server_memory() -> list[str]:
    """Return the command that starts server-memory, installing it first if needed. Raises RuntimeError."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        raise RuntimeError("it needs Node.js with npm")
    program = PEERS / "node_modules" / "@modelcontextprotocol" / "server-memory" / "dist" / "index.js"
    if not program.exists():
        PEERS.mkdir(parents=True, exist_ok=True)
        _run([npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(PEERS), SERVER_MEMORY])
    return [node, str(program)]


class ServerMemory(Spoken):
    def __init__(self, folder: Path) -> None:
        super().__init__(server_memory(), folder, {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")})

    def write(self, note: Note) -> None:
        entity = {"name": note.title, "entityType": "concept", "observations": [note.body]}
        self.ask("create_entities", entities=[entity])

    def search(self, query: str) -> None:
        self.ask("search_nodes", query=query)


class BasicMemory(Spoken):
    def __init__(self, folder: Path) -> None:
        PEERS.mkdir(parents=True, exist_ok=True)
        program = PEERS / "basic-memory" / "bin" / "basic-memory"
        made = PEERS / "basic-memory" / "made-from"  # Written last: an installation that was broken off is made again.
        if not made.exists() or made.read_text(encoding="utf-8") != BASIC_MEMORY:
            where = str(PEERS / "basic-memory")
            uv = [sys.executable, "-m", "uv"]
            _run([*uv, "venv", "--quiet", "--clear", "--python", _python(), "--no-python-downloads", where])
            freed = PEERS / "freed.txt"  # It asks for a certifi of its own day, which not every registry has.
            freed.write_text("certifi\n", encoding="utf-8")
            _run([*uv, "pip", "install", "--quiet", "--python", where, "--overrides", str(freed), BASIC_MEMORY])
            made.write_text(BASIC_MEMORY, encoding="utf-8")
        home = {"BASIC_MEMORY_HOME": str(folder / "notes"), "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false"}
        super().__init__([str(program), "mcp"], folder, home)

    def write(self, note: Note) -> None:
        self.ask("write_note", title=note.title, content=note.body, directory="notes")

    def search(self, query: str) -> None:
        self.ask("search_notes", query=query, page_size=SHOWN)


KINDS: dict[str, Callable[[Path], Store]] = {
    "Autology": Autology,
    "FTS5 alone": Fts5,
    "server-memory": ServerMemory,
    "basic-memory": BasicMemory,
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--notes", type=int, default=NOTES)
    options.add_argument("--questions", type=int, default=QUESTIONS)
    chosen = options.parse_args()
    print(__doc__)
    chance = random.Random(chosen.notes)
    notes = [Note(f"{text(chance, 4)} n{number}x", text(chance, 200, COMMON)) for number in range(chosen.notes)]
    with tempfile.TemporaryDirectory(prefix="autology-peers-") as name:
        found = {}
        for kind, make in KINDS.items():
            print(f"setting up {kind} …", file=sys.stderr)
            try:
                make(Path(name) / f"first {kind}").close()  # compiled and set up: the next start is as every other
                found[kind] = make, Path(name) / kind
            except (RuntimeError, OSError, ValueError) as problem:  # The last: what it said is no JSON.
                print(f"{kind} was not run: {problem}\n")
        report(measure(found, notes, chosen.questions, chance), chosen.notes)
    return 0


def measure(
    kinds: dict[str, tuple[Callable[[Path], Store], Path]], notes: list[Note], questions: int, chance: random.Random
) -> dict[str, Measured]:
    """Write *notes* into a new store of each kind, then ask; they take turns."""
    measured = {kind: Measured() for kind in kinds}
    stores = {}
    for kind, (make, folder) in kinds.items():
        begun = time.perf_counter()
        stores[kind] = make(folder)
        measured[kind].start = (time.perf_counter() - begun) * 1000
    for number, note in enumerate(notes):
        if number % 20 == 0:
            print(f"{number} of {len(notes)} notes written", file=sys.stderr)
        for kind, store in stores.items():
            took = _timed(lambda: store.write(note))  # noqa: B023 - called at once
            if number >= len(notes) * 4 // 5:
                measured[kind].write.append(took)
    held = Counter(word for note in notes for word in set(note.body.split()))
    for _ in range(questions):
        note = chance.choice(notes)
        rare = sorted(set(note.body.split()), key=lambda word: (held[word], word))[:12]
        said = note.body.split()
        at = chance.randrange(len(said) - 4)
        for name, query in (("phrase", said[at : at + 4]), ("words", chance.sample(rare, 3))):
            for kind, store in stores.items():
                took = _timed(lambda: store.search(" ".join(query)))  # noqa: B023 - called at once
                getattr(measured[kind], name).append(took)
                measured[kind].found[name] += _among_first(note, notes, store.answer)
    for kind, store in stores.items():
        measured[kind].memory = store.memory()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        store.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        measured[kind].processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return measured


def _among_first(note: Note, notes: list[Note], answer: str) -> bool:
    places = {each.title: at for each in notes if (at := _named(each, answer)) >= 0}
    return note.title in places and sum(at < places[note.title] for at in places.values()) < SHOWN


def _named(note: Note, answer: str) -> int:
    """Where *answer* names the note first, by its title or by what a file name makes of that; -1 if nowhere."""
    found = [at for name in (note.title, note.title.replace(" ", "-")) if (at := answer.find(name)) >= 0]
    return min(found, default=-1)


def report(measured: dict[str, Measured], notes: int) -> None:
    print(f"{notes:,} notes of 200 words\n")
    print("| | start | write 50 / 95 | phrase 50 / 95, found | words 50 / 95, found | processor s | memory MB |")
    print("|---|---|---|---|---|---|---|")
    for kind, each in measured.items():
        asked = [f"{_both(getattr(each, name))}, {each.found[name] / len(each.words):.2f}" for name in each.found]
        cells = [f"{each.start:,.0f}", _both(each.write), *asked, f"{each.processor:.1f}", f"{each.memory:,.0f}"]
        print(f"| {kind} | " + " | ".join(cells) + " |")


def _timed(act: Callable[[], None]) -> float:
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


def _both(taken: list[float]) -> str:
    return f"{statistics.median(taken):,.1f} / {sorted(taken)[int(len(taken) * 0.95)]:,.1f}"


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


if __name__ == "__main__":
    sys.exit(main())
