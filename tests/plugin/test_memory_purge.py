"""Memories whose time is over: not found, listed, moved to the trash by hand or once a day, and brought back."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from autology.model.memory import Kind, Scope
from autology.text.language.timestamps import stamp
from tests.fakes.remembered import a_memory, kept, trashed, write
from tests.plugin.fronts import run
from tests.plugin.served import PATIENCE, Served, served

Json = dict[str, Any]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".autology").mkdir(parents=True)
    return made


def ago(days: float) -> str:
    return stamp(datetime.now(UTC) - timedelta(days=days))


def wait(reached: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < until, "it did not come to that"
        time.sleep(0.05)


def audited(home: Path, event: str) -> list[Json]:
    log = home / "data" / "audit" / "audit.jsonl"
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    return [line for line in map(json.loads, text.splitlines()) if line["event"] == event]


def ids(server: Served, query: str, **more: object) -> list[str]:
    answer = server.call("memory_find", query=query, **more)["structuredContent"]
    return [item["id"] for item in answer["items"]]


def test_expired_memories_are_not_found_and_are_purged_after_the_handshake(project: Path, home: Path) -> None:
    over = write(project, a_memory("over", expires_at=ago(1), content="The cache held 40 entries."))
    alive = write(project, a_memory("alive", expires_at=ago(-1), content="The cache holds 50 entries."))
    wide = write(home / "data", a_memory("wide", expires_at=ago(1), scope=Scope(org="acme")))
    text = over.read_bytes()
    with served(project) as server:
        time.sleep(0.3)
        assert over.exists(), "nothing before the handshake"
        server.greet()
        server.ask("tools/list")
        assert ids(server, "cache entries") == ["alive"]
        wait(lambda: not over.exists() and not wide.exists())
        wait(lambda: audited(home, "memory_purge_complete"))
        assert ids(server, "cache entries", include_expired=True) == ["alive"]
    assert alive.exists()
    assert trashed(project)["over"] == text
    assert set(trashed(home / "data")) == {"wide"}
    [done] = audited(home, "memory_purge_complete")
    assert (done["moved"], done["failed"], done["source"]) == (2, 0, "server")
    assert {(line["id"], line["reason"], line["source"]) for line in audited(home, "delete")} == {
        ("over", "expired", "server"), ("wide", "expired", "server"),
    }  # fmt: skip


def test_a_server_purges_once_a_day(project: Path, home: Path) -> None:
    write(project, a_memory("first", expires_at=ago(1)))
    with served(project) as server:
        server.greet()
        server.ask("tools/list")
        wait(lambda: audited(home, "memory_purge_complete"))
    later = write(project, a_memory("later", expires_at=ago(1)))
    with served(project) as server:
        server.greet()
        server.ask("tools/list")
        time.sleep(3)  # longer than a server waits before it purges
        assert server.call("system_status", operation="purge_preview")["structuredContent"]["last_purge"]
        assert later.exists()
    [mark] = (project / ".autology" / "cache").glob("*.purged")
    mark.write_text(ago(1.1) + "\n", encoding="ascii")
    with served(project) as server:
        server.greet()
        server.ask("tools/list")
        wait(lambda: not later.exists())
        # Before the server ends: what is purged is removed first and told in the audit afterwards.
        wait(lambda: len(audited(home, "memory_purge_complete")) == 2)


def test_of_four_servers_started_at_once_one_purges(project: Path, home: Path) -> None:
    for number in range(40):
        write(project, a_memory(f"over{number}", expires_at=ago(1)))
    servers = [Served(project) for _ in range(4)]
    try:
        for server in servers:
            server.greet()
            server.begin("tools/list")
        wait(lambda: len(trashed(project)) == 40)
        wait(lambda: audited(home, "memory_purge_complete"))
        time.sleep(2)  # the others' turn has come by now
    finally:
        for server in servers:
            server.end()
    assert len(audited(home, "memory_purge_complete")) == 1
    assert len([name for name in kept(project) if name.endswith(".md")]) == 40


def test_with_purging_off_a_server_moves_nothing(project: Path, home: Path) -> None:
    over = write(project, a_memory("over", expires_at=ago(1)))
    with served(project, {**os.environ, "AUTOLOGY_MEMORY_PURGE": "off"}) as server:
        server.greet()
        server.ask("tools/list")
        time.sleep(3)
        preview = server.call("system_status", operation="purge_preview")["structuredContent"]
    assert over.exists()
    assert (preview["expired"], preview["next_purge"]) == (1, None)


def test_a_project_without_memories_is_left_alone(tmp_path: Path, home: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    with served(bare) as server:
        server.greet()
        server.ask("tools/list")
        time.sleep(3)
    assert list(bare.iterdir()) == []
    assert not (home / "data" / "audit").exists()
    assert not (home / "data" / ".autology").exists()


def test_a_person_sees_what_would_go_before_it_goes_and_brings_one_back(project: Path, home: Path) -> None:
    over = write(project, a_memory("over-0001", expires_at=ago(1), content="The cache held 40 entries."))
    write(project, a_memory("alive", expires_at=ago(-1)))
    before = kept(project)
    shown = run(project, "memory", "purge")
    assert shown.returncode == 0
    assert "The cache held 40 entries." in shown.stdout
    assert "1 item is expired; nothing was moved. `autology memory purge --yes` moves expired" in shown.stdout
    assert kept(project) == before
    done = run(project, "memory", "purge", "--yes")
    assert (done.returncode, "1 item moved to the trash" in done.stdout) == (0, True)
    assert not over.exists()
    assert run(project, "memory", "show", "over-0001").returncode == 1
    assert "over-000" in run(project, "restore").stdout
    assert run(project, "restore", "over-0001").returncode == 0
    assert "The cache held 40 entries." in run(project, "memory", "show", "over-0001").stdout
    assert "Nothing has expired." in run(project, "memory", "purge", "--yes").stdout, "it lives once more"
    assert [line["source"] for line in audited(home, "delete")] == ["command_line"]
    assert [line["id"] for line in audited(home, "restore")] == ["over-0001"]


def test_the_json_of_purge_lists_what_would_be_and_what_was_moved(project: Path) -> None:
    write(project, a_memory("over", expires_at=ago(1), kind=Kind.TODO))
    output = json.loads(run(project, "memory", "purge", "--json").stdout)
    assert (output["expired"], output["items"][0]["id"], output["last_purge"]) == (1, "over", None)
    done = json.loads(run(project, "memory", "purge", "--yes", "--json").stdout)
    assert (done["moved"], done["prolonged"], done["failed"]) == (1, 0, [])
    assert done["items"][0]["kind"] == "todo"


def test_frequently_found_memories_are_prolonged_if_the_user_enables_that(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOLOGY_MEMORY_EXTEND", "3")
    monkeypatch.setenv("AUTOLOGY_MEMORY_PURGE", "off")
    requests = write(project, a_memory("asked", expires_at=ago(-2), content="The cache holds 40 entries."))
    seldom = write(project, a_memory("seldom", expires_at=ago(1), content="The queue is empty."))
    with served(project) as server:
        server.greet()
        for _ in range(3):
            assert ids(server, "cache") == ["asked"]
        preview = server.call("system_status", operation="purge_preview")["structuredContent"]
        assert (preview["expired"], preview["prolong"]) == (1, 1)
    done = json.loads(run(project, "memory", "purge", "--yes", "--json").stdout)
    assert [item["id"] for item in done["prolonged_items"]] == ["asked"]
    assert done["prolonged_items"][0]["expires_at"] > ago(-360)
    assert requests.exists()
    assert not seldom.exists()
    assert [line["reason"] for line in audited(home, "update")] == ["found often"]


def test_doctor_names_what_is_over_and_was_not_purged(project: Path) -> None:
    write(project, a_memory("over", expires_at=ago(5)))
    output = json.loads(run(project, "doctor", "--json").stdout)
    [finding] = [each for each in output["findings"] if each["area"] == "lifetimes"]
    assert "1 item is over" in finding["problem"]
    assert "autology memory purge --yes" in finding["fix"]


def test_doctor_names_what_a_dead_writer_left_among_memories(project: Path) -> None:
    left = write(project, a_memory("alive", expires_at=ago(-1))).with_name(".alive.md.77-0123abcd.tmp")
    left.write_bytes(b"half")
    output = json.loads(run(project, "doctor", "--json").stdout)
    [finding] = [each for each in output["findings"] if each["area"] == "left-overs"]
    assert ".autology/memory/observation/.alive.md.77-0123abcd.tmp" in finding["problem"]
    run(project, "memory", "store", "--kind", "todo", "Rotate keys.")
    assert not left.exists(), "whoever writes next removes it"
