"""Writing what users install: the plugin with the built executable, complete, and nothing else."""

import json
import shutil
import tempfile
from pathlib import Path

from buildtools.project import Project
from buildtools.screen import Failed

# An allow-list: what is not named here does not ship.
FILES = (".claude-plugin/plugin.json", "plugin.json", ".mcp.json", "README.md", "LICENSE", "NOTICE", "CHANGELOG.md")
OPTIONAL_FILES = (".claude-plugin/icon.png",)
FOLDERS = ("hooks", "skills", "agents")
EXECUTABLE = "dist/autology.pyz"
MARKETPLACE = ".claude-plugin/marketplace.json"


def write(project: Project, destination: Path) -> list[str]:
    """Write the release to *destination*, replacing an earlier one in one step; return the files it holds.

    Raises Failed if a part is missing, or if *destination* holds something that is not a release.
    """
    missing = [name for name in (*FILES, *FOLDERS, MARKETPLACE) if not (project.root / name).exists()]
    if missing:
        raise Failed(f"the release would lack {', '.join(missing)}; add them to the checkout")
    destination = destination.absolute()
    if destination.exists() and any(destination.iterdir()) and not _is_release(destination):
        raise Failed(f"{destination} is not empty and not a release of ours; name another folder")
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=destination.parent, prefix=f".{destination.name}-") as work:
        new = Path(work) / "new"
        _fill(project, new)
        held = sorted(path.relative_to(new).as_posix() for path in new.rglob("*") if not path.is_dir())
        if destination.exists():
            destination.rename(Path(work) / "old")
        new.rename(destination)
    return held


def _fill(project: Project, new: Path) -> None:
    for name in (*FILES, *(name for name in OPTIONAL_FILES if (project.root / name).exists()), EXECUTABLE):
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(project.root / name, new / name, follow_symlinks=False)
    for name in FOLDERS:
        shutil.copytree(
            project.root / name, new / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    link = new / "plugin.json"
    if link.is_symlink() and link.readlink().is_absolute():
        raise Failed("plugin.json must be a link to .claude-plugin/plugin.json by a relative path")
    marketplace = json.loads((project.root / MARKETPLACE).read_bytes())
    for plugin in marketplace["plugins"]:
        plugin["source"] = "./"  # The release is the plugin; on main the entry points at the release.
    (new / MARKETPLACE).write_text(
        json.dumps(marketplace, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline=""
    )


def _is_release(folder: Path) -> bool:
    return (folder / EXECUTABLE).exists() and (folder / MARKETPLACE).exists() and not (folder / ".git").exists()
