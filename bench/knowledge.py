"""The cost of a capture and a query over MCP, with 1,000 and with 10,000 nodes.

Servers take turns call by call, so that a busy machine slows all sizes alike: the ratios count.
"""

import argparse
import random
import statistics
import sys
import tempfile
import uuid
from pathlib import Path

from client import EXECUTABLE, Server, apart, serving

SIZES = (1_000, 10_000)
CALLS = 200
CAPTURE_MS, QUERY_MS, GROWTH = 10.0, 5.0, 1.5  # the budgets


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--calls", type=int, default=CALLS, help=f"captures and questions each (default {CALLS})")
    chosen = options.parse_args()
    if not EXECUTABLE.exists():
        print(f"{EXECUTABLE} is not built; run: python3 build.py build", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        servers = {size: Graph(Path(name) / str(size), size) for size in SIZES}
        times = measure(servers, chosen.calls)
        for server in servers.values():
            server.close()
    return report(times)


class Graph(Server):
    """A project of *size* nodes with the built server on it."""

    def __init__(self, folder: Path, size: int) -> None:
        self.random = random.Random(size)
        project = folder / "project"
        write_project(project, size, self.random)
        super().__init__(serving(), project, {**apart(folder), "CLAUDE_PROJECT_DIR": str(project)})
        self.call("autology_status")


# 20,736 words used as seldom as those of real text (Zipf): few words often, most words hardly ever.
_SYLLABLES = [a + b + c for a in "bdfglmnprstv" for b in "aeio" for c in "lnr"]
WORDS = [first + second for first in _SYLLABLES for second in _SYLLABLES]
COMMON = 100
"""The first words, which stand in nearly every note; people do not ask for these."""


def text(chance: random.Random, words: int, common: int = 0) -> str:
    ranks = (int(chance.paretovariate(0.7)) - 1 + common for _ in range(words))
    return " ".join(WORDS[rank % len(WORDS)] for rank in ranks)


def write_project(project: Path, size: int, chance: random.Random, relations: int = 0) -> None:
    """Write *size* notes, each with so many *relations* to earlier ones."""
    folder = project / ".autology" / "nodes" / "concepts"
    folder.mkdir(parents=True)
    written: list[str] = []
    for number in range(size):
        id = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        title = f"{text(chance, 4)} {number}"
        tags = f"[area-{number % 97}, kind-{number % 7}]"
        front = (
            f"id: {id}\ntype: concept\ntitle: {title}\ntags: {tags}\nconfidence: 0.9\ncreated: 2026-01-01T00:00:00Z\n"
        )
        body = "\n\n".join(text(chance, 60) for _ in range(5))
        targets = sorted({chance.choice(written) for _ in range(relations)}) if written and relations else []
        front += "modified: 2026-01-01T00:00:00Z\nsource: manual\nstatus: active\n"
        front += "relations:\n" if targets else ""
        front += "".join(f"  - type: uses\n    target: {target}\n    confidence: 0.8\n" for target in targets)
        note = f"---\n{front}---\n\n# {title}\n\n{body}\n"
        written.append(id)
        (folder / f"{id}.md").write_text(note, encoding="utf-8")


def measure(servers: dict[int, Graph], calls: int) -> dict[tuple[str, int], list[float]]:
    times: dict[tuple[str, int], list[float]] = {}
    for number in range(calls + 10):
        for size, server in servers.items():
            chance = server.random
            note = {
                "title": f"{text(chance, 4)} new {number}",
                "content": "\n\n".join(text(chance, 60) for _ in range(5)),
                "type": "concept",
                "tags": [f"area-{number % 97}", f"fresh-{number % 11}"],
                "references": [f"src/area{number % 50}.py"],
            }
            took = {
                "capture": server.call("autology_capture", **note),
                "query": server.call("autology_query", query=text(chance, 3, COMMON)),
            }
            if number >= 10:  # the first calls warm caches up
                for name, milliseconds in took.items():
                    times.setdefault((name, size), []).append(milliseconds)
    return times


def report(times: dict[tuple[str, int], list[float]]) -> int:
    print("| call | nodes | p50 ms | p95 ms | budget p50 |\n|---|---|---|---|---|")
    budgets = {("capture", SIZES[0]): CAPTURE_MS, ("query", SIZES[0]): QUERY_MS}
    missed = []
    for (name, size), taken in sorted(times.items()):
        median = statistics.median(taken)
        budget = budgets.get((name, size))
        print(f"| {name} | {size:,} | {median:.2f} | {sorted(taken)[int(len(taken) * 0.95)]:.2f} | {budget or ''} |")
        if budget and median > budget:
            missed.append(f"{name} at {size:,} nodes takes {median:.2f} ms; the budget is {budget}")
    few, many = (statistics.median(times["capture", size]) for size in SIZES)
    print(f"\nA capture at {SIZES[1]:,} nodes costs {many / few:.2f} times one at {SIZES[0]:,} (budget {GROWTH}).")
    if many / few > GROWTH:
        missed.append(f"a capture grows {many / few:.2f} times")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
