"""Writing the locks: every package that is used, for every platform, with its version and hashes."""

from pathlib import Path

from buildtools.project import Project
from buildtools.screen import run, say


def write(project: Project, python: Path, upgrade: bool) -> None:
    """Write requirements/runtime.txt and requirements/dev.txt from pyproject.toml; *upgrade* what may be."""
    groups: dict[str, list[str | Path]] = {"runtime": [], "dev": ["--group", "dev"]}
    for name, options in groups.items():
        file = project.requirements / f"{name}.txt"
        run(
            [
                *(python, "-m", "uv", "pip", "compile", "pyproject.toml", "--output-file", file),
                *("--constraints", project.requirements / "constraints.txt"),
                *options,
                *("--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate"),
                # Whoever installs from it has a registry of their own.
                *("--no-emit-index-url", "--no-emit-find-links"),
                *("--custom-compile-command", "python3 build.py lock"),
                *(["--upgrade"] if upgrade else []),
            ],
            cwd=project.root,
        )
        say(f"wrote {file.relative_to(project.root)}")
