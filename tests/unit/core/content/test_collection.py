"""A collection sees one path and one piece of data for an entry, in however many files its codec keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from autology.core.content import collection as collection_module
from autology.core.content.collection import Collection
from autology.core.content.draft import Draft
from autology.core.content.files import Change, Stamp, Watched
from autology.core.nodes.node_codec import NodeCodec
from autology.model.errors import ConflictError
from autology.model.node import Node
from tests.fakes.files import MemoryFiles
from tests.fakes.index import MemoryIndex
from tests.fakes.project import a_node

RECORD = "docs/adr/0001.md"
END = b"\n---\n"


class Beside(NodeCodec):
    """Nodes with their metadata in a file of ours, and their text in somebody else's."""

    def read(self, files: Watched, path: str) -> tuple[bytes, Stamp]:
        data, at = files.read(path)
        return data + files.read(RECORD)[0], at

    def changes(self, change: Change) -> Sequence[Change]:
        before, after = (_parts(data) for data in (change.before, change.after))
        return (Change(change.path, before[0], after[0]), Change(RECORD, before[1], after[1]))


def _parts(data: bytes | None) -> tuple[bytes | None, bytes | None]:
    front, end, text = (data or b"").partition(END)
    return (None, None) if data is None else (front + end, text)


@pytest.fixture
def files() -> MemoryFiles:
    files, made = MemoryFiles(), Beside()
    for change in made.changes(Change(a_node().path, None, made.serialise(a_node(content="What was decided.")))):
        assert change.after is not None
        files.save(change.path, change.after)
    return files


def collection(files: MemoryFiles) -> Collection[Node]:
    nodes = Collection(files, files, MemoryIndex(), Beside())
    assert nodes.refresh() == 1
    return nodes


def change(nodes: Collection[Node], content: str) -> None:
    def act(draft: Draft[Node]) -> None:
        stored = nodes.stored(nodes.index.by_ids([a_node().id])[a_node().id])
        draft.replace(stored, replace(stored.entry, tags=("new",), content=content))

    nodes.transact(lambda: Draft(nodes), act, nodes.refresh)


def test_an_entry_with_its_text_in_a_separate_file_is_read_and_written_in_both(files: MemoryFiles) -> None:
    nodes = collection(files)
    change(nodes, "What was decided, and why.")
    assert files.held[RECORD][0].endswith(b"What was decided, and why.\n")
    assert b"decided" not in files.held[a_node().path][0]
    assert b"- new" in files.held[a_node().path][0]
    assert nodes.refresh() == 0


def test_neither_file_is_written_where_one_of_them_was_saved_meanwhile(files: MemoryFiles) -> None:
    nodes = collection(files)
    before = files.held[a_node().path]
    read = files.read

    def saved_afterwards(path: str) -> tuple[bytes, Stamp]:
        result = read(path)
        if path == RECORD:
            files.save(RECORD, result[0] + b"by hand\n")
        return result

    files.read = saved_afterwards  # type: ignore[method-assign]
    with pytest.raises(ConflictError, match=RECORD):
        change(nodes, "another text")
    assert files.held[a_node().path] == before
    assert files.held[RECORD][0].count(b"by hand") == 3


class Counting(NodeCodec):
    """Counts the entries that it parses."""

    def __init__(self) -> None:
        super().__init__()
        self.parsed = 0

    def parse(self, data: bytes, path: str) -> Node:
        self.parsed += 1
        return super().parse(data, path)


def some(count: int) -> tuple[MemoryFiles, Counting, Collection[Node]]:
    files, codec = MemoryFiles(), Counting()
    for number in range(count):
        node = a_node(number, title=f"Thing {number}")
        files.save(node.path, codec.serialise(node))
    nodes = Collection(files, files, MemoryIndex(), codec)
    assert nodes.refresh() == count
    codec.parsed = 0
    return files, codec, nodes


def test_many_files_are_indexed_in_large_transactions_and_the_last_ones_in_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(NodeCodec, "batch", 4)
    monkeypatch.setattr(collection_module, "LAST", 2)
    files, codec = MemoryFiles(), NodeCodec()
    for number in range(11):
        node = replace(a_node(), id=f"3f2a91c0-0000-4000-8000-0000000000{number:02}")
        files.save(node.path, codec.serialise(node))
    nodes = Collection(files, files, MemoryIndex(), codec)
    done: list[tuple[int, int]] = []

    assert nodes.refresh(progress=lambda *at: done.append(at)) == 11

    assert done == [(4, 11), (8, 11), (10, 11), (11, 11)]
    assert len(nodes.index.stamps()) == 11


def test_entries_that_were_read_ahead_are_not_parsed_again_before_they_change() -> None:
    files, codec, nodes = some(3)
    sources = [nodes.index.by_ids([a_node(number).id])[a_node(number).id] for number in range(3)]
    nodes.read_ahead()
    assert codec.parsed == 3
    assert [source.title for _, source in nodes.readable(sources)] == ["Thing 0", "Thing 1", "Thing 2"]
    assert codec.parsed == 3
    files.save(a_node(1).path, codec.serialise(a_node(1, title="Another thing")))
    assert [entry.title for entry, _ in nodes.readable(sources)] == ["Thing 0", "Another thing", "Thing 2"]
    assert codec.parsed == 4


def test_reading_ahead_skips_what_cannot_be_read_and_stops_at_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    files, codec, nodes = some(4)
    files.save(a_node(0).path, b"no note at all")
    files.held.pop(a_node(1).path)
    nodes.read_ahead()
    assert codec.parsed == 3
    monkeypatch.setattr(collection_module, "AHEAD_BYTES", 1)
    _, codec, nodes = some(4)
    nodes.read_ahead()
    assert codec.parsed == 1
