"""Building dist/autology.pyz if and only if it is out of date."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from buildtools import archive, package_checks, packages, recorded_answers
from buildtools.environments import development
from buildtools.process_lock import locked
from buildtools.project import Project
from buildtools.run_programs import Failed, run, say
from buildtools.targets import PLATFORMS, Target, here


def ensure(project: Project, targets: Sequence[Target] = ()) -> Path:
    """Return the executable for *targets*, or the running Python and platform; built first if out of date.

    Only one process builds at a time.
    """
    required = list(targets) or [here(project)]
    if not is_current(project, required):
        with locked(project.executable.parent / ".lock", "building"):
            if not is_current(project, required):
                build(project, required)
    return project.executable


def is_current(project: Project, targets: Sequence[Target]) -> bool:
    """Whether the executable matches the checkout, for *targets* at least."""
    record = _record(project)
    if not project.executable.exists() or not record.exists():
        return False
    made_from, *built = record.read_text(encoding="utf-8").split()
    return made_from == fingerprint(project) and {target.key for target in targets} <= set(built)


def fingerprint(project: Project) -> str:
    """Return a hash of everything the executable is made from, including the running Python."""
    files = [project.root / "build.py", project.requirements / "runtime.txt"]
    for folder in (project.root / "server", project.root / "buildtools"):
        files += [file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    digest = hashlib.sha256(f"{sys.version} {sysconfig.get_platform()}".encode())
    for file in sorted(files):
        name = file.relative_to(project.root).as_posix()
        digest.update(f"\0{name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def build(project: Project, targets: Sequence[Target]) -> None:
    """Write the executable for *targets*; the old one stays until the new one is complete."""
    if not (project.package / "__main__.py").exists():
        raise Failed(f"{project.package} has no __main__.py: there is nothing to start")
    made_from = fingerprint(project)
    tools = development(project)
    sites = {target: packages.installed(project, tools, target) for target in targets}
    for target, site in sites.items():
        if target.platform in PLATFORMS:
            package_checks.check(target, site)
    say(f"building autology {project.version()} for {', '.join(target.key for target in targets)}")
    with tempfile.TemporaryDirectory(dir=project.work, prefix="build-") as name:
        executable = _assemble(project, tools, sites, Path(name))
        for target in targets:
            if target.runs_here():
                _smoke_test(project, target, executable, Path(name))
        project.executable.parent.mkdir(exist_ok=True)
        executable.replace(project.executable)
    new = _record(project).with_suffix(".new")
    new.write_text(" ".join([made_from, *(target.key for target in targets)]), encoding="utf-8")
    new.replace(_record(project))


def sizes(executable: Path) -> list[tuple[str, int]]:
    """Return the parts of *executable* and their size in bytes, the whole first."""
    with zipfile.ZipFile(executable) as opened:
        entries: dict[str, int] = {}
        for entry in opened.infolist():
            part = entry.filename.partition("/")[0]
            entries[part] = entries.get(part, 0) + entry.compress_size
    return [(executable.name, executable.stat().st_size), *sorted(entries.items(), key=lambda part: -part[1])]


def _assemble(project: Project, tools: Path, sites: Mapping[Target, Path], work: Path) -> Path:
    ours, boot = work / "ours", work / "boot"
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(project.package, ours / "autology", ignore=unwanted)
    shutil.copytree(project.boot, boot, ignore=unwanted)
    recorded_answers.record(tools, ours)
    environment = _plain(tools, [next(iter(sites.values())), ours], work / "plain.pyz")
    for python in sorted({target.python for target in sites if target.python}):
        packages.compile_in_place(python, ours)
    nested = archive.parts(sites, ours)
    keys = [target.key for target in sites]
    facts = archive.facts(project.version(), json.loads(environment)["build_id"][:16], keys, nested)
    (boot / "autology_boot" / "facts.py").write_bytes(facts)
    packages.compile_in_place(sys.executable, boot)
    executable = work / "autology.pyz"
    archive.write(executable, boot, ours, environment, nested, project.work / "members")
    return executable


def _plain(tools: Path, sites: Sequence[Path], target: Path) -> bytes:
    """Have shiv make its own archive of *sites*; return its metadata, which includes a hash of their contents."""
    run(
        [
            *(tools, "-m", "shiv.cli", "--reproducible", "--uncompressed", "--output-file", target),
            *("--entry-point", "autology.__main__:main"),
            *(part for site in sites for part in ("--site-packages", site)),
        ]
    )
    with zipfile.ZipFile(target) as opened:
        return opened.read("environment.json")


def _smoke_test(project: Project, target: Target, executable: Path, work: Path) -> None:
    """Start the new executable on a bare interpreter, with a home folder of its own."""
    environment = {
        **os.environ,
        "AUTOLOGY_CACHE_DIR": str(work / "cache"),
        "AUTOLOGY_DATA_DIR": str(work / "data"),
    }
    command = [str(target.python), "-I", "-S", str(executable), "--version"]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if process.returncode != 0 or project.version() not in process.stdout:
        raise Failed(
            f"the new executable does not start on {target.key}: its output was\n{process.stdout}{process.stderr}"
        )
    if not list((work / "cache" / "app").glob(f"*-{target.key}")):
        raise Failed(f"the executable for {target.key} was started on another Python")
    if recorded_answers.has_server(project.package.parent):
        recorded_answers.check([*command[:-1], "serve"], environment, work)


def _record(project: Project) -> Path:
    return project.executable.with_suffix(".pyz.inputs")
