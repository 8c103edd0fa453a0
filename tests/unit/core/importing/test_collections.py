"""Collections of decision records come in completely, once, and every file can be rebuilt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.collections_kit import COLLECTIONS, assert_imported


@pytest.mark.parametrize(
    ("name", "files", "decisions", "superseded"),
    [("hive-adrs", 6, 6, 0), ("library-adrs", 9, 6, 1), ("madr", 15, 6, 1), ("orchard-rfcs", 7, 7, 1)],
)
def test_a_collection_comes_in_completely_and_once(
    tmp_path: Path, name: str, files: int, decisions: int, superseded: int
) -> None:
    assert_imported(tmp_path, COLLECTIONS / name, files, decisions, superseded)
