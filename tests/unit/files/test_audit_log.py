"""The audit: whole lines from many processes, put aside by size, without secrets, and never in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autology.core.memory.ports import Event
from autology.files import audit_log
from autology.files.audit_log import AuditLog
from tests.unit.cli_kit import SERVER

AS_A_PERSON = pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions bind no administrator")
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def event(number: int = 0, **fields: object) -> Event:
    return Event("memory_find_complete", "info", {"number": number, **fields})


def lines(folder: Path) -> list[dict[str, object]]:
    files = [*sorted(folder.glob("audit-*.jsonl")), folder / "audit.jsonl"]
    # Who saw another's line half way set a line's end before its own: an empty line tells nothing.
    return [json.loads(line) for file in files for line in file.read_bytes().splitlines() if line]


def test_an_event_is_a_line_of_json_with_time_name_and_level(tmp_path: Path) -> None:
    log = AuditLog(str(tmp_path / "audit"), Clock())
    assert log.record([event(1, query="größe\nof it", nothing=None), Event("create", "info", {"ids": ("a", "b")})])
    assert lines(tmp_path / "audit") == [
        {"time": "2026-03-01T12:00:00.000Z", "event": "memory_find_complete", "level": "info", "number": 1,
         "query": "größe\nof it"},
        {"time": "2026-03-01T12:00:00.000Z", "event": "create", "level": "info", "ids": ["a", "b"]},
    ]  # fmt: skip
    assert [entry["event"] for entry in log.entries()] == ["create", "memory_find_complete"]


def test_no_secret_is_written_wherever_in_an_event_it_stands(tmp_path: Path) -> None:
    log = AuditLog(str(tmp_path), Clock())
    log.record([event(query=f"why {SECRET}", deep={"er": [f"token={SECRET}", {"x": "<private>mine</private>"}]})])
    written = (tmp_path / "audit.jsonl").read_text(encoding="utf-8")
    assert SECRET not in written
    assert "mine" not in written
    assert "[redacted:" in written


def test_long_values_are_truncated_in_audit_lines(tmp_path: Path) -> None:
    AuditLog(str(tmp_path), Clock()).record([event(query="q" * 100_000, ids=[str(n) for n in range(10_000)])])
    [line] = lines(tmp_path)
    assert len(str(line["query"])) == audit_log.TEXT
    assert line["ids"] == [str(n) for n in range(audit_log.LISTED)]


def test_a_full_file_is_put_aside_and_the_oldest_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_log, "LIMIT", 1_000)
    monkeypatch.setattr(audit_log, "FILES", 3)
    log = AuditLog(str(tmp_path), Clock())
    for number in range(100):
        assert log.record([event(number)])
    files = sorted(tmp_path.glob("*.jsonl"))
    assert [file.name for file in files[:2]] != ["audit-000001.jsonl", "audit-000002.jsonl"]
    assert len(files) <= 3
    assert all(file.stat().st_size < 1_300 for file in files)
    kept = [entry["number"] for entry in log.entries()]
    assert kept == list(range(99, 99 - len(kept), -1))
    assert len(kept) > 15


def test_reading_since_a_moment_leaves_what_was_before(tmp_path: Path) -> None:
    clock = Clock()
    log = AuditLog(str(tmp_path), clock)
    for number in range(5):
        log.record([event(number)])
        clock.now += timedelta(hours=1)
    assert [entry["number"] for entry in log.entries("2026-03-01T14:30:00Z")] == [4, 3]


def test_a_line_that_a_full_disk_cut_short_spoils_no_other(tmp_path: Path) -> None:
    log = AuditLog(str(tmp_path), Clock())
    log.record([event(1)])
    file = tmp_path / "audit.jsonl"
    file.write_bytes(file.read_bytes() + b'{"time": "2026-03-01T12:0')
    log.record([event(2)])
    result = list(log.entries())
    assert [entry["event"] for entry in result] == ["memory_find_complete", "unreadable", "memory_find_complete"]
    assert [result[0]["number"], result[2]["number"]] == [2, 1]


def test_the_next_audit_line_reports_lines_that_could_not_be_written(tmp_path: Path) -> None:
    received: list[OSError] = []
    folder = tmp_path / "audit"
    folder.write_text("in the way", encoding="utf-8")
    log = AuditLog(str(folder), Clock(), failed=received.append)
    assert not log.record([event(1), event(2)])
    assert not log.record([event(3)])
    assert len(received) == 1  # once, not for every call
    assert "audit" in log.state().trouble
    folder.unlink()
    assert log.record([event(4)])
    assert log.record([event(5)])
    first, *rest = lines(folder)
    assert (first["event"], first["level"], first["missed"]) == ("audit_gap", "warn", 3)
    assert [line["number"] for line in rest] == [4, 5]
    assert log.state().trouble == ""


@pytest.mark.skipif(os.name == "nt", reason="pipes and links are others there")
def test_neither_a_link_nor_a_pipe_nor_a_folder_is_written_to_or_waited_for(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"precious\n")
    for number, make in enumerate((lambda at: at.symlink_to(other), os.mkfifo, Path.mkdir)):
        folder = tmp_path / str(number)
        folder.mkdir()
        make(folder / "audit.jsonl")
        log = AuditLog(str(folder), Clock())
        assert not log.record([event()])
        assert log.state().trouble
        assert list(log.entries()) == []
    assert other.read_bytes() == b"precious\n"


def test_an_audit_that_is_switched_off_writes_nothing_and_is_not_in_trouble(tmp_path: Path) -> None:
    log = AuditLog(str(tmp_path / "audit"), Clock(), on=False)
    assert not log.record([event()])
    assert not (tmp_path / "audit").exists()
    assert log.state().trouble == ""
    assert not log.state().on


def test_reading_the_audit_creates_no_files(tmp_path: Path) -> None:
    log = AuditLog(str(tmp_path / "audit"), Clock())
    assert (log.state().files, log.state().trouble, list(log.entries())) == (0, "", [])
    assert list(tmp_path.iterdir()) == []


@AS_A_PERSON
def test_the_audit_log_is_readable_only_by_its_user(tmp_path: Path) -> None:
    AuditLog(str(tmp_path / "audit"), Clock()).record([event()])
    assert (tmp_path / "audit").stat().st_mode & 0o077 == 0
    assert (tmp_path / "audit" / "audit.jsonl").stat().st_mode & 0o077 == 0


WRITER = """
import sys
from datetime import UTC, datetime
from autology.core.memory.ports import Event
from autology.files import audit_log
folder, who, many, limit = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
audit_log.LIMIT, audit_log.FILES = limit, 10_000
log = audit_log.AuditLog(folder, lambda: datetime.now(UTC))
for number in range(many):
    filler = "words " * (number % 40)
    assert log.record([Event("create", "info", {"id": f"{who}-{number}-{part}", "text": filler}) for part in (0, 1)])
