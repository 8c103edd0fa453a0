"""The processor time of a query, a capture and the first indexing, by the number of notes.

Notes of some 300 words are drawn from a model of word pairs of other projects' markdown (bench/material.py), so that
words are as frequent as in real text; questions are four words that stand side by side in one of them. 100,000 notes
take some ten minutes: --large.

Beside every time on the clock stands the time of the processor, which a busy machine stretches less; SQLite's own
full-text search of the whole notes, any of the words, runs beside on the same questions.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from unittest import mock

from autology.core.nodes.capture import Material, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.search import NodeQuery, search
from autology.text.tokens import STOP_WORDS
from autology.wire.project import Project
from bench.material import corpora

ROOT = Path(__file__).resolve().parents[1]
FEWEST_WORDS = 1_000
"""With fewer the made-up notes are all alike; the collections have 28,000."""
SIZES, LARGE = (1_000, 10_000), 100_000
QUESTIONS, CAPTURES = 200, 40
# Budgets: milliseconds of a question (median, 95th percentile) and of a capture, seconds of indexing, by notes.
BUDGETS = {1_000: (2, 5, 10, 1.5), 10_000: (6, 12, 10, 12), LARGE: (20, 40, 12, 150)}
SIZE = 3.0  # times the text


class Prose:
    """Text with the words of real text, each drawn by the one before it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.after: dict[str, list[str]] = {}
        for file in sorted(folder.rglob("*.md"))[:2_000]:
            words = file.read_text(encoding="utf-8", errors="replace").split()
            for one, next_ in pairwise(words):
                self.after.setdefault(one, []).append(next_)
        self.words = sorted(self.after)
        if len(self.words) < FEWEST_WORDS:
            raise SystemExit(f"{folder}: {len(self.words)} different words are too few; is all of its markdown there?")

    def text(self, words: int) -> str:
        found = [self.chance.choice(self.words)]
        while len(found) < words:
            found.append(self.chance.choice(self.after.get(found[-1], self.words)))
        return " ".join(found)

    def note(self) -> tuple[str, str]:
        sections = [f"## {self.text(3)}\n\n{self.text(60)}\n\n{self.text(40)}" for _ in range(3)]
        return self.text(6)[:100], "\n\n".join(sections)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--large", action="store_true", help="100,000 notes too")
    options.add_argument("--only", type=int, metavar="N", help="this many notes only")
    chosen = options.parse_args()
    prose = Prose(corpora(), seed=1)
    print("| notes | what | p50 ms | p95 ms | processor p50 ms |\n|---|---|---|---|---|")
    missed: list[str] = []
    for size in [chosen.only] if chosen.only else [*SIZES, *([LARGE] if chosen.large else [])]:
        with tempfile.TemporaryDirectory(prefix="autology-speed-") as folder:
            missed += measured(Path(folder), size, prose)
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def measured(root: Path, size: int, prose: Prose) -> list[str]:
    """Print what *size* notes cost; return the budgets that were missed."""
    written, asked = write(root, size, prose)
    graph, indexing = indexed(root)
    alone: list[tuple[float, float]] = []
    if size < LARGE:  # afterwards, with the words at hand that were met: what others gain is no less than it shows
        graph, once = indexed(root, AUTOLOGY_WORKERS="1")
        alone.append(once)
    seconds = indexing[0] / 1000
    questions = [prose.chance.choice(asked) for _ in range(QUESTIONS + 20)]
    plain = whole_notes(root)
    asking = [took(lambda q=q: search(graph, NodeQuery(q))) for q in questions][20:]  # type: ignore[misc]
    by_words = [took(lambda q=q: search(graph, NodeQuery(q, mode="words"))) for q in questions[20:]]  # type: ignore[misc]
    by_sqlite = [took(lambda q=q: plain(q)) for q in questions[20:]]  # type: ignore[misc]
    notes = [Material(*prose.note(), "concept") for _ in range(CAPTURES)]
    keeping = [took(lambda n=n: keep(graph, n)) for n in notes][5:]  # type: ignore[misc]
    again = Project(str(root)).graph
    opening = took(lambda: search(again, NodeQuery(questions[0])))
    ratio = sum(file.stat().st_size for file in Path(root, ".autology", "cache").glob("index.sqlite*")) / written
    p50, p95 = told(size, "a question", asking)
    told(size, "by words alone", by_words)
    told(size, "SQLite's own search", by_sqlite)
    capturing, _ = told(size, "a capture", keeping)
    told(size, "opening, and the first answer", [opening])
    told(size, "indexing from nothing", [indexing])
    if alone:
        told(size, "indexing from nothing, by one process", alone)
    print(f"| {size:,} | the index is {ratio:.2f} times the text | | | |", flush=True)
    if size not in BUDGETS:
        return []
    names = ("a question, median ms", "a question, p95 ms", "a capture, ms", "indexing, s")
    values = zip(names, (p50, p95, capturing, seconds), BUDGETS[size], strict=True)
    missed = [f"{size:,} notes: {name}: {value:.1f} of {budget}" for name, value, budget in values if value > budget]
    return missed + ([f"{size:,} notes: the index is {ratio:.1f} times the text"] if ratio > SIZE else [])


