"""The third-party packages of the executable: installed from the lock for a target, pruned and compiled."""

import hashlib
import re
import shutil
import sys
import time
from pathlib import Path

from buildtools import bytecode, unused_dependencies
from buildtools.environments import STAMP, digest, stamp
from buildtools.process_lock import locked
from buildtools.project import Project
from buildtools.run_programs import run, say
from buildtools.targets import Target

# Installer records with times and paths of this machine; type stubs; Windows help files.
UNUSED_NAMES = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json", ".lock"}
UNUSED_SUFFIXES = {".pyi", ".pyc", ".chm"}
# PyYAML's compiled part, which it documents as optional: 4 MB for all targets. Our own reader takes most frontmatter;
# the pure Python part reads the rest in 0.7 ms a note instead of 0.1.
COMPILED_YAML = ("yaml/_yaml.*", "_yaml/*")
# Console scripts; and parts of pywin32: an editor and COM bindings.
UNUSED_FOLDERS = ("bin", "Scripts", "pythonwin", "win32com", "win32comext", "isapi", "adodbapi")
# The SDK imports four modules of pywin32; these files are what they load, by their own import tables and source.
PYWIN32_FOLDERS = ("win32", "pywin32_system32")
PYWIN32 = re.compile(
    r"win32/(License\.txt|(_win32sysloader|win32api|win32job)\.pyd|lib/(pywintypes|win32con|pywin32_bootstrap)\.py)"
    r"|pywin32_system32/pywintypes\d+\.dll"
)

# Packages whose locked version has no compiled part for that Python: the Python before lends its own, whose pure Python
# part works alone.
NOT_YET = {"cp315": frozenset({"pyyaml"})}
UNUSED_SECONDS = 7 * 24 * 3600  # Seconds after its last use before a folder of packages is deleted.


def installed(project: Project, tools: Path, target: Target) -> Path:
    """Return a folder with the locked packages for *target*, compiled where its Python runs here.

    The folder's name contains a hash of its inputs, so that no folder changes while another process reads it.
    """
    lock = project.requirements / "runtime.txt"
    absent = sorted(file for file in (project.root / "server" / "absent").rglob("*.py"))
    recipe = digest(lock, Path(__file__), Path(bytecode.__file__), Path(unused_dependencies.__file__), *absent)
    made_from = hashlib.sha256(f"{recipe} {target.python} {sys.version}".encode()).hexdigest()[:16]
    folder = project.work / "packages" / f"{target.key}-{made_from}"
    site = folder / "site"
    with locked(project.work / "packages.lock", "installing packages"):
        if stamp(folder) != made_from:
            say(f"installing the packages for {target.key}")
            shutil.rmtree(folder, ignore_errors=True)
            _install(tools, target, lock, site)
            unused_dependencies.stand_in(project.root / "server" / "absent", site)
            if target.python:
                compile_in_place(target.python, site)
            (folder / STAMP).write_text(made_from, encoding="utf-8")
        (folder / STAMP).touch()
        _forget_unused(folder.parent)
    return site


def compile_in_place(python: str, *roots: Path) -> None:
    """Compile every module under *roots* for *python*, reproducibly."""
    environment = {"PYTHONHASHSEED": "0", "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    run([python, "-s", Path(bytecode.__file__), *roots], environment=environment)


def _install(tools: Path, target: Target, lock: Path, site: Path) -> None:
    text = unused_dependencies.without(lock.read_text(encoding="utf-8"), unused_dependencies.PACKAGES)
    pure = NOT_YET.get(target.tag, frozenset())
    _install_lock(tools, target, unused_dependencies.without(text, pure), site)
    if pure:
        other = site.with_name("before")
        _install_lock(tools, target.before(), unused_dependencies.only(text, pure), other)
        for file in [file for file in other.rglob("*") if file.suffix in {".so", ".pyd"} or file.name == "WHEEL"]:
            file.unlink()
        shutil.copytree(other, site, dirs_exist_ok=True)
        shutil.rmtree(other)
    _prune(site)


def _install_lock(tools: Path, target: Target, lock: str, site: Path) -> None:
    """Install the packages of *lock* into *site*."""
    lock_file = site.with_name("lock.txt")
    lock_file.parent.mkdir(parents=True, exist_ok=True)
    lock_file.write_text(lock, encoding="utf-8")
    install: list[str | Path] = [tools, "-m", "uv", "pip", "install", "--quiet", "--target", site]
    hashed = ["--only-binary", ":all:", "--require-hashes", "--no-deps", "--requirement", str(lock_file)]
    settings = {"UV_PYTHON_DOWNLOADS": "never", "UV_LINK_MODE": "copy"}
    run([*install, *hashed, *target.install_options()], environment=settings)


def _forget_unused(folders: Path) -> None:
    for folder in folders.iterdir():
        used = folder / STAMP
        if not used.exists() or time.time() - used.stat().st_mtime > UNUSED_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _prune(site: Path) -> None:
    for name in UNUSED_FOLDERS:
        shutil.rmtree(site / name, ignore_errors=True)
    for pattern in COMPILED_YAML:
        for file in list(site.glob(pattern)):
            file.unlink()
    for folder in PYWIN32_FOLDERS:
        for file in list((site / folder).rglob("*")):
            if file.is_file() and not PYWIN32.fullmatch(file.relative_to(site).as_posix()):
                file.unlink()
    (site / "pythoncom.py").unlink(missing_ok=True)
    for file in list(site.rglob("*")):
        if file.is_file() and (file.suffix in UNUSED_SUFFIXES or file.name in UNUSED_NAMES):
            file.unlink()
