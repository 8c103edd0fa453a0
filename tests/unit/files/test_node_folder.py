"""The files on disk: nothing outside the project is touched, and nothing strange in it stops anything."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autology.core.content.files import Change
from autology.core.nodes import delete_restore, search, status
from autology.core.nodes.capture import Material, capture
from autology.files import atomic, journal
from autology.files.node_folder import AutologyFolder
from autology.files.safe_read import YOUNG_NS
from autology.model.errors import AutologyError, StorageError
from autology.wire.project import Project
from tests.fakes.project import an_id, on_disk

posix = pytest.mark.skipif(os.name == "nt", reason="links and pipes need no privilege only elsewhere")
SECRET = "the-secret-outside"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one node, beside a folder that is none of its business."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "note.md").write_text(node_text(an_id(9), SECRET), encoding="utf-8")
    root = tmp_path / "project"
    root.mkdir()
    capture(on_disk(root), Material("Plain note", "some plain text", type="concept"))
    return root


def node_text(id: str, title: str) -> str:
    return f"---\nid: {id}\ntype: concept\ntitle: {title}\n---\n\n# {title}\n\n{SECRET}\n"


def answer(use: Callable[[], object]) -> str:
    """What a use case returns, or what its error says."""
    try:
        return repr(use())
    except AutologyError as error:
        return str(error)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def replaced_by_link(path: Path, target: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(path.name + "-moved"))
    path.unlink(missing_ok=True)
    path.symlink_to(target)


# ---- links ---------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("place", [".autology", ".autology/nodes", ".autology/nodes/concepts"])
def test_a_folder_that_leads_outside_is_refused_and_named(project: Path, place: str) -> None:
    outside = project.parent / "outside"
    for folder in (".", "nodes", "nodes/concepts", "concepts"):
        (outside / folder).mkdir(parents=True, exist_ok=True)
        (outside / folder / f"{an_id(9)}.md").write_text(node_text(an_id(9), SECRET), encoding="utf-8")
    replaced_by_link(project / place, outside)
    before = everything(outside)
    graph = Project(str(project)).graph
    for use in (
        lambda: search.search(graph, search.NodeQuery(SECRET)),
        lambda: status.status(graph),
        lambda: capture(graph, Material("New", "new text", type="concept")),
        graph.trash.items,
    ):
        shown = answer(use)
        assert shown.startswith(f"storage error: {place}: leads out of the project through a link") or shown == "[]"
        assert SECRET not in shown
    assert everything(outside) == before


@posix
@pytest.mark.parametrize("place", ["cache", "cache/journal", "trash", "graph"])
def test_nothing_is_written_or_removed_through_a_link(project: Path, place: str) -> None:
    outside = project.parent / "outside"
    (outside / "precious.json").write_text("{}")
    (outside / "index.json").write_text('{"relations": []}')
    (outside / "journal").mkdir()
    (outside / "journal" / "precious").write_text("x")
    (project / ".autology" / place).parent.mkdir(exist_ok=True)
    replaced_by_link(project / ".autology" / place, outside)
    before = everything(outside)
    graph = Project(str(project)).graph
    for use in (
        lambda: capture(graph, Material("New", "text", type="concept")),
        lambda: delete_restore.delete(graph, an_id(1)),
        lambda: delete_restore.restore(graph, an_id(1)),
        graph.trash.items,
    ):
        assert any(word in answer(use) for word in ("through a link", "Captured(", "Deleted(", "not found", "[]"))
    assert everything(outside) == before


@posix
def test_a_node_file_that_is_a_link_is_reported_and_not_read(project: Path) -> None:
    folder = project / ".autology" / "nodes" / "concepts"
    (folder / f"{an_id(9)}.md").symlink_to(project.parent / "outside" / "note.md")
    (folder / "dangling.md").symlink_to(project.parent / "nowhere")
    graph = on_disk(project)
    result = status.status(graph)
    assert {path.rpartition("/")[2]: reason for path, reason in result.unreadable} == {
        f"{an_id(9)}.md": "is a link, which is not followed",
        "dangling.md": "is a link, which is not followed",
    }
    assert result.total_nodes == 1
    assert search.search(graph, search.NodeQuery(SECRET)).hits == ()


@posix
def test_a_link_within_the_project_may_be_followed(project: Path) -> None:
    (project / "notes").mkdir()
    folder = project / ".autology" / "nodes" / "issues"
    folder.rmdir()
    folder.symlink_to(project / "notes")
    made = capture(on_disk(project, first_id=5), Material("An issue", "text", type="issue")).node
    assert (project / "notes" / f"{made.id}.md").is_file()
    assert status.status(on_disk(project)).total_nodes == 2


@posix
def test_the_lock_is_not_made_through_a_link(project: Path) -> None:
    (project / ".autology" / "cache" / "lock").unlink()
    (project / ".autology" / "cache" / "lock").symlink_to(project.parent / "outside" / "made")
    with pytest.raises(StorageError, match="lock"):
        capture(on_disk(project), Material("New", "text", type="concept"))
    assert not (project.parent / "outside" / "made").exists()


# ---- a hostile repository's own journal and trash --------------------------------------------------------


HOSTILE_PATHS = [
    "../outside/made",
    "/tmp/autology-made",
    ".autology/../../outside/made",
    ".autology/nodes/concepts/../../../../outside/made",
    "src/code.py",
    "",
    ".",
]


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_a_journal_that_came_with_the_repository_reaches_nothing_but_the_notes(project: Path, path: str) -> None:
    (project / "src").mkdir()
    (project / "src" / ".evil.tmp").write_text("evil")
    (project / ".autology" / ".evil.tmp").write_text("evil")
    staged = os.path.relpath(project / "src" / ".evil.tmp", (project / path).parent)
    for name, value in (("1.json", staged), ("2.json", ".evil.tmp"), ("3.json", None)):
        step = {"path": path, "staged": value, "before": None}
        record = json.dumps({"version": 1, "steps": [step]})
        (project / ".autology" / "cache" / "journal" / name).write_text(record)
    before = everything(project.parent / "outside")
    capture(on_disk(project, first_id=5), Material("New", "text", type="concept"))
    assert everything(project.parent / "outside") == before
    assert not (project / "src" / "code.py").exists()
    assert not Path("/tmp/autology-made").exists()
    assert list((project / ".autology" / "cache" / "journal").glob("*.json")) == []


def test_a_journal_cannot_remove_what_is_no_note(project: Path) -> None:
    precious = project / "precious.txt"
    precious.write_text("precious")
    steps = [{"path": "precious.txt", "staged": None, "before": journal._hash(b"precious")}]
    (project / ".autology" / "cache" / "journal" / "1.json").write_text(json.dumps({"version": 1, "steps": steps}))
    capture(on_disk(project, first_id=5), Material("New", "text", type="concept"))
    assert precious.read_text() == "precious"


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "7", '"x"', "{}", '{"steps": 3}', '{"steps": [3]}', '{"steps": [{}]}'),
        *('{"version": 1, "steps": [{"path": 3, "staged": {}, "before": []}]}', "[" * 50_000, "\x00" * 200),
    ],
)
def test_a_journal_that_cannot_be_read_stops_nothing(project: Path, text: str) -> None:
    record = project / ".autology" / "cache" / "journal" / "00001.json"
    record.write_text(text)
    capture(on_disk(project, first_id=5), Material("New", "text", type="concept"))
    assert status.status(on_disk(project)).total_nodes == 2
    assert not record.exists()


def test_a_note_of_what_is_staged_removes_only_what_writers_leave(project: Path) -> None:
    (project / "docs").mkdir()
    left, outside = project / "docs" / ".a.md.7-0123abcd.tmp", project.parent / "outside" / ".b.md.7-0123abcd.tmp"
    kept = [project / "docs" / name for name in ("a.md", ".a.md.tmp", ".a.md.mine.tmp", ".ab.md.7-0123abcd.tmp")]
    for path in (left, outside, *kept):
        path.write_text("x")
    result = ["docs/a.md", "../outside/b.md", str(outside.with_name("b.md")), 7, "", "gone/a.md"]
    notes = {"1.staging": json.dumps(result), "2.staging": "{", "3.staging": "[" * 50_000}
    for name, text in notes.items():
        (project / ".autology" / "cache" / "journal" / name).write_text(text)
    capture(on_disk(project, first_id=5), Material("New", "text", type="concept"))
    assert not left.exists()
    assert all(path.exists() for path in (outside, *kept))
    assert list((project / ".autology" / "cache" / "journal").iterdir()) == []


@pytest.mark.parametrize("path", [*HOSTILE_PATHS, None, 7])
def test_a_trash_that_came_with_the_repository_restores_into_the_notes_only(project: Path, path: object) -> None:
    trash = project / ".autology" / "trash"
    trash.mkdir()
    (trash / f"{an_id(9)}.md").write_text(node_text(an_id(9), "Evil"), encoding="utf-8")
    record = {"path": path, "title": "x", "type": "concept", "deleted": "2026-01-01T00:00:00Z", "incoming": []}
    (trash / f"{an_id(9)}.json").write_text(json.dumps(record))
    before = everything(project.parent / "outside")
    graph = on_disk(project)
    assert answer(lambda: delete_restore.restore(graph, an_id(9))).startswith("storage error: .autology/trash/")
    assert everything(project.parent / "outside") == before
    assert not (project / "src" / "code.py").exists()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", "null", '{"path": "x"}', '{"incoming": 3}', '{"incoming": [3, {"source": 1}]}']
)
def test_a_trash_record_that_cannot_be_read_is_an_error_that_names_it(project: Path, text: str) -> None:
    graph = on_disk(project)
    delete_restore.delete(graph, an_id(1))
    (project / ".autology" / "trash" / f"{an_id(1)}.json").write_text(text)
    assert graph.trash.items() == []
    result = answer(lambda: delete_restore.restore(graph, an_id(1)))
    name = f".autology/trash/{an_id(1)}"
    assert result == f"storage error: {name}.json: cannot be read. The node itself is safe in {name}.md."
    assert (project / f"{name}.md").exists()


# ---- odd files -------------------------------------------------------------------------------------------


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    import socket

    here = Path.cwd()
    os.chdir(path.parent)  # a socket's path may be 100 characters long
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_000)


def _text(text: str | bytes) -> Callable[[Path], None]:
    data = text.encode() if isinstance(text, str) else text
    return lambda path: (path.write_bytes(data), None)[1]


FRONT = f"id: {an_id(9)}\ntype: concept\ntitle: T\n"
ODD: dict[str, tuple[Callable[[Path], None], str]] = {
    "empty": (_text(""), "has no frontmatter"),
    "directory": (lambda path: path.mkdir(), "is not a regular file"),
    "large": (_sparse, "has 50,000,000 bytes"),
    "binary": (_text(bytes(range(256)) * 40), "is not UTF-8"),
    "latin-1": (_text("---\ntitle: caf\xe9\n---\n".encode("latin-1")), "is not UTF-8"),
    "utf-16": (_text("---\ntitle: x\n---\n".encode("utf-16")), "is not UTF-8"),
    "no frontmatter": (_text("# Just markdown\n"), "has no frontmatter"),
    "open frontmatter": (_text("---\nid: x\n"), "has no frontmatter"),
    "no mapping": (_text("---\n- a\n- b\n---\n"), "frontmatter is not a mapping"),
    "no yaml": (_text("---\nid: [a\n---\n"), "frontmatter"),
    "no id": (_text("---\ntitle: x\n---\n"), "id is missing"),
    "no title": (_text(f"---\nid: {an_id(9)}\ntype: concept\n---\n"), "title is missing"),
    "no such type": (_text(f"---\nid: {an_id(9)}\ntype: idea\ntitle: T\n---\n"), "type 'idea' is not a node type"),
    "yaml bomb": (_text("---\na: &a [x]\nb: [*a, *a]\n---\n"), "uses aliases"),
    "deep": (_text("---\na: " + "[" * 5_000 + "\n---\n"), "nests too deeply"),
    "long": (_text("---\na: " + "x" * 200_000 + "\n---\n"), "characters long"),
    "half a character": (_text(f'---\n{FRONT}session: "\\ud800"\n---\n'), "frontmatter"),
    "half a character, loosely": (_text(f'---\n{FRONT}x: {{a: "\\udfff"}}\n---\n'), "frontmatter"),
    "before all time": (_text(f"---\n{FRONT}created: 0001-01-01T00:00:00+14:00\n---\n"), "is not a date and time"),
    "after all time": (_text(f"---\n{FRONT}created: 9999-12-31T23:59:59-14:00\n---\n"), "is not a date and time"),
    "not a number": (_text(f"---\n{FRONT}confidence: .nan\n---\n"), "confidence"),
    "tags of maps": (_text(f"---\n{FRONT}tags: [{{a: b}}]\n---\n"), "tags is not a list of texts"),
    "relations of text": (_text(f"---\n{FRONT}relations: yes\n---\n"), "relations is not a list"),
}
if os.name != "nt":
    ODD |= {"fifo": (_fifo, "is not a regular file"), "socket": (_socket, "is not a regular file")}


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_file_is_reported_by_name_and_stops_nothing(project: Path, kind: str) -> None:
    make, reason = ODD[kind]
    folder = project / ".autology" / "nodes" / "concepts"
    odd = folder / "odd.md"
    make(odd)
    graph = on_disk(project, first_id=5)
    result = status.status(graph)
    ((path, why),) = result.unreadable
    assert path == ".autology/nodes/concepts/odd.md"
    assert reason in why
    made = capture(graph, Material("New note", "more plain text", type="concept")).node
    assert {hit.node.id for hit in search.search(graph, search.NodeQuery("plain")).hits} == {an_id(1), made.id}
    delete_restore.delete(graph, an_id(1))
    assert odd.exists()  # never deleted, never rewritten
    # A file that was read is not read again until it changes, once it is old enough to tell.
    time.sleep(YOUNG_NS / 1e9)
    graph.refresh(walk=True)
    assert graph.refresh(walk=True) == 0


def test_all_odd_files_together_stop_nothing(project: Path) -> None:
    folder = project / ".autology" / "nodes" / "concepts"
    for at, (make, _) in enumerate(ODD.values()):
        make(folder / f"odd-{at}.md")
    result = status.status(on_disk(project))
    assert len(result.unreadable) == len(ODD) > 20
    assert result.total_nodes == 1


def test_a_file_that_is_mended_is_found_again(project: Path) -> None:
    odd = project / ".autology" / "nodes" / "concepts" / f"{an_id(9)}.md"
    odd.write_bytes(b"")
    graph = on_disk(project)
    assert len(status.status(graph).unreadable) == 1
    odd.write_text(node_text(an_id(9), "Mended"), encoding="utf-8")
    result = status.status(graph)
    assert (result.unreadable, result.total_nodes) == ((), 2)


# ---- writing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["../x.md", ".autology/../../x.md", "/etc/x.md", "", ".autology//x.md", "./x.md"])
def test_no_path_leads_out_of_the_project(project: Path, path: str) -> None:
    files = AutologyFolder(str(project))
    with pytest.raises(StorageError, match=r"is not (a|the) path .*in the project"):
        files.read(path)
    with files.locked(), pytest.raises(StorageError, match=r"is not (a|the) path .*in the project"):
        files.commit([Change(path, None, b"x")])
    assert not (project.parent / "x.md").exists()


def test_the_project_folder_ignores_generated_files(project: Path) -> None:
    ignored = (project / ".autology" / ".gitignore").read_text().split()
    assert {"cache/", "trash/", "graph/"} <= set(ignored)
    (project / ".autology" / ".gitignore").write_text("mine\n")
    capture(on_disk(project, first_id=5), Material("New", "text", type="concept"))
    assert (project / ".autology" / ".gitignore").read_text() == "mine\n"


@pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")
def test_a_new_file_is_readable_by_all_and_an_old_one_keeps_its_mode(project: Path) -> None:
    path = project / ".autology" / "nodes" / "concepts" / f"{an_id(1)}.md"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    from autology.core.nodes.update import Fields, update

    update(on_disk(project), an_id(1), Fields(confidence=0.5))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_next_writer_removes_leftovers_of_dead_writers(project: Path) -> None:
    folder = project / ".autology" / "nodes" / "concepts"
    left = [folder / f".x.md.1-2{atomic.STAGED}", project / ".autology" / f".g.1-2{atomic.STAGED}"]
    for path in left:
        path.write_bytes(b"half")
    kept = folder / ".hidden-of-somebody"
    kept.write_bytes(b"x")
    capture(on_disk(project, first_id=5), Material("New", "text", type="concept"))
    assert [path.exists() for path in (*left, kept)] == [False, False, True]


# ---- the lock --------------------------------------------------------------------------------------------


def test_the_lock_file_of_a_dead_process_does_not_block(project: Path) -> None:
    hold = (
        "import sys, os; sys.path[:0] = sys.argv[2:]\n"
        "from autology.files.node_folder import AutologyFolder\n"
        "with AutologyFolder(sys.argv[1]).locked(): os._exit(9)\n"
    )
    done = subprocess.run([sys.executable, "-c", hold, str(project), *sys.path])
    assert done.returncode == 9
    assert (project / ".autology" / "cache" / "lock").exists()
    capture(on_disk(project, first_id=5, patience=0.0), Material("New", "text", type="concept"))


def test_a_live_writer_is_waited_for_and_then_named(project: Path) -> None:
    other = AutologyFolder(str(project))
    with other.locked(), pytest.raises(StorageError) as caught:
        capture(on_disk(project, first_id=5, patience=0.2), Material("New", "text", type="concept"))
    assert "another process has been writing" in str(caught.value)
    assert "Nothing was changed" in str(caught.value)
    assert status.status(on_disk(project)).total_nodes == 1
    capture(on_disk(project, first_id=5, patience=0.2), Material("New", "text", type="concept"))


def test_reading_never_waits_for_a_writer(project: Path) -> None:
    graph = on_disk(project, patience=0.0)
    with AutologyFolder(str(project)).locked():
        assert len(search.search(graph, search.NodeQuery("plain")).hits) == 1
        assert status.status(graph).total_nodes == 1
