"""What an index says of its words depends on the texts that it holds, and not on those that it held before."""

from __future__ import annotations

from pathlib import Path

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.model.node import Node
from tests.fakes.encoder import Thesaurus
from tests.fakes.project import a_node

NOTES = [a_node(number, content=f"the harbour of town {number}") for number in range(6)]


def an_index(folder: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(folder / "index.sqlite"), Thesaurus)


def put(node: Node) -> Put:
    return NodeCodec().project(node.path, Stamp(10, 1), node)


def test_deleted_texts_do_not_count(tmp_path: Path) -> None:
    index, fresh = an_index(tmp_path / "one"), an_index(tmp_path / "other")
    index.apply([put(a_node(7, content="the lighthouse of the harbour")), *map(put, NOTES)])
    assert index.frequencies([("harbour",), ("lighthouse",)]) == (7, [7, 1])
    assert index.spelled(["lighthuose"]) == {"lighthuose": "lighthouse"}
    index.apply([Gone(a_node(7).path)])
    fresh.apply(list(map(put, NOTES)))
    terms = [("harbour",), ("lighthouse",), ("town", "harbour")]
    assert index.frequencies(terms) == fresh.frequencies(terms)
    assert index.spelled(["lighthuose", "harbuor"]) == fresh.spelled(["lighthuose", "harbuor"])
    assert "lighthuose" not in index.spelled(["lighthuose"])


def test_an_open_index_sees_at_once_what_it_and_another_process_change(tmp_path: Path) -> None:
    index, other = an_index(tmp_path), an_index(tmp_path)
    for number, note in enumerate(NOTES, 1):
        (other if number % 2 else index).apply([put(note)])
        assert index.frequencies([("harbour",)]) == (number, [number])
        assert other.frequencies([("harbour",)]) == (number, [number])
    other.apply([Gone(NOTES[0].path)])
    with index.keep_open():
        assert index.frequencies([("harbour",)]) == (5, [5])
        other.apply([Gone(NOTES[1].path)])
        assert index.frequencies([("harbour",)]) == (4, [4])
        index.apply([Gone(NOTES[2].path)])
        assert index.frequencies([("harbour",)]) == (3, [3])
