"""The log of searches: a line each, two files, never in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology import search_log


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUTOLOGY_DATA_DIR", str(tmp_path / "data"))
    return Path(search_log.path())


def test_a_search_is_a_line_of_json(log: Path) -> None:
    search_log.note("recall", "q" * 1_000 + "\n", {"type": "code", "limit": 3}, 7, 12.34)
    [line] = log.read_text(encoding="utf-8").splitlines()
    result = json.loads(line)
    assert {name: result[name] for name in ("tool", "filters", "results", "ms")} == {
        "tool": "recall", "filters": {"type": "code", "limit": 3}, "results": 7, "ms": 12.3,
    }  # fmt: skip
    assert result["query"] == "q" * search_log.QUERY_LIMIT


def test_a_full_log_is_put_aside_and_the_one_before_it_dropped(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_log, "LIMIT", 150)
    for number in range(5):
        search_log.note("recall", f"question {number}", {}, 0, 1.0)
    kept = [file.read_text(encoding="utf-8") for file in (Path(f"{log}.1"), log)]
    assert "question 4" in kept[1]
    assert "question 0" not in "".join(kept)


def test_a_log_that_cannot_be_written_is_no_second_problem(log: Path) -> None:
    log.parent.parent.mkdir(parents=True)
    log.parent.write_text("in the way", encoding="utf-8")
    search_log.note("recall", "x", {}, 0, 1.0)
