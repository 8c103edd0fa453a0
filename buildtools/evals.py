"""Running the eval cases in the client, against the plugin as users get it."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from buildtools import environments, executable, programs, release
from buildtools.project import Project
from buildtools.run_programs import watch


def run(project: Project, options: Sequence[str]) -> int:
    """Run evals/run.py with *options* on a release that includes the cases; return its exit code."""
    executable.ensure(project)
    with tempfile.TemporaryDirectory(prefix="autology-evals-") as work:
        plugin = Path(work) / "autology"
        release.write(project, plugin)
        shutil.copytree(project.root / "evals", plugin / "evals", ignore=shutil.ignore_patterns("results", "*.py"))
        command: list[str | Path] = [environments.development(project), project.root / "evals" / "run.py", *options]
        command += ["--plugin", plugin, "--client", programs.client(project)]
        return watch(command, cwd=project.root)
