"""Codes kept beside the index: what was read is not read again, and a file that is of no use changes no answer."""

from __future__ import annotations

import json
import random
import sqlite3
import zlib
from pathlib import Path

import pytest

from autology.index.row_cache import RowCache
from autology.index.vectors import sign_codes
from autology.index.vectors.nearest import BUILT_IN, CodeTable, VectorQuery
from autology.ranking import quantized_vectors

CHANCE = random.Random(11)
MANY = sign_codes.MIN_NEW + 1_500
ROWS = [CHANCE.randbytes(64) for _ in range(MANY + 10)]


@pytest.fixture
def db(tmp_path: Path) -> sqlite3.Connection:
    made = sqlite3.connect(tmp_path / "index.sqlite", isolation_level=None)
    made.execute("CREATE TABLE passage(rowid INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER, start, stop)")
    made.execute("CREATE TABLE meaning(passage INTEGER PRIMARY KEY, kind TEXT, code BLOB, row BLOB)")
    made.execute("BEGIN")
    add(made, 1, ROWS[:MANY])
    made.execute("COMMIT")
    return made


def add(db: sqlite3.Connection, first: int, rows: list[bytes]) -> None:
    for at, row in enumerate(rows, first):
        db.execute("INSERT INTO passage VALUES (?, ?, 0, 1)", (at, at))
        kind = "node" if at % 3 else "memory"
        db.execute("INSERT INTO meaning VALUES (?, ?, ?, ?)", (at, kind, quantized_vectors.sign_code(row), row))


def nearest(found: CodeTable, db: sqlite3.Connection, row: bytes, generation: str = "one") -> list[int]:
    return [each.source for each in found.nearest(db, RowCache(), generation, VectorQuery(row, row, (), None), 5)]


def file_of(tmp_path: Path) -> Path:
    return tmp_path / f"index.sqlite-{BUILT_IN}"


def test_saved_codes_give_the_same_results(db: sqlite3.Connection, tmp_path: Path) -> None:
    first = CodeTable()
    answers = [nearest(first, db, row) for row in ROWS[::500]]
    last, kinds = sign_codes.read(str(file_of(tmp_path)), "one")
    assert last == MANY
    assert sum(len(each.passages) for each in kinds.values()) == MANY
    received: list[str] = []
    db.set_trace_callback(received.append)
    assert [nearest(CodeTable(), db, row) for row in ROWS[::500]] == answers
    assert any(f"rowid > {MANY}" in each for each in received)
    assert not any("rowid > 0" in each for each in received)


def test_codes_added_since_the_file_was_written_are_found(db: sqlite3.Connection) -> None:
    nearest(CodeTable(), db, ROWS[0])
    add(db, MANY + 1, ROWS[MANY:])
    assert nearest(CodeTable(), db, ROWS[-1])[0] == len(ROWS)


def test_codes_deleted_since_the_file_was_written_are_not_found(db: sqlite3.Connection) -> None:
    nearest(CodeTable(), db, ROWS[0])
    db.execute("DELETE FROM meaning WHERE passage < ?", (MANY - 20,))
    assert nearest(CodeTable(), db, ROWS[MANY - 1])[0] == MANY
    assert len(nearest(CodeTable(), db, ROWS[0])) == 5


@pytest.mark.parametrize("harm", ["cut", "changed", "empty", "another", "gone"])
def test_an_unusable_code_file_changes_no_result(db: sqlite3.Connection, tmp_path: Path, harm: str) -> None:
    answer = nearest(CodeTable(), db, ROWS[7])
    file = file_of(tmp_path)
    data = file.read_bytes()
    harmed = {"cut": data[:-9], "changed": data[:900] + b"?" + data[901:], "empty": b"", "another": data, "gone": b""}
    file.write_bytes(harmed[harm])
    if harm == "gone":
        file.unlink()
    generation = "two" if harm == "another" else "one"
    assert sign_codes.read(str(file), generation) == (0, {})
    assert nearest(CodeTable(), db, ROWS[7], generation) == answer


@pytest.mark.parametrize(
    "kinds",
    [
        {"node": [10**15, 1, 1]},
        {"node": [64, 10**15, 0]},
        {"node": [64, 10, 10**15]},
        {"node": [64, -1, 0]},
        {"node": [64, 0, -(10**15)]},
        {"node": [0, 0, 0]},
        {"node": [4000, 0, 0] * 2},
        {"node": [1.5, 1, 1]},
        {"node": "abc"},
        [],
        7,
    ],
    ids=str,
)
def test_a_forged_code_file_with_wrong_counts_is_ignored(tmp_path: Path, kinds: object) -> None:
    assert sign_codes.read(str(forged(tmp_path, {"generation": "one", "last": 5, "kinds": kinds})), "one") == (0, {})


@pytest.mark.parametrize("last", [-1, 1 << 70, "9", None, 1.5])
def test_a_forged_code_file_cannot_name_an_impossible_row(tmp_path: Path, last: object) -> None:
    assert sign_codes.read(str(forged(tmp_path, {"generation": "one", "last": last, "kinds": {}})), "one") == (0, {})


def forged(tmp_path: Path, told: dict[str, object]) -> Path:
    """A file whose checksum is right."""
    data = sign_codes.MAGIC + json.dumps(told).encode() + b"\n" + bytes(64)
    made = tmp_path / "forged"
    made.write_bytes(data + zlib.crc32(data).to_bytes(sign_codes.CHECK, "little"))
    return made


def test_a_code_file_newer_than_the_index_is_not_used(db: sqlite3.Connection) -> None:
    nearest(CodeTable(), db, ROWS[0])
    db.execute("DELETE FROM meaning WHERE passage > 3000")
    assert nearest(CodeTable(), db, ROWS[5])[0] == 6


def test_few_codes_and_codes_of_conversations_are_not_saved(db: sqlite3.Connection, tmp_path: Path) -> None:
    nearest(CodeTable(save=False), db, ROWS[0])
    db.execute("DELETE FROM meaning WHERE passage > 2000")
    nearest(CodeTable(), db, ROWS[0])
    assert not file_of(tmp_path).exists()


def test_an_unwritable_cache_folder_only_costs_time(db: sqlite3.Connection, tmp_path: Path) -> None:
    Path(f"{file_of(tmp_path)}.new").mkdir()
    assert nearest(CodeTable(), db, ROWS[9])[0] == 10
    assert not file_of(tmp_path).exists()
