"""Health says of adopted records what their maintainers would want to know."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.analysis.analyze import analyze
from autology.vcs.git import Git
from tests.unit.adoption_kit import nygard, opened, write

ALIKE = nygard(7, "Measure the queue", "Accepted").replace("Some of them.", "Queues are measured daily. " * 12)


def findings(root: Path, check: str) -> list[str]:
    return [finding.what for finding in analyze(opened(root), Git(str(root)), check).findings]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "nygard")
    opened(tmp_path, ["docs/adr"])
    return tmp_path


def test_a_copy_in_an_archive_is_no_duplicate(root: Path) -> None:
    (root / "docs/adr/0007-measure.md").write_text(ALIKE, encoding="utf-8")
    (root / "docs/adr/archive").mkdir()
    (root / "docs/adr/archive/0007-measure.md").write_text(ALIKE, encoding="utf-8")
    assert findings(root, "duplicates") == []
    (root / "docs/adr/0008-measure.md").write_text(ALIKE, encoding="utf-8")
    assert findings(root, "duplicates")


def test_records_of_one_title_and_two_numbers_are_a_series(root: Path) -> None:
    results = {7: "The run took a day and lost no event.", 8: "Two queues filled up at noon; backpressure held them."}
    for number, result in results.items():
        text = nygard(number, "Live result", "Accepted").replace("Some of them.", result * 3)
        (root / f"docs/adr/000{number}-live-result.md").write_text(text, encoding="utf-8")
    assert findings(root, "duplicates") == []


def test_a_replaced_record_whose_own_status_says_that_it_is_closed_is_well_marked(root: Path) -> None:
    def replaced(status: str) -> list[str]:
        (root / "docs/adr/0007-old-way.md").write_text(nygard(7, "Go the old way", status), encoding="utf-8")
        new = nygard(8, "Go the new way", "Accepted\n\nSupersedes [7. Go the old way](0007-old-way.md)")
        (root / "docs/adr/0008-new-way.md").write_text(new, encoding="utf-8")
        return findings(root, "chains")

    assert replaced("Closed") == []
    assert len(replaced("Accepted")) == 1
