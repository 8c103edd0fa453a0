"""What an index keeps at hand, passages and its own place: after every change the next answer says what is now."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.embedding.static import StaticEncoder
from autology.index import row_cache
from autology.index.sqlite import SqliteIndex
from autology.index.vectors import nearest
from autology.model.entry import NODE, Entry
from autology.model.passage import Passage
from autology.model.query import Filter, Terms

ASKED = Terms((("needle",),))
MOMENT = "2026-01-01T00:00:00Z"


def put(start: int, path: str = "one.md", time: int = 1, text: str = "a needle in hay") -> Put:
    passage = Passage(start, start + len(text), "", text)
    return Put(path, Stamp(len(text), time), Entry(path, NODE, "concept", "", MOMENT, MOMENT), (passage,))


def starts(index: SqliteIndex) -> dict[str, int | None]:
    hits = index.lexical_candidates(ASKED, Filter(), False, 10)
    return {hit.source.path: hit.passage[0] if hit.passage else None for hit in hits}


def cosines(index: SqliteIndex) -> dict[str, float]:
    return {hit.source.path: round(hit.cosine, 3) for hit in index.semantic_candidates("needle", Filter(), 10)}


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return SqliteIndex(lambda: str(tmp_path / "index.sqlite"))


def test_a_passage_that_moved_is_where_it_is_now(index: SqliteIndex) -> None:
    for at, start in enumerate((3, 40, 7)):
        index.apply([put(start, time=at)])
        assert starts(index) == {"one.md": start}
        assert starts(index) == {"one.md": start}


def test_changes_by_another_process_are_seen(index: SqliteIndex, tmp_path: Path) -> None:
    index.apply([put(3), put(5, "two.md")])
    assert starts(index) == {"one.md": 3, "two.md": 5}
    other = SqliteIndex(lambda: str(tmp_path / "index.sqlite"))
    other.apply([put(11, time=2), Gone("two.md")])
    assert starts(index) == {"one.md": 11}


def test_vectors_that_another_process_changed_or_removed_are_not_used(tmp_path: Path) -> None:
    index, other = (SqliteIndex(lambda: str(tmp_path / "index.sqlite"), StaticEncoder) for _ in range(2))
    index.apply([put(3), put(5, "two.md", text="a needle")])
    before = cosines(index)
    assert before["two.md"] > before["one.md"]
    assert cosines(index) == before
    other.apply([put(3, time=2, text="a needle"), Gone("two.md")])
    assert cosines(index) == {"one.md": before["two.md"]}
    index.apply([put(3, time=3)])
    assert cosines(index) == {"one.md": before["one.md"]}


def test_vectors_beyond_those_kept_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "KEPT", 2)
    index = SqliteIndex(lambda: str(tmp_path / "index.sqlite"), StaticEncoder)
    index.apply([put(at, f"{at}.md") for at in range(5)])
    assert len(cosines(index)) == 5
    assert cosines(index) == cosines(index)


def test_nothing_cached_survives_a_rebuilt_index(index: SqliteIndex, tmp_path: Path) -> None:
    index.apply([put(3), put(5, "two.md")])
    assert starts(index) == {"one.md": 3, "two.md": 5}
    for file in tmp_path.iterdir():
        file.unlink()
    other = SqliteIndex(lambda: str(tmp_path / "index.sqlite"))
    other.apply([put(90, "two.md"), put(80)])  # the same rows, for others
    assert starts(index) == {"one.md": 80, "two.md": 90}


def test_rows_beyond_the_cache_limit_are_looked_up_again(index: SqliteIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_cache, "PASSAGES", 2)
    index.apply([put(at, f"{at}.md") for at in range(5)])
    for _ in range(3):
        assert starts(index) == {f"{at}.md": at for at in range(5)}


def test_calls_on_a_held_connection_follow_the_index_to_its_new_place(tmp_path: Path) -> None:
    own, outside = tmp_path / "own", tmp_path / "outside.sqlite"
    index = SqliteIndex(lambda: str(own / "index.sqlite" if own.is_dir() else outside))
    with index.keep_open():
        assert starts(index) == {}
        own.mkdir()
        index.apply([put(3)])
        assert starts(index) == {"one.md": 3}
    assert starts(index) == {"one.md": 3}
    assert (own / "index.sqlite").is_file()
