"""What was written in the last days, for the feed of a page that was opened later."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from autology.core.nodes import capture
from autology.web.calls import answer
from autology.web.project import PageProject


def test_the_notes_of_the_week_are_listed_and_claudes_can_be_undone(tmp_path: Path) -> None:
    page = PageProject(str(tmp_path))
    answer(page, "create", {"title": "By hand", "content": "Text.", "type": "concept"})
    capture.capture(page.graph, capture.Material("By Claude", "Text.", "concept", session="s"))
    for title, days, changed in (("Old", 30, 30), ("Old, but changed", 30, 2)):
        id = answer(page, "create", {"title": title, "content": "Text.", "type": "concept"})["id"]
        file = tmp_path / ".autology" / "nodes" / "concepts" / f"{id}.md"
        now = datetime.now(UTC)
        lines = [
            f"{line.partition(':')[0]}: {now - timedelta(days=ago):%Y-%m-%dT%H:%M:%SZ}" if ago else line
            for line in file.read_text().splitlines()
            for ago in [{"created": days, "modified": changed}.get(line.partition(":")[0], 0)]
        ]
        file.write_text("\n".join(lines) + "\n")
    notes = answer(page, "recent", {})["notes"]
    assert {(one["title"], one["kind"], one.get("by"), "undo" in one) for one in notes} == {
        ("By hand", "created", None, False),
        ("By Claude", "created", "claude", True),
        ("Old, but changed", "changed", None, False),
    }
    assert notes[-1]["title"] == "Old, but changed"
    assert len(answer(page, "recent", {"days": 10_000_000})["notes"]) == 4
