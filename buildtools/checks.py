"""The checks that every change must pass: style, types, import contracts, tests."""

import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from buildtools import emulated, environments, executable, programs, targets
from buildtools.project import Project
from buildtools.run_programs import Failed, bad, good, heading, say, watch

INSTALLED = ("tests/e2e/every_python.py", "tests/e2e/every_archive.py")
EMULATED = "tests/e2e/every_platform.py"
# The other tests need one Python only: the build, updates between releases, whatever loads our modules itself.
ON_EACH = (
    "tests/plugin/test_executable_starts.py",
    *("tests/e2e/test_client_commits.py", "tests/e2e/test_client_edits.py", "tests/e2e/test_client_sessions.py"),
)


def lint(project: Project) -> int:
    """Check style, types and import contracts; return the number of checks that failed."""
    python = environments.development(project)
    scripts = python.parent
    checks: dict[str, list[str | Path]] = {
        "style": [python, "-m", "ruff", "check", "--quiet"],
        "types": [python, "-m", "mypy"],
        # Once more with Windows as the platform: code for other systems must be guarded by a platform check.
        "types on Windows": [python, "-m", "mypy", "--platform", "win32", "--cache-dir", ".mypy_cache/windows"],
        "contracts": [scripts / "lint-imports", "--no-logo"],
        "wording": [python, "-m", "buildtools.wording"],
    }
    environment = {"PYTHONPATH": str(project.root / "server")}
    failed = []
    for name, command in checks.items():
        say(heading(f"— {name}"))
        # For the contracts only: mypy treats what it finds on its path as installed, and skips it.
        needs_path = environment if name == "contracts" else None
        if watch(command, cwd=project.root, environment=needs_path) != 0:
            failed.append(name)
    say(bad(f"failed: {', '.join(failed)}") if failed else good("style, types, contracts and wording are fine"))
    return len(failed)


def test(project: Project, names: Sequence[str]) -> int:
    """Run the tests *names*, or all checks and tests; return the exit code."""
    if not names:
        programs.check_machine()
    # Report missing prerequisites before the checks take their minutes.
    environment = _test_environment(project)
    failed = 0 if names else lint(project)
    python = environments.development(project)
    say(heading("— tests"))
    # One more than there are CPUs: tests often wait for a program, a disk or a deadline.
    options = ["-n", str((os.cpu_count() or 1) + 1), "--dist", "loadfile"] if not names else []
    code = watch([python, "-m", "pytest", "-q", "-rs", *options, *names], cwd=project.root, environment=environment)
    if failed:
        say(bad("style, types or contracts failed too: see above"))
    return code or min(failed, 1)


def trial(project: Project, names: Sequence[str]) -> int:
    """Run the trials on other projects' texts, or only the files *names*; return the exit code.

    Raises Failed if the texts are missing.
    """
    if not project.shared:
        raise Failed(
            "the trials read other projects' texts, which are not part of this repository: "
            "set AUTOLOGY_SHARED to the folder that holds bench/ and samples/"
        )
    say(heading(f"— trials on the texts in {project.shared}"))
    environment = {"AUTOLOGY_SHARED": str(project.shared), "AUTOLOGY_EXECUTABLE": str(executable.ensure(project))}
    files = [f"trials/test_{name}.py" for name in names] or ["trials"]
    pytest = [str(environments.development(project)), "-m", "pytest", "-q"]
    return watch([*pytest, *files], cwd=project.root, environment=environment)


def everywhere(project: Project, platforms: Sequence[str]) -> int:
    """Try the release for every target in the client, on each Python of this machine, and in emulators.

    With *platforms*, try only these, in their emulators. Return the exit code; a platform that cannot be tried here is
    reported, and is no failure.
    """
    results = {} if platforms else _everywhere_in_client(project)
    skipped = {}
    for name in platforms or emulated.PLATFORMS:
        say(heading(f"— starts, hooks and sessions on {name}, emulated"))
        try:
            python = emulated.prepare(project, name)
        except Failed as problem:
            skipped[name] = str(problem)
            continue
        results[f"{python.key} under {python.emulator}"] = _emulated(project, python)
    for name, code in results.items():
        say(good(f"{name}: all passed") if code == 0 else bad(f"{name}: some failed, see above"))
    for name, reason in skipped.items():
        say(bad(f"{name}: not run: {reason}"))
    return max(results.values(), default=0)


def _emulated(project: Project, python: emulated.Emulated) -> int:
    """Run the tests for another platform on *python*; return the exit code."""
    chosen = [targets.here(project), *targets.named(project, [python.key])]
    environment = {
        "AUTOLOGY_EXECUTABLE": str(executable.ensure(project, chosen)),
        "AUTOLOGY_EMULATED": json.dumps(dataclasses.asdict(python)),
    }
    pytest = [str(environments.development(project)), "-m", "pytest", "-q", "-rs", EMULATED]
    return watch(pytest, cwd=project.root, environment=environment)


def _everywhere_in_client(project: Project) -> dict[str, int]:
    """Return the exit code of the tests in the client, by what they try."""
    every = targets.everything(project)
    executable.ensure(project, every)
    environment = _test_environment(project)
    pytest = [str(environments.development(project)), "-m", "pytest", "-q"]
    results = {"installed": watch([*pytest, *INSTALLED], cwd=project.root, environment=environment)}
    for target in every:
        if target.python and target.runs_here():
            say(heading(f"— starts, hooks and sessions on {target.key}"))
            on = {**environment, "AUTOLOGY_ON_PYTHON": target.python}
            results[target.key] = watch([*pytest, *ON_EACH], cwd=project.root, environment=on)
    return results


def _test_environment(project: Project) -> dict[str, str]:
    environment = {"AUTOLOGY_EXECUTABLE": str(executable.ensure(project))}
    if (project.root / "tests" / "e2e").is_dir():
        environment["AUTOLOGY_CLIENT"] = str(programs.client(project))
    if (project.root / "tests" / "browser").is_dir() and sys.platform != "win32":  # where its tests are left out
        environment["AUTOLOGY_BROWSER"] = str(programs.browser(project))
        programs.axe(project)
    return environment
