"""A vault of 10,000 documents is indexed with a bar to watch, stopped with Ctrl-C, and gone on with."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.plugin.fronts import run, watched

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="terminals are another matter there")

DOCUMENTS = 10_000
BATCH = 200
"""Documents that are taken in at once."""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for number in range(DOCUMENTS):
        folder = root / "docs" / f"part-{number % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        text = f"# Note {number}\n\nSingular{number} leads to [[note-{(number + 1) % DOCUMENTS}]].\n"
        (folder / f"note-{number}.md").write_text(text, encoding="utf-8")
    return root


def test_a_first_indexing_is_watched_stopped_at_half_and_gone_on_with(vault: Path) -> None:
    stopped = watched(vault, ["sync"], stop_at=0.5)
    assert stopped.code == 130
    assert stopped.out == ""
    assert stopped.drawn.endswith("autology: cancelled. Run the command again to resume\r\n")
    assert "Traceback" not in stopped.drawn
    assert stopped.counts[0][1] == DOCUMENTS
    done, _ = stopped.counts[-1]
    assert DOCUMENTS / 2 <= done < DOCUMENTS * 0.8

    resumed = watched(vault, ["sync"])
    assert resumed.code == 0
    # What the bar had told, and at most the part that it had not told yet, is not read again.
    left = DOCUMENTS - done
    assert left - BATCH <= resumed.counts[0][1] <= left
    assert f"{resumed.counts[0][1]:,} files indexed or removed" in resumed.out
    assert "10,000 documents" in resumed.out

    again = run(vault, "sync", "--json")
    assert (again.returncode, again.stderr) == (0, "")
    assert json.loads(again.stdout) == {
        "read": 0,
        "nodes": 0,
        "relations": 0,
        "documents": DOCUMENTS,
        "memories": 0,
        "unreadable": 0,
        "conversations": {"read": 0, "chunks": 0, "unread": []},
    }
    for number in (0, 4_999, 5_000, DOCUMENTS - 1):
        output = json.loads(run(vault, "search", f"Singular{number}", "--json").stdout)["results"]
        assert output[0]["id"] == f"docs/part-{number % 50}/note-{number}.md"
        shown = json.loads(run(vault, "show", output[0]["id"], "--json").stdout)
        before = (number - 1) % DOCUMENTS
        assert [each["source"] for each in shown["incoming"]] == [f"docs/part-{before % 50}/note-{before}.md"]


def test_no_progress_bar_is_shown_without_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(1_000):
        (tmp_path / "docs" / f"{number}.md").write_text(f"# {number}\n", encoding="utf-8")
    done = run(tmp_path, "sync")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1,000 documents" in done.stdout
