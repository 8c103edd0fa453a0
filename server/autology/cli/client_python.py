"""Whether Claude Code can start the plugin on Windows: it starts `python3`, which not every Python there provides."""

from __future__ import annotations

import os
import subprocess
import sys

from autology.core.doctor import Diagnosis, Report
from autology.wire import user

PROGRAMS = ("python3.exe", "python3.bat", "python3.cmd")
"""In the order of Windows; Claude Code 2.1.330 starts batch files too, such as those of pyenv-win."""
PATIENCE = 10.0
"""Seconds for it to report its version; Windows' alias for a missing one answers at once."""
COPY = """python -c "import shutil, sys; shutil.copy(sys.executable, sys.executable[:-4] + '3.exe')\""""
"""Gives python.org's older installations a python3.exe beside their python.exe. The same in every shell."""
INSTALL = "winget install 9NQ7512CXL7T"
"""Installs python.org's current installer, the Python install manager, which provides python3.exe."""


def examine() -> Report:
    """Return the version of the first python3.exe on the PATH, or the problem with it and the command that fixes it."""
    candidates = (os.path.join(folder, name) for folder in _path() for name in PROGRAMS)
    program = next(filter(os.path.lexists, candidates), "")
    version = _version(program) if program else ""
    if version:
        return Report((("python3", f"{version}, {program}"),))
    reason = f"{program} is not a Python that starts" if program else "no python3.exe is on the PATH"
    if "windowsapps" in program.lower():
        reason = f"{program}, an alias of the Microsoft Store, starts no Python"
    problem = f"Claude Code cannot start the server and the hooks: it starts `python3`, and {reason}"
    step = f"Run `{_command(program)}`, then restart Claude Code from a new terminal."
    return Report((), (Diagnosis("python3", problem, step),))


def _path() -> list[str]:
    """Return the folders of the PATH; relative ones depend on who starts a program, and may be the project's."""
    folders = (folder.strip('"') for folder in os.environ.get("PATH", "").split(os.pathsep))
    return [folder for folder in folders if os.path.isabs(folder)]


def _version(program: str) -> str:
    """Return the version of the Python *program*, "" if it is none."""
    try:
        process = subprocess.run(
            [program, "-I", "-S", "-c", "import sys; print(sys.version.split()[0])"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    version = process.stdout.decode("utf-8", "replace").strip()
    return version if process.returncode == 0 and version[:1].isdigit() else ""


def _command(program: str) -> str:
    """Return the command that provides `python3`: a copy, if it would be found before *program* and can be made."""
    folder, name = os.path.split(sys.executable)
    folders = [os.path.normcase(os.path.normpath(place)) for place in _path()]
    own = os.path.normcase(os.path.normpath(folder))
    others = os.path.normcase(os.path.normpath(os.path.dirname(program))) if program else ""
    is_found = own in folders and (others not in folders or folders.index(own) < folders.index(others))
    return COPY if name.lower() == "python.exe" and is_found and not user.write_refusal(folder) else INSTALL
