"""What an executable can be built for: Python versions and platforms, including the Pythons of this machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from buildtools.project import Project
from buildtools.run_programs import Failed

# The same path, whether inside an environment or not.
THIS_PYTHON = os.path.realpath(sys.executable)
MINORS = (11, 12, 13, 14, 15)
# The boot's name for a platform to the installer's.
PLATFORMS = {
    "linux_x86_64": "x86_64-manylinux2014",
    "linux_aarch64": "aarch64-manylinux2014",
    "macos_x86_64": "x86_64-apple-darwin",
    "macos_arm64": "aarch64-apple-darwin",
    "windows_x86_64": "x86_64-pc-windows-msvc",
}


@dataclass(frozen=True, slots=True)
class Target:
    """A Python and a platform; *key* is the boot's name for the two, *python* runs here and makes its bytecode."""

    key: str
    python: str | None

    @property
    def tag(self) -> str:
        return self.key.partition("-")[0]

    @property
    def platform(self) -> str:
        return self.key.partition("-")[2]

    def before(self) -> "Target":
        """Return the target of the same platform with the previous Python."""
        return Target(f"cp3{int(self.tag[3:]) - 1}-{self.platform}", None)

    def runs_here(self) -> bool:
        return self.python is not None and _key(self.python) == self.key

    def install_options(self) -> list[str]:
        """Return the options that make the installer choose this target's packages.

        The installer's defaults would fit this machine, which may be newer than a user's.
        """
        if self.platform not in PLATFORMS or not self.tag[3:].isdigit():
            return ["--python", str(self.python)]
        version = f"{self.tag[2]}.{self.tag[3:]}"
        platform = PLATFORMS[self.platform]
        return ["--python", THIS_PYTHON, "--python-version", version, "--python-platform", platform]


def here(project: Project) -> Target:
    """Return the running Python's target."""
    return Target(_key(THIS_PYTHON, project), THIS_PYTHON)


def named(project: Project, keys: list[str]) -> list[Target]:
    """Return the targets called *keys*. Raises Failed for one that cannot be built."""
    available = {target.key: target for target in everything(project)}
    unknown = [key for key in keys if key not in available]
    if unknown:
        raise Failed(f"unknown target: {', '.join(unknown)}; available: {', '.join(available)}")
    return [available[key] for key in keys]


def everything(project: Project) -> list[Target]:
    """Return every target that users install on, and the running one."""
    current = here(project)
    pythons = {_key(python, project).partition("-")[0]: python for python in _pythons()}
    pythons[current.tag] = THIS_PYTHON
    targets = [
        Target(f"cp3{minor}-{platform}", pythons.get(f"cp3{minor}")) for platform in PLATFORMS for minor in MINORS
    ]
    return targets if current in targets else [current, *targets]


def _pythons() -> Iterator[str]:
    """Yield the suitable Pythons of this machine, by their real path."""
    for minor in MINORS:
        names = [shutil.which(f"python3.{minor}")]
        names += [str(path) for path in (Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*/bin/python3")]
        yield from (os.path.realpath(name) for name in names if name)


def _key(python: str, project: Project | None = None) -> str:
    """Return the target of *python* by the boot's own name, under which the boot looks for it; empty if it fails."""
    root = project.root if project else Path(__file__).resolve().parents[1]
    program = root / "server" / "boot" / "autology_boot" / "target.py"
    process = subprocess.run([python, "-I", "-S", program], capture_output=True, text=True, check=False)
    return process.stdout.strip() if process.returncode == 0 else ""
