"""A replica that is behind hides from nobody what they wrote, whichever process of theirs did, and decides nothing."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autology.hub.model import WRITER, Space
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.replica_positions import FileReplicaPositions, ReplicaPositions
from autology.hub.postgres.space_servers import Access
from tests.hub import fixtures
from tests.hub.fixtures import wait_until
from tests.hub.servers import Server
from tests.hub.test_faults import an_offer
from tests.plugin import fronts

SPACE = Space("acme")
Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in a process of its own, with a folder of the user's own data; return what it says as JSON."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.setenv("AUTOLOGY_HUB_DEADLINE", "90")
    monkeypatch.setenv("AUTOLOGY_DETACH", "off")
    monkeypatch.setenv("CORTEX_ORG", SPACE.org)

    def call(*words: str, data: str = "ada") -> Any:
        done: subprocess.CompletedProcess[str]
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("AUTOLOGY_DATA_DIR", str(tmp_path / data))
            done = fronts.run(root, *words, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    return call


def test_a_process_sees_what_another_one_wrote_despite_lagging_replicas(
    own: Server, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixtures.a_hub(own, SPACE, "ada", WRITER).close()
    standby = own.standby(waits=False)
    follower = ConnectionPool(parse_dsn(f"{standby.dsn()}?target_session_attrs=any"))
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", f"{own.dsn('ada')}?replicas=127.0.0.1:{standby.port}")
    requests = ("memory", "find", "cache entries", "--scope", f"org={SPACE.org}", "--team")

    def hit_ids(data: str) -> list[str]:
        return [item["content"] for item in run(*requests, data=data)["items"]]

    try:
        run("memory", "store", "--kind", "observation", "The cache holds 40 entries.", "--scope", f"org={SPACE.org}")
        run("hub", "push", "--memories")
        there = "SELECT count(*) FROM autology.kept"
        wait_until(lambda: follower.query(there) == [[1]])
        assert hit_ids("grace") == ["The cache holds 40 entries."]
        follower.query("SELECT pg_wal_replay_pause()")
        (file,) = (tmp_path / "ada").rglob("memory/observation/*.md")
        file.unlink()
        assert run("hub", "push", "--memories")["memories"] == {"sent": 1, "waiting": 0}
        assert hit_ids("grace") == ["The cache holds 40 entries."]  # by the replica, which is as old as that
        assert hit_ids("ada") == []  # who took it away does not find it again, in whatever process
        result = run("hub", "pull")
        assert (result["brought"], result["notes"]) == (0, [])  # what is brought is what the server itself has
        assert run("hub", "push", "--memories") == {
            "memories": {"sent": 0, "waiting": 0},
            "conflicts": [],
            "notes": [],
        }  # nor does anybody take the replica's word for it that the server lost something
    finally:
        follower.close()
        standby.gone()


def test_with_an_unknown_log_position_the_primary_answers_and_reports_it(own: Server) -> None:
    fixtures.a_hub(own, SPACE, "ada", WRITER).close()
    standby = own.standby(waits=False)
    written = ReplicaPositions()
    address = parse_dsn(f"{own.dsn('ada')}?replicas=127.0.0.1:{standby.port}")
    hub = PostgresHub([("*", address)], SPACE, Access(deadline=60.0, positions=written))
    follower = ConnectionPool(parse_dsn(f"{standby.dsn()}?target_session_attrs=any"))
    try:
        follower.query("SELECT pg_wal_replay_pause()")
        hub.store(*an_offer(1))
        noted = written.last(address.name)
        assert 0 < noted < math.inf
        written.note(address.name, noted, math.inf)  # as where the connection broke before it was told
        assert hub.versions() == {"m1": 1}
        assert noted <= written.last(address.name) < math.inf
        follower.query("SELECT pg_wal_replay_resume()")
        requests = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'ada'"
        wait_until(lambda: hub.versions() == {"m1": 1} and hub.pool._replicas._idle[0].replayed >= noted)  # type: ignore[union-attr]
        assert follower.query(requests) == [[1]]
    finally:
        hub.close()
        follower.close()
        standby.gone()


@pytest.mark.parametrize("kind", ["process", "file"])
def test_the_last_log_position_is_kept_until_the_server_changes(kind: str, tmp_path: Path) -> None:
    made = ReplicaPositions() if kind == "process" else FileReplicaPositions(str(tmp_path))
    same = made if kind == "process" else FileReplicaPositions(str(tmp_path))
    assert made.last("db1/x") == 0
    made.note("db1/x", 0, 100.0)
    assert same.last("db1/x") == 100
    assert same.last("db2/x") == 0
    made.note("db1/x", 0, 90.0)  # asked before somebody else noted what is later
    assert made.last("db1/x") == 100
    made.note("db1/x", 100, 130.0)
    assert same.last("db1/x") == 130
    made.note("db1/x", 130, math.inf)
    assert same.last("db1/x") == math.inf
    made.note("db1/x", 0, 140.0)
    assert same.last("db1/x") == math.inf  # who does not know where it is may have written later
    made.note("db1/x", math.inf, 20.0)  # a backup was restored: its log is shorter than it was
    assert same.last("db1/x") == 20


def test_an_unreadable_position_file_means_unknown(tmp_path: Path) -> None:
    made = FileReplicaPositions(str(tmp_path))
    made.note("db1/x", 0, 100.0)
    (file,) = (each for each in (tmp_path / "written").iterdir() if each.suffix != ".lock")
    for text in ("", "a hundred", "1" * 90):
        file.write_text(text, encoding="ascii")
        assert made.last("db1/x") != 100
    file.write_text("", encoding="ascii")
    assert made.last("db1/x") == math.inf
    made.note("db1/x", math.inf, 110.0)
    assert made.last("db1/x") == 110
