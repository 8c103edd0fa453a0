"""A project that is moved, renamed or copied keeps its past; another one in its old folder does not get it."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp.client import Client

from autology import places
from autology.cli import main
from autology.tools.project import ServedProject
from autology.tools.server import server
from autology.wire import user
from autology.wire.project import Project
from tests.fakes.transcripts import Session
from tests.unit import hooks_kit
from tests.unit.cli_kit import autology, git, repository, run_json

SAID = "we keep retries of payments in a ledger"
REMOTE = "https://example.com/acme/shop.git"


def with_remote(folder: Path) -> Path:
    without_remote(folder)
    git(folder, "remote", "add", "origin", REMOTE)
    return folder


def without_remote(folder: Path) -> Path:
    return without_git(repository(folder))


def without_git(folder: Path) -> Path:
    """Make a project in *folder*, by the first thing that is written there."""
    folder.mkdir(parents=True, exist_ok=True)
    with Project(str(folder)).graph.files.locked():
        return folder


KINDS: dict[str, Callable[[Path], Path]] = {
    "with a remote": with_remote,
    "without a remote": without_remote,
    "without git": without_git,
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


kinds = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def talked(tmp_path: Path, home: Path) -> Callable[[str], Path]:
    """Make a project in `work/shop`, talk in it and take that in."""

    def make(kind: str) -> Path:
        project = KINDS[kind](tmp_path / "work" / "shop")
        talk(home, project)
        Project(str(project)).conversations.refresh()
        return project

    return make


def talk(home: Path, folder: Path, said: str = SAID) -> Session:
    session = Session(home, folder=str(folder))
    session.user("how do we retry payments")
    session.assistant(said)
    return session


def recalled(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what the command recalls of *project*, asked for in it."""
    monkeypatch.chdir(project)
    capsys.readouterr()
    main(["recall", "retry payments ledger", "--project", ".", "--json"])
    return [each["content"] for each in json.loads(capsys.readouterr().out)["results"]]


def hooked(project: Path) -> str:
    """Return what the hook tells of the past at a prompt."""
    prompt = "what did we discuss about payments last time?"
    answer = hooks_kit.run("prompt-submit", project, prompt=prompt, session_id=str(uuid.uuid4()))
    return json.dumps(answer)


@pytest.fixture
def finds_notes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[Path], bool]:
    """Whether the past is found in a project, by the hook before anything else looked, and by the command."""

    def look(project: Path) -> bool:
        by_hook = SAID in hooked(project)
        by_command = any(SAID in text for text in recalled(project, monkeypatch, capsys))
        assert by_hook == by_command
        return by_command

    return look


@kinds
def test_a_project_that_stays_is_found(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], kind: str
) -> None:
    assert finds_notes(talked(kind))


@kinds
@pytest.mark.parametrize("to", ["elsewhere/shop", "work/store"])
def test_a_project_that_is_moved_or_renamed_keeps_its_past(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], tmp_path: Path, kind: str, to: str
) -> None:
    project, moved = talked(kind), tmp_path / to
    moved.parent.mkdir(exist_ok=True)
    project.rename(moved)
    assert finds_notes(moved)


@kinds
def test_a_project_keeps_its_past_when_the_folder_around_it_is_renamed(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], tmp_path: Path, kind: str
) -> None:
    talked(kind)
    (tmp_path / "work").rename(tmp_path / "later")
    assert finds_notes(tmp_path / "later" / "shop")


@kinds
def test_a_rebuilt_index_knows_sessions_from_before_the_move(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], tmp_path: Path, kind: str
) -> None:
    project, moved = talked(kind), tmp_path / "moved"
    project.rename(moved)
    Path(places.conversation_index()).unlink()
    Project(str(moved)).conversations.refresh()
    assert finds_notes(moved)


@kinds
def test_two_copies_share_what_was_said_before_and_go_on_sharing(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], tmp_path: Path, home: Path, kind: str
) -> None:
    project, copy = talked(kind), tmp_path / "copy"
    shutil.copytree(project, copy)
    assert finds_notes(copy)
    assert finds_notes(project)
    talk(home, copy, "the copy retries thrice")
    Project(str(copy)).conversations.refresh()
    assert len(user.conversation_index().projects()) == 1
    assert Project(str(copy)).names[0] == Project(str(project)).names[0]


@kinds
@pytest.mark.parametrize("other", KINDS)
def test_another_project_in_the_old_folder_does_not_see_it(
    talked: Callable[[str], Path],
    finds_notes: Callable[[Path], bool],
    tmp_path: Path,
    kind: str,
    other: str,
) -> None:
    project = talked(kind)
    project.rename(tmp_path / "moved")
    assert KINDS[other](project) == project
    if other != "without git":
        git(project, "commit", "-q", "--allow-empty", "--amend", "-m", "another beginning")
        git(project, "reflog", "expire", "--expire=all", "--all")
    if other == "with a remote":
        git(project, "remote", "set-url", "origin", "https://example.com/acme/other.git")
    assert not finds_notes(project)
    assert finds_notes(tmp_path / "moved")


@kinds
def test_another_project_in_the_old_folder_does_not_see_it_when_the_index_is_rebuilt(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], tmp_path: Path, kind: str
) -> None:
    project = talked(kind)
    message = Project(str(project)).conversations
    message.keep()
    project.rename(tmp_path / "moved")
    repository(project)
    git(project, "remote", "add", "origin", "https://example.com/acme/other.git")
    (project / ".autology").mkdir()
    _ = Project(str(project)).names
    Path(places.conversation_index()).unlink()
    Project(str(project)).conversations.refresh()
    assert not finds_notes(project)
    assert finds_notes(tmp_path / "moved")


