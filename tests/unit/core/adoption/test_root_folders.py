"""A collection whose records are a folder each at the root is adopted, and so is one that is added."""

from __future__ import annotations

from pathlib import Path

from autology.core.adoption.folders_to_adopt import HERE, lies_in
from tests.unit.adoption_kit import nygard, opened
from tests.unit.cli_kit import git


def record(root: Path, number: int) -> None:
    folder = root / f"PROP-{number:04}"
    folder.mkdir()
    (folder / "README.md").write_text(nygard(number, f"Sail by plan {number}", "Accepted"), encoding="utf-8")


def adopted_records(root: Path, folders: list[str]) -> int:
    records = opened(root, folders).records
    assert records is not None
    return len(records.snapshot.records)


def test_records_that_are_folders_at_the_root_are_nodes(tmp_path: Path) -> None:
    for number in range(1, 6):
        record(tmp_path, number)
    deep = tmp_path / "tools/notes/deep"
    deep.mkdir(parents=True)
    (deep / "0001-a.md").write_text(nygard(1, "Below", "Accepted"), encoding="utf-8")
    git(tmp_path, "init", "-q")
    folders = [HERE]
    assert adopted_records(tmp_path, folders) == 5
    record(tmp_path, 6)
    assert adopted_records(tmp_path, folders) == 6


def test_the_root_holds_its_files_and_those_of_its_folders() -> None:
    assert lies_in("0001-a.md", "")
    assert lies_in("PROP-0001/README.md", "")
    assert not lies_in("docs/adr/0001-a.md", "")
    assert lies_in("docs/adr/deep/0001-a.md", "docs/adr")
    assert not lies_in("docs/adrs/0001-a.md", "docs/adr")
