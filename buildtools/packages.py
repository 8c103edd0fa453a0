"""The third-party packages of the executable: installed from the lock, pruned, told apart by what fits."""

import csv
import os
import shutil
import sys
from pathlib import Path

from buildtools import bytecode
from buildtools.environments import digest, stamp
from buildtools.project import Project
from buildtools.screen import run, say

STAMP = "made-from"
# What an installer notes down for itself, with times and paths of this machine; type stubs.
UNUSED_NAMES = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json", ".lock"}
UNUSED_SUFFIXES = {".pyi", ".pyc"}


def installed(project: Project, tools: Path, target: str) -> Path:
    """Return a folder with `site`, the locked packages and their bytecode, and the list `native`."""
    lock = project.requirements / "runtime.txt"
    recipe = (Path(__file__), Path(bytecode.__file__))
    folder = project.work / "packages" / target
    wanted = f"{digest(lock, *recipe)} {sys.version}"
    if stamp(folder) == wanted:
        return folder
    say(f"installing the packages for {target}")
    shutil.rmtree(folder, ignore_errors=True)
    site = folder / "site"
    run(
        [
            *(tools, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable, "--target", site),
            *("--only-binary", ":all:", "--require-hashes", "--no-deps", "--requirement", lock),
        ],
        environment={"UV_PYTHON_DOWNLOADS": "never", "UV_LINK_MODE": "copy"},
    )
    native = _native_files(site)
    _prune(site)
    compile_in_place(site)
    (folder / "native").write_text("\n".join(native), encoding="utf-8")
    (folder / STAMP).write_text(wanted, encoding="utf-8")
    return folder


def native_files(folder: Path) -> set[str]:
    """Return the files, as named inside `site`, of the packages that fit one Python and platform only."""
    return set((folder / "native").read_text(encoding="utf-8").splitlines())


def compile_in_place(*roots: Path) -> None:
    """Give every module under *roots* its bytecode, the same bytes each time."""
    environment = {"PYTHONHASHSEED": "0", "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    run([sys.executable, "-s", Path(bytecode.__file__), *roots], environment=environment)


def _native_files(site: Path) -> list[str]:
    found = []
    for wheel in site.glob("*.dist-info/WHEEL"):
        if "Root-Is-Purelib: true" in wheel.read_text(encoding="utf-8"):
            continue
        with (wheel.parent / "RECORD").open(encoding="utf-8", newline="") as file:
            found += [row[0].replace(os.sep, "/") for row in csv.reader(file)]
    return sorted(found)


def _prune(site: Path) -> None:
    shutil.rmtree(site / "bin", ignore_errors=True)
    shutil.rmtree(site / "Scripts", ignore_errors=True)
    for file in list(site.rglob("*")):
        if file.is_file() and (file.suffix in UNUSED_SUFFIXES or file.name in UNUSED_NAMES):
            file.unlink()
