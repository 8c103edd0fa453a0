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


def test_a_record_in_an_archive_needs_no_mark_that_it_was_replaced(root: Path) -> None:
    (root / "docs/adr/old").mkdir()
    (root / "docs/adr/old/0007-old-way.md").write_text(nygard(7, "Go the old way", "Accepted"), encoding="utf-8")
    new = nygard(8, "Go the new way", "Accepted\n\nSupersedes [7. Go the old way](old/0007-old-way.md)")
    (root / "docs/adr/0008-new-way.md").write_text(new, encoding="utf-8")
    assert findings(root, "chains") == []


@pytest.mark.parametrize(("names", "found"), [(("QUEUE_SIZE", "CACHE_SIZE"), 0), (("QUEUE_SIZE", "QUEUE_SIZE"), 1)])
def test_records_of_one_wording_that_name_different_settings_are_no_duplicates(
    root: Path, names: tuple[str, str], found: int
) -> None:
    for number, name in enumerate(names, 7):
        text = ALIKE.replace("Why ", f"{'Once again: ' * (number - 7)}Set {name}. Why ")
        (root / f"docs/adr/{name.lower()}-{'ab'[number - 7]}.md").write_text(text, encoding="utf-8")
    assert len(findings(root, "duplicates")) == found


def test_each_part_of_a_project_may_record_that_it_records_its_decisions(root: Path) -> None:
    first = nygard(1, "Record architecture decisions", "Accepted").replace("Some of them.", "It is kept. " * 20)
    for part in ("api", "web"):
        for number, title in ((1, ""), (2, f"Host {part} abroad"), (3, f"Test {part} nightly")):
            path = root / f"packages/{part}/adr/000{number}-{number}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(nygard(number, title, "Accepted") if title else first, encoding="utf-8")
    opened(root, ["packages/api/adr", "packages/web/adr"])
    assert findings(root, "duplicates") == []


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("", 1),
        ("This record has been superseded by [8. Go the new way](0008-new-way.md).", 0),
        ("**Note: This has been superseded by [8](0008-new-way.md).**", 0),
    ],
)
def test_a_record_that_names_its_successor_in_its_text_needs_no_other_status(root: Path, said: str, found: int) -> None:
    old = nygard(7, "Go the old way", "Accepted").replace("## Context\n", f"## Context\n\n{said}\n")
    (root / "docs/adr/0007-old-way.md").write_text(old, encoding="utf-8")
    new = nygard(8, "Go the new way", "Accepted\n\nSupersedes [7. Go the old way](0007-old-way.md)")
    (root / "docs/adr/0008-new-way.md").write_text(new, encoding="utf-8")
    assert len(findings(root, "chains")) == found


def test_records_of_one_body_and_other_titles_are_reserved_numbers_and_no_duplicates(root: Path) -> None:
    for number, title in ((7, "Share the mill"), (8, "Sell the mill"), (9, "Let the mill")):
        text = ALIKE.replace("# 7. Measure the queue", f"# {number}. {title}")
        (root / f"docs/adr/000{number}-{number}.md").write_text(text, encoding="utf-8")
    assert findings(root, "duplicates") == []
    (root / "docs/adr/0010-10.md").write_text(text, encoding="utf-8")
    assert findings(root, "duplicates") == ["Duplicate of 'Let the mill': Let the mill"]


def test_records_of_one_title_that_name_each_others_files_are_no_duplicates(root: Path) -> None:
    (root / "docs/adr/0007-measure.md").write_text(ALIKE, encoding="utf-8")
    replacing = ALIKE.replace("Accepted", "Replaces 0007-measure")
    (root / "docs/adr/0008-measure-again.md").write_text(replacing, encoding="utf-8")
    assert findings(root, "duplicates") == []


@pytest.mark.parametrize(
    "names", [("0007-rate", "0008-rate"), ("0007-rate-v1", "0007-rate-v2"), ("0007-v1-rate", "0007-v2-rate")]
)
def test_a_value_that_is_set_again_by_a_record_of_nearly_one_text_is_no_duplicate(
    root: Path, names: tuple[str, str]
) -> None:
    for name, rate in zip(names, ("five", "six"), strict=True):
        text = ALIKE.replace("Why Measure", f"The rate is {rate}. Why Measure").replace("# 7. ", "# ")
        (root / f"docs/adr/{name}.md").write_text(text, encoding="utf-8")
    assert findings(root, "duplicates") == []
