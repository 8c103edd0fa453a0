"""The audit on a disk that is full or may not be written: calls go on, lines stay whole, gaps are told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autology.core.memory.ports import Event
from autology.files import audit_log
from autology.files.audit_log import AuditLog
from autology.files.rate_counter import FileTally
from tests.durability.killing import course, killed_at
from tests.durability.test_refused import NOBODY, in_a_child, posix, small_disk
from tests.unit.cli_kit import SERVER

__all__ = ["small_disk"]  # a fixture


def an_event(number: int) -> Event:
    return Event("create", "info", {"id": f"n{number}", "text": "words " * 30})


def log_in(folder: Path) -> AuditLog:
    return AuditLog(str(folder), lambda: datetime.now(UTC))


def audit_entries(folder: Path) -> list[dict[str, object]]:
    return list(reversed([dict(entry) for entry in log_in(folder).entries()]))


def filled(disk: Path) -> Path:
    """Leave no room on *disk*; return what takes it."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4_096):
                pass
        except OSError:
            pass
    return ballast


def test_a_full_disk_fails_no_call_and_missing_audit_lines_are_reported_later(small_disk: Path) -> None:
    folder = small_disk / "audit"
    log = log_in(folder)
    assert log.record([an_event(0)])
    ballast = filled(small_disk)
    written = [log.record([an_event(number)]) for number in range(1, 60)]
    assert not all(written)
    ballast.unlink()
    assert log.record([an_event(60)])
    entries = audit_entries(folder)
    ids = [str(entry["id"]) for entry in entries if entry["event"] == "create"]
    reported = [f"n{number}" for number, done in enumerate([True, *written, True]) if done]
    assert set(reported) <= set(ids), "what was reported written is there"
    [gap] = [entry for entry in entries if entry["event"] == "audit_gap"]
    assert gap["missed"] == written.count(False)
    assert sum(entry["event"] == "unreadable" for entry in entries) <= 1, "a line that was cut short spoils no other"
    assert entries[-1]["id"] == "n60"


@posix
def test_a_folder_that_may_not_be_written_costs_lines_but_no_call(quick_path: Path) -> None:
    folder = quick_path / "audit"
    assert log_in(folder).record([an_event(0)])
    (folder / "audit.jsonl").chmod(0o444)
    folder.chmod(0o555)
    quick_path.chmod(0o755)

    def use() -> str:
        log = log_in(folder)
        done = log.record([an_event(1)])
        tally = FileTally(str(folder / "tally"), lambda: "ada")
        return f"{done} {log.state().trouble} {[tally.take('find', 2) > 0 for _ in range(3)]}"

    message = in_a_child(use, NOBODY)
    folder.chmod(0o755)
    assert message == f"False {folder / 'audit.jsonl'}: Permission denied [False, False, True]"
    assert [entry["event"] for entry in audit_entries(folder)] == ["create"]


@pytest.fixture
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_log, "LIMIT", 3_000)
    monkeypatch.setattr(audit_log, "FILES", 1_000)


@posix
def test_killed_at_any_call_also_while_a_file_is_put_aside_no_line_is_torn_or_lost(
    quick_path: Path, small_files: None
) -> None:
    def act(folder: Path) -> None:
        log = log_in(folder)
        for number in range(30):
            assert log.record([an_event(number)])
            (folder / "reported").write_text(str(number), encoding="ascii")

    (quick_path / "counted").mkdir()
    died = 0
    for stop in course(lambda: act(quick_path / "counted")).stops(60):
        folder = quick_path / str(stop)
        folder.mkdir()
        died += killed_at(stop, lambda folder=folder: act(folder))
        assert log_in(folder).record([an_event(99)])
        ids = [entry.get("id") for entry in audit_entries(folder)]
        note = folder / "reported"
        reported = int(note.read_text(encoding="ascii") or -1) if note.exists() else -1
        assert ids[:-1] == [f"n{number}" for number in range(len(ids) - 1)], f"after a kill at {stop}"
        assert len(ids) - 1 > reported
        assert ids[-1] == "n99"
    assert died > 40


@posix
def test_a_count_that_is_killed_at_any_call_lets_the_next_be_counted(quick_path: Path) -> None:
    def act(folder: Path) -> None:
        tally = FileTally(str(folder), lambda: "ada")
        for _ in range(3):
            tally.take("find", 3)

    died = 0
    for stop in course(lambda: act(quick_path / "counted")).stops(30):
        folder = quick_path / str(stop)
        died += killed_at(stop, lambda folder=folder: act(folder))
        waits = [FileTally(str(folder), lambda: "ada").take("find", 3) for _ in range(4)]
        assert waits[-1] > 0
        assert all(0 <= wait <= 60 for wait in waits)
    assert died > 15


def test_audit_lines_on_a_filling_disk_are_whole_or_reported_missing(small_disk: Path) -> None:
    folder = small_disk / "audit"
    code = (
        "import sys\n"
        "from tests.durability.test_refused_audit import an_event, log_in, Path\n"
        "log = log_in(Path(sys.argv[1]))\n"
        "print(sum(log.record([an_event(number)]) for number in range(200)))\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SERVER), str(SERVER.parent)])}
    (small_disk / "room").write_bytes(b"x" * 100_000)
    filled(small_disk)
    (small_disk / "room").unlink()
    begun = [
        subprocess.Popen([sys.executable, "-c", code, str(folder)], env=env, stdout=subprocess.PIPE) for _ in range(8)
    ]
    reported = sum(int(process.communicate()[0]) for process in begun)
    entries = audit_entries(folder)
    whole = sum(entry["event"] == "create" for entry in entries)
    assert 0 < reported <= whole < 1_600
    torn = [entry for entry in entries if entry["event"] == "unreadable"]
    assert len(torn) <= 8
    assert all(json.dumps(entry) for entry in entries)
