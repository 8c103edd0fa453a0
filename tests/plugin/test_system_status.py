"""system_status as a client calls it: health, counts, what is due, what was done; all of it without a change."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from autology.model.memory import Kind, Scope
from autology.text.language.timestamps import stamp
from tests.fakes.remembered import a_memory, kept, write
from tests.plugin.served import Served, served, text

Json = dict[str, Any]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".autology").mkdir(parents=True)
    return made


@pytest.fixture
def server(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("AUTOLOGY_MEMORY_PURGE", "false")
    with served(project, os.environ) as running:
        running.greet()
        yield running


def ago(days: float) -> str:
    return stamp(datetime.now(UTC) - timedelta(days=days))


def status(server: Served, operation: str | None = None) -> Json:
    result = server.call("system_status", **({"operation": operation} if operation else {}))
    results: Json = result["structuredContent"]
    assert results["success"] is True
    assert results["checked_at"].endswith("Z")
    return results


def checks(told: Json) -> dict[str, Json]:
    return {check["name"]: check for check in told["checks"]}


def test_health_is_the_usual_operation_and_looks_at_everything(server: Served) -> None:
    result = status(server)
    assert result["operation"] == "health"
    assert result["status"] == "ok"
    names = {"storage", "index", "meaning", "files", "audit", "lifetimes", "limits"}
    assert set(checks(result)) == names
    assert {check["status"] for check in result["checks"]} == {"ok"}
    assert checks(result)["limits"]["message"] == "a session may store 100 times a minute and find 200 times a minute"


def test_health_names_what_is_wrong_with_the_way_to_put_it_right(server: Served, project: Path, home: Path) -> None:
    file = write(project, a_memory("broken"))
    file.write_bytes(file.read_bytes().replace(b"id: broken", b"id: [broken"))
    write(project, a_memory("over", expires_at=ago(3)))
    (home / "data").mkdir(exist_ok=True)
    (home / "data" / "audit").write_text("in the way", encoding="utf-8")
    results = status(server)
    assert results["status"] == "error"
    result = checks(results)
    assert (result["files"]["status"], result["audit"]["status"]) == ("warn", "error")
    assert ".autology/memory/observation/broken.md" in result["files"]["message"]
    assert result["lifetimes"]["status"] == "warn"
    assert "autology memory purge --yes" in result["lifetimes"]["step"]
    assert all(check.get("step") for check in results["checks"] if check["status"] != "ok")


def test_stats_count_by_kind_and_scope_and_place(server: Served, project: Path, home: Path) -> None:
    write(project, a_memory("one", expires_at=ago(-5), created_at="2026-01-02T00:00:00Z"))
    write(project, a_memory("two", expires_at=ago(1)))
    write(project, a_memory("three", days=None, kind=Kind.TODO))
    write(home / "data", a_memory("wide", expires_at=ago(-5), scope=Scope(org="acme")))
    result = status(server, "stats")
    assert [result[name] for name in ("total", "alive", "expired", "permanent")] == [4, 3, 1, 1]
    assert [result[name] for name in ("in_project", "of_user", "in_trash", "unreadable")] == [3, 1, 0, 0]
    assert result["by_kind"] == {kind.value: {"observation": 3, "todo": 1}.get(kind.value, 0) for kind in Kind}
    assert result["by_scope"] == [
        {"scope": {"project": "here"}, "items": 3},
        {"scope": {"org": "acme"}, "items": 1},
    ]
    assert result["oldest"] == "2026-01-02T00:00:00Z"


def test_a_preview_names_what_would_go_and_moves_nothing(server: Served, project: Path) -> None:
    write(project, a_memory("over", expires_at=ago(1), content="The cache holds 40 entries."))
    write(project, a_memory("alive", expires_at=ago(-1)))
    before = kept(project)
    result = status(server, "purge_preview")
    assert (result["expired"], result["prolong"], result["last_purge"], result["next_purge"]) == (1, 0, None, None)
    [item] = result["items"]
    assert (item["id"], item["kind"], item["title"]) == ("over", "observation", "The cache holds 40 entries.")
    assert item["scope"] == {"project": "here"}
    assert item["path"] == ".autology/memory/observation/over.md"
    assert kept(project) == before


def test_a_summary_tells_what_was_done_and_what_was_refused(server: Served) -> None:
    items = [{"kind": "observation", "content": "The cache holds 40 entries."}, {"kind": "wish", "content": "x"}]
    server.call("memory_store", items=items)
    server.call("memory_store", items=items[:1])
    for _ in range(2):
        server.call("memory_find", query="cache")
    server.call("memory_find", query="cache", mode="odd")
    results = status(server, "audit_summary")
    assert results["on"] is True
    assert results["trouble"] is None
    events = results["events"]
    assert {name: events[name] for name in ("create", "skip", "refuse", "memory_store_complete")} == {
        "create": 1, "skip": 1, "refuse": 1, "memory_store_complete": 2,
    }  # fmt: skip
    assert events["memory_find_complete"] == 2
    assert results["duplicates_skipped"] == 1
    assert results["average_find_ms"] > 0
    assert [result["times"] for result in results["found_most"]] == [2]
    assert [refusal["event"] for refusal in results["latest_refusals"]] == ["memory_find_validation_failed", "refuse"]
    assert results["levels"]["warn"] == 2
    assert list(results["actors"].values()) == [sum(events.values())]


def test_an_unknown_operation_lists_the_known_ones(server: Served) -> None:
    result = server.call("system_status", operation="restart")
    assert result["isError"]
    assert "health, stats, purge_preview, audit_summary" in text(result)


def test_system_status_changes_no_file(server: Served, project: Path, home: Path) -> None:
    write(project, a_memory("over", expires_at=ago(1)))
    server.call("memory_find", query="over")
    time.sleep(0.05)
    places = (project / ".autology" / "memory", project / ".autology" / "trash", home / "data")
    files = lambda: {  # noqa: E731
        path: path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()
    }
    before = {path: data for path, data in files().items() if "conversations" not in path.name}
    for operation in ("health", "stats", "purge_preview", "audit_summary"):
        status(server, operation)
    assert {path: data for path, data in files().items() if "conversations" not in path.name} == before
