"""A note's rename is synced beside its indexing, and before the lock is released."""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path

import pytest

from autology.core.content.files import Change
from autology.files.node_folder import AutologyFolder

posix = pytest.mark.skipif(os.name == "nt", reason="folders cannot be synced there")
PATH = ".autology/nodes/concepts/6f0e6a0e-1f4c-4e43-9c1f-0c3a52a6b001.md"


def slow_for_folders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let syncs of folders take a while; return what was synced, in order."""
    synced: list[str] = []
    sync = os.fsync

    def slow(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        if is_folder:
            time.sleep(0.2)
        sync(handle)
        synced.append("folder" if is_folder else "file")

    monkeypatch.setattr(os, "fsync", slow)
    return synced


@posix
def test_the_folder_is_synced_once_the_lock_is_released_and_not_before_the_commit_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = AutologyFolder(str(tmp_path))
    files.create()
    synced = slow_for_folders(monkeypatch)
    with files.locked():
        synced.clear()  # what the first lock of a folder writes
        files.commit([Change(PATH, None, b"a note\n")])
        assert synced == ["file"]
        assert files.read(PATH)[0] == b"a note\n"
    assert synced == ["file", "folder"]


@posix
def test_the_folder_is_synced_also_where_what_follows_the_commit_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = AutologyFolder(str(tmp_path))
    files.create()
    synced = slow_for_folders(monkeypatch)

    def fail_after_the_commit() -> None:
        with files.locked():
            synced.clear()
            files.commit([Change(PATH, None, b"a note\n")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_after_the_commit()
    assert synced == ["file", "folder"]


@posix
def test_where_no_thread_can_start_the_folder_is_synced_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = AutologyFolder(str(tmp_path))
    files.create()
    synced = slow_for_folders(monkeypatch)

    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    with files.locked():
        synced.clear()  # what the first lock of a folder writes
        files.commit([Change(PATH, None, b"a note\n")])
        assert synced == ["file", "folder"]
