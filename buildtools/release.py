"""Writing what users install: the plugin with the built executable, complete, and nothing else."""

import json
import shutil
import tempfile
import zipfile
from pathlib import Path

from buildtools import third_party
from buildtools.archive import EPOCH
from buildtools.project import Project
from buildtools.run_programs import Failed

# An allow-list: anything not named here does not ship.
FILES = (".claude-plugin/plugin.json", "plugin.json", ".mcp.json", "README.md", "LICENSE", "NOTICE", "CHANGELOG.md")
OPTIONAL_FILES = (".claude-plugin/icon.png",)
FOLDERS = ("hooks", "skills", "agents")
EXECUTABLE = "dist/autology.pyz"
MARKETPLACE = ".claude-plugin/marketplace.json"
NO_CONVERSION = "* -text\n"  # Git would convert line endings on Windows, and the checksums would not match.
BILL, LICENCES, CHECKSUMS = "sbom.cdx.json", "THIRD-PARTY-LICENSES.txt", "SHA256SUMS"


def write(project: Project, destination: Path) -> list[str]:
    """Write the release to *destination*, replacing an earlier one atomically; return its files.

    Raises Failed if a part is missing, or if *destination* holds something other than a release.
    """
    missing = [name for name in (*FILES, *FOLDERS, MARKETPLACE) if not (project.root / name).exists()]
    if missing:
        raise Failed(f"the release lacks {', '.join(missing)}; add them to the checkout")
    destination = destination.absolute()
    if destination.exists() and any(destination.iterdir()) and not _is_release(destination):
        raise Failed(f"{destination} is not empty and not a release of ours; name another folder")
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=destination.parent, prefix=f".{destination.name}-") as work:
        new = Path(work) / "new"
        _fill(project, new)
        files = sorted(path.relative_to(new).as_posix() for path in new.rglob("*") if not path.is_dir())
        if destination.exists():
            destination.rename(Path(work) / "old")
        new.rename(destination)
    return files


def pack(folder: Path, file: Path) -> str:
    """Write the release in *folder* as one archive, reproducibly; return its SHA-256."""
    with zipfile.ZipFile(file, "w") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder).as_posix()
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3
            # An unpacker may not support symbolic links: the only one is replaced by its target.
            entry.external_attr = (0o755 if name == EXECUTABLE else 0o644) << 16
            # The executable is already compressed inside.
            entry.compress_type = zipfile.ZIP_STORED if name == EXECUTABLE else zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes(), compresslevel=9)
    return third_party.digest(file)


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
        plugin["source"] = "./"  # The release is the plugin; on main the entry points to the release.
    (new / MARKETPLACE).write_text(
        json.dumps(marketplace, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline=""
    )
    _write_inventory(project, new)


def _write_inventory(project: Project, new: Path) -> None:
    """Write the bill of materials, the licences and the checksums of the files."""
    (new / ".gitattributes").write_text(NO_CONVERSION, encoding="utf-8", newline="")
    executable = new / EXECUTABLE
    packages = third_party.packages(executable)
    bill = third_party.bill("autology", project.version(), packages, third_party.digest(executable))
    (new / BILL).write_text(bill, encoding="utf-8", newline="")
    (new / LICENCES).write_text(third_party.licences(packages), encoding="utf-8", newline="")
    names = sorted(path.relative_to(new).as_posix() for path in new.rglob("*"))
    (new / CHECKSUMS).write_text(third_party.checksums(new, names), encoding="utf-8", newline="")


def _is_release(folder: Path) -> bool:
    return (folder / EXECUTABLE).exists() and (folder / MARKETPLACE).exists() and not (folder / ".git").exists()
