"""The index is deleted or damaged under a running server: searches go on, or say why not, and nothing else breaks."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.served import Json, Served, served

DOCUMENTS, NODES = 60, 12
TRIES = 100
EVERY = 10
"""Tries after which the index is deleted, so that every answer must be right again at once."""
SAID = "index"
"""What a call says that cannot be answered: that it is the index, and what to do."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / ".autology").mkdir()
    for number in range(DOCUMENTS):
        text = f"# Page {number}\n\nWords on storage and caches, the {number}th. [[page-{number + 1}]]\n\n"
        (root / "docs" / f"page-{number}.md").write_text(text * 4, encoding="utf-8")
    return root


def begun(server: Served) -> None:
    server.greet()
    for number in range(NODES):
        title, content = f"Note {number} on storage", f"Text {number} about words and caches. " * 9
        assert not server.call("autology_capture", title=title, content=content, type="concept")["isError"]


def index_of(project: Path) -> Path:
    return project / ".autology" / "cache" / "index.sqlite"


def answers(server: Served) -> dict[str, Any]:
    """What every kind of question is answered, or the refusal; nothing but the two tools' own words may come.

    Of a search what it found, not in which order: a digit of a date that became another one moves scores.
    """
    result: dict[str, Any] = {}
    for query in ("storage caches", "Note 3 on storage"):
        result[f"documents {query}"] = ids(read(server.call_when_indexed("search_documents", query=query, limit=100)))
        result[f"nodes {query}"] = ids(
            read(server.call_when_indexed("autology_query", query=query, limit=100, detail="brief"))
        )
    result["links"] = read(server.call_when_indexed("explore_links", id="page-7", direction="both"))
    result["file"] = read(server.call_when_indexed("read_node_content", id="page-7"))
    status = read(server.call_when_indexed("autology_status"))
    result["status"] = status if isinstance(status, str) else {k: v for k, v in status.items() if k != "index"}
    return result


def read(result: Json) -> Any:
    text = result["content"][0]["text"]
    if result["isError"]:
        assert text.startswith("Error: ")
        assert "internal error" not in text
        return text
    return result.get("structuredContent", text)


def ids(told: Any) -> Any:
    """What a search found, in no order; a refusal as it is."""
    if isinstance(told, str) and told.startswith("Error: "):
        return told
    hits = json.loads(told) if isinstance(told, str) else [hit["node"] for hit in told["results"]]
    return sorted(id_ for hit in hits for id_ in (hit["id"], *hit.get("also", ())))


def damaged(index: Path, dice: random.Random) -> None:
    """Flip bytes at random places of the index or of its log, as a failing disk or another program does."""
    # Another process writes first, so that the server has to read again what it had in memory.
    with suppress(sqlite3.Error, UnicodeError), closing(sqlite3.connect(index)) as db:
        db.execute("INSERT OR REPLACE INTO meta VALUES ('touched', ?)", (dice.random(),))
        db.commit()
        if dice.random() < 0.8:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    files = [file for file in (index, index.with_name(index.name + "-wal")) if file.exists() and file.stat().st_size]
    file = dice.choice(files)
    with file.open("r+b") as bytes_:
        for _ in range(dice.choice((1, 8, 64, 512))):
            at = dice.randrange(file.stat().st_size)
            bytes_.seek(at)
            old = bytes_.read(1)
            bytes_.seek(at)
            bytes_.write(bytes((old[0] ^ dice.randrange(1, 256),)) if old else b"\xff")


def test_bytes_flipped_at_random_never_stop_a_server(project: Path) -> None:
    dice = random.Random(5)
    same = refused = 0
    with served(project) as server:
        begun(server)
        expected = answers(server)
        assert len(expected["documents storage caches"]) == DOCUMENTS + NODES
        for number in range(1, TRIES + 1):
            damaged(index_of(project), dice)
            result = answers(server)
            message = [answer for answer in result.values() if isinstance(answer, str) and answer.startswith("Error: ")]
            assert all(SAID in answer or "ot found" in answer for answer in message), message
            same += result == expected
            refused += bool(message)
            kept = server.call("autology_capture", title="Passing note", content="While it breaks.", type="concept")
            assert not kept["isError"], kept
            assert not server.call("autology_delete", id=kept["structuredContent"]["id"])["isError"]
            if number % EVERY == 0:
                for suffix in ("", "-wal", "-shm"):
                    index_of(project).with_name(index_of(project).name + suffix).unlink(missing_ok=True)
                assert answers(server) == expected
        assert server.process.poll() is None
    print(f"{TRIES} tries: {same} times every answer was as before, {refused} times one was refused; {server.errors!r}")
    assert same >= TRIES * 0.9  # a letter that became another is no damage to SQLite, which keeps no checksums
    assert "Traceback" not in server.errors
    assert len(list((project / ".autology" / "nodes").rglob("*.md"))) == NODES


@pytest.mark.parametrize("what", ["deleted", "emptied", "garbage", "a folder's rest", "cut"])
def test_the_next_search_rebuilds_a_lost_index(project: Path, what: str) -> None:
    with served(project) as server:
        begun(server)
        expected = answers(server)
        for _ in range(3):
            lose(index_of(project), what)
            assert answers(server) == expected


def lose(index: Path, what: str) -> None:
    if what == "deleted":
        index.unlink()
    elif what == "a folder's rest":
        for file in index.parent.glob("index.sqlite*"):
            file.unlink()
    else:
        data = index.read_bytes()
        index.unlink()  # what is cut under a process that has it open would stop any program, not only this
        index.write_bytes({"emptied": b"", "garbage": b"no database\n" * 4_000, "cut": data[: len(data) // 2]}[what])
