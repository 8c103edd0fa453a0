"""A disk that refuses memories: what was not stored is said so item by item, nothing is lost, and all is well after."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from autology.core.memory.store import store
from autology.core.memory.store_result import StoreResult
from autology.files.root_files import JournaledFiles
from autology.model.entry import MEMORY
from autology.model.errors import StorageError
from tests.durability.test_killed_memories import WIDER, begun, kept, note, state
from tests.durability.test_refused import NOBODY, in_a_child, posix, refusing

BATCH = [
    note("new", id="a1"),
    note("new"),  # left out for the one before
    {"id": "n1", "content": "changed"},
    note("wide", id="w2", scope={"org": "acme"}),
    note("", id="bad"),
]


def written(done: StoreResult, root: Path) -> None:
    """What is reported stored is there, what is reported refused is not, and every item is answered for."""
    files = {**state(root, "shop"), **state(root, "user")}
    texts = {Path(path).stem: data.decode() for path, data in files.items() if "/memory/observation/" in path}
    answered = {outcome.input_index for outcome in done.outcomes} | {problem.index for problem in done.problems}
    assert answered == set(range(len(BATCH)))
    # What was recorded when the disk gave up is completed by whoever writes next, and the message says so.
    refused = {problem.index for problem in done.problems if "is recorded" not in problem.message}
    for outcome in done.outcomes:
        assert outcome.id in texts, outcome
        assert outcome.input_index not in refused
    assert ("a1" in texts) == (0 not in refused)
    assert (1 in refused) == (0 in refused)
    assert ("changed" in texts["n1"]) == (2 not in refused)
    assert ("w2" in texts) == (3 not in refused)
    assert {problem.error_code for problem in done.problems} <= {"STORAGE_ERROR", "VALIDATION_ERROR"}


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
def test_a_disk_that_refuses_at_any_call_loses_no_memory(tmp_path: Path, quick_path: Path, lasting: bool) -> None:
    template = begun(quick_path / "template")
    refused = 0
    for at in range(1, 200):
        root = shutil.copytree(template, quick_path / str(at))
        with refusing(at, 10_000 if lasting else at) as result:
            done = store(kept(root), BATCH)
            calls = result[0]
        refused += any(problem.error_code == "STORAGE_ERROR" for problem in done.problems)
        memories = kept(root)
        for each in memories.roots:
            with each.files.locked():
                pass
        written(done, root)
        memories.refresh(walk=True)
        assert memories.faults() == []
        assert not list(root.rglob("*.tmp"))
        again = store(kept(root), BATCH)
        assert [problem.index for problem in again.problems] == [4]
        assert {named.id for named in memories.index.named(MEMORY)} >= {"n1", "n2", "w1"}
        shutil.rmtree(root)
        if calls < at:
            break
    else:
        raise AssertionError("more calls than were tried")
    assert refused > 10


@posix
@pytest.mark.parametrize(("part", "refused"), [("shop", [0, 1, 2, 4]), ("user", [3, 4])])
def test_a_root_that_may_not_be_written_refuses_its_own_items_only(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, refused: list[int]
) -> None:
    root = begun(quick_path / "root")
    monkeypatch.setenv("AUTOLOGY_CACHE_DIR", str(root / "cache"))
    (root / "cache").mkdir()
    for path in [quick_path, root, *root.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    for path in [root / part, *(root / part).rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)

    def tried() -> str:
        done = store(kept(root), BATCH)
        result = "\n".join(problem.message for problem in done.problems if problem.error_code == "STORAGE_ERROR")
        return f"{sorted(problem.index for problem in done.problems)}\n{result}"

    result = in_a_child(tried, NOBODY)
    assert result.splitlines()[0] == str(refused)
    assert all("Permission denied" in line and "Make the folder writable" in line for line in result.splitlines()[1:])


def test_a_commit_that_fails_takes_what_leaned_on_it_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = begun(tmp_path)

    def full(self: JournaledFiles, changes: object) -> None:
        raise StorageError(".autology", "No space left on device", "Nothing was changed.") from OSError(errno.ENOSPC)

    with monkeypatch.context() as patch:
        patch.setattr(JournaledFiles, "commit", full)
        done = store(kept(root), [note("new"), note("new"), WIDER, note("to delete")])
    assert [problem.index for problem in done.problems] == [0, 1]
    assert all("No space left on device" in problem.message for problem in done.problems)
    assert [outcome.existing_id for outcome in done.outcomes] == ["w1", "n2"]
