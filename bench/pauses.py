"""What a person waits for who pauses between calls: queries after a pause, the tail of captures, and indexing.

  query       milliseconds of a query right after another one, and after a pause of a few seconds, with 1,000 to 50,000
              notes; the ratio of both (budget 1.15)
  capture     milliseconds of captures a moment apart, with three relations for each note: median and 95th percentile
              (budget 2.5 times the median at 30,000 relations)
  indexing    milliseconds that the first query waits in a project that no index knows, besides loading the program,
              and the one after an edit of as many files as --edits (budget 2 s)

With --beside, another executable answers the same in turn, for instance one that was built before a change. A busy
machine stretches milliseconds: compare columns of one run.
"""

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from client import EXECUTABLE, FLAGS, PYTHON, Server, apart
from knowledge import COMMON, text, write_project

SIZES, PAUSE, PAUSES, CAPTURES, EDITS = (1_000, 10_000, 50_000), 3.5, 8, 60, 10_000
RELATIONS = 3
AFTER_PAUSE, TAIL, WAIT_S = 1.15, 2.5, 2.0  # the budgets
MOMENT = 0.3
"""Seconds between two captures: whatever a server puts off until then is part of its tail."""


@dataclass
class Times:
    """Milliseconds of one executable at one size."""

    soon: list[float] = field(default_factory=list)
    paused: list[float] = field(default_factory=list)
    captures: list[float] = field(default_factory=list)
    first: float = 0.0
    edited: float = 0.0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--notes", type=int, nargs="+", default=SIZES)
    options.add_argument("--beside", type=Path, help="another executable to compare with")
    options.add_argument("--pauses", type=int, default=PAUSES)
    options.add_argument("--captures", type=int, default=CAPTURES)
    options.add_argument("--edits", type=int, default=EDITS, help="files to edit at once; 0 leaves indexing out")
    chosen = options.parse_args()
    programs = {"this": EXECUTABLE} | ({"beside": chosen.beside.resolve()} if chosen.beside else {})
    for program in programs.values():
        if not program.exists():
            print(f"{program} is not built; run: python3 build.py build", file=sys.stderr)
            return 1
    missed = []
    print("| | notes | query | after a pause | ratio | capture p50 | p95 | ratio | first query ms | after edits ms |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for size in chosen.notes:
        with tempfile.TemporaryDirectory(prefix="autology-pauses-") as name:
            for kind, times in measure(programs, Path(name), size, chosen).items():
                missed += [f"{kind}, {size:,} notes: {line}" for line in report(kind, size, times)]
    print(*(f"missed: {line}" for line in missed), sep="\n", file=sys.stderr)
    return 1 if any(line.startswith("this") for line in missed) else 0


def measure(programs: dict[str, Path], folder: Path, size: int, chosen: argparse.Namespace) -> dict[str, Times]:
    """Measure each of *programs* on a project of its own with *size* notes, in turn."""
    measured = {kind: Times() for kind in programs}
    original = folder / "original"
    write_project(original / "project", size, random.Random(size), RELATIONS)
    servers: dict[str, Server] = {}
    for kind, program in programs.items():
        project = folder / kind
        shutil.copytree(original, project)
        (folder / "empty").mkdir(exist_ok=True)
        for _ in range(2):  # the first start unpacks the program; the second says what loading it takes
            with start(program, project, folder / "empty") as empty:
                loading = empty.call("autology_query", query="zebra")
        begun = time.perf_counter()
        servers[kind] = server = start(program, project, project / "project")
        measured[kind].first = max(0.0, server.call("autology_query", query="zebra") - loading)
        settle(server)
        print(f"{kind}: {size:,} notes indexed in {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    chances = {kind: random.Random(1) for kind in programs}
    ask(servers, measured, chances, chosen.pauses)
    capture(servers, measured, chances, chosen.captures)
    for kind, server in servers.items():
        if chosen.edits:
            edit(folder / kind / "project", min(chosen.edits, size))
            measured[kind].edited = server.call("autology_query", query="zebra")
        server.close()
    return measured


Chances = dict[str, random.Random]


def ask(servers: dict[str, Server], measured: dict[str, Times], chances: Chances, pauses: int) -> None:
    """Query right after a query, and after a pause."""
    for _ in range(pauses + 1):
        for kind, server in servers.items():
            server.call("autology_query", query=text(chances[kind], 3, COMMON))
            measured[kind].soon.append(server.call("autology_query", query=text(chances[kind], 3, COMMON)))
        time.sleep(PAUSE)
        for kind, server in servers.items():
            measured[kind].paused.append(server.call("autology_query", query=text(chances[kind], 3, COMMON)))


def capture(servers: dict[str, Server], measured: dict[str, Times], chances: Chances, captures: int) -> None:
    """Capture notes a moment apart."""
    for number in range(captures):
        for kind, server in servers.items():
            chance = chances[kind]
            title, content = f"{text(chance, 4)} new {number}", "\n\n".join(text(chance, 60) for _ in range(5))
            note = {"title": title, "content": content, "type": "concept", "references": [f"src/area{number % 50}.py"]}
            measured[kind].captures.append(server.call("autology_capture", **note))
        time.sleep(MOMENT)


def start(program: Path, folder: Path, project: Path) -> Server:
    environment = {**apart(folder), "CLAUDE_PROJECT_DIR": str(project)}
    return Server([PYTHON, *FLAGS, str(program), "serve"], project, environment)


def settle(server: Server) -> None:
    """Wait until everything is indexed."""
    while True:
        answer = server.request("tools/call", {"name": "autology_query", "arguments": {"query": "zebra"}})
        if "not everything is known yet" not in str(answer):
            break
        time.sleep(0.5)
    time.sleep(3)  # and until what follows the start is over


def edit(project: Path, many: int) -> None:
    """Change so many notes in place."""
    for path in sorted((project / ".autology/nodes/concepts").glob("*.md"))[:many]:
        with path.open("a", encoding="utf-8") as file:
            file.write("\nedited\n")


def report(kind: str, size: int, times: Times) -> Sequence[str]:
    """Print what was measured; return the budgets that were missed."""
    # The first pause is left out: it is longer for whichever was indexed first.
    soon, paused = statistics.median(times.soon[1:]), statistics.median(times.paused[1:])
    median, tail = statistics.median(times.captures), sorted(times.captures)[int(len(times.captures) * 0.95)]
    ratios = (paused / soon, tail / median)
    cells = [f"{soon:.1f}", f"{paused:.1f}", f"{ratios[0]:.2f}", f"{median:.1f}", f"{tail:.1f}", f"{ratios[1]:.2f}"]
    print(f"| {kind} | {size:,} | {' | '.join(cells)} | {times.first:,.0f} | {times.edited:,.0f} |", flush=True)
    budgets = [
        (ratios[0] > AFTER_PAUSE, f"a query after a pause takes {ratios[0]:.2f} times one without"),
        (ratios[1] > TAIL, f"a capture's 95th percentile is {ratios[1]:.2f} times its median"),
        (
            max(times.first, times.edited) > WAIT_S * 1000,
            f"indexing is waited for {max(times.first, times.edited):,.0f} ms",
        ),
    ]
    return [line for is_missed, line in budgets if is_missed]


if __name__ == "__main__":
    sys.exit(main())
