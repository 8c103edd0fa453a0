"""A repository that names programs for git to run gets none of them run by a command, a tool or a hook."""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client

from autology.core.nodes.version_control import Pin
from autology.tools.project import ServedProject
from autology.tools.server import server
from autology.vcs import git_process
from autology.vcs.project_identity import branch, recognised
from autology.wire.project import Project
from tests.fakes.transcripts import Session
from tests.hostile.kit import Hostile
from tests.unit import hooks_kit
from tests.unit.cli_kit import SERVER, autology, records, run_json

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
LIBRARY = SERVER / "autology"


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hostile:
    """A project with records, code, a note on it and a later change, and a repository that names programs."""
    monkeypatch.setenv("AUTOLOGY_DETACH", "off")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    made = Hostile(tmp_path)
    records(made.root / "docs" / "adr")
    (made.root / "src").mkdir()
    (made.root / "src" / "a.py").write_text("def a():\n    return 1\n", encoding="utf-8")
    (made.root / "src" / "lost.txt").write_text("only a remote has this\n", encoding="utf-8")
    made.arm()
    assert autology("init", "--yes", project=made.root) == 0
    capsys.readouterr()
    (made.root / "src" / "a.py").write_text("def a():\n    return 2\n", encoding="utf-8")
    assert made.ran() == set()
    return made


def test_plain_git_does_run_the_hostile_programs(hostile: Hostile) -> None:
    (hostile.root / "src" / "b.new").write_text("new\n", encoding="utf-8")
    for arguments in (
        ("status",),
        ("diff",),
        ("log", "-p", "--ext-diff"),
        ("blame", "src/a.py"),
        ("add", "src/a.py"),
        ("add", "src/b.new"),
    ):
        hostile.plainly(*arguments)
    hostile.lose("src/lost.txt")
    hostile.plainly("cat-file", "blob", "HEAD:src/lost.txt")
    expected = {"core.fsmonitor", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "post-index-change"}
    expected |= {"gpg.program", "filter.worker.process", "remote.evil.url"}
    assert sorted(expected - hostile.ran()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("init", "--yes"),
        ("init", "--dry-run"),
        ("doctor",),
        ("doctor", "--fix"),
        ("status",),
        ("capture", "--title", "Numbers", "--content", "See `a()`.", "--type", "concept", "--references", "src/a.py"),
        ("query", "orders"),
        ("search", "orders"),
        ("context", "src/a.py"),
        ("analyze",),
        ("lint",),
        ("review",),
        ("graph",),
        ("clusters",),
        ("import", "adr", "docs/adr"),
        ("export", "--format", "json"),
        ("sync",),
        ("archive",),
        ("memory", "status"),
        ("recall", "orders"),
    ],
    ids=" ".join,
)
def test_no_command_runs_a_hostile_program(
    hostile: Hostile, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology(*words, project=hostile.root) in (0, 1), capsys.readouterr().err
    assert hostile.ran() == set()


def test_reading_history_runs_no_hostile_program(hostile: Hostile, capsys: pytest.CaptureFixture[str]) -> None:
    requests = ("capture", "--title", "Numbers", "--content", "See `a()`.", "--type", "concept")
    made = run_json(capsys, *requests, "--references", "src/a.py,src/lost.txt", project=hostile.root)
    note = next(hostile.root.glob(f".autology/nodes/*/{made['id']}.md"))
    text = note.read_text(encoding="utf-8")
    assert "src/lost.txt" in text
    hostile.lose("src/lost.txt")
    history = Project(str(hostile.root)).history
    assert history.head()
    assert history.files()
    assert history.identity()
    pins = [Pin("2022-06-01T00:00:00Z", path) for path in ("src/a.py", "src/lost.txt")]
    for ask in (
        lambda: history.dates(["docs/adr/0001-keep-orders-in-postgresql.md"]),
        lambda: history.versions(pins),
        lambda: history.holding("orders"),
        lambda: git_process.git("cat-file", ["blob", "HEAD:src/lost.txt"], str(hostile.root), 20.0),
    ):
        ask()
        assert hostile.ran() == set()


def test_the_merge_driver_runs_no_hostile_program(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = Project(str(hostile.root)).merge_driver
    driver.register(["/usr/bin/python3", "/opt/autology.pyz"])
    state = driver.state()
    assert state is not None
    assert state.complete
    versions = {"base.md": b"a\n", "ours.md": b"a\x00b\n", "theirs.md": b"a\x00c\n"}
    for name, data in versions.items():
        (hostile.root / name).write_bytes(data)
    monkeypatch.chdir(hostile.root)
    assert autology("merge-driver", *versions, project=hostile.root) == 1
    assert hostile.ran() == set()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_no_tool_runs_a_hostile_program(hostile: Hostile, home: Path) -> None:
    Session(home).user("where do orders live")
    calls: Mapping[str, dict[str, Any]] = {
        "autology_capture": {"title": "Numbers", "content": "See `a()`.", "references": ["src/a.py"]},
        "autology_query": {"query": "orders"},
        "autology_context": {"current_file": "src/a.py"},
        "autology_analyze": {},
        "autology_status": {},
        "search_documents": {"query": "orders"},
        "search_code_history": {"query": "what calls a"},
        "recall_previous_discussions": {"query": "orders", "project_filter": "."},
        "unified_memory_search": {"query": "orders"},
        "memory_store": {"items": [{"kind": "observation", "content": "orders are kept"}]},
        "memory_find": {"query": "orders"},
        "graph_stats": {},
    }
    async with Client(server(ServedProject(str(hostile.root)))) as client:
        known = {tool.name for tool in (await client.list_tools()).tools}
        assert set(calls) <= known
        for name, values in calls.items():
            answer = await client.call_tool(name, values)
            assert (name, answer.is_error, hostile.ran()) == (name, False, set()), answer.content


@pytest.mark.parametrize("event", ["pre-compact", "pre-edit", "prompt-submit"])
def test_no_hook_runs_a_hostile_program(hostile: Hostile, event: str) -> None:
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(hostile.root / "src" / "a.py"), "new_string": "b"}}
    hooks_kit.run(event, hostile.root, prompt="where do orders live in postgresql", trigger="auto", **edit)
    assert hostile.ran() == set()


