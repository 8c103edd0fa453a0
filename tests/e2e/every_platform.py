"""The release on the Python of another platform, in an emulator: `build.py everywhere` names it.

The client itself does not run there. The hooks are started as hooks.json starts them, the server as .mcp.json does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from buildtools.emulated import Emulated
from tests.fakes.transcripts import Session
from tests.plugin.executable_standin import homes
from tests.plugin.served import DISCOVER, ENVELOPE, ROOT, Served, served, text

ON = Emulated(**json.loads(os.environ["AUTOLOGY_EMULATED"]))
IS_WINDOWS = "windows" in ON.key
PATIENCE = 600.0
"""Seconds for one start: in an emulator the first takes fifteen, on a machine where much else runs many more."""
SESSION = "048e5d0c-6802-46b6-acdc-999dcf7e63d6"
TITLE = "Retry jobs with exponential backoff"
DECISION = (
    "## Context\n\nBursts are throttled.\n\n## Decision\n\n`src/jobs/queue.py` retries (`MAX_RETRIES`).\n\n"
    "## Alternatives\n\n- Celery: one more service.\n\n## Consequences\n\nA job may take long. Größe: 雪.\n"
)
FILE = "src/jobs/queue.py"


def local(path: Path) -> str:
    """Return *path* as the Python of the platform sees it."""
    return "Z:" + str(path).replace("/", "\\") if IS_WINDOWS else str(path)


@dataclass
class Machine:
    """A user on the platform: a home, and a project of that user."""

    folder: Path
    environment: dict[str, str]

    @property
    def project(self) -> Path:
        return self.folder / "projekt ä"

    def run(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return self.start(*ON.command, *arguments, given=given)

    def start(self, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.project,
            env=self.environment,
            input=given,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
        )

    def autology(self, *arguments: str, given: str = "") -> str:
        """Run a command, which must succeed; return what it printed."""
        done = self.run("-I", "-S", local(executable()), *arguments, given=given)
        assert done.returncode == 0, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def data(self, *arguments: str, given: str = "") -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.autology(*arguments, "--json", given=given))
        return result

    def hook(self, event: str, **given: object) -> str:
        """Run the hooks of the client's *event* as hooks.json has them; return what they printed."""
        usual = {"session_id": SESSION, "transcript_path": "", "cwd": local(self.project), "hook_event_name": event}
        printed = ""
        for command in hooks()[event]:
            done = self.run(*command, given=json.dumps({**usual, **given}))
            assert (done.returncode, done.stderr) == (0, ""), f"{event}: {done.returncode}\n{done.stderr}"
            printed += done.stdout
        return printed

    def log(self) -> list[str]:
        files = sorted((self.folder / "data").rglob("autology.log*"))
        return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def executable() -> Path:
    return Path(os.environ["AUTOLOGY_EXECUTABLE"])


def started(command: str, arguments: list[str]) -> list[str]:
    """Return what the client gives the platform's Python for *command*, with the plugin's folder put in."""
    assert command == "python3"
    plugin = local(executable().parents[1])
    return [argument.replace("${CLAUDE_PLUGIN_ROOT}", plugin) for argument in arguments]


