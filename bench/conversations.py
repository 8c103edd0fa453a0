"""The cost of reading past sessions, in chunks per second, and of searching them, in milliseconds.

Sessions are written as the client writes them, with words as frequent as in other projects' markdown
(bench/material.py). A search is timed with the start of its process, as a hook pays it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from autology import places
from autology.wire.project import Project
from bench.material import corpora
from bench.speed import Prose

ROOT = Path(__file__).resolve().parents[1]
EXCHANGES = 60
QUESTIONS = 60
CHUNKS_A_SECOND, SEARCH_P95, MARGIN = 2_000, 60.0, 1.0

LOOK = """
import sys, time
sys.path.insert(0, {server!r})
from autology.text.tokens import query_terms
from autology.index import readonly_conversations
with readonly_conversations.open({file!r}) as look:
    found = look.best(query_terms(sys.argv[1]), 3, **{filters!r})
print(len(found), look.failed)
"""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--chunks", type=int, default=100_000, help="how many chunks to make")
    chosen = options.parse_args()
    prose = Prose(corpora(), 7)
    with tempfile.TemporaryDirectory() as folder:
        return measured(Path(folder), chosen.chunks, prose)


def measured(folder: Path, chunks: int, prose: Prose) -> int:
    os.environ |= {
        "CLAUDE_CONFIG_DIR": str(folder / "claude"),
        "AUTOLOGY_DATA_DIR": str(folder / "data"),
        "AUTOLOGY_CACHE_DIR": str(folder / "cache"),
    }

    size = written(folder, prose, chunks)
    conversations = Project(str(folder)).conversations
    begun, cpu = time.perf_counter(), time.process_time()
    conversations.refresh()
    took, spent = time.perf_counter() - begun, time.process_time() - cpu
    held = conversations.index.chunk_counts()
    total = sum(held.values())
    length = sum(
        len(chunk.text) for chunk in conversations.index.chunks(conversations.index.ids_starting("", 2_000)).values()
    ) / min(total, 2_000)
    print(f"{size / 1e6:.0f} MB of transcripts, {total:,} chunks of {length:,.0f} characters ({held})")
    rate = total / spent
    print(f"indexing: {took:.1f} s, {spent:.1f} s of one core: {rate:,.0f} chunks a second")
    index = Path(places.conversation_index())
    print(f"index: {index.stat().st_size / 1e6:.0f} MB, {index.stat().st_size / total:,.0f} bytes a chunk")
    begun = time.perf_counter()
    assert conversations.refresh() == 0
    print(f"nothing new: {(time.perf_counter() - begun) * 1e3:.0f} ms")
    missed = [] if rate >= CHUNKS_A_SECOND else [f"indexing: {rate:,.0f} chunks a second"]
    everywhere = {"": {}, "one project": {"project": "/home/dev/p3"}, "since": {"since": "2026-06-01T00:00:00Z"}}
    for name, filters in everywhere.items():
        times, worked, given_up = searched(index, filters, prose)
        p95 = statistics.quantiles(times, n=20)[18]
        told = f"p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms, start included"
        own = f"{statistics.median(worked):.0f} and {statistics.quantiles(worked, n=20)[18]:.0f} ms"
        print(f"search {name or 'everywhere'}: {told}; of the processor {own}; {given_up} given up")
        if p95 > SEARCH_P95 * MARGIN:
            missed.append(f"search {name}: p95 {p95:.0f} ms")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def searched(index: Path, filters: dict[str, str], prose: Prose) -> tuple[list[float], list[float], int]:
    """Return the milliseconds of each search by the clock and of the processor, and how many found nothing in time."""
    code = LOOK.format(server=str(ROOT / "server"), file=str(index), filters=filters)
    script = index.parent / "look.py"
    script.write_text(code, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times, worked, given_up = [], [], 0
    for number in range(QUESTIONS + 2):
        question = prose.text(8)
        begun, before = time.perf_counter(), os.times()
        command = [sys.executable, "-I", "-S", str(script), question]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        if number > 1:  # the first compile what is loaded
            times.append((time.perf_counter() - begun) * 1e3)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            worked.append(spent * 1e3)
        given_up += done.stdout.split()[1] != "False"
    return times, worked, given_up


def written(folder: Path, prose: Prose, chunks: int) -> int:
    """Write sessions that make about so many *chunks*; return their bytes."""
    size = made = number = 0
    while made < chunks:
        project = number % 20
        slug = folder / "claude" / "projects" / f"-home-dev-p{project}"
        slug.mkdir(parents=True, exist_ok=True)
        session = str(uuid.UUID(int=prose.chance.getrandbits(128)))
        lines = []
        for exchange in range(EXCHANGES):
            at = 1_760_000_000 + number * 20_000 + exchange * 240
            rows, more = records(prose, prose.chance, session, f"/home/dev/p{project}", at)
            lines += rows
            made += more
        data = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines) + "\n"
        (slug / f"{session}.jsonl").write_text(data, encoding="utf-8", newline="\n")
        size += len(data)
        number += 1
    return size


def records(prose: Prose, chance: random.Random, session: str, folder: str, at: int) -> tuple[list[object], float]:
    """Return the records of one exchange, and about how many chunks they make."""

    def row(type: str, content: object, seconds: int) -> dict[str, object]:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at + seconds))
        fixed = {"cwd": folder, "sessionId": session, "version": "2.1.330", "gitBranch": "main", "userType": "external"}
        id = str(uuid.UUID(int=chance.getrandbits(128)))
        return {"parentUuid": None, "type": type, "message": {"role": type, "content": content},
                "uuid": id, "timestamp": stamp, **fixed}  # fmt: skip

    def steps() -> Iterator[dict[str, object]]:
        yield row("user", prose.text(25), 0)
        for step in range(chance.randint(1, 3)):
            yield row("assistant", [{"type": "text", "text": prose.text(chance.randint(40, 120))}], 5 + step)
            call = f"toolu_{chance.getrandbits(64):x}"
            if chance.random() < 0.3:
                given = {"file_path": f"{folder}/src/{chance.randint(1, 90)}.py", "old_string": "x",
                         "new_string": code(prose, chance.randint(4, 40))}  # fmt: skip
                yield row("assistant", [{"type": "tool_use", "id": call, "name": "Edit", "input": given}], 6 + step)
                result = "The file was updated."
            else:
                use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": prose.text(6)}}
                yield row("assistant", [use], 6 + step)
                result = prose.text(chance.randint(10, 300))
            yield row("user", [{"type": "tool_result", "tool_use_id": call, "content": result}], 7 + step)
        yield {"type": "api-request", "sessionId": session, "blob": "x" * 3_000}

    return list(steps()), 2.1


def code(prose: Prose, lines: int) -> str:
    """Return a stretch of real code: what the interpreter came with."""
    source = SOURCES[prose.chance.randrange(len(SOURCES))]
    at = prose.chance.randrange(max(1, len(source) - lines))
    return "\n".join(source[at : at + lines])


def sources() -> list[list[str]]:
    """Return the lines of the interpreter's own modules."""
    found = sorted(Path(os.__file__).parent.glob("*.py"))
    return [file.read_text(encoding="utf-8", errors="replace").splitlines() for file in found]


SOURCES = sources()


if __name__ == "__main__":
    sys.exit(main())
