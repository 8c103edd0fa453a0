"""The audit as a client and a person meet it: a line for all that was done or refused, and never in the way."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.fronts import run
from tests.plugin.served import Served, served

Json = dict[str, Any]
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".autology").mkdir(parents=True)
    return made


@pytest.fixture
def server(project: Path) -> Iterator[Served]:
    with served(project) as running:
        running.greet()
        yield running


@pytest.fixture
def log(home: Path) -> Path:
    return home / "data" / "audit" / "audit.jsonl"


def lines(log: Path) -> list[Json]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def events(log: Path) -> list[str]:
    return [line["event"] for line in lines(log)]


def store(server: Served, *items: Json, **more: object) -> Json:
    answer: Json = server.call("memory_store", items=list(items), **more)["structuredContent"]
    return answer


FACT = {"kind": "observation", "content": "The cache holds 40 entries."}


def test_a_store_is_written_down_from_its_beginning_through_each_item_to_its_end(server: Served, log: Path) -> None:
    result = store(server, FACT, {"kind": "wish", "content": "x"}, FACT)
    assert result["audit_metadata"]["audit_logged"] is True
    start, create, skip, refuse, complete = lines(log)
    every = {"actor": start["actor"], "source": "mcp_tool", "resource": "knowledge_items"}
    every |= {"batch_id": result["audit_metadata"]["batch_id"]}
    for line in (start, create, skip, refuse, complete):
        assert every.items() <= line.items()
        assert line["time"].endswith("Z")
    assert (start["event"], start["level"]) == ("memory_store_start", "info")
    assert (start["item_count"], start["item_types"]) == (3, ["observation", "wish", "observation"])
    item = result["stored_items"][0]
    assert (create["event"], create["id"], create["kind"]) == ("create", item["id"], "observation")
    assert create["scope"]["project"]
    assert (skip["event"], skip["existing_id"], skip["status"]) == ("skip", item["id"], "skipped_dedupe")
    assert (refuse["event"], refuse["level"], refuse["error_code"]) == ("refuse", "warn", "VALIDATION_ERROR")
    assert (refuse["index"], refuse["kind"]) == (1, "wish")
    assert "is not a kind" in refuse["reason"]
    assert (complete["event"], complete["outcome"], complete["ids"]) == (
        "memory_store_complete", "partial", [item["id"]],
    )  # fmt: skip
    assert (complete["stored"], complete["skipped_dedupe"], complete["errors"]) == (1, 1, 1)
    assert complete["duration_ms"] > 0


def test_changing_deleting_and_breaking_a_rule_are_written_down_by_item(server: Served, log: Path) -> None:
    data = {"title": "Use SQLite", "rationale": "It is there.", "status": "accepted"}
    store(server, {"kind": "decision", "content": "We use SQLite.", "id": "use-sqlite", "data": data})
    store(server, {"id": "use-sqlite", "data": {**data, "rationale": "Because."}})
    store(server, {**FACT, "id": "fact"})
    store(server, {"id": "fact", "content": "The cache holds 50 entries."})
    store(server, {"id": "fact", "delete": True})
    result = [line for line in lines(log) if not line["event"].startswith("memory_store_")]
    assert [(line["event"], line["id"]) for line in result] == [
        ("create", "use-sqlite"), ("refuse", "use-sqlite"), ("create", "fact"), ("update", "fact"), ("delete", "fact"),
    ]  # fmt: skip
    assert result[1]["error_code"] == "IMMUTABILITY_VIOLATION"
    assert result[4]["scope"]["project"]


def test_a_find_is_written_down_with_what_was_asked_and_what_was_found(server: Served, log: Path) -> None:
    [item] = store(server, FACT)["stored_items"]
    log.unlink()
    requests = {
        "query": "cache entries",
        "types": ["observation"],
        "scope": {"branch": "main"},
        "mode": "fast",
        "limit": 3,
    }
    server.call("memory_find", **requests)
    answer = server.call("memory_find", query="cache")["structuredContent"]
    start, complete, _, result = lines(log)
    assert [start["event"], complete["event"]] == ["memory_find_start", "memory_find_complete"]
    for line in (start, complete):
        assert requests.items() <= line.items()
        assert (line["source"], line["resource"]) == ("mcp_tool", "knowledge_search")
    assert (complete["outcome"], complete["total"], complete["ids"]) == ("success", 0, [])
    assert (result["total"], result["ids"]) == (1, [item["id"]])
    assert answer["audit_metadata"]["audit_logged"] is True
    assert result["query_id"] == answer["audit_metadata"]["query_id"] == _["query_id"]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("memory_store", {"items": "one"}, "items must be an array"),
        ("memory_store", {"items": []}, "give 1 to 100"),
        ("memory_store", {"items": [FACT], "dedupe": "perhaps"}, "dedupe"),
        ("memory_store", {"item": FACT}, "item is unknown"),
        ("memory_find", {"query": "x", "mode": "odd"}, "Invalid search mode: odd"),
        ("memory_find", {"query": "x", "scope": {"org": "a b"}}, "scope.org"),
        ("memory_find", {"query": "x", "expand": "relations"}, "expand"),
        ("memory_find", {"query": 7}, "query must be a string"),
    ],
)
def test_a_call_that_does_not_fit_is_written_down_as_a_warning(
    server: Served, log: Path, tool: str, arguments: Json, said: str
) -> None:
    answer = server.ask("tools/call", {"name": tool, "arguments": arguments})
    assert "error" in answer or answer["result"].get("isError")
    last = lines(log)[-1]
    assert (last["event"], last["level"], last["outcome"]) == (f"{tool}_validation_failed", "warn", "refused")
    assert said in last["validation_errors"][0]


def test_neither_contents_nor_secrets_are_in_it(server: Served, log: Path) -> None:
    secret = {"kind": "observation", "content": f"The token is {SECRET}; a colourless green idea."}
    store(server, secret, {"id": SECRET, "kind": SECRET, "content": SECRET, "tags": [SECRET]})
    server.call("memory_find", query=f"what is {SECRET} for?")
    server.call("memory_find", query="where is spruce7781 set")
    server.call("memory_find", query="x", mode=SECRET)
    server.call("memory_store", items=[FACT], dedupe=SECRET)
    written = log.read_text(encoding="utf-8")
    assert SECRET not in written
    assert "colourless" not in written
    assert "what is [redacted:" in written
    assert "spruce7781" not in written


def test_the_actor_is_the_session_where_the_client_names_one(project: Path, log: Path) -> None:
    with served(project, {**os.environ, "CLAUDE_CODE_SESSION_ID": "5e55"}) as server:
        server.greet()
        server.call("memory_find", query="x")
    with served(project) as server:
        server.greet()
        server.call("memory_find", query="x")
        result = lines(log)
        assert result[0]["actor"].endswith(", session 5e55")
        assert result[-1]["actor"].endswith(f", server {server.process.pid}")


def test_an_unwritable_audit_stops_no_call_and_is_reported_everywhere(server: Served, project: Path, log: Path) -> None:
    log.parent.parent.mkdir(exist_ok=True)
    log.parent.write_text("in the way", encoding="utf-8")
    result = store(server, FACT)
    assert (result["success"], result["audit_metadata"]["audit_logged"]) == (True, False)
    answer = server.call("memory_find", query="cache")["structuredContent"]
    assert (answer["total"], answer["audit_metadata"]["audit_logged"]) == (1, False)
    checks = server.call("system_status")["structuredContent"]["checks"]
    assert [check["status"] for check in checks if check["name"] == "audit"] == ["error"]
    doctor = run(project, "doctor", "--json")
    assert doctor.returncode == 1
    [finding] = [each for each in json.loads(doctor.stdout)["findings"] if each["area"] == "audit"]
    assert str(log.parent) in finding["problem"]
    assert finding["fix"]
    log.parent.unlink()
    store(server, {**FACT, "content": "Another."})
    gap, *rest = lines(log)
    assert (gap["event"], gap["level"], gap["missed"]) == ("audit_gap", "warn", 5)
    assert [line["event"] for line in rest] == ["memory_store_start", "create", "memory_store_complete"]
    doctor = run(project, "doctor", "--json")
    [finding] = [each for each in json.loads(doctor.stdout)["findings"] if each["area"] == "audit"]
    assert "5 lines" in finding["problem"]


def test_with_the_audit_off_nothing_is_written_and_answers_say_so(project: Path, log: Path) -> None:
    with served(project, {**os.environ, "AUTOLOGY_AUDIT": "off"}) as server:
        server.greet()
        assert store(server, FACT)["audit_metadata"]["audit_logged"] is False
        assert not log.exists()


@pytest.mark.skipif(os.name == "nt", reason="there are no such permissions")
def test_only_the_user_can_read_the_audit_log(server: Served, log: Path) -> None:
    store(server, FACT)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700


def test_a_person_reads_it_by_time_event_level_and_id(server: Served, project: Path, log: Path) -> None:
    [item] = store(server, FACT)["stored_items"]
    server.call("memory_find", query="cache")
    server.call("memory_store", items=[{"kind": "wish", "content": "x"}])
    listed = run(project, "audit")
    assert listed.returncode == 0
    assert listed.stdout.splitlines()[0].split()[1] == "memory_store_complete"
    assert listed.stdout.splitlines()[-1].split()[1] == "memory_store_start"

    def audit_lines(*options: str) -> list[str]:
        done = run(project, "audit", "--json", *options)
        assert done.returncode == 0
        return [entry["event"] for entry in json.loads(done.stdout)["entries"]]

    assert audit_lines("--id", item["id"][:8]) == ["memory_find_complete", "memory_store_complete", "create"]
    assert audit_lines("--event", "create", "refuse") == ["refuse", "create"]
    assert audit_lines("--level", "warn") == ["refuse"]
    assert audit_lines("--since", "today", "--limit", "1") == ["memory_store_complete"]
    assert audit_lines("--until", "2020-01-01") == []
    assert audit_lines("--limit", "0") == list(reversed(events(log)))
    summary = json.loads(run(project, "audit", "--summary", "--json").stdout)
    assert summary["events"]["create"] == 1
    assert run(project, "audit", "--since", "blub").returncode == 2
    assert run(project, "audit", "--level", "loud").returncode == 2
    assert run(project, "audit", "--limit", "-1").returncode == 2


def test_commands_in_a_terminal_are_audited_too(project: Path, log: Path) -> None:
    assert run(project, "memory", "store", "--kind", "observation", "The cache holds 40 entries.").returncode == 0
    assert run(project, "memory", "find", "cache").returncode == 0
    assert run(project, "memory", "find", "cache", "--mode", "deep", "--scope", "org=a b").returncode == 1
    result = lines(log)
    assert [line["event"] for line in result] == [
        "memory_store_start", "create", "memory_store_complete",
        "memory_find_start", "memory_find_complete", "memory_find_start", "memory_find_validation_failed",
    ]  # fmt: skip
    assert {line["source"] for line in result} == {"command_line"}
    assert all(line["actor"].endswith(", terminal") for line in result)
