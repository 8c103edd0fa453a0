"""The first answer of a session, and the memory that a server holds, with 1,000 and with 10,000 notes.

In turn, so that a busy machine slows all alike: importing the SDK's low-level server as any server does, and a session:
the list of tools, a question at once, and warm ones. The first answer may take as long as that import and 1.5 warm
answers.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from client import EXECUTABLE, FLAGS, PYTHON, Server, apart, serving
from knowledge import COMMON, text, write_project

SIZES, ROUNDS, WARM, CAPTURES = (1_000, 10_000), 15, 5, 30
MEMORY_MB = 95
"""Megabytes for 1,000 notes, after 30 captures and 30 questions."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS, help=f"sessions of each size (default {ROUNDS})")
    rounds = options.parse_args().rounds
    if not EXECUTABLE.exists():
        print(f"{EXECUTABLE} is not built; run: python3 build.py build", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        projects = {size: Project(Path(name) / str(size), size) for size in SIZES}
        loads: list[float] = []
        for number in range(rounds + 1):
            load = projects[SIZES[0]].load()
            sessions = {size: project.session() for size, project in projects.items()}
            if number:  # The first round fills caches.
                loads.append(load)
                for size, (first, warm) in sessions.items():
                    projects[size].firsts.append(first)
                    projects[size].warm.append(warm)
        memory = {size: project.memory() for size, project in projects.items()}
    return _report(loads, projects, memory)


class Project:
    """A project of *size* notes that has been indexed, in *folder*."""

    def __init__(self, folder: Path, size: int) -> None:
        self.firsts: list[float] = []
        self.warm: list[float] = []
        self._chance = random.Random(size)
        self._folder = folder / "project"
        write_project(self._folder, size, self._chance)
        self._environment = {**apart(folder), "CLAUDE_PROJECT_DIR": str(self._folder)}
        with self._server() as server:
            server.call("autology_query", query="first")

    def _server(self) -> Server:
        return Server(serving(), self._folder, self._environment)

    def load(self) -> float:
        """Return the milliseconds of a process that imports the SDK's low-level server and nothing else."""
        app = Path(self._environment["AUTOLOGY_CACHE_DIR"], "app")
        (site,) = [path for path in app.iterdir() if not path.name.startswith(".")]
        code = f"import sys; sys.path.insert(0, {str(site)!r}); import mcp.server.lowlevel"
        begun = time.perf_counter()
        subprocess.run([PYTHON, *FLAGS, "-c", code], check=True)
        return (time.perf_counter() - begun) * 1000

    def session(self) -> tuple[float, float]:
        """Return the milliseconds of the first answer after the greeting, and of a warm one."""
        with self._server() as server:
            server.request("tools/list", {})
            first = self._ask(server)
            return first, statistics.median(self._ask(server) for _ in range(WARM))

    def _ask(self, server: Server) -> float:
        return server.call("autology_query", query=text(self._chance, 3, COMMON))

    def memory(self) -> int:
        """Return the megabytes in memory of a server after captures and questions."""
        with self._server() as server:
            server.request("tools/list", {})
            for number in range(CAPTURES):
                content = "\n\n".join(text(self._chance, 60) for _ in range(5))
                server.call("autology_capture", title=f"Note {number}", content=content, type="concept")
                self._ask(server)
            status = Path(f"/proc/{server.process.pid}/status").read_text()
        resident = re.search(r"VmRSS:\s+(\d+)", status)
        return int(resident[1]) // 1024 if resident else 0


def _report(loads: list[float], projects: dict[int, Project], memory: dict[int, int]) -> int:
    """Print the table; return 1 if a bar was missed."""
    load, missed = statistics.median(loads), 0
    print(f"\n### The first answer ({len(loads)} rounds, {os.cpu_count()} processors)\n")
    print("| notes | import of the SDK, ms | warm answer | first answer | bar | memory MB | bar |")
    print("|---|---|---|---|---|---|---|")
    for size, project in projects.items():
        first, warm = statistics.median(project.firsts), statistics.median(project.warm)
        bar = load + 1.5 * warm
        over = first > bar or (size == SIZES[0] and memory[size] > MEMORY_MB)
        missed += over
        cells = [f"{load:.0f}", f"{warm:.1f}", f"{first:.0f}", f"{bar:.0f}", str(memory[size])]
        limit = f"{MEMORY_MB}" if size == SIZES[0] else ""
        print(f"| {size:,} | {' | '.join(cells)} | {limit}{' MISSED' if over else ''} |")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
