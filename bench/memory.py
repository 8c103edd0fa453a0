"""The cost of storing and finding memories over MCP, with 10,000 others.

Items of some 50 words, one in twenty a section of some 700, are drawn from a model of word pairs of other projects'
markdown (bench/material.py); questions are four words that stand side by side in one of them, every second one within a
scope. Times on the clock are the client's, with the protocol; the processor's are the server's alone, which a busy
machine stretches less (Linux only). Deep ones follow relations.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from autology.text.tokens import STOP_WORDS
from bench.material import corpora
from bench.speed import Prose

ROOT = Path(__file__).resolve().parents[1]
ITEMS, BATCH, SINGLE, QUESTIONS = 10_000, 100, 60, 150
ITEM, BATCHED = 10.0, 300.0  # milliseconds: of one item and of a batch, medians
FIND = {"fast": 20.0, "auto": 30.0, "deep": 60.0}  # milliseconds, 95th percentiles
KINDS = ("entity", "observation", "decision", "todo", "issue", "change", "risk", "assumption")
SCOPES: tuple[dict[str, str], ...] = ({}, {"org": "acme"}, {"org": "acme", "project": "one"}, {"org": "bolt"})
Json = dict[str, Any]


class Items(Prose):
    """Items to store, and questions that one of them answers."""

    def item(self, number: int) -> Json:
        item: Json = {"id": f"item-{number}", "kind": self.chance.choice(KINDS), "content": self.text(50)}
        if number % 20 == 0:
            paragraphs = [self.text(60) + "." for _ in range(12)]
            item |= {"kind": "section", "content": "\n\n".join(paragraphs)}
        elif number % 20 == 1:
            ends = {"source_id": f"item-{number - 1}", "target_id": f"item-{number + 1}", "relation_type": "uses"}
            item |= {"kind": "relation", "data": ends}
        scope = self.chance.choice(SCOPES)
        return {**item, "scope": scope} if scope else item

    def question(self, item: Json) -> str:
        words = [word for word in item["content"].split() if word.isalpha() and word.lower() not in STOP_WORDS]
        at = self.chance.randrange(max(1, len(words) - 4))
        return " ".join(words[at : at + 4]) or "nothing"


class Server:
    """A server process, spoken to line by line."""

    def __init__(self, project: Path, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "autology", "serve"]
        if executable := os.environ.get("AUTOLOGY_EXECUTABLE"):
            command = [sys.executable, executable, "serve"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=project, env=environment, stdin=pipe, stdout=pipe)
        self._next = 0
        able: Json = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}}
        self._ask("initialize", able)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, arguments: Json) -> tuple[Json, float, float]:
        """Return what a tool answers, and its milliseconds on the clock and of the server's processor."""
        worked, begun = self._worked(), time.perf_counter()
        answer = self._ask("tools/call", {"name": tool, "arguments": arguments})
        took = (time.perf_counter() - begun) * 1000
        result = answer.get("result") or {}
        if "error" in answer or result.get("isError"):
            raise SystemExit(f"{tool} failed: {json.dumps(answer)[:2_000]}")
        return result["structuredContent"], took, self._worked() - worked

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(30)

    def _ask(self, method: str, params: Json) -> Json:
        self._next += 1
        self._send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        assert self.process.stdout
        while line := self.process.stdout.readline():
            message: Json = json.loads(line)
            if message.get("id") == self._next:
                return message
        raise SystemExit("the server ended")

    def _send(self, message: Json) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _worked(self) -> float:
        """Return the milliseconds that the server's threads have been on a processor; 0 where that is not told."""
        total = 0
        for task in Path(f"/proc/{self.process.pid}/task").glob("*/schedstat"):
            try:
                total += int(task.read_text().split()[0])
            except (OSError, ValueError, IndexError):
                continue
        return total / 1e6


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--items", type=int, default=ITEMS, help="how many memories")
    chosen = options.parse_args()
    prose = Items(corpora(), 1)
    with tempfile.TemporaryDirectory(prefix="autology-memory-", ignore_cleanup_errors=True) as folder:
        missed = measured(Path(folder), chosen.items, prose)
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def measured(folder: Path, size: int, prose: Items) -> list[str]:
    """Print what *size* memories cost; return the budgets that were missed."""
    project = folder / "project"
    (project / ".autology").mkdir(parents=True)
    places = {f"AUTOLOGY_{name}_DIR": str(folder / name.lower()) for name in ("DATA", "CACHE", "CONFIG")}
    limits = {"AUTOLOGY_MEMORY_FIND_LIMIT": "0", "AUTOLOGY_MEMORY_STORE_LIMIT": "0"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CORTEX_")}
    environment |= {**places, **limits, "CORTEX_PROJECT": "here", "PYTHONPATH": str(ROOT / "server")}
    server = Server(project, environment)
    items = [prose.item(number) for number in range(size + SINGLE)]
    print("| memories | what | p50 ms | p95 ms | processor p50 ms | processor p95 ms |\n|---|---|---|---|---|---|")
    batches = []
    for at in range(0, size, BATCH):
        answer, *times = server.call("memory_store", {"items": items[at : at + BATCH]})
        if answer["summary"]["stored"] < 0.9 * len(items[at : at + BATCH]):
            raise SystemExit(f"not stored: {json.dumps(answer)[:2_000]}")
        batches.append(times)
    last = batches[-20:]
    batch, _ = told(size, f"storing a batch of {BATCH}, the last 20", last)
    told(size, f"storing a batch of {BATCH}, all", batches)
    single, _ = told(
        size, "storing one item", [server.call("memory_store", {"items": [item]})[1:] for item in items[size:]]
    )
    missed = []
    if single > ITEM:
        missed.append(f"storing one item, median ms: {single:.1f} of {ITEM:.0f}")
    if batch > BATCHED:
        missed.append(f"storing a batch, median ms: {batch:.1f} of {BATCHED:.0f}")
    for mode, budget in FIND.items():
        asked = [(prose.question(item), item.get("scope")) for item in prose.chance.choices(items, k=QUESTIONS + 10)]
        times = []
        for number, (question, scope) in enumerate(asked):
            given: Json = {"query": question, "mode": mode}
            given |= {"scope": scope} if scope and number % 2 else {}
            given |= {"expand": "relations"} if mode == "deep" else {}
            times.append(server.call("memory_find", given)[1:])
        _, p95 = told(size, f"finding, {mode}", times[10:])
        if p95 > budget:
            missed.append(f"finding, {mode}, p95 ms: {p95:.1f} of {budget:.0f}")
    server.close()
    return missed


def told(size: int, what: str, times: list[Any]) -> tuple[float, float]:
    """Print the median and the 95th percentile of *times*, and return those on the clock."""
    clock, worked = (sorted(column) for column in zip(*times, strict=True))
    values = [column[int(len(column) * share)] for column in (clock, worked) for share in (0.5, 0.95)]
    print(f"| {size:,} | {what} | {' | '.join(f'{value:,.1f}' for value in values)} |", flush=True)
    return values[0], values[1]


if __name__ == "__main__":
    sys.exit(main())
