"""What every keeper of a project's files promises, on disk or in memory."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from autology.core.content.files import Change, Files, Stamp
from autology.files.node_folder import AutologyFolder
from autology.model.errors import ConflictError
from tests.fakes.files import MemoryFiles

ONE = ".autology/nodes/decisions/one.md"
TWO = ".autology/nodes/issues/two.md"


@pytest.fixture(params=["disk", "memory"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    """The files of an empty project of each kind there is."""
    return MemoryFiles() if request.param == "memory" else AutologyFolder(str(tmp_path))


def commit(files: Files, *changes: tuple[str, bytes | None, bytes | None]) -> dict[str, Stamp | None]:
    with files.locked():
        return dict(files.commit([Change(*change) for change in changes]))


def held(files: Files, path: str) -> bytes | None:
    try:
        return files.read(path)[0]
    except FileNotFoundError:
        return None


def test_a_project_has_no_folder_until_something_is_written(files: Files) -> None:
    assert not files.exists()
    assert (dict(files.scan()), list(files.trashed()), files.read_projection("graph/index.json")) == ({}, [], None)
    assert held(files, ONE) is None
    assert files.scan_one(ONE) == Stamp(0, 0)
    assert not files.exists()
    files.create()
    files.create()
    assert files.exists()
    assert dict(files.scan()) == {}


def test_committed_files_are_readable_with_their_stamps(files: Files) -> None:
    stamps = commit(files, (ONE, None, b"text"), (TWO, None, b"other"))
    assert (held(files, ONE), held(files, TWO)) == (b"text", b"other")
    assert dict(files.scan()) == stamps == {path: files.scan_one(path) for path in (ONE, TWO)}
    assert stamps[ONE] is not None
    assert stamps[ONE].size == 4


def test_a_change_replaces_and_removes(files: Files) -> None:
    commit(files, (ONE, None, b"a"), (TWO, None, b"b"))
    stamps = commit(files, (ONE, b"a", b"longer"), (TWO, b"b", None))
    assert stamps[TWO] is None
    assert (held(files, ONE), held(files, TWO)) == (b"longer", None)
    assert list(files.scan()) == [ONE]


@pytest.mark.parametrize("before", [None, b"something else", b""])
def test_a_file_that_is_not_what_was_read_stops_the_whole_change(files: Files, before: bytes | None) -> None:
    commit(files, (TWO, None, b"as it is"))
    with pytest.raises(ConflictError, match=r"two\.md: the file changed since it was read"):
        commit(files, (ONE, None, b"new"), (TWO, before, b"mine"))
    assert (held(files, ONE), held(files, TWO)) == (None, b"as it is")
    with pytest.raises(ConflictError):
        commit(files, (ONE, b"was there", b"new"))
    assert held(files, ONE) is None


def test_the_folders_value_changes_with_files_added_removed_or_moved(files: Files) -> None:
    files.create()
    result = [tuple(files.folders())]
    for change in [(ONE, None, b"x"), (TWO, None, b"y"), (ONE, b"x", None)]:
        commit(files, change)
        assert tuple(files.folders()) not in result
        result.append(tuple(files.folders()))


def test_only_markdown_in_the_type_folders_is_a_node(files: Files) -> None:
    beside = (".autology/nodes/decisions/.hidden.md", ".autology/nodes/decisions/image.png")
    deeper = (".autology/nodes/decisions/deeper/x.md", ".autology/nodes/others/x.md", ".autology/memory/x.md")
    commit(files, *((path, None, b"x") for path in (ONE, *beside, *deeper)))
    assert list(files.scan()) == [ONE]


def test_the_trash_lists_what_was_deleted_last_first(files: Files) -> None:
    for name in ("a", "b", "c"):
        commit(files, (f".autology/trash/{name}.md", None, b"x"), (f".autology/trash/{name}.json", None, b"{}"))
    inner = ".autology/trash/documents/x"
    commit(files, (f"{inner}.md", None, b"x"), (f"{inner}.json", None, b"{}"))
    assert sorted(files.trashed()) == ["a", "b", "c"]
    assert list(files.trashed("documents")) == ["x"]
    assert list(files.trashed("others")) == []
    assert dict(files.scan()) == {}


def test_a_projection_is_replaced_as_a_whole(files: Files) -> None:
    files.create()
    for data in (b"one", b"two, longer", b""):
        files.write_projection("graph/index.json", data)
        assert files.read_projection("graph/index.json") == data


def test_whether_the_project_has_a_file_is_asked_of_files_and_folders(files: Files) -> None:
    commit(files, (ONE, None, b"x"))
    assert files.project_has(ONE)
    assert files.project_has(".autology/nodes")
    assert not files.project_has("src/nothing.py")


def test_only_one_writer_holds_the_lock(files: Files) -> None:
    files.create()
    inside, most = 0, 0
    guard = threading.Lock()

    def write() -> None:
        nonlocal inside, most
        for _ in range(20):
            with files.locked():
                with guard:
                    inside += 1
                    most = max(most, inside)
                with guard:
                    inside -= 1

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_the_lock_is_free_again_after_a_failure(files: Files) -> None:
    with pytest.raises(RuntimeError), files.locked():
        raise RuntimeError
    with files.locked():
        pass
