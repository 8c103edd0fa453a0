"""`autology records` and `autology doctor records` in a project without an .autology folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology.cli import main
from tests.unit.core.records.records_kit import adr, adrs


@pytest.fixture
def mill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {**adrs(), "docs/adr/README.md": "# Decisions\n", "docs/guide.md": "# Guide\n\nGrind.\n"}
    files["docs/adr/0004-sell-bran.md"] = adr(4, "Sell bran", "Proposed")
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_records_are_listed_with_number_date_status_and_title(mill: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["records"]) == 0
    out = capsys.readouterr().out
    assert "docs/adr: 4 decisions" in out
    assert "     4  2021-03-04  Proposed" in out or "     4  2021-03-04  proposed      Sell bran" in out


def test_records_as_json_have_null_for_what_they_do_not_state(mill: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["records", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["collections"] == [{"folder": "docs/adr", "count": 4}]
    first = data["records"][0]
    assert (first["path"], first["number"], first["status"]) == ("docs/adr/0001-grind-by-water.md", "1", "accepted")
    assert (first["supersedes"], first["node_status"]) == ([], None)


def test_a_convention_is_explained_and_corrected(mill: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "records"]) == 0
    out = capsys.readouterr().out
    assert "section Status (4 of 4)" in out
    assert "README or index (README.md)" in out
    (mill / ".autology").mkdir()
    config = mill / ".autology" / "config.yaml"
    config.write_text("records:\n  docs/adr: false\n", encoding="utf-8")
    assert main(["doctor", "records", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["collections"], data["left_out"][0]["path"]) == ([], "docs/adr")
    config.write_text("records:\n  docs/adr:\n    status: nowhere\n", encoding="utf-8")
    assert main(["doctor", "records"]) == 1
    assert "'nowhere' is not one" in capsys.readouterr().out


def test_doctor_itself_still_needs_no_action(mill: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--json"])
    assert "findings" in json.loads(capsys.readouterr().out)