def test_a_project_keeps_its_past_when_it_gets_a_remote_or_another(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], tmp_path: Path
) -> None:
    project = talked("without a remote")
    git(project, "remote", "add", "origin", REMOTE)
    assert finds_notes(project)
    git(project, "remote", "set-url", "origin", "git@example.com:acme/renamed.git")
    assert finds_notes(project)
    assert Project(str(project)).names[0] == "example.com/acme/renamed"
    again = repository(tmp_path / "again")
    git(again, "remote", "add", "origin", "git@example.com:acme/renamed.git")
    (again / ".autology").mkdir()
    assert finds_notes(again)


def test_a_folder_that_becomes_a_repository_keeps_its_past(
    tmp_path: Path, home: Path, finds_notes: Callable[[Path], bool]
) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    talk(home, project)
    Project(str(project)).conversations.refresh()
    without_remote(project)
    assert finds_notes(project)


def test_a_clone_of_a_folder_shares_its_past_and_so_does_a_worktree(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], tmp_path: Path
) -> None:
    project = talked("without a remote")
    git(tmp_path, "clone", "-q", str(project), "clone")
    git(project, "worktree", "add", "-q", str(tmp_path / "tree"))
    for other in ("clone", "tree"):
        (tmp_path / other / ".autology").mkdir()
        assert Project(str(tmp_path / other)).names[0] == Project(str(project)).names[0]
        assert finds_notes(tmp_path / other)


def test_sessions_of_a_deleted_worktree_belong_to_the_repository(
    tmp_path: Path, home: Path, finds_notes: Callable[[Path], bool]
) -> None:
    project, tree = with_remote(tmp_path / "shop"), tmp_path / "tree"
    git(project, "worktree", "add", "-q", str(tree))
    talk(home, tree)
    Project(str(project)).conversations.refresh()
    git(project, "worktree", "remove", str(tree))
    Path(places.conversation_index()).unlink()
    Project(str(project)).conversations.refresh()
    assert finds_notes(project)


def test_two_remotes_with_one_history_are_two_projects(
    tmp_path: Path, home: Path, finds_notes: Callable[[Path], bool]
) -> None:
    start = repository(tmp_path / "start")
    projects = []
    for name in ("acme", "beta"):
        git(tmp_path, "clone", "-q", str(start), name)
        git(tmp_path / name, "remote", "set-url", "origin", f"https://example.com/{name}/shop.git")
        (tmp_path / name / ".autology").mkdir()
        projects.append(tmp_path / name)
    talk(home, projects[0])
    Project(str(projects[0])).conversations.refresh()
    assert finds_notes(projects[0])
    assert not finds_notes(projects[1])


@pytest.mark.parametrize("kind", ["without a remote", "without git"])
def test_memories_of_a_project_are_found_by_its_scope_after_a_move(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project, moved = KINDS[kind](tmp_path / "shop"), tmp_path / "store"
    assert autology("memory", "store", "Retries are kept in a ledger", "--kind", "observation", project=project) == 0
    scope = Project(str(project)).names[0]
    project.rename(moved)
    assert Project(str(moved)).names[0] == scope
    stored = run_json(capsys, "memory", "find", "ledger", project=moved)["items"][0]["scope"]["project"]
    result = run_json(capsys, "memory", "find", "ledger", "--scope", f"project={stored}", project=moved)["items"]
    assert len(result) == 1
    assert autology("memory", "store", "Retries are kept in a ledger", "--kind", "observation", project=moved) == 0
    assert len(run_json(capsys, "memory", "find", "ledger", project=moved)["items"]) == 1


@pytest.mark.anyio
async def test_the_tool_finds_it_by_dot_path_and_name(
    talked: Callable[[str], Path], tmp_path: Path, anyio_backend: str
) -> None:
    assert anyio_backend == "asyncio"
    moved = tmp_path / "work" / "store"
    talked("without a remote").rename(moved)
    other = with_remote(tmp_path / "elsewhere" / "shop")
    result = {}
    for root in (moved, other):
        async with Client(server(ServedProject(str(root)))) as client:
            for requests in (".", str(moved), "store"):
                values = {"query": "retry payments", "project_filter": requests}
                answer = await client.call_tool("recall_previous_discussions", values)
                assert answer.structured_content is not None
                result[root.name, requests] = SAID in json.dumps(answer.structured_content)
    assert result == {
        ("store", "."): True,
        ("store", str(moved)): True,
        ("store", "store"): True,
        ("shop", "."): False,
        ("shop", str(moved)): True,
        ("shop", "store"): False,  # no session ran in a folder of that name
    }


def test_malformed_lines_of_the_projects_file_are_skipped(
    talked: Callable[[str], Path], finds_notes: Callable[[Path], bool], tmp_path: Path, home: Path
) -> None:
    project, file = talked("without a remote"), home / "data" / "projects.jsonl"
    assert file.stat().st_mode & 0o077 == 0
    file.write_bytes(b'["half\n{}\n[1, 2, 3, 4]\n\xff\n' + file.read_bytes() + b'["cut')
    project.rename(tmp_path / "moved")
    assert finds_notes(tmp_path / "moved")