def write(root: Path, size: int, prose: Prose) -> tuple[int, list[str]]:
    """Write *size* notes; return their characters, and questions that some of them answer."""
    folder = root / ".autology" / "nodes" / "concepts"
    folder.mkdir(parents=True)
    characters, asked = 0, []
    for _ in range(size):
        id = str(uuid.UUID(int=prose.chance.getrandbits(128), version=4))
        title, content = prose.note()
        front = f"id: {id}\ntype: concept\ntitle: {title!r}\nconfidence: 0.9\ncreated: 2026-01-01T00:00:00Z\n"
        text = f"---\n{front}modified: 2026-01-01T00:00:00Z\nsource: manual\nstatus: active\n---\n\n{content}\n"
        (folder / f"{id}.md").write_text(text, encoding="utf-8", newline="\n")
        characters += len(content.encode())
        words = [word for word in content.split() if word.isalpha() and word.lower() not in STOP_WORDS]
        at = prose.chance.randrange(max(1, len(words) - 4))
        asked.append(" ".join(words[at : at + 4]) or title)
    return characters, asked


def indexed(root: Path, **settings: str) -> tuple[Graph, tuple[float, float]]:
    """Index the notes from nothing, with these settings; return them, and what it took."""
    shutil.rmtree(root / ".autology" / "cache", ignore_errors=True)
    graph = Project(str(root)).graph
    with mock.patch.dict(os.environ, settings):
        return graph, took(lambda: (graph.refresh(walk=True), graph.encode()))


def keep(graph: Graph, note: Material) -> None:
    capture(graph, note, automatic=2.0)


def whole_notes(root: Path) -> Callable[[str], object]:
    """Return the search of SQLite itself over the same notes."""
    db = sqlite3.connect(root / "plain.sqlite")
    db.execute("CREATE VIRTUAL TABLE note USING fts5(text, tokenize='porter unicode61')")
    files = sorted((root / ".autology" / "nodes").rglob("*.md"))
    db.executemany("INSERT INTO note VALUES (?)", ((file.read_text(encoding="utf-8"),) for file in files))
    db.commit()

    def ask(question: str) -> object:
        asked = " OR ".join(f'"{word}"' for word in question.split())
        return db.execute("SELECT rowid FROM note WHERE note MATCH ? ORDER BY rank LIMIT 10", (asked,)).fetchall()

    return ask


def took(act: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds that *act* took by the clock, and those of the processor, workers' too."""
    begun, worked = time.perf_counter(), processor()
    act()
    return (time.perf_counter() - begun) * 1000, (processor() - worked) * 1000


def processor() -> float:
    """Return the seconds that this thread and all processes that ended have worked."""
    ended = os.times()
    return time.thread_time() + ended.children_user + ended.children_system


def told(size: int, what: str, times: list[tuple[float, float]]) -> tuple[float, float]:
    """Print a line; return the median and the 95th percentile by the clock."""
    clock, processor = sorted(each for each, _ in times), statistics.median(each for _, each in times)
    p50, p95 = statistics.median(clock), clock[int(len(clock) * 0.95)]
    print(f"| {size:,} | {what} | {p50:,.1f} | {p95:,.1f} | {processor:,.1f} |", flush=True)
    return p50, p95


if __name__ == "__main__":
    sys.exit(main())
