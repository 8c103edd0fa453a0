"""The tools we work with, each in a folder under .build, made from its lock and kept up to date with it."""

import hashlib
import json
import shutil
import subprocess
import sys
import venv
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
    source = project.requirements / "client"
    package = folder / "node_modules" / "@anthropic-ai" / "claude-code"
    program = package / "bin" / "claude.exe"  # Its name on every platform.
    wanted = digest(source / "package-lock.json")
    if stamp(folder) == wanted and program.exists():
        return program
    with locked(project.work / "client.lock", "installing the client"):
        if stamp(folder) == wanted and program.exists():
            return program
        npm, node = shutil.which("npm"), shutil.which("node")
        if not npm or not node:
            raise Failed("the end-to-end tests drive the client, which npm installs: install Node.js with npm")
        say("installing the client (once; a minute)")
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(source / name, folder / name)
        run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder)
        # npm does not run it unasked: it puts the platform's program in the place of a stub.
        run([node, "install.cjs"], cwd=package)
        version = json.loads((package / "package.json").read_bytes())["version"]
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if version not in said:
            raise Failed(f"the client was installed but does not run: {program} --version said {said!r}")
        (folder / STAMP).write_text(wanted, encoding="utf-8")
    return program


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
