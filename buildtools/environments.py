"""Development tools, each in a folder under .build, installed from a lock file and kept up to date with it."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from buildtools.process_lock import locked
from buildtools.project import Project
from buildtools.run_programs import Failed, run, say

STAMP = "made-from"  # In each folder: a hash of its inputs, such as the lock file.


def development(project: Project) -> Path:
    """Return the Python of the development environment, which is created or updated if needed."""
    folder = project.work / "dev"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    lock = project.requirements / "dev.txt"
    expected = f"{sys.implementation.cache_tag} {digest(lock)}"
    if stamp(folder) == expected:
        return python
    with locked(project.work / "dev.lock", "making the development environment"):
        if stamp(folder) == expected:
            return python
        if not can_make_environments():
            raise Failed(f"{sys.executable} cannot make virtual environments: {install_command('python3-venv')}")
        say("making the development environment (once; a minute)")
        if not python.exists() or _tag(python) != sys.implementation.cache_tag:
            venv.create(folder, clear=True, with_pip=True)
        run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", lock])
        (folder / STAMP).write_text(expected, encoding="utf-8")
    return python


def can_make_environments() -> bool:
    """Whether this Python can create virtual environments: Debian packages that part separately."""
    return importlib.util.find_spec("ensurepip") is not None


def install_command(*packages: str) -> str:
    """Return the command that installs *packages* on this machine, if it is known."""
    if shutil.which("apt-get"):
        command = f"apt-get install -y {' '.join(packages)}"
        return command if is_root() else f"sudo {command}" if shutil.which("sudo") else f"as root, {command}"
    if sys.platform == "darwin":
        return f"brew install {' '.join(packages)}"
    return f"install {' '.join(packages)} with your system's package manager"


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def digest(*files: Path) -> str:
    """Return a short hash of the contents of *files*."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def stamp(folder: Path) -> str:
    """Return the hash of the inputs of *folder*; empty if it is incomplete."""
    file = folder / STAMP
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _tag(python: Path) -> str:
    question = "import sys; print(sys.implementation.cache_tag)"
    return subprocess.run([python, "-c", question], capture_output=True, text=True, check=False).stdout.strip()
