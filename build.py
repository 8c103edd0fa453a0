#!/usr/bin/env python3
"""Build, run, check, measure and release Autology: the entry point for all of it. Needs only Python 3.11."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said in words, before newer syntax
    sys.exit(f"build.py needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try: python3.11 build.py")

import importlib.util

if not importlib.util.find_spec("_lzma"):
    sys.exit(f"build.py needs the module lzma, and {sys.executable} was built without liblzma. Try another Python")

import argparse
import json
import os
import subprocess
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

sys.dont_write_bytecode = True  # Our own steps are quick to compile, and the checkout stays clean.

from buildtools import checks, environments, evals, executable, lock_files, protocol, release, targets  # noqa: E402 - after the version is known
from buildtools.emulated import PLATFORMS  # noqa: E402
from buildtools.project import Project  # noqa: E402
from buildtools.run_programs import Failed, bad, good, say, watch  # noqa: E402

EXAMPLES = """\
examples:
  python3 build.py build                    make dist/autology.pyz for this Python and platform
  python3 build.py run status               build if need be, then run `autology status`
  python3 build.py test                     everything that must pass before a change is submitted
  python3 build.py test tests/unit -k merge the tests that pytest selects for these arguments
  python3 build.py evals --offline          run the eval cases against a stand-in for the model
  python3 build.py release --all ~/autology what users install, complete, in a folder
