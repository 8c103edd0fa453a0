"""What we decided ourselves is kept the way we ask of others: as nodes made from our records."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from autology.cli import main

ROOT = Path(__file__).resolve().parents[2]


def test_every_record_of_ours_is_a_node_as_it_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in (".autology/nodes", "docs/decisions"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    records = list((tmp_path / "docs" / "decisions").glob("*.md"))
    assert len(records) >= 9
    ran = main(
        ["import", "adr", str(tmp_path / "docs" / "decisions"), "--dry-run", "--json", "--project", str(tmp_path)]
    )
    output = json.loads(capsys.readouterr().out)["plan"]
    assert ran == 0
    assert output["unchanged"] == len(records), f"run `autology import adr docs/decisions`: {output}"


def test_no_two_records_have_one_number() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [int(record.name.partition("-")[0]) for record in records]
    assert numbers == list(range(1, len(records) + 1))
    for number, record in zip(numbers, records, strict=True):
        assert record.read_text(encoding="utf-8").startswith(f"# {number}. "), record.name
