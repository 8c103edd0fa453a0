"""The whole acceptance run of the client, on the checkout and on what users install."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from tests.e2e.driving import PATIENCE, ROOT, Claude, tool
from tests.plugin.executable_standin import users_python

TITLE = "Use SQLite for the index"
SKILLS = "tutorial,capture,explore,analyze"


def acceptance(
    e2e: ModuleType, client: Path, plugin: Path, folder: Path, *options: str, python: str = users_python()
) -> list[str]:
    """Run every check of the driver on *plugin*, with *python* as the one that users have; return those that failed."""
    report = folder / "report.json"
    executable = f"python3 -I -S {shlex.quote(str(plugin / 'dist' / 'autology.pyz'))}"
    seed = f"mkdir .autology && echo 'It needs no server.' | {executable} capture --type decision --title '{TITLE}'"
    command = [
        *(sys.executable, str(Path(e2e.__file__ or "").resolve()), "--claude", str(client), "--plugin", str(plugin)),
        *("--name", "autology", "--server", "autology", "--skills", SKILLS, "--agents", "autology-advisor"),
        *("--tool", "autology_query", "--tool-input", '{"query": "sqlite index"}', "--tool-expect", TITLE),
        *("--agent-tool", "autology_query", "--expect-session-start", TITLE, "--expect-prompt", ""),
        *("--expect-post-commit", "/autology:capture", "--seed-cmd", seed, "--json", str(report), *options),
        *(word for name, value in PATIENCE.items() for word in ("--env", f"{name}={value}")),
    ]
    # The driver hands its own PATH on, and hooks start the python3 that is found there.
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / "python3").unlink(missing_ok=True)
    (folder / "bin" / "python3").symlink_to(Path(python).resolve())
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    environment = {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(folder)}
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    assert report.exists(), done.stdout + done.stderr
    checks = json.loads(report.read_text(encoding="utf-8"))["checks"]
    failed = [f"{row['check']}: {row['detail']}" for row in checks if not row["ok"]]
    assert failed or len(checks) >= 28  # Fewer would mean that something was not looked at.
    return failed


def test_the_checkout_passes_every_check_of_the_driver(
    e2e: ModuleType, client: Path, release: Path, tmp_path: Path
) -> None:
    assert (ROOT / "dist" / "autology.pyz").exists(), "writing the release builds it"
    assert acceptance(e2e, client, ROOT, tmp_path) == []


def test_a_release_that_is_installed_passes_every_check_of_the_driver(
    e2e: ModuleType, client: Path, release: Path, tmp_path: Path
) -> None:
    assert acceptance(e2e, client, release, tmp_path, "--install") == []


def test_a_release_is_a_marketplace_and_what_is_installed_from_it_answers_at_the_first_start(
    e2e: ModuleType, client: Path, release: Path, tmp_path: Path
) -> None:
    claude = Claude(e2e, client, tmp_path / "user", None)
    for words in (("marketplace", "add", str(release)), ("install", "autology@autology")):
        done = claude.harness.cli("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    [listed] = json.loads(claude.harness.cli("plugin", "list", "--json").stdout)
    assert (listed["id"], listed["enabled"]) == ("autology@autology", True)
    assert not (claude.home / ".cache" / "autology").exists()
    # Nothing is unpacked yet: the server answers while that is done.
    session = claude.session({"status": tool("autology_status")})
    assert session.after["status"].data["totalNodes"] == 0
    assert not (claude.project / ".autology").exists()
