"""`autology doctor` finds what is wrong, says what to do, and mends what is safe."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autology.core.doctor import Disk, examine
from autology.model.node import NodeType
from tests.fakes.project import a_graph
from tests.unit.cli_kit import SERVER, autology, process, run_json

OTHER = "0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a"


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    for title in ("A", "B"):
        autology("capture", "--title", title, "--content", "text", "--type", "concept", project=tmp_path)
    return tmp_path


def findings(project: Path, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, dict[str, Any]]:
    return {finding["area"]: finding for finding in run_json(capsys, "doctor", *options, project=project)["findings"]}


def files(project: Path) -> list[Path]:
    return sorted((project / ".autology/nodes/concepts").glob("*.md"))


def test_a_sound_project_has_no_findings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("doctor", project=project) == 0
    output = capsys.readouterr().out
    assert "✓ No problems found." in output
    areas = {fact["area"] for fact in run_json(capsys, "doctor", project=project)["facts"]}
    assert {"autology", "python", "sqlite", "project", "data", "cache", "server", "log", "index", "disk"} <= areas


def test_doctor_in_a_folder_without_notes_says_how_to_begin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("doctor", project=tmp_path) == 1
    assert "Run `autology init`" in capsys.readouterr().out


def test_broken_and_misplaced_files_are_named_and_left(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = files(project)
    moved = project / ".autology/nodes/issues" / first.name
    first.rename(moved)
    copy = project / ".autology/nodes/concepts/copy.md"
    copy.write_bytes(second.read_bytes())
    broken = project / ".autology/nodes/concepts/broken.md"
    broken.write_text("---\nid: [\n---\n", encoding="utf-8")
    hits = findings(project, capsys, "--fix")
    assert "broken.md" in hits["unreadable"]["problem"]
    assert f"Rename it to .autology/nodes/concepts/{first.name}" in hits["misplaced"]["fix"]
    assert "has the same id as" in hits["duplicate id"]["problem"]
    assert moved.exists()
    assert copy.exists()
    assert broken.exists()
    assert autology("doctor", project=project) == 1


def test_a_relation_to_nothing_is_named_with_the_command_that_removes_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = files(project)[0]
    relation = f"relations:\n  - type: uses\n    target: {OTHER}\n---\n"
    first.write_text(first.read_text(encoding="utf-8").replace("---\n\n#", relation + "\n#"), encoding="utf-8")
    os.utime(first, (1_600_000_000, 1_600_000_000))
    fix = findings(project, capsys)["dangling"]["fix"]
    assert f"`autology unrelate {first.stem[:8]} uses {OTHER}`" in fix
    assert autology("unrelate", first.stem[:8], "uses", OTHER, project=project) == 0
    assert "dangling" not in findings(project, capsys)


def test_an_index_that_is_behind_is_brought_up_to_date(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = files(project)[0]
    os.utime(first, (1_600_000_000, 1_600_000_000))
    answer = run_json(capsys, "doctor", "--fix", project=project)
    assert (answer["findings"], answer["fixed"][0]) == ([], "1 file indexed or removed")
    os.utime(first, (1_600_000_001, 1_600_000_001))
    assert findings(project, capsys)["index"]["safe"] is True


def test_left_overs_of_dead_writers_are_found_and_swept(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    staged = project / ".autology/nodes/concepts/.x.md.1-aabbccdd.tmp"
    staged.write_text("half", encoding="utf-8")
    assert findings(project, capsys)["left-overs"]["safe"] is True
    assert staged.exists()
    assert findings(project, capsys, "--fix") == {}
    assert not staged.exists()


def test_doctor_names_settings_that_a_repository_may_not_set(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = project / ".autology" / "config.yaml"
    config.write_text("relations_automatic: 0.1\nhooks: false\nwhat: ever\n", encoding="utf-8")
    problems = [f["problem"] for f in run_json(capsys, "doctor", project=project)["findings"]]
    assert len(problems) == 3
    assert any("relations_automatic" in problem for problem in problems)


@pytest.mark.skipif(sys.platform != "linux", reason="only there a lock tells its holder")
def test_doctor_names_the_process_that_holds_the_lock(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = (
        "import fcntl, sys; file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_EX); "
        "print('held', flush=True); sys.stdin.read()"
    )
    lock = project / ".autology/cache/lock"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        facts = {fact["area"]: fact["text"] for fact in run_json(capsys, "doctor", project=project)["facts"]}
        assert facts["writer"] == f"process {holder.pid} is writing"
        holder.communicate(b"")
    assert "writer" not in {fact["area"] for fact in run_json(capsys, "doctor", project=project)["facts"]}


def test_relations_of_an_older_version_are_a_finding(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = files(project)
    index = {"version": "1.0", "relations": [{"source": first.stem, "target": second.stem, "type": "uses"}]}
    (project / ".autology/graph").mkdir(exist_ok=True)
    (project / ".autology/graph/index.json").write_text(json.dumps(index), encoding="utf-8")
    assert "`autology init`" in findings(project, capsys)["relations"]["fix"]
    assert autology("init", "--yes", project=project) == 0
    assert findings(project, capsys) == {}


@pytest.mark.skipif("AUTOLOGY_EXECUTABLE" not in os.environ, reason="build.py test names the executable")
def test_the_server_is_tried_when_this_is_the_executable(project: Path) -> None:
    executable = os.environ["AUTOLOGY_EXECUTABLE"]
    done = subprocess.run(
        [sys.executable, "-I", "-S", executable, "doctor", "--json"], cwd=project, capture_output=True
    )
    facts = {fact["area"]: fact["text"] for fact in json.loads(done.stdout)["facts"]}
    assert facts["server"].startswith("answers: autology")
    assert facts["autology"].endswith(executable)


def test_run_from_source_doctor_does_not_start_the_server(project: Path) -> None:
    done = process("doctor", "--json", project=project)
    facts = {fact["area"]: fact["text"] for fact in json.loads(done.stdout)["facts"]}
    assert "not checked" in facts["server"]
    assert SERVER.is_dir()


# ---- it always runs ------------------------------------------------------------------------------


def test_a_folder_in_place_of_the_list_of_relations_is_a_finding(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".autology/graph/index.json").unlink(missing_ok=True)
    (project / ".autology/graph/index.json").mkdir(parents=True, exist_ok=True)
    (project / ".autology/nodes/concepts/broken.md").write_text("no node", encoding="utf-8")
    for options in ((), ("--fix",)):
        hits = findings(project, capsys, *options)
        assert any(".autology/graph/index.json" in finding["problem"] for finding in hits.values())
        assert "unreadable" in hits


def test_an_index_that_cannot_be_used_is_a_finding(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(project / ".autology/cache")
    (project / ".autology/cache").write_text("no folder", encoding="utf-8")
    for options in ((), ("--fix",)):
        answer = run_json(capsys, "doctor", *options, project=project)
        assert {"index", "fix"} & {finding["area"] for finding in answer["findings"]}
        assert {"autology", "python", "disk"} <= {fact["area"] for fact in answer["facts"]}
        problems = [finding["problem"] for finding in answer["findings"]]
        assert problems
        assert len(problems) == len(set(problems))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to root")
def test_doctor_runs_on_a_read_only_disk(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (project / ".autology/cache").glob("index.sqlite*"):
        file.unlink()
    closed = [folder for top in (project, home) for folder in (top, *top.rglob("*")) if folder.is_dir()]
    try:
        for folder in closed:
            folder.chmod(0o500)
        answer = run_json(capsys, "doctor", "--fix", project=project)
        areas = {finding["area"] for finding in answer["findings"]}
        assert {"permissions", "fix"} <= areas
        assert autology("query", "x", project=project) == 1
        assert "cannot be written" in capsys.readouterr().err
    finally:
        for folder in reversed(closed):
            folder.chmod(0o700)


# ---- what it advises can be done -----------------------------------------------------------------


def test_a_misplaced_file_is_not_to_be_renamed_over_another(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = files(project)
    moved = project / ".autology/nodes/issues/odd.md"
    first.rename(moved)
    first.write_text("not readable", encoding="utf-8")
    fix = findings(project, capsys)["misplaced"]["fix"]
    assert "Rename" not in fix
    assert f".autology/nodes/concepts/{first.name} exists too" in fix


def test_doctor_recognises_a_merge_conflict_in_a_note(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = files(project)
    sides = "<<<<<<< HEAD\nsource: manual\n=======\nsource: cli\n>>>>>>> other\ntitle:"
    first.write_text(first.read_text(encoding="utf-8").replace("title:", sides), encoding="utf-8")
    fix = findings(project, capsys)["merge conflict"]["fix"]
    assert f"git checkout --ours .autology/nodes/concepts/{first.name}" in fix


def test_doctor_lists_what_an_unreadable_note_needs(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = files(project)
    text = first.read_text(encoding="utf-8")
    first.write_text(text.replace("type: concept", "type: wish"), encoding="utf-8")
    fix = findings(project, capsys)["unreadable"]["fix"]
    assert all(word in fix for word in ("id:", "type:", "title:", "decision", "session"))


# ---- how it says it ------------------------------------------------------------------------------


class Closed:
    """A look at a project in which nothing may be written."""

    def look(self) -> Disk:
        return Disk(unwritable=[".autology", *(f".autology/nodes/{type.folder}" for type in NodeType)])


def test_folders_that_cannot_be_written_are_one_finding() -> None:
    graph = a_graph()
    graph.files.create()
    (finding,) = examine(graph, Closed()).findings
    assert finding.problem.startswith(f".autology and {len(NodeType)} folders in it: not writable")


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_what_is_no_file_among_the_notes_is_to_be_moved_or_replaced_by_its_text(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project / ".autology/nodes/concepts"
    for name, step in (
        ("link.md", "Put the text itself there"),
        ("folder.md", "Move it out of .autology/nodes/concepts"),
    ):
        path = folder / name
        path.symlink_to("nowhere") if name == "link.md" else path.mkdir()
        assert findings(project, capsys)["unreadable"]["fix"] == f"{step}, or remove it. It is left as it is."
        path.unlink() if path.is_symlink() else path.rmdir()
