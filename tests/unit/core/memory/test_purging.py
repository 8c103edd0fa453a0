"""Purging: what is over goes to the trash, what is asked for lives on, what is edited stays."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autology.core.memory.ports import Event
from autology.core.memory.purge import due, purge, purge_daily
from autology.files.audit_log import AuditLog
from autology.files.once_a_day import DailyFile
from autology.model.memory import Kind, Scope
from tests.fakes.remembered import NOW, a_memory, kept, memories, trashed, write


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    project, user = tmp_path / "project", tmp_path / "user"
    (project / ".autology").mkdir(parents=True)
    return project, user


def test_expired_memories_go_to_the_trash_of_their_root_and_others_stay(place: tuple[Path, Path]) -> None:
    project, user = place
    over = [write(project, a_memory("over", days=-1)), write(user, a_memory("wide", days=-100, scope=Scope(org="a")))]
    stays = [
        write(project, a_memory("alive", days=1)),
        write(project, a_memory("for-ever", days=None)),
        write(user, a_memory("wide-alive", days=300, kind=Kind.TODO, scope=Scope(org="a"))),
    ]
    texts = {path: path.read_bytes() for path in over + stays}
    result = memories(project, user)
    assert [source.id for source in due(result).expired] == ["wide", "over"]
    assert all(path.exists() for path in over), "looking moves nothing"
    done = purge(result)
    assert sorted(memory.id for memory in done.moved) == ["over", "wide"]
    assert not any(path.exists() for path in over)
    assert {path: path.read_bytes() for path in stays} == {path: texts[path] for path in stays}
    assert trashed(project)["over"] == texts[over[0]]
    assert trashed(user)["wide"] == texts[over[1]]
    assert purge(result).moved == ()


def test_a_memory_expires_exactly_at_its_second(place: tuple[Path, Path]) -> None:
    project, user = place
    write(project, a_memory("now", days=0))
    write(project, a_memory("soon", days=1 / 86_400))
    assert [memory.id for memory in purge(memories(project, user)).moved] == ["now"]


def test_a_lifetime_prolonged_by_hand_counts_even_if_not_indexed_yet(place: tuple[Path, Path]) -> None:
    project, user = place
    file = write(project, a_memory("over", days=-1))
    result = memories(project, user)
    result.refresh()
    held, stat = file.read_bytes(), file.stat()
    later = held.replace(b"expires_at: 2026-02-28T12:00:00Z", b"expires_at: 2027-02-28T12:00:00Z")
    assert later != held
    file.write_bytes(later)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    result.refresh = lambda **_: 0  # type: ignore[method-assign]
    result.catch_up = lambda: None  # type: ignore[method-assign] - the index stays behind
    assert [source.id for source in due(result).expired] == ["over"]
    assert purge(result).moved == ()
    assert file.read_bytes() == later


def test_a_file_that_broke_stays_and_is_named(place: tuple[Path, Path]) -> None:
    project, user = place
    file = write(project, a_memory("over", days=-1))
    write(project, a_memory("other", days=-1))
    result = memories(project, user)
    result.refresh()
    file.write_bytes(file.read_bytes().replace(b"id: over", b"id: [over"))
    result.refresh = lambda **_: 0  # type: ignore[method-assign]
    result.catch_up = lambda: None  # type: ignore[method-assign]
    done = purge(result)
    assert [memory.id for memory in done.moved] == ["other"]
    assert [path for path, _ in done.failed] == [".autology/memory/observation/over.md"]
    assert file.exists()


def test_many_memories_are_purged_in_batches_with_progress(place: tuple[Path, Path]) -> None:
    project, user = place
    for number in range(230):
        write(project, a_memory(f"over{number}", days=-1))
    received: list[tuple[int, int]] = []
    done = purge(memories(project, user), progress=lambda *now: received.append(now))
    assert len(done.moved) == 230
    assert received == [(100, 230), (200, 230), (230, 230)]


def test_two_at_once_move_each_item_once(place: tuple[Path, Path]) -> None:
    project, user = place
    for number in range(60):
        write(project, a_memory(f"over{number}", days=-1))
    sides = [memories(project, user) for _ in range(2)]
    for side in sides:
        side.refresh()
    moved: list[str] = []
    threads = [
        threading.Thread(target=lambda side=side: moved.extend(m.id for m in purge(side).moved)) for side in sides
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(moved) == sorted(f"over{number}" for number in range(60))
    assert sorted(trashed(project)) == sorted(moved)
    assert len([name for name in kept(project) if name.endswith(".md")]) == 60


def an_audit(folder: Path, found: dict[str, int], at: datetime = NOW - timedelta(days=3)) -> AuditLog:
    log = AuditLog(str(folder / "audit"), lambda: at)
    for id, times in found.items():
        for _ in range(times):
            log.record([Event("memory_find_complete", "info", {"ids": [id, id, "another"]})])
    return log


def test_purging_prolongs_frequently_found_memories_if_enabled(place: tuple[Path, Path]) -> None:
    project, user = place
    requests = write(project, a_memory("asked", days=-1, kind=Kind.TODO))
    write(project, a_memory("seldom", days=-1))
    ending = write(project, a_memory("ending", days=5))
    later = write(project, a_memory("later", days=50))
    untouched = later.read_bytes()
    audit = an_audit(user, {"asked": 5, "seldom": 4, "ending": 9, "later": 9})
    result = memories(project, user)
    assert [source.id for source in due(result, audit, 5).prolong] == ["asked", "ending"]
    done = purge(result, audit, extend=5)
    assert [memory.id for memory in done.moved] == ["seldom"]
    assert {m.id: m.expires_at for m in done.prolonged} == {
        "asked": "2026-05-30T12:00:00Z",  # a todo lives for 90 days
        "ending": "2027-03-01T12:00:00Z",  # an observation for a year
    }
    assert b"expires_at: 2026-05-30T12:00:00Z" in requests.read_bytes()
    assert b"expires_at: 2027-03-01T12:00:00Z" in ending.read_bytes()
    assert later.read_bytes() == untouched
    assert purge(result, audit, extend=5).prolonged == ()


def test_finds_of_long_ago_prolong_nothing_and_without_the_setting_none_does(place: tuple[Path, Path]) -> None:
    project, user = place
    write(project, a_memory("asked", days=-1))
    old = an_audit(user, {"asked": 50}, NOW - timedelta(days=40))
    assert due(memories(project, user), old, 5).prolong == ()
    audit = an_audit(user, {"asked": 50})
    assert [memory.id for memory in purge(memories(project, user), audit, extend=0).moved] == ["asked"]


def test_a_daily_purge_happens_once_a_day(place: tuple[Path, Path], tmp_path: Path) -> None:
    project, user = place
    now = NOW
    daily = DailyFile(str(tmp_path / "purged"), lambda: now)
    result = memories(project, user, lambda: now)
    write(project, a_memory("over", days=-1))
    done = purge_daily(result, daily, None, 0)
    assert done
    assert [memory.id for memory in done.moved] == ["over"]
    write(project, a_memory("next", days=-1))
    assert purge_daily(result, daily, None, 0) is None
    now = datetime(2026, 3, 2, 12, 1, tzinfo=UTC)
    done = purge_daily(result, daily, None, 0)
    assert done
    assert [memory.id for memory in done.moved] == ["next"]
