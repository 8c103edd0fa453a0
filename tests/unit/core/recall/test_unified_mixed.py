"""One search over nodes, documents, conversations and code puts the one right source first, or nearly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.unified import FIRST, TOP, made, place

MIXED = json.loads((Path(__file__).parents[3] / "labelled" / "mixed.json").read_text(encoding="utf-8"))


def test_the_right_source_is_among_the_first_three_in_both_halves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "AUTOLOGY_DATA_DIR", "AUTOLOGY_CACHE_DIR"):
        monkeypatch.setenv(name, "")  # put back afterwards
    project = made(tmp_path, MIXED)
    for half in ("tuned", "unseen"):
        rows = [row for row in MIXED["questions"] if row["half"] == half]
        assert len(rows) == 24
        assert len({row["kind"] for row in rows}) == 4
        places = [place(project, row, False) for row in rows]
        assert sum(at == 0 for at in places) / len(places) >= FIRST
        assert sum(at < 3 for at in places) / len(places) >= TOP
