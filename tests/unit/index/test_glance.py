"""A look into the index is quick, changes nothing, and says why when there is nothing to look into."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from autology import wire
from autology.core.nodes.capture import Material, capture
from autology.index import readonly, readonly_lookup, schema
from autology.wire.project import Project
from tests.unit.hooks_kit import index


def opened(file: Path) -> readonly_lookup.IndexLookup:
    look = readonly_lookup.open(str(file))
    assert look is not None
    return look


def test_the_reader_and_the_index_agree_on_the_schema_version() -> None:
    assert schema.STAMP // 1000 == readonly.VERSION


def test_a_glance_reads_what_the_index_stored(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("", encoding="utf-8")
    graph = Project(str(tmp_path)).graph
    material = Material(
        "Use SQLite for the index", "Because it is there.", type="decision", references=("src/a.py",), session="s-1"
    )
    node = capture(graph, material).node
    assert wire.glance_state(str(tmp_path)) == "ready"
    look = wire.glance(str(tmp_path))
    assert look is not None
    with look:
        assert [(type, number) for type, _, number in look.counts()] == [("decision", 1)]
        assert look.newest_decisions(5)[0][:2] == (node.id, "Use SQLite for the index")
        assert look.speaking_of(["src/a.py"])[0][:3] == (node.id, "decision", "Use SQLite for the index")
        assert [row[0] for row in look.captured("s-1", "", 5)] == [node.id]
        assert look.titles([node.id]) == [(node.id, "decision", "Use SQLite for the index")]
        assert look.failed is False


def test_a_node_speaks_of_a_file_by_naming_it_or_a_folder_around_it(tmp_path: Path) -> None:
    nodes = [
        {"title": "file", "references": ["src/auth/login.py"]},
        {"title": "folder", "references": ["src/auth"]},
        {"title": "slash", "references": ["src/"]},
        {"title": "both", "references": ["src", "src/auth/login.py"]},
        {"title": "likeness", "references": ["src/auth/login.pyc", "src/aut", "auth"]},
        {"title": "inside", "references": ["src/auth/login.py/x"]},
        {"title": "gone", "status": "superseded", "references": ["src/auth"]},
    ]
    with opened(index(tmp_path, nodes)) as look:
        result = look.speaking_of(["src/auth/login.py", "README.md"])
    assert [row[2] for row in result] == ["both", "file", "folder", "slash"]
    assert result[0][4] == "src/auth/login.py"


def test_many_files_are_looked_up_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        readonly_lookup.IndexLookup, "deadline", 60.0
    )  # how long a look takes is the benchmarks' matter
    nodes = [{"title": f"n{i}", "references": [f"d{i}/f{i}.py"]} for i in range(50)]
    with opened(index(tmp_path, nodes)) as look:
        result = look.speaking_of([f"d{i}/f{i}.py" for i in range(2000)])
    assert len(result) == 50


def test_newest_decisions_are_those_that_hold(tmp_path: Path) -> None:
    nodes = [
        {"title": "old", "created": "2026-01-01T00:00:00Z"},
        {"title": "new", "created": "2026-03-01T00:00:00Z", "decision_status": "accepted"},
        {"title": "rejected", "created": "2026-04-01T00:00:00Z", "decision_status": "rejected"},
        {"title": "superseded", "created": "2026-04-01T00:00:00Z", "status": "superseded"},
        {"title": "component", "created": "2026-04-01T00:00:00Z", "type": "component"},
    ]
    with opened(index(tmp_path, nodes)) as look:
        assert [row[1] for row in look.newest_decisions(5)] == ["new", "old"]


def test_notes_of_a_session_are_its_own_and_those_without_a_session_since_it_began(tmp_path: Path) -> None:
    nodes = [
        {"title": "own", "session": "s", "modified": "2026-01-02T00:00:00Z"},
        {"title": "other's", "session": "t", "modified": "2026-01-02T00:00:00Z"},
        {"title": "since", "modified": "2026-01-03T00:00:00Z"},
        {"title": "before", "modified": "2026-01-01T00:00:00Z"},
    ]
    with opened(index(tmp_path, nodes)) as look:
        assert [row[2] for row in look.captured("s", "2026-01-02T12:00:00Z", 9)] == ["own", "since"]
        assert [row[2] for row in look.captured("s", "", 9)] == ["own"]


def test_an_unusable_index_says_why(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    assert readonly_lookup.state(str(file)) == "missing"
    file.touch()
    assert readonly_lookup.state(str(file)) == "missing"
    file.write_bytes(b"not a database at all, but long enough to look like something else" * 100)
    assert readonly_lookup.state(str(file)) == "damaged"
    assert readonly_lookup.open(str(file)) is None
    file.unlink()
    file.mkdir()
    assert readonly_lookup.state(str(file)) == "missing"


@pytest.mark.parametrize(("change", "says"), [(-1000, "old"), (1000, "newer"), (1, "ready")])
def test_another_version_of_the_tables_is_not_read(tmp_path: Path, change: int, says: str) -> None:
    file = index(tmp_path)
    db = sqlite3.connect(file)
    db.execute(f"PRAGMA user_version = {schema.STAMP + change}")
    db.close()
    assert readonly_lookup.state(str(file)) == says


def test_an_index_without_its_tables_is_damaged(tmp_path: Path) -> None:
    file = index(tmp_path)
    db = sqlite3.connect(file)
    db.execute("DROP TABLE reference")
    db.close()
    assert readonly_lookup.state(str(file)) == "damaged"


def test_a_file_cut_in_half_answers_with_nothing_and_says_that_it_failed(tmp_path: Path) -> None:
    file = index(tmp_path, [{"title": f"n{i}" * 50} for i in range(2000)])
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    look = readonly_lookup.open(str(file))
    if look is not None:
        with look:
            look.newest_decisions(5)
            look.counts()
            look.titles(["x"])
            look.unreadable(5)
            assert look.failed


def test_a_glance_cannot_change_the_index(tmp_path: Path) -> None:
    file = index(tmp_path, [{"title": "n"}])
    before = file.read_bytes()
    with opened(file) as look:
        look.counts()
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            look._db.execute("DELETE FROM source")
    assert file.read_bytes() == before


def test_a_writer_in_the_middle_of_its_work_is_not_waited_for(tmp_path: Path) -> None:
    file = index(tmp_path, [{"title": "n"}])
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE source SET title = 'other'")
    with opened(file) as look:
        assert look.newest_decisions(1)[0][1] == "n"
        assert look._db.execute("PRAGMA busy_timeout").fetchone()[0] < 100  # milliseconds
    writer.execute("COMMIT")
    with opened(file) as look:
        assert look.newest_decisions(1)[0][1] == "other"
    writer.close()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="who may write everywhere cannot be kept from it")
def test_an_index_where_nothing_can_be_written_is_read(tmp_path: Path) -> None:
    file = index(tmp_path, [{"title": "n"}])
    file.chmod(0o400)
    file.parent.chmod(0o500)
    try:
        with opened(file) as look:
            assert look.newest_decisions(1)[0][1] == "n"
    finally:
        file.parent.chmod(0o700)


@pytest.mark.parametrize("name", ["100%", "a?b=c", "a#b", "ä b", "a%41"])
def test_an_index_in_a_folder_of_any_name_can_be_opened(tmp_path: Path, name: str) -> None:
    with opened(index(tmp_path / name, [{"title": "n"}])) as look:
        assert len(look.counts()) == 1


def test_a_hostile_file_is_given_up_in_time(tmp_path: Path) -> None:
    """Whoever wrote the file may have put a view without end in a table's place, or bytes where text should be."""
    file = index(tmp_path, [{"title": "n"}])
    db = sqlite3.connect(file)
    db.execute("DROP TABLE source")
    db.execute(
        "CREATE VIEW source AS WITH RECURSIVE c(rowid) AS (SELECT 1 UNION ALL SELECT rowid + 1 FROM c)"
        " SELECT rowid, 'x' AS type, 'x' AS status, x'00' AS title, 'x' AS id FROM c"
    )
    db.commit()
    db.close()
    assert readonly_lookup.state(str(file)) == "damaged"
    db = sqlite3.connect(index(tmp_path, [{"title": "n"}]))
    db.execute("UPDATE source SET title = x'ff00'")
    db.commit()
    db.close()
    with opened(file) as look:
        assert look.newest_decisions(5) == []


def test_a_glance_finds_nodes_among_a_hundred_thousand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        readonly_lookup.IndexLookup, "deadline", 60.0
    )  # how long a look takes is the benchmarks' matter
    file = index(tmp_path)
    db = sqlite3.connect(file)
    rows = (
        (
            f"{i:08x}",
            "node",
            "decision",
            f"Node {i}" * 5,
            "",
            "active",
            0.9,
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00Z",
            f"p{i}",
            1,
            1,
        )
        for i in range(100_000)
    )
    names = "id, kind, type, title, title_key, status, confidence, created, modified, path, size, mtime_ns"
    db.executemany(f"INSERT INTO source({names}) VALUES ({', '.join('?' * 12)})", rows)
    db.executemany("INSERT INTO reference VALUES (?, ?)", ((f"src/{i % 5000}.py", i) for i in range(1, 100_001)))
    db.commit()
    db.close()
    with opened(file) as look:
        assert look.counts() == [("decision", "active", 100_000)]
        assert len(look.newest_decisions(5)) == 5
        assert len(look.speaking_of(["src/1.py"])) == 20
        assert look.captured("s", "2027-01-01T00:00:00Z", 5) == []
        assert look.to_review(5) == []
        assert look.failed is False
