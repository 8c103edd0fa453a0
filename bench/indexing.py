"""The first indexing of notes and of past sessions, beside the least that finds the same words, in alternation.

Notes, as ``gen_corpus.py`` of the prototype makes them up from other projects' markdown: until they are found by their
words, and until they are complete, meaning included; beside that prototype, the standard library and FTS5. Sessions
(bench/conversations.py): until they are found by their words; beside reading the same lines as JSON into FTS5. Each
in a process of its own, from nothing; seconds by the clock and of the processor, those of worker processes too.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from bench import conversations, speed
from bench.material import corpora, prototype

ROOT = Path(__file__).resolve().parents[1]
TYPES = ("decision", "component", "convention", "concept")
WORDS, COMPLETE, SESSIONS = 3.0, 5.0, 2.5
"""Budgets: times the prototype, times the prototype, times JSON and FTS5."""

OURS = """
import json, os, resource, sys, time
from autology.wire.project import Project

begun = time.perf_counter()

def passed():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return time.perf_counter() - begun, sum(each.ru_utime + each.ru_stime for each in used)

project = Project(sys.argv[2])
if sys.argv[1] == "notes":
    project.graph.refresh(walk=True)
    words = passed()
    assert project.graph.encode() == 0
else:
    project.conversations.refresh()
    words = passed()
    project.conversations.encode()
print(json.dumps([words, passed()]))
"""

PLAIN = """
import json, pathlib, sqlite3, sys

def texts(content):
    if isinstance(content, str):
        return [content]
    parts = [part for part in content or () if isinstance(part, dict)]
    return [text for part in parts for text in (part.get("text"), part.get("content"), json.dumps(part.get("input")))
            if isinstance(text, str) and text != "null"]

db = sqlite3.connect(sys.argv[1])
db.execute("CREATE VIRTUAL TABLE said USING fts5(text, session UNINDEXED, at UNINDEXED)")
for file in sorted(pathlib.Path(sys.argv[2]).rglob("*.jsonl")):
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            for text in texts((record.get("message") or {}).get("content")):
                db.execute("INSERT INTO said VALUES (?, ?, ?)", (text, record["sessionId"], record["timestamp"]))
db.commit()
"""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--notes", type=int, default=10_000, help="how many notes to write")
    options.add_argument("--chunks", type=int, default=10_000, help="about how many chunks of sessions to write")
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    prose = speed.Prose(corpora(), seed=1)
    missed: list[str] = []
    print("| what | beside it | times, s | by the clock | of the processor | budget |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="autology-indexing-") as folder:
        root = Path(folder)
        os.environ |= {
            "CLAUDE_CONFIG_DIR": str(root / "claude"),
            "AUTOLOGY_DATA_DIR": str(root / "data"),
            "AUTOLOGY_CACHE_DIR": str(root / "cache"),
        }
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        if chosen.notes:
            written(root, chosen.notes)
            missed += _notes(root, chosen.notes, chosen.rounds)
        if chosen.chunks:
            size = conversations.written(root, prose, chosen.chunks)
            missed += _sessions(root, size, chosen.rounds)
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def written(root: Path, notes: int) -> None:
    """Write so many *notes* below *root*, with the relations of their links."""
    source, made = root / "source.txt", root / "notes.jsonl"
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in sorted(corpora().rglob("*.md")))
    source.write_text("\n".join(texts), encoding="utf-8")
    script = str(prototype() / "gen_corpus.py")
    command = [sys.executable, script, str(notes), str(made), str(root / "queries.txt"), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    ids: dict[str, str] = {}
    for line in made.read_text(encoding="utf-8").splitlines():
        note = json.loads(line)
        id = ids[note["id"]] = str(uuid.UUID(int=random.Random(note["id"]).getrandbits(128), version=4))
        type = note["type"] if note["type"] in TYPES else "concept"
        folder = root / ".autology" / "nodes" / f"{type}s"
        folder.mkdir(parents=True, exist_ok=True)
        front = {"id": id, "type": type, "title": note["title"], "confidence": 0.8, "status": "active"}
        front |= {"created": note["created"], "modified": note["created"], "source": "manual"}
        lines = [f"{name}: {value}" for name, value in front.items()]
        lines += ["tags:", *(f"  - {tag}" for tag in note["tags"])]
        lines += ["relations:"] if note["links"] else []
        for link in note["links"]:
            lines += ["  - type: relates_to", f"    target: {ids[link]}", "    confidence: 0.8"]
        content = f"# {note['title']}\n\n{note['body']}\n"
        text = "\n".join(["---", *lines, "---", "", content])
        (folder / f"{id}.md").write_text(text, encoding="utf-8", newline="\n")


def _notes(root: Path, notes: int, rounds: int) -> list[str]:
    nodes, database = root / ".autology" / "nodes", root / "prototype.sqlite"
    environment = {**os.environ, "PROTO_ROOT": str(nodes), "PROTO_DB": str(database)}
    least, words, complete = [], [], []
    for _ in range(rounds):
        for file in root.glob("prototype.sqlite*"):
            file.unlink()
        least.append(_timed([sys.executable, "-IS", str(prototype() / "proto_server.py"), "sync"], environment))
        shutil.rmtree(root / ".autology" / "cache", ignore_errors=True)
        first, last = ours("notes", root)
        words.append(first)
        complete.append(last)
    by = "the prototype"
    named = f"{notes:,} notes, found by their words", f"{notes:,} notes, complete"
    return _told(named[0], words, by, least, WORDS) + _told(named[1], complete, by, least, COMPLETE)


def _sessions(root: Path, size: int, rounds: int) -> list[str]:
    database = root / "plain.sqlite"
    least, words, complete = [], [], []
    for _ in range(rounds):
        database.unlink(missing_ok=True)
        least.append(_timed([sys.executable, "-ISc", PLAIN, str(database), str(root / "claude")], dict(os.environ)))
        for folder in ("data", "cache"):
            shutil.rmtree(root / folder, ignore_errors=True)
        first, last = ours("sessions", root)
        words.append(first)
        complete.append(last)
    by, megabytes = "JSON and FTS5", f"{size / 1e6:.0f} MB of sessions"
    _told(f"{megabytes}, complete", complete, by, least, None)
    return _told(f"{megabytes}, found by their words", words, by, least, SESSIONS)


def ours(what: str, root: Path) -> list[tuple[float, float]]:
    """Return the seconds until everything is found by its words, and until it is complete."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    done = subprocess.run(
        [sys.executable, "-c", OURS, what, str(root)], env=environment, check=True, capture_output=True, text=True
    )
    first, last = json.loads(done.stdout)
    return [tuple(first), tuple(last)]


def _timed(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Return the seconds of *command*: by the clock, and of the processor."""
    begun, before = time.perf_counter(), _children()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _told(
    what: str, ours: list[tuple[float, float]], by: str, least: list[tuple[float, float]], budget: float | None
) -> list[str]:
    """Print the median seconds and ratios of the rounds; return whether the budget was missed."""
    clock, processor = (
        statistics.median(our[at] / their[at] for our, their in zip(ours, least, strict=True)) for at in (0, 1)
    )
    seconds = " and ".join(f"{statistics.median(each[0] for each in times):.1f}" for times in (ours, least))
    limit = f"{budget:g}" if budget else ""
    print(f"| {what} | {by} | {seconds} | {clock:.2f} | {processor:.2f} | {limit} |", flush=True)
    return [f"{what}: {clock:.2f} times {by}, of {budget:g}"] if budget and clock > budget else []


if __name__ == "__main__":
    sys.exit(main())
