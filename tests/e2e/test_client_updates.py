"""Going to another release and back under a running server, and taking the plugin away: no note is lost."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.driving import ROOT, Claude, tool
from tests.plugin.executable_standin import WORK, base_python
from tests.plugin.served import INITIALIZE

SHIPPED = (
    *("build.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE", "CHANGELOG.md", ".mcp.json", "plugin.json"),
    *(".claude-plugin", "hooks", "skills", "agents", "buildtools", "requirements", "server"),
)
OLD, NEW = "0.1.0", "0.9.9"


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with a later version."""
    folder = tmp_path_factory.mktemp("newer")
    source = folder / "checkout"
    source.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, source / name, follow_symlinks=False)
    for name in ("server/autology/__init__.py", ".claude-plugin/plugin.json"):
        text = (source / name).read_text(encoding="utf-8")
        assert text.count(f'"{OLD}"') == 1
        (source / name).write_text(text.replace(OLD, NEW), encoding="utf-8")
    command = [base_python(), str(source / "build.py"), "release", str(folder / "autology")]
    environment = {"AUTOLOGY_BUILD_DIR": str(WORK), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "autology"


class Running:
    """A server of the release in *folder*, as a client starts it."""

    def __init__(self, folder: Path, claude: Claude) -> None:
        command = ["python3", "-I", "-S", str(folder / "dist" / "autology.pyz"), "serve"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=claude.project, env=claude.harness.base_env, stdin=pipe, stdout=pipe, encoding="utf-8"
        )
        self.version: str = self.ask(INITIALIZE)["serverInfo"]["version"]
        self.asked = 0

    def ask(self, message: dict[str, object]) -> dict[str, dict[str, str]]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == message["id"]:
                return dict(answer["result"])

    def call(self, name: str, **arguments: object) -> str:
        self.asked += 1
        params = {"name": name, "arguments": arguments}
        answer = self.ask({"jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": params})
        assert not answer["isError"], answer
        return json.dumps(answer)


@contextmanager
def running(folder: Path, claude: Claude) -> Iterator[Running]:
    server = Running(folder, claude)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


def replace(folder: Path, release: Path) -> None:
    """Put *release* where *folder* is, as writing a release there does."""
    folder.rename(folder.with_name("old"))
    shutil.copytree(release, folder, symlinks=True)
    shutil.rmtree(folder.with_name("old"))


def notes(claude: Claude) -> dict[str, bytes]:
    files = (claude.project / ".autology" / "nodes").rglob("*.md")
    return {file.name: file.read_bytes() for file in files}


def test_an_update_and_a_downgrade_lose_nothing_and_leave_running_servers_alone(
    client: Path, release: Path, newer: Path, tmp_path: Path
) -> None:
    claude = Claude(client, tmp_path / "user", None)
    folder = tmp_path / "releases" / "autology"
    shutil.copytree(release, folder, symlinks=True)

    def plugin(*words: str) -> str:
        done = claude.harness.cli("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr
        output: str = done.stdout
        return output

    plugin("marketplace", "add", str(folder))
    plugin("install", "autology@autology")
    made = 0
    for begun, ended, there in ((OLD, NEW, newer), (NEW, OLD, release)):
        with running(folder, claude) as server:
            assert server.version == begun
            server.call("autology_capture", title=f"Before, under {begun}", content="c", type="concept")
            replace(folder, there)
            plugin("marketplace", "update", "autology")
            plugin("update", "autology@autology")
            [listed] = json.loads(plugin("list", "--json"))
            assert listed["version"] == ended
            # Modules that it had not loaded before among them: its own copy is still there.
            server.call("autology_capture", title=f"Meanwhile, under {begun}", content="c", type="concept")
            server.call("autology_analyze")
            server.call("graph_stats")
            with running(folder, claude) as other:
                assert other.version == ended
                assert f"Meanwhile, under {begun}" in other.call("autology_query", query="meanwhile")
                other.call("autology_capture", title=f"After, under {ended}", content="c", type="concept")
            assert f"After, under {ended}" in server.call("autology_query", query="after")
        made += 3
        status = claude.session({"status": tool("autology_status")}).after["status"].data
        assert status["totalNodes"] == made
        assert not status.get("unreadable")
    before = notes(claude)
    assert len(before) == made
    plugin("uninstall", "autology@autology")
    plugin("marketplace", "remove", "autology")
    assert json.loads(plugin("list", "--json")) == []
    assert notes(claude) == before
