"""What a session has at its first prompt: in the real client, while other programs keep the processors busy.

Counts the connections that missed the client's probe, and the first requests to the model that have all tools of the
plugin. The model is a script; see tests/e2e.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from client import PYTHON, ROOT

sys.path.insert(0, str(ROOT))

from tests.e2e.harness import Harness, Run

STARTS, BUSY = 40, 4
PROBE_SECONDS = 3
"""Seconds after which the client takes a silent server for one of an older protocol."""
PROBE_MISSED = "version negotiation probe"
"""In the client's debug file if that happened, whatever became of it."""
ALWAYS_LOADED = {"autology_capture", "autology_query", "unified_memory_search"}
CONNECTED = re.compile(r'server "plugin:autology:autology": Successfully connected .* in (\d+)ms')


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=STARTS, help=f"sessions to start (default {STARTS})")
    parser.add_argument("--busy", type=int, default=BUSY, help=f"processes that only compute (default {BUSY})")
    parser.add_argument("--client", type=Path, default=os.environ.get("AUTOLOGY_CLIENT"), help="the client's program")
    options = parser.parse_args()
    if not options.client or not options.client.is_file():
        print("name the client's program with --client or AUTOLOGY_CLIENT", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name, ExitStack() as stack:
        release = Path(name, "release")
        subprocess.run([PYTHON, ROOT / "build.py", "release", release], check=True, stdout=subprocess.DEVNULL)
        for _ in range(options.busy):
            loop = subprocess.Popen([PYTHON, "-c", "while True: pass"])
            stack.callback(loop.wait)
            stack.callback(loop.kill)
        runs = [_session(options.client, Path(name, str(number)), release) for number in range(options.starts)]
    return _report(runs, options.busy)


def _session(client: Path, folder: Path, release: Path) -> Run:
    return Harness(client, folder, release, {}).run("hello", [])


def _report(runs: list[Run], busy: int) -> int:
    """Print the table; return 1 if a bar was missed."""
    milliseconds = sorted(int(match[1]) for run in runs if (match := CONNECTED.search(run.debug)))
    complete = sum(bool(run.requests) and _tools(run) >= ALWAYS_LOADED for run in runs)
    without = len(runs) - len(milliseconds)
    late = sum(PROBE_MISSED in run.debug for run in runs)
    print(f"\n### The first prompt ({len(runs)} sessions, {busy} busy processes, {os.cpu_count()} processors)\n")
    print("| what | value | bar |\n|---|---|---|")
    if milliseconds:
        print(f"| connected after, median ms | {statistics.median(milliseconds):.0f} | |")
        print(f"| connected after, slowest ms | {milliseconds[-1]} | |")
    print(f"| missed the probe of {PROBE_SECONDS} s | {late} | 0 |")
    print(f"| all tools in the first request | {complete} | ≥ {round(len(runs) * 0.95)} |")
    print(f"| sessions that never connected | {without} | 0 |")
    return int(late > 0 or without > 0 or complete < round(len(runs) * 0.95))


def _tools(run: Run) -> set[str]:
    return {name.rpartition("__")[2] for name in run.requests[0].tools}


if __name__ == "__main__":
    sys.exit(main())
