"""Counting calls a minute: across processes, whatever the clock says, and never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autology.files.once_a_day import DailyFile
from autology.files.rate_counter import FORGOTTEN, FileTally
from tests.unit.cli_kit import SERVER


class Clock:
    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def test_calls_over_the_rate_limit_are_told_how_long_to_wait(tmp_path: Path) -> None:
    clock = Clock()
    tally = FileTally(str(tmp_path), lambda: "ada", clock)
    for _ in range(3):
        assert tally.take("store", 3) == 0.0
        clock.now += 10
    assert tally.take("store", 3) == pytest.approx(30.0)
    assert tally.take("store", 3) == pytest.approx(30.0)  # a refused call is not counted
    assert tally.take("find", 3) == 0.0
    clock.now += 30
    assert tally.take("store", 3) == 0.0
    assert tally.take("store", 3) == pytest.approx(10.0)


def test_actors_are_counted_apart_and_processes_of_one_actor_together(tmp_path: Path) -> None:
    clock = Clock()
    assert FileTally(str(tmp_path), lambda: "ada", clock).take("store", 2) == 0.0
    assert FileTally(str(tmp_path), lambda: "ada", clock).take("store", 2) == 0.0
    assert FileTally(str(tmp_path), lambda: "ada", clock).take("store", 2) > 0.0
    assert FileTally(str(tmp_path), lambda: "bob", clock).take("store", 2) == 0.0


TAKER = """
import sys
from autology.files.rate_counter import FileTally
tally = FileTally(sys.argv[1], lambda: "ada")
print(sum(tally.take("store", 100) == 0.0 for _ in range(50)))
"""


def test_eight_processes_at_once_are_let_through_a_hundred_times_together(tmp_path: Path) -> None:
    begun = [
        subprocess.Popen(
            [sys.executable, "-c", TAKER, str(tmp_path)],
            env={**os.environ, "PYTHONPATH": str(SERVER)},
            stdout=subprocess.PIPE,
        )
        for _ in range(8)
    ]
    assert sum(int(process.communicate()[0]) for process in begun) == 100


def test_rate_counters_restart_after_a_reboot(tmp_path: Path) -> None:
    FileTally(str(tmp_path), lambda: "ada", Clock(500_000.0)).take("store", 1)
    assert FileTally(str(tmp_path), lambda: "ada", Clock(20.0)).take("store", 1) == 0.0


def test_rate_limits_ignore_changes_of_the_wall_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tally = FileTally(str(tmp_path), lambda: "ada")
    real = time.time()
    for shift in (0.0, 86_400.0, -86_400.0):
        monkeypatch.setattr(time, "time", lambda shift=shift: real + shift)
        assert (tally.take("store", 1) == 0.0) is (shift == 0.0)


def test_without_a_shared_file_each_process_counts_its_own_calls(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("in the way", encoding="utf-8")
    tally = FileTally(str(tmp_path / "taken"), lambda: "ada", Clock())
    assert [tally.take("store", 2) > 0 for _ in range(4)] == [False, False, True, True]


def test_a_torn_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    tally = FileTally(str(tmp_path), lambda: "ada", Clock())
    tally.take("store", 3)
    [file] = [path for path in tmp_path.iterdir() if len(path.name) == 24]
    file.write_bytes(file.read_bytes() + b"\xff\x00")
    assert [tally.take("store", 3) > 0 for _ in range(3)] == [False, False, True]


def test_actors_of_other_days_leave_nothing(tmp_path: Path) -> None:
    FileTally(str(tmp_path), lambda: "session of old", Clock()).take("store", 3)
    for file in tmp_path.iterdir():
        os.utime(file, (time.time() - FORGOTTEN - 60,) * 2)
    FileTally(str(tmp_path), lambda: "ada", Clock()).take("store", 3)
    assert len([path for path in tmp_path.iterdir() if path.name != "lock"]) == 1


def test_a_daily_task_runs_once_a_day_in_one_process(tmp_path: Path) -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    daily = DailyFile(str(tmp_path / "cache" / "purged"), lambda: now)
    assert daily.last() is None
    with daily.due() as due:
        assert due
        with DailyFile(str(tmp_path / "cache" / "purged"), lambda: now).due() as again:
            assert not again
    assert daily.last() == "2026-03-01T12:00:00Z"
    with daily.due() as due:
        assert not due
    now += timedelta(hours=25)
    with daily.due() as due:
        assert due
    now -= timedelta(days=300)  # the clock was wrong
    with daily.due() as due:
        assert due


def test_a_failed_daily_task_is_due_again(tmp_path: Path) -> None:
    daily = DailyFile(str(tmp_path / "purged"), lambda: datetime(2026, 3, 1, tzinfo=UTC))
    with pytest.raises(RuntimeError), daily.due():
        raise RuntimeError
    with daily.due() as due:
        assert due


def test_a_daily_task_that_cannot_be_recorded_is_not_due(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("in the way", encoding="utf-8")
    with DailyFile(str(tmp_path / "taken" / "purged"), lambda: datetime(2026, 3, 1, tzinfo=UTC)).due() as due:
        assert not due
