"""Files and links as a hostile or careless hand leaves them: nothing outside is touched, nothing else stops."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugin.fronts import command, environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of any bytes and links anyone may make are POSIX's")


def run_command(project: Path, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(command(*words), cwd=project, env=environment(), capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    assert run_command(root, "init", "--yes")[0] == 0
    assert run_command(root, "capture", "--title", "Plain", "--content", "plain words")[0] == 0
    return root


@pytest.mark.parametrize("log", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("index", ["index.sqlite", "index-code.sqlite"])
def test_an_index_that_is_a_link_is_not_written_through(tmp_path: Path, index: str, log: str) -> None:
    outside = tmp_path / "precious.db"
    with sqlite3.connect(outside) as db:
        db.execute("CREATE TABLE precious(x)")
    db.close()
    before = outside.read_bytes()
    root = tmp_path / "project"
    cache = root / ".autology" / "cache"
    cache.mkdir(parents=True)
    (root / ".autology" / "nodes" / "decisions").mkdir(parents=True)
    (root / "a.py").write_text("def f(): pass\n", encoding="utf-8")
    (cache / f"{index}{log}").symlink_to(outside)
    assert run_command(root, "status")[0] == 0
    run_command(root, "graph", "--code", "f")
    assert outside.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["precious.db", "project"]


@pytest.mark.parametrize("name", ["commits", "index.purged"])
def test_cache_files_are_not_written_through_links(project: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "precious.txt"
    outside.write_text("precious", encoding="utf-8")
    place = project / ".autology" / "cache" / name
    place.unlink(missing_ok=True)
    place.symlink_to(outside)
    run_command(project, "memory", "store", "--kind", "observation", "The cache holds 40 entries.")
    run_command(project, "memory", "purge")
    assert outside.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("folder", [".autology/nodes/decisions", ".autology/memory/observation"])
def test_a_name_that_is_not_utf_8_is_reported_and_stops_nothing(project: Path, folder: str) -> None:
    (project / folder).mkdir(parents=True, exist_ok=True)
    (project / folder / os.fsdecode(b"caf\xe9.md")).touch()
    for words in (
        ("query", "plain"),
        ("status",),
        ("sync",),
        ("memory", "find", "plain"),
        ("export", "--format", "json"),
    ):
        code, _, err = run_command(project, *words)
        assert (code, "unexpected" in err) == (0, False), (words, err)
    code, out, _ = run_command(project, "doctor")
    assert code == 1
    assert "name that is not UTF-8" in out


def test_decision_records_are_looked_for_in_a_tree_deeper_than_python_calls_itself(project: Path) -> None:
    deep = "import os\nfor name in ['docs'] + ['d'] * 1100:\n    os.mkdir(name)\n    os.chdir(name)"
    subprocess.run([sys.executable, "-c", deep], cwd=project, check=True)
    code, _, err = run_command(project, "import", "adr", "docs", "--dry-run")
    assert code in (0, 1)
    assert "unexpected" not in err
    subprocess.run(["rm", "-rf", str(project / "docs")], check=True)


def test_invisible_characters_are_escaped_in_printed_json_and_code(project: Path) -> None:
    hidden = "m\u202e\U000e0041\u200b\x9b31mx"
    assert run_command(project, "capture", "--title", "Odd", "--content", "odd words")[0] == 0
    note = next(path for path in project.rglob("*.md") if "odd words" in path.read_text(encoding="utf-8"))
    text = note.read_text(encoding="utf-8").replace("---\n", f"---\nsource: {json.dumps(hidden)}\n", 1)
    note.write_text(text, encoding="utf-8")
    (project / "c\x9b31mx.py").write_text("def f(): pass\n", encoding="utf-8")
    outputs = [run_command(project, *words)[1] for words in (
        ("query", "odd", "--json", "--detail", "full"),
        *(("export", "--format", name) for name in ("json", "csv", "graphml", "cytoscape")),
        ("graph", "--code", "f"),
        ("analyze", "--json"),
    )]  # fmt: skip
    for text in outputs:
        assert text
        assert not set(text) & set("\u202e\U000e0041\u200b\x9b\x1b")
