"""Checking the server with MCP's own tools: every method in the inspector, and the conformance suite."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from buildtools import environments, executable, programs
from buildtools.project import Project
from buildtools.run_programs import Failed, bad, good, heading, run, say, with_environment

REVISIONS = ("2025-11-25", "2026-07-28")  # With a handshake, and without.
ERAS = ("legacy", "modern")  # The inspector's names for the two.
FINE, FAILED_CALL, REFUSED = 0, 5, 1  # The inspector's exit codes.
TITLE = "Use SQLite"


def check(project: Project) -> int:
    """Run both of the protocol's tools; return the exit code."""
    node, packages = programs.protocol(project)
    with tempfile.TemporaryDirectory(prefix="autology-protocol-") as name:
        home = {"HOME": name, "AUTOLOGY_DATA_DIR": f"{name}/data", "AUTOLOGY_CACHE_DIR": f"{name}/cache"}
        served = _project(project, Path(name), home)
        failed = _every_method(project, node, packages, served, home)
        failed += _conformance(project, node, packages, served, home)
    say(bad(f"{failed} failed") if failed else good("the server speaks the protocol"))
    return min(failed, 1)


def _project(project: Project, folder: Path, home: dict[str, str]) -> Path:
    """Create a project with a node and a document."""
    served = folder / "project"
    (served / "docs").mkdir(parents=True)
    (served / "docs" / "guide.md").write_text("# Guide\n\nHow it works.\n", encoding="utf-8")
    command = [*_program(project), "capture", "--type", "concept", "--title", TITLE, "--content", "For the index."]
    run(command, cwd=served, environment=home)
    return served


def _program(project: Project) -> list[str | Path]:
    return [sys.executable, "-I", "-S", executable.ensure(project)]


def _every_method(project: Project, node: Path, packages: Path, served: Path, home: dict[str, str]) -> int:
    say(heading("— every method, over standard input and output"))
    inspector = [node, packages / "@modelcontextprotocol/inspector/clients/launcher/build/index.js", "--cli"]
    environment = {**home, "PATH": os.pathsep.join([str(node.parent), os.environ["PATH"]])}  # it starts another node
    failed = 0
    for era in ERAS:
        for expected, arguments in _inspector_calls():
            command = [*inspector, *_program(project), "serve", "--protocol-era", era, "--method", *arguments]
            process = subprocess.run(
                [str(part) for part in command],
                cwd=served,
                env=with_environment(environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
            if process.returncode != expected:
                failed += 1
                output = (process.stdout + process.stderr).decode("utf-8", "replace")
                call, code = " ".join(arguments), process.returncode
                say(bad(f"✗ {era}: {call} exited with {code}, not {expected}: {output[-600:]}"))
    say(f"{len(ERAS) * len(list(_inspector_calls())) - failed} answered as expected, {failed} not")
    return failed


def _inspector_calls() -> Iterator[tuple[int, Sequence[str]]]:
    """Yield each expected exit code with the inspector's arguments."""
    yield FINE, ("initialize",)
    yield FINE, ("tools/list", "--strict")
    yield FINE, ("tools/call", "--tool-name", "autology_query", "--tool-arg", "query=sqlite")
    yield FINE, ("tools/call", "--tool-name", "search_documents", "--tool-arg", "query=guide")
    yield FAILED_CALL, ("tools/call", "--tool-name", "autology_delete", "--tool-arg", "id=none")
    yield FAILED_CALL, ("tools/call", "--tool-name", "none")
    yield REFUSED, ("tools/call", "--tool-name", "autology_query", "--tool-arg", "none=1")
    yield FINE, ("resources/list",)
    yield FINE, ("resources/templates/list",)
    yield FINE, ("resources/read", "--uri", "autology://stats/summary")
    yield FINE, ("resources/read", "--uri", "autology://document/guide")
    yield REFUSED, ("resources/read", "--uri", "autology://document/none")
    yield FINE, ("prompts/list",)
    yield REFUSED, ("prompts/get", "--prompt-name", "none")


def _conformance(project: Project, node: Path, packages: Path, served: Path, home: dict[str, str]) -> int:
    failed = 0
    for revision in REVISIONS:
        say(heading(f"— conformance with {revision}, over HTTP"))
        exclusions = project.root / "tests" / "plugin" / "conformance" / f"{revision}.yml"
        with _over_http(project, served, home) as url:
            command = [
                *(node, packages / "@modelcontextprotocol" / "conformance" / "dist" / "index.js", "server"),
                *("--url", url, "--requirements", revision, "--expected-failures", exclusions),
            ]
            process = subprocess.run([str(part) for part in command], cwd=served, capture_output=True, check=False)
        output = process.stdout.decode("utf-8", "replace")
        passed = re.search(r"^Total: (\d+) passed, (\d+) failed", output, re.MULTILINE)
        if process.returncode != 0 or not passed or int(passed[1]) < 40:  # fewer: it checked next to nothing
            failed += 1
            say(output[-4_000:] + process.stderr.decode("utf-8", "replace"))
        else:
            say(f"{passed[1]} checks passed; {passed[2]} are for features that {exclusions.name} excludes")
    return failed


@contextmanager
def _over_http(project: Project, served: Path, home: dict[str, str]) -> Iterator[str]:
    """Serve *served* over HTTP while the block runs; yield the address."""
    python = environments.development(project)
    environment = {
        **os.environ,
        **home,
        "PYTHONPATH": os.pathsep.join([str(project.root / "server"), str(project.root)]),
    }
    command = [str(python), "-m", "tests.plugin.served_http", str(served)]
    with subprocess.Popen(command, cwd=project.root, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = process.stdout.readline().strip() if process.stdout else ""
            if not port:
                raise Failed("the server for the conformance suite did not start")
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
