"""`autology hub`, as a person types it: set up, shared, looked at, and its address never printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import talk
from tests.hub import fixtures
from tests.hub.servers import Server, free_port

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, Any]]


@pytest.fixture
def run(server: Server, tmp_path: Path, home: Path) -> Run:
    """Run a command in a project of its own; return its exit code and what it says as JSON."""
    root = tmp_path / "project"
    root.mkdir()
    address = home / "address"
    address.write_text(f"{server.dsn()}\n", encoding="utf-8")
    address.chmod(0o600)
    own = {
        "AUTOLOGY_HUB_DSN_FILE": str(address),
        "AUTOLOGY_HUB_DEADLINE": "60",  # a busy machine is no fault of the hub
        "AUTOLOGY_DETACH": "off",  # what goes by itself is asked for here, so that it comes when it is looked for
        "CORTEX_ORG": fixtures.a_space().org,
        "CORTEX_PROJECT": "p",
        "CLAUDE_CONFIG_DIR": str(home / "client"),
        "PYTHONPATH": str(ROOT / "server"),
    }

    def call(*words: str, **more: str) -> tuple[int, Any]:
        done = subprocess.run(
            [sys.executable, *(words if words[0] == "-c" else ("-m", "autology", *words, "--json"))],
            cwd=root, env={**os.environ, **own, **more}, capture_output=True, encoding="utf-8", timeout=600,
        )  # fmt: skip
        assert "owner@" not in done.stdout + done.stderr
        return done.returncode, json.loads(done.stdout)

    return call


def test_without_an_address_nothing_changes_for_anyone(run: Run) -> None:
    code, result = run("hub", "status", AUTOLOGY_HUB_DSN_FILE="")
    assert code == 1
    assert "hub_dsn_file" in result["error"]["message"]
    assert run("capture", "--title", "A note", "--content", "text", AUTOLOGY_HUB_DSN_FILE="")[0] == 0


def test_a_project_is_shared_and_found_as_its_files_are(run: Run) -> None:
    run("capture", "--title", "Use JWT for sessions", "--type", "decision", "--content", "Tokens expire.")
    code, result = run("hub", "init")
    assert (code, result["new"]) == (0, True)
    assert run("hub", "init")[1]["new"] is False
    assert run("hub", "push")[1]["files"] == {"sent": 1, "gone": 0, "same": 0}
    assert run("hub", "push")[1]["files"] == {"sent": 0, "gone": 0, "same": 1}
    run("capture", "--title", "Rotate keys", "--type", "decision", "--content", "In May.")
    assert run("hub", "push", "--changed") == (0, {"waits": False, "waiting": 0, "conflicts": []})
    code, result = run("hub", "status")
    assert (code, result["role"], result["files"]["node"], result["waiting"]) == (0, "admin", 2, 0)
    assert run("hub", "doctor") == (0, {"findings": [], "checked": 1})
    assert run("hub", "migrate")[1]["taken"] == []


def test_memories_are_pushed_and_pulled_by_command(run: Run, home: Path, tmp_path: Path) -> None:
    assert run("hub", "init", "--whole")[0] == 0
    org = run("hub", "status", "--whole")[1]["space"]
    run("memory", "store", "--kind", "observation", "The cache holds 40 entries.", "--scope", f"org={org}")
    assert run("hub", "push", "--memories")[1]["memories"] == {"sent": 1, "waiting": 0}
    other = {"AUTOLOGY_DATA_DIR": str(tmp_path / "other")}
    assert run("hub", "pull", **other) == (0, {"brought": 1, "removed": 0, "notes": []})
    hits = run("memory", "find", "cache entries", **other)[1]
    assert "The cache holds 40 entries." in json.dumps(hits)
    (id,) = (file.stem for file in (tmp_path / "other").rglob("*.md"))
    versions = run("hub", "history", id, "--whole")[1]["versions"]
    assert [(one["version"], one["login"]) for one in versions] == [(1, "owner")]
    code, result = run("hub", "prune", "--versions", "1", "--audit-days", "365", "--whole")
    assert (code, result["done"], result["versions of memories"]) == (0, False, 0)


def test_with_the_hub_away_memories_wait_and_it_is_said(run: Run, home: Path) -> None:
    away = {"AUTOLOGY_HUB_DSN": f"postgresql://ada@127.0.0.1:{free_port()}/x"}
    words = ("--kind", "observation", "The cache holds 40.", "--scope", "org=acme")
    assert run("memory", "store", *words, CORTEX_ORG="acme", **away)[0] == 0
    code, result = run("hub", "push", "--memories", CORTEX_ORG="acme", **away)
    assert (code, result["memories"]) == (1, {"sent": 0, "waiting": 1})
    assert "cannot be reached" in result["notes"][0]
    code, result = run("hub", "status", CORTEX_ORG="acme", **away)
    assert (code, result["waiting"]) == (1, 1)
    assert "cannot be reached" in result["problem"]
    code, result = run("hub", "doctor", CORTEX_ORG="acme", **away)
    assert (code, len(result["findings"])) == (1, 1)


def test_roles_are_granted_and_revoked_by_command(run: Run, server: Server) -> None:
    run("hub", "init")
    fixtures.a_login(server, "grace")
    assert run("hub", "grant", "grace", "writer", "--branch", "main")[0] == 0
    members = run("hub", "status")[1]["members"]
    assert [(one["login"], one["role"], one["branch"]) for one in members] == [
        ("grace", "writer", "main"),
        ("owner", "admin", ""),
    ]
    assert run("hub", "revoke", "grace")[1]["taken"] == 1
    code, result = run("hub", "revoke", "owner")
    assert code == 1
    assert "keeps an admin" in result["error"]["message"]


@pytest.mark.parametrize("role", ["reader", "writer", "admin"])
def test_a_login_that_was_granted_a_role_finds_all_well(run: Run, server: Server, home: Path, role: str) -> None:
    run("hub", "init")
    fixtures.a_login(server, f"doctor_{role}")
    assert run("hub", "grant", f"doctor_{role}", role)[0] == 0
    theirs = {"AUTOLOGY_HUB_DSN": server.dsn(f"doctor_{role}"), "AUTOLOGY_HUB_DSN_FILE": ""}
    code, result = run("hub", "doctor", **theirs)
    assert (result["findings"], code, result["checked"]) == ([], 0, 1)
    run("hub", "revoke", f"doctor_{role}")
    code, result = run("hub", "doctor", **theirs)
    assert code == 1
    assert "you have no access" in result["findings"][0]["problem"]


def test_conversations_go_by_consent_and_come_back_from_the_team(run: Run, home: Path, tmp_path: Path) -> None:
    message = [talk.Said("2026-03-01T10:00:00.000Z", "how do we retry payments?", "Three times, with a growing pause.")]
    talk.write(home / "client", str(tmp_path / "project"), "11111111-1111-4111-8111-111111111111", message)
    run("hub", "init")
    assert "chunks" not in run("hub", "push")[1]
    assert run("hub", "consent", "give")[1]["shares"] is True
    assert run("hub", "push")[1]["chunks"] >= 1
    assert run("hub", "push")[1]["chunks"] == 0
    elsewhere = {"AUTOLOGY_DATA_DIR": str(tmp_path / "other"), "CLAUDE_CONFIG_DIR": str(tmp_path / "nothing")}
    program = """if True:
        import json, os
        from autology.core.recall import discussions
        from autology.core.recall.request import RecallRequest
        from autology.wire.project import Project
        memory = Project(os.getcwd()).conversation_search
        found = discussions.recall(memory, RecallRequest("retry payments", include_peers=True), "x")
        print(json.dumps({"results": [[one.source, one.chunk.text] for one in found.results], "notes": found.notes}))
    """
    code, results = run("-c", program, **elsewhere)
    assert code == 0
    assert results["results"], results["notes"]
    assert "owner" in {source for source, text in results["results"] if "Three times" in text}
    assert not any("hub" in note for note in results["notes"])
    result = run("recall", "retry payments", "--team", **elsewhere)[1]["results"]
    assert "owner" in {one["source"] for one in result if "Three times" in str(one)}
    results = run("hub", "consent", "withdraw")[1]
    assert results["removed"] >= 1
    assert set(results["remains"].values()) == {0}
