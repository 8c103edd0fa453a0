"""How often a session may call: refused with the wait, together with its other processes, apart from others."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.fronts import run
from tests.plugin.served import Served, served, text

FACT = {"kind": "observation", "content": "The cache holds 40 entries."}
WAIT = re.compile(r"Wait (\d+) seconds?, then retry")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".autology").mkdir(parents=True)
    return made


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **more}


def calls(server: Served, name: str, many: int, **arguments: Any) -> list[bool]:
    """Call a tool *many* times; return which of the calls were let through."""
    return [not server.call(name, **arguments).get("isError") for _ in range(many)]


def test_a_hundred_stores_and_two_hundred_finds_a_minute_are_let_through(project: Path, home: Path) -> None:
    with served(project) as server:
        server.greet()
        waiting = [server.begin_call("memory_find", query="cache", mode="fast") for _ in range(201)]
        results = [server.answer(id, 120)["result"] for id in waiting]
        waiting = [server.begin_call("memory_store", items=[FACT]) for _ in range(101)]
        stored = [server.answer(id, 120)["result"] for id in waiting]
        health = server.call("system_status")["structuredContent"]
    refused = [text(result) for result in results if result.get("isError")]
    assert len(refused) == 1, "the two hundred and first"
    assert refused[0].startswith("RATE_LIMIT_EXCEEDED: limit of 200 calls of memory_find per minute reached.")
    answer = WAIT.search(refused[0])
    assert answer
    assert 1 <= int(answer[1]) <= 60
    refused = [text(result) for result in stored if result.get("isError")]
    assert len(refused) == 1
    assert "100 calls of memory_store" in refused[0]
    assert health["success"], "looking is never limited"
    lines = [json.loads(line) for line in (home / "data/audit/audit.jsonl").read_text().splitlines()]
    [limited] = [line for line in lines if line["event"] == "memory_store_rate_limited"]
    assert (limited["level"], limited["outcome"], limited["error_code"]) == ("warn", "refused", "RATE_LIMIT_EXCEEDED")
    assert limited["limit"] == 100
    assert 1 <= limited["wait"] <= 60


def test_a_store_of_many_items_is_one_call(project: Path) -> None:
    with served(project, environment(AUTOLOGY_MEMORY_STORE_LIMIT="1")) as server:
        server.greet()
        items = [{"kind": "observation", "content": f"Fact {number}."} for number in range(50)]
        assert server.call("memory_store", items=items)["structuredContent"]["stored"] == 50
        assert calls(server, "memory_store", 1, items=items) == [False]


def test_servers_and_commands_of_one_session_are_counted_together_and_sessions_apart(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOLOGY_MEMORY_FIND_LIMIT", "3")
    one = environment(CLAUDE_CODE_SESSION_ID="one")
    with served(project, one) as server:
        server.greet()
        assert calls(server, "memory_find", 2, query="x") == [True, True]
    with served(project, one) as again, served(project, environment(CLAUDE_CODE_SESSION_ID="two")) as other:
        again.greet()
        other.greet()
        assert calls(again, "memory_find", 2, query="x") == [True, False]
        assert calls(other, "memory_find", 4, query="x") == [True, True, True, False]
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "one")
    refused = run(project, "memory", "find", "x")
    assert refused.returncode == 1
    assert WAIT.search(refused.stderr)
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    assert run(project, "memory", "find", "x").returncode == 0


def test_servers_without_a_session_are_counted_apart(project: Path) -> None:
    limited = environment(AUTOLOGY_MEMORY_FIND_LIMIT="1")
    for _ in range(2):
        with served(project, limited) as server:
            server.greet()
            assert calls(server, "memory_find", 2, query="x") == [True, False]


def test_a_terminal_is_limited_as_a_session_is_and_says_so_to_programs(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOLOGY_MEMORY_STORE_LIMIT", "1")
    assert run(project, "memory", "store", "--kind", "todo", "Rotate keys.").returncode == 0
    refused = run(project, "memory", "store", "--kind", "todo", "Rotate more keys.", "--json")
    assert refused.returncode == 1
    error = json.loads(refused.stdout)["error"]
    assert error["kind"] == "RateLimitError"
    assert "RATE_LIMIT_EXCEEDED" in error["message"]


def test_no_limit_where_the_user_wants_none_and_a_repository_sets_none(project: Path) -> None:
    (project / ".autology" / "config.yaml").write_text("memory_find_limit: 1\n", encoding="utf-8")
    with served(project) as server:
        server.greet()
        assert calls(server, "memory_find", 3, query="x", mode="fast") == [True] * 3
    with served(project, environment(AUTOLOGY_MEMORY_FIND_LIMIT="0")) as server:
        server.greet()
        assert all(calls(server, "memory_find", 205, query="x", mode="fast"))


def test_a_call_that_does_not_fit_counts_too(project: Path) -> None:
    with served(project, environment(AUTOLOGY_MEMORY_FIND_LIMIT="2")) as server:
        server.greet()
        answer = [text(server.call("memory_find", query="x", mode="odd")) for _ in range(3)]
    assert [line.split(":")[0] for line in answer] == [
        "Invalid search mode",
        "Invalid search mode",
        "RATE_LIMIT_EXCEEDED",
    ]