"""


def test_eight_processes_at_once_keep_every_line_whole_and_in_its_order_also_while_files_are_put_aside(
    tmp_path: Path,
) -> None:
    many, writers = 100, 8
    begun = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), f"w{number}", str(many), "20000"],
            env={**os.environ, "PYTHONPATH": str(SERVER)},
        )
        for number in range(writers)
    ]
    reader = AuditLog(str(tmp_path), lambda: datetime.now(UTC))
    looks = []
    while any(process.poll() is None for process in begun):
        looks.append(list(reader.entries()))
    for result in looks:
        assert {entry["event"] for entry in result} <= {"create"}
        results = Counter(str(entry["id"]) for entry in result)
        assert not results or max(results.values()) == 1, "a line is read twice while files are put aside"
    assert [process.wait() for process in begun] == [0] * writers
    assert len(looks) > 3
    ids = [str(line["id"]) for line in lines(tmp_path)]
    assert sorted(ids) == sorted(f"w{w}-{n}-{part}" for w in range(writers) for n in range(many) for part in (0, 1))
    assert len(list(tmp_path.glob("audit-*.jsonl"))) > 5
    of_one = [entry for entry in ids if entry.startswith("w3-")]
    assert of_one == sorted(of_one, key=lambda id: [int(part) for part in id[1:].split("-")[1:]])