def hooks() -> dict[str, list[list[str]]]:
    """Return the commands of each event, each once: two filters may start the same one."""
    events = json.loads((ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    found: dict[str, list[list[str]]] = {}
    for event, groups in events.items():
        commands = [started(hook["command"], hook["args"]) for group in groups for hook in group["hooks"]]
        found[event] = [command for at, command in enumerate(commands) if command not in commands[:at]]
    return found


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder = tmp_path_factory.mktemp("machine")
    places = {"AUTOLOGY_CACHE_DIR": "cache", "AUTOLOGY_DATA_DIR": "data", "CLAUDE_CONFIG_DIR": "home/.claude"}
    environment = {**homes(folder), **{name: local(folder / place) for name, place in places.items()}}
    environment |= {"HOME": str(folder / "home"), "USERPROFILE": local(folder / "home"), **ON.environment}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    (folder / "home").mkdir()
    made = Machine(folder, environment)
    (made.project / "src" / "jobs").mkdir(parents=True)
    (made.project / FILE).write_text("# waits\nMAX_RETRIES = 5\n", encoding="utf-8")
    made.autology("init", "--yes")
    made.autology("capture", "--title", TITLE, "--type", "decision", "--references", FILE, given=DECISION)
    return made


def call(process: Served, name: str, meta: Mapping[str, object] | None = None, /, **arguments: object) -> str:
    """Call a tool and return what it answers; there is more patience here than elsewhere."""
    call = process.begin("tools/call", {"name": name, "arguments": arguments, "_meta": meta or {}})
    result = process.answer(call, PATIENCE)["result"]
    assert not result.get("isError"), result
    return text(result)


@contextmanager
def server(machine: Machine) -> Iterator[Served]:
    [configured] = json.loads((ROOT / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"].values()
    command = [*ON.command, *started(configured["command"], configured["args"])]
    environment = {**machine.environment, "CLAUDE_PROJECT_DIR": local(machine.project)}
    with served(machine.project, environment, command=command) as process:
        yield process


def test_the_executable_runs_on_the_platform_that_it_was_unpacked_for(machine: Machine) -> None:
    assert machine.autology("--version").startswith("autology ")
    [copy] = (machine.folder / "cache" / "app").glob("*-cp*")
    assert copy.name.endswith(ON.key)
    compiled = {file.name for file in copy.rglob("*") if file.suffix in {".so", ".pyd"}}
    assert any("pydantic_core" in name for name in compiled)


def test_a_first_start_unpacks_and_answers(machine: Machine, tmp_path: Path) -> None:
    machine = Machine(machine.folder, {**machine.environment, "AUTOLOGY_CACHE_DIR": local(tmp_path / "cache")})
    with server(machine) as process:
        process.send(DISCOVER)
        assert "2026-07-28" in process.answer("probe-1")["result"]["supportedVersions"]
        assert "totalNodes" in call(process, "autology_status", ENVELOPE)
    assert len(list((tmp_path / "cache" / "app").glob("*-cp*"))) == 1


def test_notes_are_saved_searched_and_shown_from_the_command_line(machine: Machine) -> None:
    made = machine.data("capture", "--title", "Keep the cache beside the index", "--content", "So that both go.")
    assert (machine.project / ".autology" / "nodes" / made["path"].split("nodes/")[1]).is_file()
    assert TITLE in machine.autology("query", "backoff")
    assert TITLE in machine.autology("search", "retries")
    assert "Größe: 雪" in machine.autology("show", machine.data("query", "backoff")["results"][0]["node"]["id"])


def test_a_session_lists_the_tools_and_writes_and_finds_with_them(machine: Machine) -> None:
    with server(machine) as process:
        process.greet()
        tools = {tool["name"] for tool in process.answer(process.begin("tools/list"), PATIENCE)["result"]["tools"]}
        assert tools == {file.stem for file in (ROOT / "tests" / "plugin" / "snapshots" / "tools").glob("*.json")}
        content = {"title": "Serve 雪 from the edge", "content": "Close to the user.", "type": "concept"}
        made = json.loads(call(process, "autology_capture", **content))
        [written] = (machine.project / ".autology" / "nodes").rglob(f"{made['id']}.md")
        assert "Serve 雪 from the edge" in written.read_text(encoding="utf-8")
        assert made["id"] in call(process, "autology_query", query="edge")
        assert TITLE in call(process, "autology_context", current_file=FILE)
        items = [{"content": "The staging host is named larch.", "kind": "observation"}]
        assert "id" in call(process, "memory_store", items=items)
        assert "larch" in call(process, "memory_find", query="staging host")
        assert "Bursts are throttled" in call(process, "search_documents", query="exponential backoff")
        assert "findings" in call(process, "autology_analyze")
        assert process.end() == 0
    assert process.errors == ""


def test_hooks_tell_what_is_settled_and_what_was_said_before(machine: Machine) -> None:
    assert TITLE in machine.hook("SessionStart", source="startup")
    change = {"old_string": "MAX_RETRIES = 5\n", "new_string": "MAX_RETRIES = 1\n"}
    edit = {"file_path": local(machine.project / FILE), **change}
    assert TITLE in machine.hook("PreToolUse", tool_name="Edit", tool_input=edit)
    session = Session(machine.folder / "home", folder=local(machine.project), session=SESSION)
    session.user("how should deleting a customer work, other tables point at it")
    session.assistant("We decided on soft deletes: deleted_at on customers and a purge job after 90 days.")
    machine.hook("SessionEnd", transcript_path=local(session.file), reason="other")
    archive = machine.folder / "data" / "archive"
    assert waited(lambda: any(archive.rglob(f"{SESSION}.jsonl.gz"))), "the process that archives did not"
    prompt = "what did we decide about soft deletes of customers?"
    later = {"session_id": SESSION.replace("048e", "148e"), "prompt": prompt}
    assert waited(lambda: "deleted_at" in machine.hook("UserPromptSubmit", **later))
    assert machine.hook("PreCompact", trigger="manual")
    assert machine.log() == []


@pytest.mark.skipif(IS_WINDOWS, reason="there is no git in this Windows")
def test_a_commit_is_reported(machine: Machine) -> None:
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Retry less"]):
        subprocess.run([*git, *words], cwd=machine.project, env=machine.environment, check=True)
    response = {"stdout": "", "stderr": "", "interrupted": False}
    command = {"command": "git commit -q -m 'Retry less'"}
    answer = machine.hook("PostToolUse", tool_name="Bash", tool_input=command, tool_response=response)
    assert "Retry less" in answer
    assert TITLE in answer


def test_doctor_finds_nothing_but_what_the_platform_lacks(machine: Machine) -> None:
    done = machine.run("-I", "-S", local(executable()), "doctor", "--json")
    report = json.loads(done.stdout)
    facts = {fact["area"]: fact["text"] for fact in report["facts"]}
    assert facts["server"].startswith("answers: autology")
    problems = {finding["area"]: finding["fix"] for finding in report["findings"]}
    assert set(problems) == ({"python3"} if IS_WINDOWS else set())
    assert not IS_WINDOWS or "`winget install " in problems["python3"]
    assert ("`python3`" in machine.autology("init", "--yes")) == IS_WINDOWS


@pytest.mark.skipif(not IS_WINDOWS, reason="only there the client may not find a Python")
def test_the_command_that_doctor_names_lets_the_client_find_python3(machine: Machine, tmp_path: Path) -> None:
    program, python = ON.command[-1], tmp_path / "python"
    shutil.copytree(Path(program).parent, python)
    machine = Machine(machine.folder, {**machine.environment, "WINEPATH": local(python)})
    emulator, doctor = ON.command[0], ["-I", "-S", local(executable()), "doctor", "--json"]

    def examined() -> dict[str, Any]:
        done = machine.start(emulator, str(python / "python.exe"), *doctor)
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    [finding] = examined()["findings"]
    command = finding["fix"].split("`")[1]
    batch = tmp_path / "fix.bat"
    batch.write_text(f"@{command}\r\n", encoding="utf-8", newline="")
    done = machine.start(emulator, "cmd", "/c", local(batch))
    assert done.returncode == 0, done.stdout + done.stderr
    report = examined()
    assert report["findings"] == []
    [fact] = [fact["text"] for fact in report["facts"] if fact["area"] == "python3"]
    assert fact.endswith(local(python / "python3.exe"))


def waited(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False
