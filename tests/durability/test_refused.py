"""A disk that is full, fails or may not be written: an error that says so, nothing lost, and all well afterwards."""

from __future__ import annotations

import errno
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autology.core.nodes import delete_restore, search
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.status import status
from autology.core.nodes.update import Fields, update
from autology.model.errors import StorageError
from autology.wire.project import Project
from tests.durability.test_killed import ACTIONS, OLD, State, act, copied, leftovers, origin, state
from tests.fakes.portrait import fresh, of_graph
from tests.fakes.project import on_disk
from tests.unit.cli_kit import process

__all__ = ["origin"]  # a fixture
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="permissions and mounts are those of POSIX")
NOBODY = 65_534
BIG = "many words about storage\n" * 8_000


# ---- a disk that refuses at any call ---------------------------------------------------------------------

WRITING = ("open", "replace", "fsync", "link", "mkdir")


@contextmanager
def refusing(first: int, last: int) -> Iterator[list[int]]:
    """Let the disk refuse every writing call from the *first* to the *last*; yields how many there were."""
    result = [0]
    real = {name: getattr(os, name) for name in WRITING}

    def refuse(name: str) -> Callable[..., object]:
        def call(path: object, *arguments: object, **named: object) -> object:
            writes = name != "open" or bool(int(str(arguments[0])) & (os.O_WRONLY | os.O_RDWR))
            if writes:
                result[0] += 1
                if first <= result[0] <= last:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path if isinstance(path, str) else None)
            return real[name](path, *arguments, **named)

        return call

    try:
        for name in WRITING:
            setattr(os, name, refuse(name))
        yield result
    finally:
        for name, call in real.items():
            setattr(os, name, call)


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("name", ["capture", "update of the content", "update of the type", "delete", "restore"])
def test_a_disk_that_refuses_at_any_call_loses_nothing(
    origin: Path, quick_path: Path, name: str, lasting: bool
) -> None:
    before = state(origin)
    act(copied(origin, quick_path / "done"), ACTIONS[name])
    after = state(quick_path / "done")
    refused = 0
    for at in range(1, 200):
        root = copied(origin, quick_path / str(at))
        error, calls = "", 0
        with refusing(at, 10_000 if lasting else at) as result:
            try:
                act(root, ACTIONS[name])
            except StorageError as told:
                error = str(told)
            calls = result[0]
        if calls < at:
            break
        if error:
            refused += 1
            assert error.startswith("storage error: .autology")
            assert "No space left on device" in error
        check_afterwards(root, before, after, error)
        shutil.rmtree(root)
    assert refused > 3


def check_afterwards(root: Path, before: State, after: State, error: str) -> None:
    if "Nothing was changed" in error:
        assert state(root) == before
    graph = on_disk(root, first_id=90)
    assert of_graph(graph) == fresh(graph.files, root / "fresh")
    if not error or "the next write completes it" in error:
        assert state(root) == after
    else:
        assert state(root) == before
    update(graph, OLD, Fields(confidence=0.5))
    assert leftovers(root) == []


# ---- a disk that is full ---------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of eight megabytes, where such may be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("a small disk can be mounted by root only; the limit on a file's size is tried by another test")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path, spare: int = 0) -> Path:
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4_096):
                pass
        except OSError:
            pass
        file.truncate(max(0, file.tell() - spare))
    return filler


def test_a_full_disk_is_said_by_name_and_nothing_is_lost(small_disk: Path) -> None:
    graph = Project(str(small_disk)).graph
    id = capture(graph, Material("A note", "some plain text", "concept")).node.id
    path = small_disk / ".autology" / "nodes" / "concepts" / f"{id}.md"
    before = path.read_bytes()
    filler = fill(small_disk, spare=20_000)
    uses: list[Callable[[], object]] = [
        lambda: capture(graph, Material("Too big", BIG, "concept")),
        lambda: update(graph, id, Fields(content=BIG)),
    ]
    for use in uses:
        with pytest.raises(StorageError) as caught:
            use()
        assert caught.value.reason == "No space left on device"
        assert caught.value.path.startswith(".autology/nodes/concepts/")
        assert "Nothing was changed" in str(caught.value)
    assert path.read_bytes() == before
    assert [hit.node.id for hit in search.search(graph, search.NodeQuery("plain")).hits] == [id]
    filler.unlink()
    update(graph, id, Fields(content=BIG))
    capture(graph, Material("Too big before", BIG, "concept"))
    assert leftovers(small_disk) == []
    assert status(graph).total_nodes == 2


def test_a_disk_without_a_byte_left_still_lets_notes_be_found_or_says_why(small_disk: Path) -> None:
    made = capture(Project(str(small_disk)).graph, Material("A note", "some plain text", "concept")).node
    filler = fill(small_disk)
    graph = Project(str(small_disk)).graph
    try:
        result = str([hit.node.id for hit in search.search(graph, search.NodeQuery("plain")).hits])
    except StorageError as error:
        result = str(error)
    assert result == str([made.id]) or "The notes are safe" in result
    with pytest.raises(StorageError):
        update(graph, made.id, Fields(content=BIG))
    filler.unlink()
    assert [hit.node.id for hit in search.search(graph, search.NodeQuery("plain")).hits] == [made.id]
    update(graph, made.id, Fields(content="short"))


