"""What lies in a shared folder may be torn, damaged or hostile: it is refused, named, and nothing else suffers."""

from __future__ import annotations

import gzip
import json
import os
from contextlib import suppress
from pathlib import Path

import pytest

from autology.files import lock
from autology.mirror import names
from autology.mirror.mirror import MirrorOptions
from autology.mirror.names import LogFile, PartFile, digest, session_key
from autology.mirror.versions import version
from autology.model.errors import BusyError, StorageError, ValidationError
from tests.fakes.mirrored import Machine, carry, everything_in, no_stage

EVIL = "evil-0123abcd"
TEXT = "---\nid: {id}\nkind: observation\ncreated_at: 2026-01-01T00:00:00Z\n---\n\nEvil.\n"


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    return tmp_path / "shared"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path / "a", "laptop")
    made.store("m1", "Own.")
    return made


def line(id: str, text: str | None = None, **changed: object) -> bytes:
    """A record of a log as another machine writes it, with *changed* fields."""
    one = version(id, [], TEXT.format(id=id) if text is None else text, EVIL)
    fields = {"memory": one.memory, "parents": list(one.parents), "machine": EVIL}
    fields |= {"text": one.text, "version": one.name, **changed}
    return json.dumps(fields).encode() + b"\n"


def log(shared: Path, data: bytes, number: int = 1, name: str = "") -> Path:
    path = shared / EVIL / (name or LogFile(number, digest(data)).name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def part(shared: Path, transcript: str, content: bytes, modified: object = 1, key: str = "") -> Path:
    header = json.dumps({"format": 1, "name": transcript, "modified": modified}).encode() + b"\n"
    name = PartFile(key or session_key(transcript), 1, 0, len(content), digest(content)).name
    path = shared / EVIL / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(header + content))
    return path


def test_a_torn_log_waits_until_it_is_whole(machine: Machine, shared: Path, tmp_path: Path) -> None:
    data = line("x1") + line("x2")
    path = log(shared, data[:40], name=LogFile(1, digest(data)).name)
    report = machine.sync(shared)
    assert (report.waiting, report.memories.received) == (1, [])
    assert any("incomplete or damaged" in note for note in report.notes)
    path.write_bytes(data)
    assert machine.sync(shared).memories.received == ["x1", "x2"]


def test_what_follows_a_gap_waits_unless_the_user_says_otherwise(machine: Machine, shared: Path) -> None:
    log(shared, line("x2"), number=2)
    report = machine.sync(shared)
    assert (report.waiting, report.memories.received) == (1, [])
    assert machine.sync(shared, skips_gaps=True).memories.received == ["x2"]
    log(shared, line("x1"), number=1)
    assert machine.sync(shared).memories.received == ["x1"]


@pytest.mark.parametrize(
    "bad",
    [
        b"no json\n",
        b"[]\n",
        b'{"memory": 1}\n',
        b"[" * 100_000 + b"\n",
        b"\xff\xfe\x00\n",
        line("../../evil"),
        line("x1", text=TEXT.format(id="../evil")),
        line("x1", text=TEXT.format(id="other")),
        line("x1", text="no memory"),
        line("x1", version="0" * 32),
        line("x1", parents=["short"]),
        line("x1", parents="0" * 32),
        line("x1", parents=[["0" * 32]]),
        line("con"),
    ],
    ids=range(14),
)
def test_lines_that_are_no_records_are_left_out_and_counted(machine: Machine, shared: Path, bad: bytes) -> None:
    log(shared, bad + line("good"))
    before = {path for path in machine.root.rglob("*") if "mirror" not in path.parts}
    report = machine.sync(shared)
    assert report.memories.received == ["good"]
    assert any("1 lines are not valid" in note for note in report.notes)
    new = {path for path in machine.root.rglob("*") if "mirror" not in path.parts} - before
    assert {path.name for path in new if path.suffix == ".md"} == {"good.md"}


@pytest.mark.parametrize(
    "transcript",
    [
        "../../../evil",
        "/etc/evil",
        "a/../../evil",
        "%other/x.jsonl",
        "a//b",
        "a\\b",
        "con/x",
        "x\n",
        "C:/x",
        "x" * 2000,
    ],
)
def test_a_transcript_with_a_hostile_name_is_not_imported(machine: Machine, shared: Path, transcript: str) -> None:
    part(shared, transcript, b'{"type":"user"}\n')
    part(shared, "-work/good.jsonl", b'{"type":"user"}\n')
    report = machine.sync(shared)
    assert machine.transcripts() == [f"%{EVIL}/-work/good.jsonl"]
    assert (report.received.received, report.received.waiting) == (1, 1)


def test_a_part_that_is_not_what_its_name_says_is_not_imported(machine: Machine, shared: Path) -> None:
    part(shared, "-work/a.jsonl", b"a\n").write_bytes(b"no gzip")
    part(shared, "-work/b.jsonl", b"b\n", key="0" * 24)
    part(shared, "-work/c.jsonl", b"c\n", modified="yesterday")
    path = part(shared, "-work/d.jsonl", b"d\n")
    path.write_bytes(path.read_bytes()[:-3])
    part(shared, "-work/e.jsonl", b"e\n").rename(shared / EVIL / PartFile("1" * 24, 1, 5, 9, "2" * 32).name)
    report = machine.sync(shared)
    assert (machine.transcripts(), report.received.waiting) == ([], 5)
    assert len([note for note in report.received.notes if "incomplete or damaged" in note]) == 4


