"""What should not have happened is noted in a line, and the call says where to look."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology import log
from autology.tools import errors


def failed(message: str) -> Exception:
    try:
        raise RuntimeError(message)
    except RuntimeError as error:
        return error


def test_a_failure_is_one_line_with_the_place_it_came_from(home: Path) -> None:
    log.write("autology_query", failed("two\nlines \ud800"))
    log.write("autology_query", failed("again"))
    first, second = (home / "data" / "log" / "autology.log").read_text(encoding="utf-8").splitlines()
    assert " ERROR autology_query: RuntimeError: two lines \ufffd (" in first
    assert "test_log.py:" in first
    assert "again" in second


def test_the_log_does_not_grow_without_end(home: Path) -> None:
    for n in range(600):
        log.write("autology_query", failed(f"{n} " + "x" * 900))
    files = sorted((home / "data" / "log").iterdir())
    assert [file.name for file in files] == ["autology.log", "autology.log.1"]
    assert all(file.stat().st_size < log.LIMIT + 2_000 for file in files)
    assert "599 " in files[0].read_text(encoding="utf-8")


def test_a_log_that_cannot_be_written_is_no_second_failure(home: Path) -> None:
    (home / "data").write_text("no folder", encoding="utf-8")
    log.write("autology_query", failed("x"))


def test_an_internal_error_tells_where_to_look_and_nothing_of_its_inside(capsys: pytest.CaptureFixture[str]) -> None:
    result = errors.unexpected("autology_query", failed("the inside"))
    assert result.is_error
    assert "autology doctor --log" in str(result.content)
    assert "the inside" not in str(result.content)
    assert "the inside" in capsys.readouterr().err
