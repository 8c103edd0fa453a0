"""What people said lies in folders and files that are their user's alone, those made otherwise before too."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

import pytest

from autology import log, private_files
from autology.files import atomic
from autology.files.memory_folder import MemoryFolder
from autology.hub.sync.outbox import Outbox
from autology.wire.project import Project
from tests.fakes.remembered import a_memory, write
from tests.unit.cli_kit import autology

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a profile's files are its user's own there")

TEXTS = (".md", ".json", ".jsonl", ".sqlite", ".sqlite-wal", ".log", ".gz")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_to_others(top: Path) -> list[str]:
    """The paths from *top* down that other users may read or enter.

    A database's log that its last connection removes meanwhile is open to nobody.
    """
    readable = []
    for path in [top, *top.rglob("*")]:
        with contextlib.suppress(FileNotFoundError):
            if mode(path) & 0o077 and (path.is_dir() or path.name.endswith(TEXTS)):
                readable.append(str(path))
    return readable


@pytest.fixture(autouse=True)
def usual_mask() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUTOLOGY_DATA_DIR", str(tmp_path / "above" / "data"))
    return tmp_path / "above" / "data"


def test_every_folder_that_is_made_on_the_way_is_its_users_alone(tmp_path: Path) -> None:
    private_files.folder(str(tmp_path / "a" / "b" / "c"))
    assert [mode(tmp_path / part) for part in ("a", "a/b", "a/b/c")] == [0o700] * 3
    (tmp_path / "shared").mkdir()
    private_files.folder(str(tmp_path / "shared" / "own"))
    assert mode(tmp_path / "shared") == 0o755


def test_permissions_are_restricted_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "data" / "inner").mkdir(parents=True)
    (tmp_path / "data" / "inner" / "said.md").write_text("said", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data" / "link").symlink_to(tmp_path / "elsewhere")
    private_files.restrict(str(tmp_path / "data" / "link"))
    private_files.restrict(str(tmp_path / "data"))
    assert open_to_others(tmp_path / "data") in ([], [str(tmp_path / "data" / "link")])
    assert mode(tmp_path / "data" / "inner" / "said.md") == 0o600
    assert mode(tmp_path / "elsewhere") == 0o755


def test_a_file_is_as_private_as_its_folder(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "own").mkdir(mode=0o700)
    for name in ("shared", "own"):
        atomic.write(str(tmp_path / name / "inner" / "a.md"), b"text")
    assert (mode(tmp_path / "shared" / "inner"), mode(tmp_path / "shared" / "inner" / "a.md")) == (0o755, 0o644)
    assert (mode(tmp_path / "own" / "inner"), mode(tmp_path / "own" / "inner" / "a.md")) == (0o700, 0o600)


def test_nothing_that_the_commands_write_into_the_data_folder_is_open_to_others(data: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    note = ("memory", "store", "We said so", "--kind", "observation", "--scope", "org=acme")
    assert autology(*note, project=project) == 0
    assert autology("capture", "--title", "One", "--content", "x", project=project) == 0
    assert autology("recall", "anything", project=project) == 0
    log.write("here", ValueError("something"))
    Outbox(str(data / "hub")).schedule(str(project))
    assert list(data.rglob("*.md"))
    assert (data / "conversations.sqlite").exists()
    assert open_to_others(data) == []
    assert mode(project / ".autology") == 0o755


def test_the_memories_of_a_user_that_lay_open_are_closed_as_soon_as_they_are_opened(tmp_path: Path) -> None:
    write(tmp_path / "data", a_memory("one"))
    write(tmp_path / "project", a_memory("two"))
    before = open_to_others(tmp_path / "project")
    for name in ("data", "project"):
        MemoryFolder(str(tmp_path / name), is_private=name == "data").scan()
    assert open_to_others(tmp_path / "data" / ".autology") == []
    assert open_to_others(tmp_path / "project") == before != []


def test_conversations_and_the_archive_that_lay_open_are_closed(data: Path, tmp_path: Path) -> None:
    kept = data / "archive" / "project"
    kept.mkdir(parents=True)
    (kept / "a.jsonl.gz").write_bytes(b"")
    assert autology("archive", project=tmp_path) == 0
    (data / "conversations.sqlite").chmod(0o644)
    Project(str(tmp_path)).conversations.coverage()
    assert open_to_others(data / "archive") == []
    assert mode(data / "conversations.sqlite") == 0o600
