"""The images of an exported site: those that its notes show, from the project alone, and none that could do harm."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from autology.text.markdown.links import images
from tests.unit.cli_kit import autology, run_json

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
SECRET = "ghp_9sKq2LmV7xTr4NwZ8bYc3HfJ6pDg1aEu5Rto"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "docs" / "img").mkdir(parents=True)
    (root / "docs" / "img" / "The map.png").write_bytes(PNG)
    (root / "docs" / "img" / "plan.svg").write_bytes(SVG)
    (root / "docs" / "unused.png").write_bytes(PNG + b"unused")
    (tmp_path / "outside.png").write_bytes(PNG + b"outside")
    return root


def exported(project: Path, capsys: Capture, text: str) -> tuple[dict[str, Any], dict[str, str], Path]:
    """Return the reply, the images' addresses and the folder of the site of a document with that *text*."""
    (project / "docs" / "guide.md").write_text(f"# Guide\n\n{text}\n", encoding="utf-8")
    folder = project.parent / "public"
    reply = run_json(capsys, "export", "site", str(folder), "--all", project=project)
    page = (folder / "index.html").read_text(encoding="utf-8")
    stored = re.search('<script type="application/json" id="images">(.*)</script>', page)
    assert stored
    return reply, json.loads(stored[1]), folder


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_images_that_texts_show_are_beside_the_page_and_drawings_in_it(project: Path, capsys: Capture) -> None:
    text = '![map](<img/The map.png>) ![again](img/The%20map.png) <img width="3" src="/docs/img/plan.svg" alt="p">'
    reply, addresses, folder = exported(project, capsys, f"{text} ![far](https://example.org/a.png) ![no](none.png)")
    png = addresses["docs/img/The map.png"]
    assert re.fullmatch(r"images/the-map-[0-9a-f]{12}\.png", png)
    assert addresses["docs/img/plan.svg"] == f"data:image/svg+xml;base64,{base64.b64encode(SVG).decode()}"
    assert len(addresses) == 2
    assert files(folder) == [png, "index.html"]
    assert (folder / png).read_bytes() == PNG
    assert (reply["images"], reply["images_left_out"]) == (2, 1)
    assert "img-src 'self' file: data:;" in (folder / "index.html").read_text(encoding="utf-8")


def test_images_of_earlier_exports_go_and_others_files_stay(project: Path, capsys: Capture) -> None:
    _, first, folder = exported(project, capsys, "![map](<img/The map.png>)")
    (folder / "images" / "mine.png").write_bytes(PNG)
    (project / "docs" / "img" / "The map.png").write_bytes(PNG + b"later")
    _, second, _ = exported(project, capsys, "![map](<img/The map.png>)")
    assert first != second
    assert files(folder) == sorted(["images/mine.png", "index.html", *second.values()])
    (folder / "images" / "mine.png").unlink()
    exported(project, capsys, "None.")
    assert files(folder) == ["index.html"]
    assert not (folder / "images").exists()
    assert "img-src data:;" in (folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "target", ["../../outside.png", "/etc/hosts.png", "%2e%2e/%2e%2e/outside.png", "file:///etc/a.png", "C:/a.png"]
)
def test_no_image_is_from_outside(project: Path, capsys: Capture, target: str) -> None:
    _, addresses, folder = exported(project, capsys, f"![x]({target})")
    assert (addresses, files(folder)) == ({}, ["index.html"])


def test_what_is_no_image_or_holds_a_secret_is_left_out(project: Path, capsys: Capture) -> None:
    (project / "docs" / "keys.png").write_text(SECRET)
    (project / "docs" / "page.jpg").write_text("<script>alert(1)</script>")
    (project / "docs" / "plan.svg").write_text(f"<svg><text>{SECRET}</text></svg>")
    (project / "docs" / "huge.svg").write_text("<svg>" + " " * 1_100_000)
    text = "![a](keys.png) ![b](page.jpg) ![c](plan.svg) ![d](huge.svg)"
    reply, addresses, folder = exported(project, capsys, text)
    assert (addresses, files(folder), reply["images_left_out"]) == ({}, ["index.html"], 4)
    assert SECRET not in (folder / "index.html").read_text(encoding="utf-8")
    assert autology("export", "site", str(folder), "--all", project=project) == 0
    assert "4 images are not included" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_no_link_is_followed_on_either_side(project: Path, capsys: Capture, tmp_path: Path) -> None:
    (project / "docs" / "link.png").symlink_to(tmp_path / "outside.png")
    _, addresses, folder = exported(project, capsys, "![x](link.png)")
    assert addresses == {}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / "images").symlink_to(elsewhere)
    (project / "docs" / "guide.md").write_text("# Guide\n\n![map](<img/The map.png>)\n")
    assert autology("export", "site", str(folder), "--all", project=project) == 1
    assert list(elsewhere.iterdir()) == []


def test_the_images_of_a_text_are_found_in_bounded_time() -> None:
    text = '`![code](a.png)` ![b](b.png "title") ![c [d]](c%20c.png#x) <IMG alt="e" src="e.png"/> [f](f.png)\n'
    text += "\n```\n![g](g.png)\n```\n"
    assert images(text) == ("b.png", "c c.png", "e.png")
    for hostile in ("![" * 50_000, "![](" * 50_000, '<img "' * 30_000, '<img a="b"' * 20_000, "<img " * 50_000):
        images(hostile)