def test_a_part_that_unpacks_to_more_than_its_name_says_is_not_unpacked(machine: Machine, shared: Path) -> None:
    path = part(shared, "-work/a.jsonl", b"a\n")
    path.write_bytes(gzip.compress(b"\0" * 200_000_000, 1))
    assert machine.sync(shared).received.waiting == 1


def test_a_huge_file_is_refused_without_being_read(machine: Machine, shared: Path) -> None:
    path = part(shared, "-work/a.jsonl", b"a\n")
    os.truncate(path, names.LARGEST_FILE + 1)
    report = machine.sync(shared)
    assert machine.transcripts() == []
    assert any("refused files of more than 96 MB" in note for note in report.received.notes)


def test_links_pipes_and_other_files_are_passed_over(machine: Machine, shared: Path, tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes in folders")
    secret = tmp_path / "secret.jsonl"
    secret.write_bytes(line("x1"))
    (shared / EVIL).mkdir(parents=True)
    (shared / EVIL / LogFile(1, digest(line("x1"))).name).symlink_to(secret)
    os.mkfifo(shared / EVIL / LogFile(2, "0" * 32).name)
    (shared / "other-01234567").symlink_to(tmp_path)
    (shared / ".stfolder").mkdir()
    (shared / "notes.txt").write_text("of the user", encoding="utf-8")
    (shared / EVIL / "memories (conflicted copy).jsonl").write_bytes(line("x3"))
    report = machine.sync(shared)
    assert report.memories.received == []
    assert report.machines == ["evil"]


def test_an_own_folder_that_is_a_link_is_not_followed(machine: Machine, shared: Path, tmp_path: Path) -> None:
    machine.sync(shared)
    own = next(shared.iterdir())
    (tmp_path / "elsewhere").mkdir()
    own.rename(tmp_path / "moved")
    own.symlink_to(tmp_path / "elsewhere")
    machine.store("m2", "More.")
    with pytest.raises(StorageError, match="is a link"):
        machine.sync(shared, again=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_own_files_that_were_lost_or_torn_are_written_again(machine: Machine, shared: Path, tmp_path: Path) -> None:
    machine.say("s1", "one", "two")
    machine.sync(shared)
    before = everything_in(shared)
    (log_path,) = shared.glob("*/memories-*")
    log_path.write_bytes(log_path.read_bytes()[:-5])
    next(shared.glob("*/session-*")).unlink()
    machine.sync(shared)
    assert everything_in(shared) == before


def test_a_place_that_cannot_be_one_is_refused(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for place in (machine.data, machine.data / "archive" / "x", tmp_path / "no" / "where", tmp_path / "file"):
        with pytest.raises(ValidationError):
            machine.mirror().run(str(place), str(tmp_path), MirrorOptions(), no_stage)


def test_two_processes_at_once_wait_for_each_other(
    machine: Machine, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.sync(shared)
    monkeypatch.setattr(lock, "PATIENCE", 0.05)
    with (
        lock.held(str(machine.data / "mirror" / "lock"), "the mirror"),
        pytest.raises(BusyError, match="another process"),
    ):
        machine.sync(shared)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_is_said_to_be_one(machine: Machine, shared: Path) -> None:
    machine.sync(shared)
    own = next(shared.iterdir())
    own.chmod(0o500)
    machine.store("m2", "More.")
    try:
        with pytest.raises(StorageError, match="Permission denied"):
            machine.sync(shared)
    finally:
        own.chmod(0o700)
    machine.sync(shared)
    assert len(list(own.glob("memories-*"))) == 2


def test_a_full_disk_loses_nothing_and_the_next_run_goes_on(
    machine: Machine, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Machine(tmp_path / "b", "desktop")
    other.sync(shared)
    machine.say("s1", "one", "two")
    machine.sync(shared)
    fails = [number for number in range(1, 40) if _synced_with_full_disk(other, shared, number, monkeypatch)]
    assert len(fails) > 5
    other.sync(shared)
    assert other.content("m1") == "Own."
    assert other.sessions() == machine.sessions()
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".tmp", ".part")]


def _synced_with_full_disk(machine: Machine, shared: Path, at: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Mirror while the *at*-th sync to disk fails; return whether it came that far."""
    left = at

    def full(handle: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        machine.store(f"n{at}", "More.")
        with suppress(StorageError):
            machine.sync(shared)
    return left <= 0


def test_a_first_run_that_could_not_write_needs_no_other_call_the_next_time(
    machine: Machine, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = os.mkdir

    def full(path: str, mode: int = 0o777) -> None:
        if str(path).startswith(str(shared)):
            raise OSError(28, "No space left on device")
        make(path, mode)

    shared.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "mkdir", full)
        with pytest.raises(StorageError, match="No space left"):
            machine.sync(shared)
    assert machine.sync(shared).sent_files == 1


def test_a_program_that_syncs_only_later_files_first_loses_nothing(tmp_path: Path) -> None:
    a, b = Machine(tmp_path / "a", "laptop"), Machine(tmp_path / "b", "desktop")
    for number in range(3):
        a.store("m1", f"Text {number}.")
        a.sync()
    b.sync()
    files = sorted(a.shared.glob("*/*"))
    last = b.shared / files[-1].relative_to(a.shared)
    last.parent.mkdir(parents=True)
    last.write_bytes(files[-1].read_bytes())
    assert (b.sync().waiting, b.ids()) == (1, [])
    carry(a.shared, b.shared)
    b.sync()
    assert b.content("m1") == "Text 2."
