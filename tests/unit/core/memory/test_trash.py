"""Memories in the trash: whole, listed, brought back byte for byte, none in another's place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology.core.content.draft import Draft
from autology.core.memory import trash
from autology.core.memory.memories import Memories
from autology.core.memory.purge import purge
from autology.model.errors import MemoryNotFoundError, StorageError
from autology.model.memory import Kind, Scope
from tests.fakes.remembered import NOW, a_memory, kept, memories, write


@pytest.fixture
def place(tmp_path: Path) -> tuple[Path, Path]:
    project, user = tmp_path / "project", tmp_path / "user"
    (project / ".autology").mkdir(parents=True)
    return project, user


def throw_away(found: Memories, id: str) -> None:
    stored = found.stored(id)
    assert stored
    root = found.root_of(stored.path)
    with root.files.locked():
        draft = Draft(root)
        trash.discard(draft, stored, found.stamp())
        root.commit(draft)


def test_a_deleted_memory_is_gone_and_restored_byte_for_byte(place: tuple[Path, Path]) -> None:
    project, user = place
    first = write(project, a_memory("first"))
    first.write_bytes(first.read_bytes().replace(b"---\n\n", b"mood: odd # mine\n---\n\n"))
    wide = write(user, a_memory("wide", kind=Kind.RUNBOOK, scope=Scope(org="acme")))
    texts = {path: path.read_bytes() for path in (first, wide)}
    result = memories(project, user)
    result.refresh()
    for id in ("first", "wide"):
        throw_away(result, id)
        assert result.by_id(id) is None
    assert not first.exists()
    assert not wide.exists()
    assert {item.id: (item.type, item.prefix) for item in trash.trash(result)} == {
        "first": ("observation", ""),
        "wide": ("runbook", "user:"),
    }
    for id in ("first", "wide"):
        back = trash.restore(result, id)
        assert back.id == id
        assert result.by_id(id) == back
    assert {path: path.read_bytes() for path in (first, wide)} == texts
    assert trash.trash(result) == []
    assert not [path for path in kept(project) if path.startswith("trash")]


def test_two_items_of_one_id_both_stay_in_the_trash_and_the_later_comes_back_first(place: tuple[Path, Path]) -> None:
    project, user = place
    result = memories(project, user)
    for text in ("the older", "the newer"):
        write(project, a_memory("same", content=text))
        result.refresh(walk=True)
        throw_away(result, "same")
    texts = {name: data for name, data in kept(project).items() if name.endswith(".md")}
    assert [b"the older" in data for data in texts.values()].count(True) == 1
    assert len(texts) == 2
    newest = max(trash.trash(result), key=lambda item: item.name)
    assert trash.restore(result, newest.name).content == "the newer"
    with pytest.raises(StorageError, match="an item with this id exists"):
        trash.restore(result, "same")


def test_an_item_whose_time_was_over_lives_once_more_when_it_is_brought_back(place: tuple[Path, Path]) -> None:
    project, user = place
    write(project, a_memory("old", days=-1, ttl_policy="short"))
    result = memories(project, user)
    assert [memory.id for memory in purge(result).moved] == ["old"]
    assert trash.restore(result, "old").expires_at == "2026-03-31T12:00:00Z"
    assert purge(result).moved == ()


def test_an_unknown_id_lists_existing_ones(place: tuple[Path, Path]) -> None:
    result = memories(*place)
    with pytest.raises(MemoryNotFoundError, match="lists what is in the trash"):
        trash.restore(result, "nothing")
    write(place[0], a_memory("something"))
    result.refresh(walk=True)
    throw_away(result, "something")
    with pytest.raises(MemoryNotFoundError, match="Did you mean: What something says"):
        trash.restore(result, "nothing")
    assert trash.restore(result, "somethin").id == "something"


def test_a_record_that_leads_elsewhere_is_no_memory(place: tuple[Path, Path]) -> None:
    project, user = place
    folder = project / ".autology" / "trash" / "memory"
    folder.mkdir(parents=True)
    for number, path in enumerate(("../../etc/passwd", ".autology/nodes/decisions/x.md", ".git/hooks/pre-commit.md")):
        record = {"id": f"x{number}", "kind": "todo", "title": "t", "deleted": str(NOW), "path": path}
        (folder / f"x{number}.json").write_text(json.dumps(record), encoding="utf-8")
        (folder / f"x{number}.md").write_text("text", encoding="utf-8")
    assert trash.trash(memories(project, user)) == []


@pytest.mark.parametrize("asked", ["../other/first", "elsewhere/first.md", ".autology/memory/decision/first.md"])
def test_a_path_to_another_file_restores_nothing(place: tuple[Path, Path], asked: str) -> None:
    project, user = place
    write(project, a_memory("first"))
    result = memories(project, user)
    result.refresh()
    throw_away(result, "first")
    with pytest.raises(MemoryNotFoundError):
        trash.restore(result, asked)
    [item] = trash.trash(result)
    assert trash.restore(result, item.path).id == "first"
