"""The release: what users install, complete, and nothing else."""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.plugin.executable_standin import ROOT, build, checkout

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
        *("SHA256SUMS", "THIRD-PARTY-LICENSES.txt", "sbom.cdx.json", ".gitattributes"),
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


@pytest.fixture(scope="module")
def released(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("released") / "out"
    assert build(built, "release", str(out)).returncode == 0
    return out


def test_the_bill_of_materials_lists_each_package_with_version_licence_and_targets(released: Path) -> None:
    bill = json.loads((released / "sbom.cdx.json").read_bytes())
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", "0.1.0")
    digest = hashlib.sha256((released / "dist" / "autology.pyz").read_bytes()).hexdigest()
    assert bill["metadata"]["component"]["hashes"] == [{"alg": "SHA-256", "content": digest}]
    pinned = re.findall(r"^([a-z0-9-]+)==([^ ]+)", (ROOT / "requirements" / "runtime.txt").read_text(), re.MULTILINE)
    named = {(part["name"].lower().replace("_", "-"), part["version"]) for part in bill["components"]}
    assert len(named) > 15
    assert named <= {(name, version) for name, version in pinned}
    assert all(part["licenses"][0]["expression"] for part in bill["components"])
    texts = (released / "THIRD-PARTY-LICENSES.txt").read_text(encoding="utf-8")
    assert all(f"{part['name']} {part['version']} (" in texts for part in bill["components"])
    assert "Permission is hereby granted" in texts


def test_the_checksums_cover_every_file_and_fit(released: Path) -> None:
    lines = (released / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    result = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert set(result) == held(released) - {"SHA256SUMS", "plugin.json"}
    for name, digest in result.items():
        assert hashlib.sha256((released / name).read_bytes()).hexdigest() == digest, name


def test_the_archive_holds_what_the_folder_does_and_is_the_same_each_time(built: Path, tmp_path: Path) -> None:
    entries = []
    for name in ("one.zip", "two.zip"):
        done = build(built, "release", "--archive", str(tmp_path / name), str(tmp_path / "out"))
        assert done.returncode == 0, done.stderr
        entries.append(json.loads(done.stdout))
    one, two = ((tmp_path / name).read_bytes() for name in ("one.zip", "two.zip"))
    assert one == two
    assert {entry["sha256"] for entry in entries} == {hashlib.sha256(one).hexdigest()}
    assert (entries[0]["source"], entries[0]["url"]) == ("archive", "https://…/one.zip")
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert set(archive.namelist()) == held(tmp_path / "out")
        for name in archive.namelist():
            assert archive.read(name) == (tmp_path / "out" / name).read_bytes(), name
        assert archive.getinfo("dist/autology.pyz").external_attr >> 16 & 0o111


def recipe() -> list[str]:
    """The commands by which docs/releasing.md has the branch pushed."""
    lines = [line.strip() for line in (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line.startswith("git ")]


def test_the_recipe_pushes_one_commit_without_a_past_that_holds_the_release(released: Path, tmp_path: Path) -> None:
    remote, clone = tmp_path / "remote.git", tmp_path / "clone"
    subprocess.run(["git", "init", "--quiet", "--bare", remote], check=True)
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    assert len(recipe()) == 4
    for _ in range(2):
        folder = tmp_path / "autology-release"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(released, folder, symlinks=True)
        for line in recipe():
            words = [word.replace("REPOSITORY_URL", str(remote)) for word in shlex.split(line)]
            subprocess.run(words, cwd=tmp_path, env={**os.environ, **who}, check=True, capture_output=True)
    crlf = ["-c", "core.autocrlf=true"]  # As many Windows users have it.
    subprocess.run(["git", *crlf, "clone", "--quiet", "--branch", "release", remote, clone], check=True)
    count = subprocess.run(["git", "rev-list", "--count", "--all"], cwd=clone, capture_output=True, text=True)
    assert count.stdout.strip() == "1"
    shutil.rmtree(clone / ".git")
    assert held(clone) == held(released)
    for name in held(released):
        assert (clone / name).read_bytes() == (released / name).read_bytes(), name