@pytest.mark.parametrize(("event", "given"), [("session-start", {"source": "startup"}), ("session-end", {})])
def test_no_session_hook_runs_a_hostile_program(hostile: Hostile, event: str, given: dict[str, str]) -> None:
    hooks_kit.run(event, hostile.root, **given)
    assert hostile.ran() == set()


def test_the_post_commit_hook_runs_no_hostile_program(hostile: Hostile) -> None:
    hostile.plainly("commit", "-q", "--allow-empty", "--no-verify", "-m", "Decide on numbers because they count")
    log = hostile.root / ".git" / "logs" / "HEAD"
    assert "Decide on numbers" in log.read_text(encoding="utf-8")
    hostile.ran()
    hooks_kit.after("git commit -m x", hostile.root)
    assert hostile.ran() == set()


def test_a_bare_repository_in_a_folder_of_a_clone_is_not_used(hostile: Hostile) -> None:
    inner = hostile.root / "fixtures"
    inner.mkdir()
    hostile.plainly("init", "-q", "--bare", str(inner))
    ended = git_process.git("rev-parse", ["--git-dir"], str(inner), 20.0)
    assert ended.code != 0
    assert hostile.ran() - {"reference-transaction"} == set()


def test_another_repository_that_the_environment_names_is_not_used(
    hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = Project(str(hostile.root)).history.files()
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    assert Project(str(hostile.root)).history.files() == files


def test_a_pipe_in_the_place_of_a_repository_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    assert recognised(str(tmp_path), "")[:2] == ((str(tmp_path),), str(tmp_path))
    assert branch(str(tmp_path)) is None


STARTING = frozenset(
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen os.system os.popen"
    " os.execv os.execve os.execvp os.execvpe os.execl os.execlp os.spawnv os.spawnve os.posix_spawn os.posix_spawnp"
    " os.startfile asyncio.create_subprocess_exec asyncio.create_subprocess_shell anyio.run_process anyio.open_process"
    " subprocess.getoutput subprocess.getstatusoutput pty.spawn multiprocessing.Process".split()
)
DOORS = {
    "autology/cli/client_python.py": "the user's python3, to see whether it starts",
    "autology/mirror/ssh.py": "the user's own ssh, to a machine that the user names",
    "autology/cli/spawn.py": "a person's editor, browser and this program",
    "autology/detached.py": "this program",
    "autology/extras.py": "pip and the interpreter",
    "autology/vcs/git_process.py": "git",
    "autology/workers/process.py": "this program",
    "autology_boot/interpreters.py": "this program with another interpreter",
}
"""The modules that start processes, and which."""


def test_git_is_started_through_one_door() -> None:
    starting = set()
    for file in _modules():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        name = file.relative_to(SERVER).as_posix().removeprefix("boot/")
        if any(_called(call) in STARTING for call in ast.walk(tree) if isinstance(call, ast.Call)):
            starting.add(name)
        if name != "autology/vcs/git_process.py" and name in DOORS:
            texts = {each.value for each in ast.walk(tree) if isinstance(each, ast.Constant)}
            assert "git" not in texts, name
    assert starting == set(DOORS)


def test_the_clients_hooks_start_nothing_but_this_program() -> None:
    text = (SERVER.parent / "hooks" / "hooks.json").read_text(encoding="utf-8")
    matchers = [matcher for event in json.loads(text)["hooks"].values() for matcher in event]
    commands = [hook["command"] for matcher in matchers for hook in matcher["hooks"]]
    assert len(commands) > 5
    assert set(commands) == {"python3"}


def _modules() -> Iterator[Path]:
    files = [path for path in SERVER.rglob("*.py") if "absent" not in path.parts]
    assert len(files) > 200
    return iter(files)


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func)