def test_an_index_that_a_full_disk_keeps_behind_the_notes_says_that_the_disk_is_full(small_disk: Path) -> None:
    assert process("capture", "--title", "A note", "--content", "some plain text", project=small_disk).returncode == 0
    [file] = (small_disk / ".autology/nodes").rglob("*.md")
    filler = fill(small_disk)
    os.utime(file, (1, 1))
    assert b"the disk is full" in process("query", "plain", project=small_disk).stderr
    filler.unlink()
    assert b"A note" in process("query", "plain", project=small_disk).stdout


@posix
def test_a_limit_on_the_size_of_files_is_said_and_nothing_is_lost(quick_path: Path) -> None:
    import resource

    graph = Project(str(quick_path)).graph
    id = capture(graph, Material("A note", "some plain text", "concept")).node.id
    before = state(quick_path)

    def limited() -> str:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            update(Project(str(quick_path)).graph, id, Fields(content=BIG))
        except StorageError as error:
            return str(error)
        return "no error"

    result = in_a_child(limited)
    assert "File too large" in result
    assert "Nothing was changed" in result
    assert state(quick_path) == before
    update(graph, id, Fields(content=BIG))
    assert leftovers(quick_path) == []


# ---- a folder that may not be written --------------------------------------------------------------------


def in_a_child(use: Callable[[], str], user: int | None = None) -> str:
    """Return what *use* says in a process of its own, as another *user* if told so."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            if user is not None and os.getuid() == 0:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            answer = use()
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        os.write(writer, pickle.dumps(answer))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pickle.loads(pipe.read())
    os.waitpid(child, 0)
    return str(answer)


@pytest.fixture
def closed(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project that others may read but not write, and a cache folder that all may."""
    root = quick_path / "project"
    root.mkdir()
    graph = Project(str(root)).graph
    capture(graph, Material("A note", "some plain text", "concept"))
    capture(graph, Material("Another note", "some other text", "issue"))
    cache = quick_path / "cache"
    cache.mkdir()
    monkeypatch.setenv("AUTOLOGY_CACHE_DIR", str(cache))
    quick_path.chmod(0o755)
    cache.chmod(0o777)
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield root
    for folder in folders:
        folder.chmod(0o755)


def only_reads(graph: Graph) -> str:
    """What reading finds and writing says."""
    hits = search.search(graph, search.NodeQuery("plain")).hits
    counted = status(graph)
    result = [f"{len(hits)} found, {counted.total_nodes} counted"]
    uses: list[Callable[[], object]] = [
        lambda: capture(graph, Material("New", "text", "concept")),
        lambda: update(graph, hits[0].node.id, Fields(title="Changed")),
        lambda: delete_restore.delete(graph, hits[0].node.id),
    ]
    for use in uses:
        try:
            use()
            result.append("written!")
        except StorageError as error:
            result.append(str(error))
    return "\n".join(result)


def check_only_reads(told: str, root: Path, before: dict[str, bytes]) -> None:
    first, *errors = told.splitlines()
    assert first == "1 found, 2 counted"
    assert len(errors) == 3
    for error in errors:
        assert error.startswith("storage error: .autology")
        assert "Permission denied" in error or "Read-only file system" in error
        assert "Make the project's folder writable" in error or "Make the folder writable" in error
    assert {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


@posix
def test_a_folder_that_may_not_be_written_can_still_be_read(closed: Path) -> None:
    before = {str(path): path.read_bytes() for path in closed.rglob("*") if path.is_file()}
    result = in_a_child(lambda: only_reads(Project(str(closed)).graph), NOBODY)
    check_only_reads(result, closed, before)
    assert list((closed.parent / "cache" / "indexes").glob("*.sqlite"))


@posix
def test_a_disk_mounted_for_reading_can_still_be_read(closed: Path) -> None:
    mounted = closed.parent / "mounted"
    mounted.mkdir()
    bind = subprocess.run(["mount", "--bind", str(closed), str(mounted)], capture_output=True)
    if bind.returncode != 0:
        pytest.skip("only root can mount; the test of permissions stands for this one")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(mounted)], check=True)
        before = {str(path): path.read_bytes() for path in mounted.rglob("*") if path.is_file()}
        check_only_reads(in_a_child(lambda: only_reads(Project(str(mounted)).graph)), mounted, before)
    finally:
        subprocess.run(["umount", "-l", str(mounted)], check=True)


@posix
def test_a_note_that_may_not_be_read_is_reported_and_stops_nothing(closed: Path) -> None:
    secret = next((closed / ".autology" / "nodes" / "issues").glob("*.md"))
    secret.chmod(0o000)

    def ask() -> str:
        graph = Project(str(closed)).graph
        return f"{len(search.search(graph, search.NodeQuery('text')).hits)} {status(graph).unreadable}"

    result = in_a_child(ask, NOBODY)
    assert result.startswith("1 ")
    assert "Permission denied" in result
    assert secret.name in result


@posix
@pytest.mark.skipif(
    sys.platform == "darwin", reason="a home without a cache folder is tried where users can be changed"
)
def test_without_any_place_for_an_index_reading_says_so(closed: Path) -> None:
    (closed.parent / "cache").chmod(0o555)
    result = in_a_child(lambda: only_reads(Project(str(closed)).graph), NOBODY)
    assert "StorageError" in result
    assert "The notes are safe" in result
