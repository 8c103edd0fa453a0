"""The release: what users install, complete, and nothing else."""

import json
import os
from pathlib import Path

import pytest

from tests.plugin.executable_standin import build, checkout

pytestmark = pytest.mark.xdist_group("build")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = checkout(tmp_path_factory.mktemp("checkout"))
    plugin = {
        ".claude-plugin/plugin.json": '{"name": "autology", "version": "0.1.0"}',
        ".claude-plugin/marketplace.json": json.dumps(
            {
                "name": "autology",
                "plugins": [{"name": "autology", "source": {"source": "github", "ref": "release"}}],
            }
        ),
        ".mcp.json": "{}",
        "hooks/hooks.json": "{}",
        "skills/capture/SKILL.md": "…",
        "agents/advisor.md": "…",
        "README.md": "# Autology",
        "CHANGELOG.md": "# Changes",
        "NOTICE": "…",
        "tests/test_secret.py": "",
        "bench/data.json": "{}",
        ".env": "SECRET=1",
        "skills/.DS_Store": "",
    }
    for name, text in plugin.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "plugin.json").symlink_to(".claude-plugin/plugin.json")
    assert build(folder, "build").returncode == 0
    return folder


def held(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_a_release_holds_the_allow_list_and_serves_itself(built: Path, tmp_path: Path) -> None:
    done = build(built, "release", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    out = tmp_path / "out"
    assert held(out) == {
        *(".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "plugin.json", ".mcp.json"),
        *("hooks/hooks.json", "skills/capture/SKILL.md", "agents/advisor.md", "dist/autology.pyz"),
        *("README.md", "CHANGELOG.md", "LICENSE", "NOTICE"),
    }
    assert [
        entry["source"] for entry in json.loads((out / ".claude-plugin/marketplace.json").read_bytes())["plugins"]
    ] == ["./"]
    assert (out / "plugin.json").is_symlink()
    assert json.loads((out / "plugin.json").read_bytes())["name"] == "autology"
    assert os.access(out / "dist" / "autology.pyz", os.X_OK)


def test_a_release_replaces_an_earlier_one_and_nothing_else(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert build(built, "release", str(out)).returncode == 0
    (out / "left-over.txt").write_text("of an earlier version", encoding="utf-8")
    assert build(built, "release", str(out)).returncode == 0
    assert "left-over.txt" not in held(out)

    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("years of work", encoding="utf-8")
    refused = build(built, "release", str(tmp_path / "home"))
    assert refused.returncode == 1
    assert "not empty and not a release" in refused.stderr
    assert held(tmp_path / "home") == {"thesis.txt"}


def test_a_release_that_would_lack_a_part_is_refused_by_name(built: Path, tmp_path: Path) -> None:
    changelog = built / "CHANGELOG.md"
    kept = changelog.read_bytes()
    changelog.unlink()
    try:
        done = build(built, "release", str(tmp_path / "out"))
    finally:
        changelog.write_bytes(kept)
    assert done.returncode == 1
    assert "CHANGELOG.md" in done.stderr
    assert not (tmp_path / "out").exists()
