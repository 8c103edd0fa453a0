"""An index that another process writes to: writers wait little for each other, and readers not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.nodes.node_codec import NodeCodec
from autology.index import index_file
from autology.index.sqlite import SqliteIndex
from tests.fakes.encoder import Thesaurus
from tests.fakes.project import a_node


class Beside(Thesaurus):
    """An encoder during whose work another process writes to the index at *path*."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.written = 0

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        if self.path.exists():
            db = sqlite3.connect(self.path, timeout=0)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('beside', ?)", (str(self.written),))
            db.commit()
            db.close()
            self.written += 1
        return super().encode(texts)


def test_other_processes_can_write_while_passages_are_encoded(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    encoder = Beside(path)
    index = SqliteIndex(lambda: str(path), lambda: encoder)
    for number in (1, 2):
        node = a_node(number, content="a slow login")
        index.apply([NodeCodec().project(node.path, Stamp(10, 1), node)])
    assert encoder.written >= 1
    assert index.vector_count() == 2


def test_a_long_write_ahead_log_is_truncated_when_no_reader_needs_it(tmp_path: Path) -> None:
    path, log = tmp_path / "index.sqlite", tmp_path / "index.sqlite-wal"
    index = SqliteIndex(lambda: str(path), log_limit=10_000)
    node = a_node(1, content="a slow login")
    index.apply([NodeCodec().project(node.path, Stamp(10, 1), node)])
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM source").fetchone() == (1,)
    for number in (2, 3):
        node = a_node(number, content="a slow login")
        index.apply([NodeCodec().project(node.path, Stamp(10, 1), node)])
    assert log.stat().st_size > 10_000
    assert reader.execute("SELECT count(*) FROM source").fetchone() == (1,)
    reader.close()
    index.set_metadata("a", "word")
    assert log.stat().st_size == 0
    assert len(index.stamps()) == 3


def test_a_log_that_writes_leave_is_truncated_between_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_file, "LOG_LIMIT", 10_000)
    path, log = tmp_path / "index.sqlite", tmp_path / "index.sqlite-wal"
    index = SqliteIndex(lambda: str(path), log_limit=index_file.LATEST_LOG_LIMIT)
    for number in range(1, 6):
        node = a_node(number, content="a slow login")
        index.apply([NodeCodec().project(node.path, Stamp(10, 1), node)])
    assert log.stat().st_size > 10_000
    assert index.has_long_log()
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM source").fetchone() == (5,)
    index.set_metadata("a", "word")
    index.truncate_log()  # it is being read: the next time
    assert index.has_long_log()
    reader.close()
    index.truncate_log()
    assert log.stat().st_size == 0
    assert not index.has_long_log()
    assert len(index.stamps()) == 5
