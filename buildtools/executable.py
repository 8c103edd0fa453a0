"""Making dist/autology.pyz: shiv's archive, laid out again so that a start reads little of it.

Python reads an archive's whole directory at every start, some 10 µs an entry: a hook would spend more on a
thousand packaged files than on its work. So the archive holds few entries: the boot modules, the modules of
the hooks as bytecode of this Python with their source beside, and everything else as a few archives stored
inside it, which the boot unpacks once into the user's cache.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from buildtools import closure, packages
from buildtools.environments import development
from buildtools.locked import locked
from buildtools.project import Project
from buildtools.screen import Failed, run, say

SHEBANG = b"#!/usr/bin/env python3\n"
EPOCH = (1980, 1, 1, 0, 0, 0)  # The earliest a zip can say; the same in every build.
CACHED = 7 * 24 * 3600  # Seconds after its last use that a compressed part is kept for the next build.


def ensure(project: Project) -> Path:
    """Return the executable, built first unless it holds what the checkout does; two never build at once."""
    if is_current(project):
        return project.executable
    with locked(project.executable.parent / ".lock", "building"):
        if not is_current(project):
            build(project)
    return project.executable


def is_current(project: Project) -> bool:
    record = _record(project)
    return (
        project.executable.exists() and record.exists() and record.read_text("utf-8") == fingerprint(project)
    )


def fingerprint(project: Project) -> str:
    """Return a hash of everything the executable is made from, the running Python included."""
    files = [project.root / "build.py", project.requirements / "runtime.txt"]
    for folder in (project.root / "server", Path(__file__).parent):
        files += [file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    total = hashlib.sha256(f"{sys.version} {sysconfig.get_platform()}".encode())
    for file in sorted(files):
        name = file.relative_to(project.root) if file.is_relative_to(project.root) else file.name
        total.update(f"\0{name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def build(project: Project) -> None:
    """Write the executable for the running Python and platform; until it is whole the old one stands."""
    if not (project.package / "__main__.py").exists():
        raise Failed(f"{project.package} has no __main__.py: there is nothing to start")
    tools = development(project)
    made_from = fingerprint(project)
    target = _target(project)
    folder = packages.installed(project, tools, target)
    say(f"building autology {project.version()} for {target}")
    project.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=project.work, prefix="build-") as name:
        made = _assemble(project, tools, target, folder, Path(name))
        _smoke_test(project, made, Path(name))
        project.executable.parent.mkdir(exist_ok=True)
        made.replace(project.executable)
    new = _record(project).with_suffix(".new")
    new.write_text(made_from, encoding="utf-8")
    new.replace(_record(project))


def sizes(executable: Path) -> list[tuple[str, int]]:
    """Return the parts of *executable* and their size in bytes, the whole first."""
    with zipfile.ZipFile(executable) as archive:
        parts: dict[str, int] = {}
        for entry in archive.infolist():
            part = entry.filename.partition("/")[0]
            parts[part] = parts.get(part, 0) + entry.compress_size
    return [(executable.name, executable.stat().st_size), *sorted(parts.items(), key=lambda part: -part[1])]


def _assemble(project: Project, tools: Path, target: str, folder: Path, work: Path) -> Path:
    ours = work / "ours"
    shutil.copytree(project.package, ours / "autology", ignore=shutil.ignore_patterns("__pycache__"))
    boot = work / "boot"
    shutil.copytree(project.boot, boot, ignore=shutil.ignore_patterns("__pycache__"))
    plain = work / "plain.pyz"
    run(
        [
            *(
                tools,
                "-m",
                "shiv.cli",
                "--reproducible",
                "--uncompressed",
                "--entry-point",
                "autology.__main__:main",
            ),
            *("--site-packages", folder / "site", "--site-packages", ours, "--output-file", plain),
        ]
    )
    with zipfile.ZipFile(plain) as archive:
        environment = archive.read("environment.json")
        contents = {
            name.removeprefix("site-packages/"): archive.read(name)
            for name in archive.namelist()
            if name.startswith("site-packages/")
        }
    parts = _parts(target)
    _write_facts(boot, project.version(), json.loads(environment)["build_id"][:16], {target: list(parts)})
    packages.compile_in_place(ours, boot)
    bytecode = {**_bytecode(folder / "site"), **_bytecode(ours)}
    native = packages.native_files(folder)
    members = _divided(parts, contents, bytecode, native)
    cache = project.work / "members"

    made = work / "autology.pyz"
    with made.open("wb") as file:
        file.write(SHEBANG)
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in [*_boot_entries(boot), *_hook_entries(ours), ("environment.json", environment)]:
                _add(archive, name, data, zipfile.ZIP_STORED)
            for name, member in members.items():
                _add(archive, name, _zipped(member, cache), zipfile.ZIP_STORED)
    made.chmod(0o755)
    _forget_unused(cache)
    return made


def _parts(target: str) -> dict[str, str]:
    """Return the nested archives that make up *target*, and what each holds.

    Our package and pure ones serve every target, their bytecode every platform with the same Python.
    """
    tag = target.partition("-")[0]
    return {
        "autology.zip": "ours",
        "site-common.zip": "pure",
        f"bytecode-{tag}.zip": "bytecode",
        f"site-{target}.zip": "native",
    }


def _divided(
    parts: dict[str, str], contents: dict[str, bytes], bytecode: dict[str, bytes], native: set[str]
) -> dict[str, dict[str, bytes]]:
    def kind(name: str, otherwise: str) -> str:
        return "ours" if name.startswith("autology/") else "native" if name in native else otherwise

    members: dict[str, dict[str, bytes]] = {held: {} for held in parts.values()}
    for name, data in contents.items():
        members[kind(name, "pure")][name] = data
    for name, data in bytecode.items():
        members[kind(_source_of(name), "bytecode")][name] = data
    return {name: members[held] for name, held in parts.items()}


def _write_facts(boot: Path, version: str, build_id: str, targets: dict[str, list[str]]) -> None:
    lines = [
        '"""What this executable holds."""',
        f"BUILD_ID = {build_id!r}",
        f"VERSION = {version!r}",
        f"TARGETS = {targets!r}",
    ]
    (boot / "autology_boot" / "facts.py").write_bytes(("\n".join(lines) + "\n").encode())


def _boot_entries(boot: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the top level: source for any Python, and bytecode beside it, which this Python prefers."""
    for source in sorted(boot.rglob("*.py")):
        name = source.relative_to(boot).as_posix()
        yield name, source.read_bytes()
        yield name + "c", _compiled(source).read_bytes()


