"""The tools we work with, each in a folder under .build, made from its lock and kept up to date with it."""

import hashlib
import json
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

from buildtools.locked import locked
from buildtools.project import Project
from buildtools.screen import Failed, run, say

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
STAMP = "made-from"  # In each folder: what it was made from.


def development(project: Project) -> Path:
    """Return the Python of the development environment, made or brought up to date if need be."""
    folder = project.work / "dev"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    lock = project.requirements / "dev.txt"
    wanted = f"{sys.implementation.cache_tag} {digest(lock)}"
    if stamp(folder) == wanted:
        return python
    with locked(project.work / "dev.lock", "making the development environment"):
        if stamp(folder) == wanted:
            return python
        say("making the development environment (once; a minute)")
        if not python.exists() or _tag(python) != sys.implementation.cache_tag:
            venv.create(folder, clear=True, with_pip=True)
        run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", lock])
        (folder / STAMP).write_text(wanted, encoding="utf-8")
    return python


def client(project: Project) -> Path:
    """Return the pinned client's program, which the end-to-end tests drive; installed if need be."""
    folder = project.work / "client"
    package = folder / "node_modules" / "@anthropic-ai" / "claude-code"
    program = package / "bin" / "claude.exe"  # Its name on every platform.

    def finish() -> None:
        # npm does not run it unasked: it puts the platform's program in the place of a stub.
        run([_found("node"), "install.cjs"], cwd=package)
        version = json.loads((package / "package.json").read_bytes())["version"]
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if version not in said:
            raise Failed(f"the client was installed but does not run: {program} --version said {said!r}")

    _from_npm(project, "client", program, finish)
    return program


def protocol(project: Project) -> tuple[Path, Path]:
    """Return a Node.js and the folder of packages that check a server against the protocol; installed if need be."""
    packages = project.work / "protocol" / "node_modules"
    _from_npm(project, "protocol", packages / "@modelcontextprotocol" / "conformance" / "package.json")
    # The machine's own may be too old for them; on Linux there is a locked one.
    locked_node = next(packages.glob("node-*/bin/node"), None)
    return locked_node or Path(_found("node")), packages


def _from_npm(project: Project, name: str, made: Path, finish: Callable[[], None] = lambda: None) -> None:
    """Install the packages of requirements/*name* to .build/*name*, unless *made* is there and up to date."""
    folder, source = project.work / name, project.requirements / name
    wanted = digest(source / "package-lock.json")
    if stamp(folder) == wanted and made.exists():
        return
    with locked(project.work / f"{name}.lock", f"installing the {name}"):
        if stamp(folder) == wanted and made.exists():
            return
        npm = _found("npm")
        say(f"installing the {name} (once; a minute)")
        folder.mkdir(parents=True, exist_ok=True)
        for file in ("package.json", "package-lock.json"):
            shutil.copyfile(source / file, folder / file)
        run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder)
        finish()
        (folder / STAMP).write_text(wanted, encoding="utf-8")


def _found(program: str) -> str:
    found = shutil.which(program)
    if not found:
        raise Failed(
            f"there is no {program} on the PATH: install Node.js with npm, which brings what is tested against"
        )
    return found


def browser() -> str:
    """Return this machine's browser, which the tests of the page drive. Raises Failed where there is none."""
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    raise Failed("the page is tested in a real browser: apt-get install -y chromium")


def digest(*files: Path) -> str:
    """Return a short hash of the contents of *files*."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def stamp(folder: Path) -> str:
    """Return what *folder* was made from; empty if it is not finished."""
    file = folder / STAMP
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _tag(python: Path) -> str:
    question = "import sys; print(sys.implementation.cache_tag)"
    return subprocess.run([python, "-c", question], capture_output=True, text=True, check=False).stdout.strip()
