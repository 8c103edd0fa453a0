"""The client's own memory of a project is found and cited, and otherwise left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology.core.atlas.display import display_graph
from autology.core.documents import create, delete_restore, search, tagging, update
from autology.core.documents.document_filter import DocumentFilter
from autology.core.documents.structure import structure
from autology.core.documents.update import DocumentEdit
from autology.core.nodes.export import export
from autology.model.errors import AutologyError, ValidationError
from autology.transcripts.claude_code import project_folder
from autology.wire.project import Project
from tests.unit.cli_kit import git

MEMORY = "# Memory\n\n- [Zebra](zebra.md): the zebra suite runs before each release\n"
TOPIC = "---\ntype: feedback\n---\nRun the zebra suite with four workers. password=hunter2-Tr0ub4dor\n"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The client's folder."""
    folder = tmp_path / "client"
    folder.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))
    monkeypatch.delenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", raising=False)
    return folder


@pytest.fixture
def root(tmp_path: Path, client: Path) -> Path:
    """A project with a document, which the client remembers something of."""
    folder = tmp_path / "project"
    (folder / ".autology").mkdir(parents=True)
    (folder / "guide.md").write_text("# Guide\n\nRead it.\n", encoding="utf-8")
    remember(client / "projects" / project_folder(str(folder)) / "memory")
    return folder


def remember(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(MEMORY, encoding="utf-8")
    (folder / "zebra.md").write_text(TOPIC, encoding="utf-8")


def paths(root: Path, query: str = "zebra suite", within: DocumentFilter = search.EVERYWHERE) -> set[str]:
    hits = search.search(Project(str(root)).library, query, within=within).hits
    return {path for hit in hits for path in (hit.source.path, *(also.path for also in hit.also))}


def test_it_is_found_and_named_as_what_it_is(root: Path) -> None:
    hits = search.search(Project(str(root)).library, "zebra suite").hits
    assert {hit.source.type for hit in hits} == {"client_memory"}
    assert paths(root) == {"client_memory:MEMORY.md", "client_memory:zebra.md"}
    assert paths(root, within=DocumentFilter(type="client_memory"))
    assert not paths(root, within=DocumentFilter(type="document"))


def test_secrets_in_it_are_not_shown(root: Path) -> None:
    hits = search.search(Project(str(root)).library, "zebra suite four workers").hits
    assert not any("hunter2" in hit.passage for hit in hits)


def test_no_tool_changes_it(root: Path) -> None:
    library = Project(str(root)).library
    library.catch_up()
    id = "client_memory:zebra.md"
    with pytest.raises(ValidationError, match="client's own memory"):
        update.update_document(library, id, DocumentEdit("other"))
    with pytest.raises(ValidationError, match="client's own memory"):
        delete_restore.delete_document(library, id)
    with pytest.raises(ValidationError, match="lies in no source"):
        tagging.inject_tags(library, id, ["a"])
    with pytest.raises(AutologyError):
        create.create_document(library, "client_memory:new.md", "text")
    assert not list(root.glob("client_memory*"))


def test_it_is_in_no_export_picture_folder_list_or_hub(root: Path) -> None:
    project = Project(str(root))
    project.library.catch_up()
    assert "client_memory" not in export(project.graph, "json", project.library).text
    assert "zebra" not in export(project.graph, "graphml", project.library).text
    assert {shown.vertex.id for shown in display_graph(project.atlas).vertices} == {"guide.md"}
    assert structure(project.library).folders[0].documents == 1
    assert set(project.memories.shared()["document"]) == {"guide.md"}


def test_a_change_of_it_is_seen_by_the_next_search(root: Path, client: Path) -> None:
    folder = client / "projects" / project_folder(str(root)) / "memory"
    library = Project(str(root)).library
    assert not search.search(library, "okapi").hits
    (folder / "zebra.md").write_text("An okapi, not a zebra.\n", encoding="utf-8")
    assert [hit.source.path for hit in search.search(library, "okapi").hits] == ["client_memory:zebra.md"]
    (folder / "zebra.md").unlink()
    assert not search.search(library, "okapi").hits
    (folder / "giraffe.md").write_text("A giraffe.\n", encoding="utf-8")
    assert [hit.source.path for hit in search.search(library, "giraffe").hits] == ["client_memory:giraffe.md"]


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_switched_off_by_a_project_it_is_not_read(root: Path, name: str) -> None:
    (root / ".claude").mkdir()
    (root / ".claude" / name).write_text('{"autoMemoryEnabled": false}', encoding="utf-8")
    assert not paths(root)


def test_switched_off_by_the_user_it_is_gone_from_a_running_search(
    root: Path, client: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Project(str(root)).library
    assert search.search(library, "zebra suite").hits
    (client / "settings.json").write_text('{"autoMemoryEnabled": false}', encoding="utf-8")
    assert not search.search(library, "zebra suite").hits
    (client / "settings.json").unlink()
    assert paths(root)
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    assert not paths(root)


def test_a_user_may_move_it_and_a_repository_may_not(root: Path, client: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "MEMORY.md").write_text("The okapi sleeps.\n", encoding="utf-8")
    moved = json.dumps({"autoMemoryDirectory": str(elsewhere)})
    (root / ".claude").mkdir()
    (root / ".claude/settings.local.json").write_text(moved, encoding="utf-8")
    assert not paths(root, "okapi")
    (client / "settings.json").write_text(moved, encoding="utf-8")
    assert paths(root, "okapi") == {"client_memory:MEMORY.md"}


def test_all_work_trees_of_a_repository_have_one(tmp_path: Path, client: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    main.mkdir()
    git(main, "init")
    (main / "guide.md").write_text("# Guide\n", encoding="utf-8")
    git(main, "add", ".")
    git(main, "commit", "-m", "first")
    git(main, "worktree", "add", str(tree))
    remember(client / "projects" / project_folder(str(main)) / "memory")
    assert paths(tree) == {"client_memory:MEMORY.md", "client_memory:zebra.md"}


def test_links_in_its_folder_are_not_followed(root: Path, client: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("The okapi.\n", encoding="utf-8")
    folder = client / "projects" / project_folder(str(root)) / "memory"
    (folder / "linked.md").symlink_to(tmp_path / "secret.md")
    assert not paths(root, "okapi")