def _hook_entries(ours: Path) -> Iterator[tuple[str, bytes]]:
    modules = closure.hook_modules(ours / "autology")
    if not modules:
        raise Failed("the package has no hooks to put into the executable")
    for source in modules.values():
        name = source.relative_to(ours).as_posix()
        yield f"hooks-{sys.implementation.cache_tag}/{name}c", _compiled(source).read_bytes()
        yield f"hooks-src/{name}", source.read_bytes()


def _bytecode(site: Path) -> dict[str, bytes]:
    return {
        file.relative_to(site).as_posix(): file.read_bytes()
        for file in sorted(site.rglob("__pycache__/*.pyc"))
    }


def _compiled(source: Path) -> Path:
    return source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"


def _source_of(bytecode: str) -> str:
    folder, _, name = bytecode.rpartition("/__pycache__/")
    return f"{folder}/{name.partition('.')[0]}.py".removeprefix("/")


def _zipped(files: dict[str, bytes], cache: Path) -> bytes:
    """Return *files* as an archive; kept in *cache*, for the packages change seldom and compress slowly."""
    key = hashlib.sha256(sys.version.encode())
    for name, data in sorted(files.items()):
        key.update(f"\0{name}\0{len(data)}\0".encode() + data)
    kept = cache / f"{key.hexdigest()[:32]}.zip"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as work:
            new = Path(work) / "new.zip"
            with zipfile.ZipFile(new, "w") as archive:
                for name, data in sorted(files.items()):
                    _add(archive, name, data, zipfile.ZIP_DEFLATED)
            new.replace(kept)
    os.utime(kept)
    return kept.read_bytes()


def _forget_unused(cache: Path) -> None:
    for file in cache.glob("*.zip"):
        if time.time() - file.stat().st_mtime > CACHED:
            file.unlink(missing_ok=True)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, compression: int) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = compression
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data, compresslevel=9)


def _smoke_test(project: Project, made: Path, work: Path) -> None:
    """Start what was built on a bare interpreter, with a home of its own."""
    environment = {
        **os.environ,
        "AUTOLOGY_CACHE_DIR": str(work / "cache"),
        "AUTOLOGY_DATA_DIR": str(work / "data"),
    }
    done = subprocess.run(
        [sys.executable, "-I", "-S", made, "--version"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0 or project.version() not in done.stdout:
        raise Failed(f"what was built does not start: --version said\n{done.stdout}{done.stderr}")


def _target(project: Project) -> str:
    """Return the running Python's target, by the boot's own word: that is who will look for it."""
    program = project.boot / "autology_boot" / "target.py"
    return subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=True
    ).stdout.strip()


def _record(project: Project) -> Path:
    return project.executable.with_suffix(".pyz.inputs")
