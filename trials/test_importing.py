"""Real collections of decision records come in completely, once, and are rebuilt and answered from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.plugin.test_init import init
from tests.unit.cli_kit import repository
from tests.unit.collections_kit import assert_imported
from trials.texts import CORPORA


@pytest.mark.parametrize(
    ("name", "files", "decisions", "superseded"),
    [
        ("arachne-adrs", 17, 17, 0),
        ("content-publisher-adrs", 24, 16, 1),
        ("madr", 31, 19, 0),
        ("otel-oteps", 68, 68, 1),
    ],
)
def test_a_real_collection_comes_in_completely_and_once(
    tmp_path: Path, name: str, files: int, decisions: int, superseded: int
) -> None:
    assert_imported(tmp_path, CORPORA / name, files, decisions, superseded)


@pytest.mark.parametrize("name", ["arachne-adrs", "otel-oteps"])
def test_a_real_collection_answers_its_first_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    shutil.copytree(CORPORA / name, tmp_path / "docs" / "adr")
    answer = init(repository(tmp_path), capsys, "--yes")
    assert answer["done"]["adopted"] == len(list((tmp_path / "docs").rglob("*.md")))
    assert len(answer["answers"]) in (2, 3)
    assert all(len(one["passage"]) > 40 for one in answer["answers"])