"""


def main(arguments: Sequence[str]) -> int:
    options, rest = parser().parse_known_args(arguments)
    if rest and options.command not in {"run", "test", "evals"}:
        parser().error(f"unknown arguments: {' '.join(rest)}")
    command: Callable[[Project, argparse.Namespace], int] = options.do
    try:
        return command(Project.at(Path(__file__).resolve().parent), options)
    except (Failed, subprocess.CalledProcessError, ValueError) as problem:
        say(bad(f"build.py {options.command}: ") + str(problem))
        return 1
    except KeyboardInterrupt:
        say("stopped")
        return 130


def parser() -> argparse.ArgumentParser:
    root = argparse.ArgumentParser(
        prog="build.py",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, do: Callable[[Project, argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(do=do)
        return command

    building = add("build", build, "make the executable dist/autology.pyz, unless it is up to date")
    building.add_argument("--force", action="store_true", help="make it even if it is up to date")
    building.add_argument("--all", action="store_true", help="for every Python and platform that users install on")
    building.add_argument("--target", action="append", metavar="KEY", help="for this target, such as cp312-macos_arm64")
    # prefix_chars: whatever follows is the executable's own, --help too.
    running = commands.add_parser(
        "run", help="build if need be, then run the executable", prefix_chars="\0", add_help=False
    )
    running.set_defaults(do=run)
    running.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS")
    testing = commands.add_parser(
        "test", help="check everything, or run the named tests only", prefix_chars="\0", add_help=False
    )
    testing.set_defaults(do=test)
    testing.add_argument("names", nargs=argparse.REMAINDER, metavar="NAMES")
    add("trial", trial, "run the trials on other projects' texts: all of trials/, or those named").add_argument(
        "names", nargs="*", metavar="NAME"
    )
    add("lint", lint, "check style, types and import contracts")
    trying = add("everywhere", everywhere, "try the release for every target: in the client and in emulators")
    trying.add_argument("platforms", nargs="*", metavar="PLATFORM", help=f"only in emulators: {', '.join(PLATFORMS)}")
    add("protocol", speak, "check the server against the protocol, with the protocol's own tools")
    measuring = commands.add_parser(
        "bench",
        help="measure: all of bench/, or those named; `published`: what other projects published",
        prefix_chars="\0",
        add_help=False,
    )
    measuring.set_defaults(do=bench)
    measuring.add_argument("arguments", nargs=argparse.REMAINDER, metavar="NAMES")
    evaluating = commands.add_parser(
        "evals", help="run the eval cases in the client, with a model or --offline", prefix_chars="\0", add_help=False
    )
    evaluating.set_defaults(do=evaluate)
    evaluating.add_argument("options", nargs=argparse.REMAINDER, metavar="OPTIONS")
    add("lock", lock, "write the locks in requirements/ from pyproject.toml").add_argument(
        "--upgrade", action="store_true", help="take the newest versions that fit"
    )
    releasing = add("release", write_release, "write what users install to a folder")
    releasing.add_argument("--all", action="store_true", help="for every Python and platform that users install on")
    releasing.add_argument("--archive", type=Path, metavar="FILE.zip", help="write it as one archive too")
    releasing.add_argument("folder", type=Path, metavar="DIR")
    return root


def build(project: Project, options: argparse.Namespace) -> int:
    if options.force:
        project.executable.unlink(missing_ok=True)
    chosen = targets.everything(project) if options.all else targets.named(project, options.target or [])
    file = executable.ensure(project, chosen)
    for name, size in executable.sizes(file):
        print(f"{size / 1e6:8.2f} MB  {name}")
    say(good(f"{file.relative_to(project.root)} is up to date"))
    return 0


def run(project: Project, options: argparse.Namespace) -> int:
    command = [sys.executable, "-I", "-S", str(executable.ensure(project)), *options.arguments]
    if sys.platform == "win32":  # Its exec returns to the shell at once.
        return watch(command)
    return os.execv(command[0], command)  # noqa: S606 - never through a shell


def test(project: Project, options: argparse.Namespace) -> int:
    return checks.test(project, options.names)


def trial(project: Project, options: argparse.Namespace) -> int:
    return checks.trial(project, options.names)


def lint(project: Project, _: argparse.Namespace) -> int:
    return 1 if checks.lint(project) else 0


def everywhere(project: Project, options: argparse.Namespace) -> int:
    unknown = set(options.platforms) - set(PLATFORMS)
    if unknown:
        raise Failed(f"no emulator for {', '.join(sorted(unknown))}; name any of: {', '.join(PLATFORMS)}")
    return checks.everywhere(project, options.platforms)


def speak(project: Project, _: argparse.Namespace) -> int:
    return protocol.check(project)


def bench(project: Project, options: argparse.Namespace) -> int:
    own, published = (
        {file.stem: file for file in sorted((project.root / folder).glob("*.py")) if not file.stem.startswith("_")}
        for folder in ("bench", "bench/published")
    )
    files = {**own, **published}
    named = list(takewhile(lambda argument: not argument.startswith("-"), options.arguments))
    passed_on = options.arguments[len(named) :]
    names = [name for each in named for name in (published if each == "published" else [each])]
    unknown = [name for name in names if name not in files]
    if unknown or (passed_on and len(names) != 1):
        unknown_names = (
            f"no measurement called {', '.join(unknown)}" if unknown else "options belong to one measurement"
        )
        raise Failed(f"{unknown_names}; name one of: published, {', '.join(files)}")
    python = environments.development(project)
    environment = {
        "AUTOLOGY_EXECUTABLE": str(executable.ensure(project)),
        # The root too: some measurements use others' parts, and the tests' own servers.
        "PYTHONPATH": os.pathsep.join([str(project.root / "server"), str(project.root)]),
    }
    codes = [
        watch([python, files[name], *passed_on], cwd=project.root, environment=environment) for name in names or own
    ]
    return max(codes, default=0)


def evaluate(project: Project, options: argparse.Namespace) -> int:
    return evals.run(project, options.options)


def lock(project: Project, options: argparse.Namespace) -> int:
    lock_files.write(project, environments.development(project), options.upgrade)
    return 0


def write_release(project: Project, options: argparse.Namespace) -> int:
    executable.ensure(project, targets.everything(project) if options.all else [])
    files = release.write(project, options.folder)
    size = sum((options.folder / name).lstat().st_size for name in files)
    say(good(f"{len(files)} files, {size / 1e6:.1f} MB in {options.folder}"))
    if options.archive:
        entry = {"source": "archive", "url": f"https://…/{options.archive.name}"}
        print(json.dumps(entry | {"sha256": release.pack(options.folder, options.archive)}, ensure_ascii=False))
    say(f"try it: claude plugin install autology --marketplace {options.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
