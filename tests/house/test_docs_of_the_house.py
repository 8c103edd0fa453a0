"""The pages about the code name files that exist, and every package of the code stands in the table of layers."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "server"
PAGES = ("docs/architecture.md", "CONTRIBUTING.md", ".claude/CLAUDE.md", "docs/glossary.md")
PLACE = re.compile(r"`((?:autology|boot|tests|bench|docs|buildtools|requirements|evals)/[\w./-]+)`")


def test_every_file_that_the_pages_name_exists() -> None:
    named = [(page, place) for page in PAGES for place in PLACE.findall((ROOT / page).read_text(encoding="utf-8"))]
    assert len(named) > 30
    assert [item for item in named if not ((ROOT / item[1]).exists() or (SERVER / item[1]).exists())] == []


def test_every_package_and_module_stands_in_the_table_of_layers() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Layers")[2].partition("\n## ")[0]
    package = SERVER / "autology"
    parts = [p.name for p in package.iterdir() if (p / "__init__.py").exists()]
    parts += [p.name for p in package.glob("*.py") if not p.name.startswith("__")]
    assert [part for part in sorted(parts) if f"`{part}`" not in table] == []
