"""The exported site: what is in it and what is not, the same each time, and never over others' files."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from autology.files import atomic
from autology.render import self_contained_html
from autology.render.graph.html import EXPLORER
from tests.unit.cli_kit import autology, run_json

SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
HOSTILE = "</script><script>alert(1)</script><!--"
DECISION = "## Context\n\n{0}\n\n## Decision\n\nWe do.\n\n## Alternatives\n\nNone.\n\n## Consequences\n\nWork.\n"


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    root = tmp_path / "shop"
    (root / "docs" / "adr").mkdir(parents=True)
    decision = ("capture", "--type", "decision", "--title")
    old = run_json(capsys, *decision, "Keep orders in MySQL", "--content", DECISION.format("Few."), project=root)
    text = DECISION.format(f"It lost some. Key {SECRET}. {HOSTILE}")
    new = run_json(
        capsys, *decision, f"Keep orders in {SECRET}", "--content", text, "--supersedes", old["id"], project=root
    )
    autology("relate", new["id"], "relates_to", old["id"], "--description", f"with {SECRET}", project=root)
    (root / "docs" / "guide.md").write_text(f"# Guide\n\nRead on. {SECRET}\n", encoding="utf-8")
    (root / "AGENTS.md").write_text("# Orders to agents\n\nAlways obey.\n", encoding="utf-8")
    for path in (root / ".autology" / "nodes").rglob("*.md"):  # by hand: a capture would not have kept it
        path.write_text(path.read_text(encoding="utf-8") + f"\nThe key is {SECRET}\n", encoding="utf-8")
    autology("memory", "store", "A plan that stays here", "--kind", "todo", project=root)
    capsys.readouterr()
    return root


def stored(file: Path, id: str) -> Any:
    """Return the data that the site's file stores under *id*."""
    text = file.read_text(encoding="utf-8")
    match = re.search(f'<script type="application/json" id="{id}">(.*)</script>', text)
    assert match
    return json.loads(match[1])


def test_the_same_notes_are_the_same_site_which_holds_nothing_private(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run_json(capsys, "export", "site", str(tmp_path / "public"), "--all", project=project)
    file = tmp_path / "public" / "index.html"
    assert result.items() >= {"file": str(file), "notes": 2, "decisions": 2, "documents": 1, "unreadable": 0}.items()
    assert result["bytes"] == file.stat().st_size
    assert result["secrets"]
    text = file.read_text(encoding="utf-8")
    for private in (SECRET, "Always obey", "Orders to agents", "plan that stays", HOSTILE, str(tmp_path)):
        assert private not in text
    assert run_json(capsys, "export", "site", str(tmp_path / "other"), "--all", project=project)["links"]
    assert (tmp_path / "other" / "index.html").read_bytes() == file.read_bytes()
    assert [entry.name for entry in (tmp_path / "other").iterdir()] == ["index.html"]


def test_documents_are_left_out_unless_all_is_wanted(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("export", "site", str(tmp_path / "public"), "--name", "Our <choices>", project=project) == 0
    captured = capsys.readouterr()
    assert "2 notes" in captured.out
    assert "secrets were redacted" in captured.err
    file = tmp_path / "public" / "index.html"
    assert "guide.md" not in file.read_text(encoding="utf-8")
    assert stored(file, "project") == {"name": "Our <choices>"}
    nodes = stored(file, "graph")["nodes"]
    assert {node["type"] for node in nodes} == {"decision"}
    addresses = [page["address"] for page in stored(file, "pages")]
    assert (
        f"keep-orders-in-mysql-{nodes[[n['title'] for n in nodes].index('Keep orders in MySQL')]['id'][:8]}"
        in addresses
    )


def test_a_folder_of_others_is_refused_and_an_earlier_site_is_replaced(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others = tmp_path / "others"
    others.mkdir()
    (others / ".git").mkdir()  # the checkout that a static host publishes
    assert autology("export", "site", str(others), project=project) == 0
    (others / "CNAME").write_text("example.org\n", encoding="utf-8")
    assert autology("export", "site", str(others), "--name", "Second", project=project) == 0
    assert stored(others / "index.html", "project") == {"name": "Second"}
    assert (others / "CNAME").exists()
    (others / "index.html").write_text("<h1>Mine</h1>", encoding="utf-8")
    capsys.readouterr()
    assert autology("export", "site", str(others), project=project) == 1
    assert "Give a new or empty folder" in capsys.readouterr().err
    assert (others / "index.html").read_text(encoding="utf-8") == "<h1>Mine</h1>"
    (others / "index.html").unlink()
    assert autology("export", "site", str(others), project=project) == 1
    assert autology("export", "site", str(others / "CNAME"), project=project) == 1
    assert sorted(entry.name for entry in others.iterdir()) == [".git", "CNAME"]


def test_an_interrupted_export_leaves_the_site_of_before(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "public"
    assert autology("export", "site", str(folder), project=project) == 0
    before = (folder / "index.html").read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert autology("export", "site", str(folder), "--name", "Later", project=project) == 1
    assert (folder / "index.html").read_bytes() == before
    assert [entry.name for entry in folder.iterdir() if not atomic.is_staged(entry.name)] == ["index.html"]


def test_a_project_without_notes_is_an_empty_site(tmp_path: Path) -> None:
    assert autology("export", "site", str(tmp_path / "public"), project=tmp_path) == 0
    assert stored(tmp_path / "public" / "index.html", "pages") == []


def test_without_a_format_the_next_step_names_both_exports(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("export", project=project) == 2
    message = capsys.readouterr().err
    assert "graphml" in message
    assert "autology export site DIR" in message


def test_the_modules_of_the_site_fit_into_one_script() -> None:
    files = [
        *(Path(self_contained_html.PICTURE) / name for name in EXPLORER),
        *(Path(self_contained_html.SITE) / name for name in ("markdown.js", "site.js")),
    ]
    assert {file.name for file in Path(self_contained_html.SITE).glob("*.js")} == {"markdown.js", "site.js"}
    named = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function\*?) (\w+)", re.MULTILINE)
    names = [name for file in files for name in named.findall(file.read_text(encoding="utf-8"))]
    assert len(names) == len(set(names)) > 40
    for file in files:  # what is imported is in the bundle, and named on one line
        text = file.read_text(encoding="utf-8")
        imported = re.findall(r"^import .* from '.*/(\w+\.js)'$", text, re.MULTILINE)
        assert set(imported) <= {each.name for each in files}
        assert len(re.findall(r"^import ", text, re.MULTILINE)) == len(imported)
