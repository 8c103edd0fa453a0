"""Tests and evals need nothing beside the clone: no file of theirs looks there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {".py", ".md", ".yaml", ".yml", ".json", ".jsonl", ".toml", ".sh", ".txt", ".tsv", ".js", ".mjs"}
# In parts: this file is looked at, too.
VARIABLE = "AUTOLOGY_" + "SHARED"
OWN_PATH = "Path(__file" + "__)"
BESIDE = re.compile(rf"{VARIABLE}|(?<![\w.])(?:\.\./)+shared\b|\bROOT\.parent\b|\bROOT\s*/\s*[\"']\.\.")
PARENTS = re.compile(r"__file__\b[^\n]*?(?:\.parents\[(\d+)\]|((?:\.parent\b)+))")


def look_outside(root: Path, *folders: str) -> list[str]:
    """Return the places, as ``file:line``, where a file in *folders* of *root* looks beside *root*.

    Raises AssertionError if a folder holds no files to look at.
    """
    offences = []
    for folder in folders:
        files = [file for file in (root / folder).rglob("*") if file.is_file() and file.suffix in TEXTS]
        assert files, f"{root / folder} holds no files to look at"
        for file in files:
            path = file.relative_to(root)
            offences += [f"{path.as_posix()}:{number}" for number in _offending_lines(file, len(path.parts) - 1)]
    return sorted(offences)


def _offending_lines(file: Path, root_above: int) -> Iterator[int]:
    """Yield the numbers of the offending lines; the root is the file's parent number *root_above*."""
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        climbs = [int(index) if index else chain.count(".") - 1 for index, chain in PARENTS.findall(line)]
        if BESIDE.search(line) or max(climbs, default=0) > root_above:
            yield number


def test_no_test_or_eval_looks_beside_the_clone() -> None:
    looked_at = [file for folder in ("tests", "evals") for file in (ROOT / folder).rglob("*.py")]
    assert len(looked_at) > 200
    assert look_outside(ROOT, "tests", "evals") == []


@pytest.mark.parametrize(
    "line",
    [
        f'SHARED = Path(os.environ["{VARIABLE}"])',
        f"TEXTS = {OWN_PATH}.resolve().parents[3]",
        f"TEXTS = {OWN_PATH}.parent.parent.parent.parent",
        "cp -r ../" + "shared/samples .",
        "folder = ROOT" + ".parent / name",
        'folder = ROOT / "' + '.." / name',
    ],
)
def test_a_test_that_reads_outside_the_clone_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "tests" / "unit" / "test_x.py"
    file.parent.mkdir(parents=True)
    file.write_text(f"ROOT = {OWN_PATH}.resolve().parents[2]\n{line}\n", encoding="utf-8")
    assert look_outside(tmp_path, "tests") == ["tests/unit/test_x.py:2"]


def test_checking_no_files_fails(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    with pytest.raises(AssertionError, match="no files to look at"):
        look_outside(tmp_path, "tests")
