"""The links of a text lead to notes, documents and files that exist, and nowhere outside the project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from autology.settings import adopt_records
from autology.web.calls import answer
from autology.web.project import PageProject
from tests.unit.adoption_kit import write


@pytest.fixture
def page(tmp_path: Path) -> PageProject:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "docs").mkdir()
    (root / "src" / "orders.py").write_text("")
    (root / "docs" / "shop.md").write_text("# Shop\n")
    (tmp_path / "outside.py").write_text("")
    return PageProject(str(root))


def targets(page: PageProject, content: str) -> dict[str, Any]:
    made = answer(page, "create", {"title": "Orders", "content": content, "type": "concept"})
    reply: dict[str, Any] = answer(page, "opened", {"id": made["id"]})["targets"]
    answer(page, "delete", {"id": made["id"]})
    return reply


def test_links_and_code_lead_to_what_is_there(page: PageProject) -> None:
    text = (
        "[a](docs/shop.md#top) [b](/docs/shop.md) [c](src/orders.py) `src/orders.py:12` `docs/shop.md` `src/none.py`"
        " [d](missing.md) [e](../../../docs/shop.md) [f](src)"
    )
    assert targets(page, text) == {
        "notes": {
            "docs/shop.md": "docs/shop.md",
            "/docs/shop.md": "docs/shop.md",
            "../../../docs/shop.md": "docs/shop.md",
        },
        "files": {"src/orders.py": "src/orders.py", "src": "src"},
    }


def test_links_between_records_lead_to_their_notes(page: PageProject) -> None:
    root = Path(page.root)
    paths = write(root, "nygard")
    first, last = Path(paths[0]).name, root / paths[-1]
    last.write_text(last.read_text() + f"\nSee [it]({first}) and `{paths[0]}`.\n")
    adopt_records(str(root), ["docs/adr"])
    page.graph.refresh(walk=True)
    ids = {one["title"]: one["id"] for one in answer(page, "titles", {"beginning": ""})["titles"]}
    reply = answer(page, "opened", {"id": ids["Log as JSON"]})["targets"]
    id = ids["Keep orders in PostgreSQL"]
    assert reply == {"notes": {first: id, paths[0]: id}, "files": {}}


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_nothing_leads_outside(page: PageProject) -> None:
    (Path(page.root) / "src" / "out.py").symlink_to(Path(page.root).parent / "outside.py")
    text = "[a](../../../../outside.py) `../outside.py` [b](/../outside.py) `src/out.py` [c](src/out.py) [d](//x/y.py)"
    text += " [e](C:/x.py) [f](src\\orders.py) [g](%2e%2e/%2e%2e/%2e%2e/%2e%2e/outside.py) [h](src/orders.py%00)"
    reply = targets(page, text)
    assert not any("out" in place for place in [*reply["notes"].values(), *reply["files"].values()])
