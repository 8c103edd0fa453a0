"""One server through thousands of calls: neither its memory nor its open files grow with them."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.served import Served, served, text

CALLS = int(os.environ.get("AUTOLOGY_SOAK_CALLS", "600"))
"""How many; the full size is 10,000."""
WARM = 0.25
"""Share of the calls after which what is loaded once is loaded, and what is kept for a while is full."""
GROWTH = 24.0
"""Megabytes that the rest of the calls may add: at 10,000 it is 17, of caches that fill; 4 KB a call would be 30."""
HANDLES = 8
"""Open files more than once: connections of threads that are idle by chance."""
WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north otter plume".split()
MOST = 40
"""Nodes, documents and memories at once: what there is is level, so that what is used must be too."""

Json = dict[str, Any]


class Calls:
    """Calls of every tool that reads or writes, on a project that stays as large as it is."""

    def __init__(self, server: Served, dice: random.Random) -> None:
        self._server, self._dice = server, dice
        self._number = 0
        self.nodes: list[str] = []
        self.documents: list[str] = []
        self.memories: list[str] = []

    def step(self) -> None:
        """Make one call."""
        dice = self._dice
        kind = dice.choice("node node document memory read read read odd".split())
        getattr(self, f"_{kind}")()

    def _node(self) -> None:
        if len(self.nodes) < 3 or (len(self.nodes) < MOST and self._dice.random() < 0.3):
            made = self._call("autology_capture", title=self._title(), content=self._words(), type="concept")
            self.nodes.append(made["structuredContent"]["id"])
        elif len(self.nodes) >= MOST or self._dice.random() < 0.2:
            self._call("autology_delete", id=self.nodes.pop(self._dice.randrange(len(self.nodes))))
        elif self._dice.random() < 0.5:
            self._call("autology_update", id=self._dice.choice(self.nodes), content=self._words())
        else:
            one, other = self._dice.sample(self.nodes, 2)
            tool = self._dice.choice(("autology_relate", "autology_unrelate"))
            self._call(tool, source=one, target=other, type="uses")

    def _document(self) -> None:
        if len(self.documents) < 3 or (len(self.documents) < MOST and self._dice.random() < 0.3):
            self._number += 1
            path = f"docs/{self._dice.choice(WORDS)}-{self._number}.md"
            self._call("create_document", path=path, content=f"# {self._title()}\n\n{self._words()}\n")
            self.documents.append(path)
        elif len(self.documents) >= MOST or self._dice.random() < 0.2:
            self._call("delete_document", id=self.documents.pop(self._dice.randrange(len(self.documents))))
        else:
            path = self._dice.choice(self.documents)
            self._call("update_document", id=path, content=f"# {self._title()}\n\n{self._words()}\n")

    def _memory(self) -> None:
        if len(self.memories) < 3 or (len(self.memories) < MOST and self._dice.random() < 0.4):
            self._number += 1
            id = f"memory-{self._number}"
            self._store({"kind": "observation", "id": id, "content": self._words()})
            self.memories.append(id)
        elif len(self.memories) >= MOST or self._dice.random() < 0.3:
            self._store({"id": self.memories.pop(0), "delete": True})
        else:
            self._store({"id": self._dice.choice(self.memories), "content": self._words()})

    def _store(self, item: Json) -> None:
        result = self._call("memory_store", items=[item], dedupe="off")["structuredContent"]
        assert not result["errors"], result

    def _read(self) -> None:
        words = " ".join(self._dice.choices(WORDS, k=3))
        tool, arguments = self._dice.choice(
            [
                ("autology_query", {"query": words}),
                ("autology_context", {"task": words}),
                ("search_documents", {"query": words}),
                ("memory_find", {"query": words}),
                ("unified_memory_search", {"query": words}),
                ("autology_status", {}),
                ("system_status", {}),
                ("graph_stats", {}),
                ("list_directory_structure", {}),
            ]
        )
        self._call(tool, **arguments)

    def _odd(self) -> None:
        """What is refused costs as little as what is not."""
        if self._dice.random() < 0.5:
            result = self._server.answer(self._server.begin_call("autology_query", nothing=True))
            assert "error" in result
        else:
            self._server.send(f'{{"jsonrpc": "2.0", "id": {self._dice.random() + 0.5}, "method": "ping"}}')
            assert self._server.answer(None)["error"]["code"] == -32600

    def _call(self, tool: str, **arguments: object) -> Json:
        result = self._server.call(tool, **arguments)
        assert not result.get("isError"), f"{tool} {json.dumps(arguments)[:300]}: {text(result)}"
        self._server.lines.clear()  # what this test keeps is not what is measured, but would be much
        return result

    def _title(self) -> str:
        self._number += 1
        return f"{self._dice.choice(WORDS).title()} {self._number}"

    def _words(self) -> str:
        return " ".join(self._dice.choices(WORDS, k=self._dice.randint(5, 300)))


@pytest.mark.skipif(sys.platform != "linux", reason="memory and open files are read from /proc")
def test_memory_and_open_files_of_a_server_are_level_through_all_calls(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOLOGY_MEMORY_STORE_LIMIT", "0")
    monkeypatch.setenv("AUTOLOGY_MEMORY_FIND_LIMIT", "0")
    root = quick_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / ".autology").mkdir()
    figures: list[tuple[int, float, int]] = []
    begun = time.monotonic()
    with served(root, os.environ) as server:
        server.greet()
        calls = Calls(server, random.Random(7))
        for number in range(1, CALLS + 1):
            calls.step()
            if number % max(1, CALLS // 20) == 0:
                figures.append((number, *used(server.process.pid)))
        assert server.end() == 0
        assert server.errors == ""
    took = time.monotonic() - begun
    for number, megabytes, handles in figures:
        print(f"{number:,} calls: {megabytes:.1f} MB, {handles} open files")
    print(f"{CALLS:,} calls in {took:.0f} s")
    warm = [(megabytes, handles) for number, megabytes, handles in figures if number >= CALLS * WARM]
    assert max(megabytes for megabytes, _ in warm) - warm[0][0] < GROWTH
    assert max(handles for _, handles in warm) - min(handles for _, handles in warm) <= HANDLES


def used(process: int) -> tuple[float, int]:
    """Return the megabytes of memory that *process* has in use, and how many files it holds open."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1]) / 1_000, len(list(Path(f"/proc/{process}/fd").iterdir()))
