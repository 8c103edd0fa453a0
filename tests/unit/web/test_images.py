"""Images of the project are shown; nothing else is read, and nothing outside."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from autology.web.calls import answer
from autology.web.project import PageProject

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def page(tmp_path: Path) -> PageProject:
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "map.png").write_bytes(PNG)
    (root / "docs" / "keys.txt").write_bytes(b"secret")
    (tmp_path / "outside.png").write_bytes(PNG)
    return PageProject(str(root))


def test_the_first_image_that_is_there_is_sent(page: PageProject) -> None:
    reply = answer(page, "image", {"paths": ["map.png", "docs/map.png"]})
    assert reply == {"type": "image/png", "data": base64.b64encode(PNG).decode()}


@pytest.mark.parametrize(
    "path",
    [
        *("../outside.png", "docs/../../outside.png", "/etc/logo.png", "docs/keys.txt", "docs", "docs//map.png"),
        *("", ".png", "C:/map.png", "docs\\map.png", "docs/map.png\0", "docs/./map.png"),
    ],
)
def test_no_path_leads_outside_or_to_another_kind_of_file(page: PageProject, path: str) -> None:
    assert answer(page, "image", {"paths": [path]}) == {}


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_no_link_is_followed(page: PageProject, tmp_path: Path) -> None:
    docs = Path(page.root) / "docs"
    (docs / "link.png").symlink_to(tmp_path / "outside.png")
    (docs / "folder").symlink_to(tmp_path)
    (docs / "keys.png").symlink_to(docs / "keys.txt")
    for path in ("docs/link.png", "docs/folder/outside.png", "docs/keys.png"):
        assert answer(page, "image", {"paths": [path]}) == {}
    os.mkfifo(docs / "pipe.png")
    assert answer(page, "image", {"paths": ["docs/pipe.png"]}) == {}


def test_a_huge_image_is_not_sent(page: PageProject) -> None:
    with (Path(page.root) / "docs" / "huge.png").open("wb") as file:
        file.truncate(6_000_000)
    assert answer(page, "image", {"paths": ["docs/huge.png"]}) == {}
