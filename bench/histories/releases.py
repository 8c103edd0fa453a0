"""Makes a git history of each project whose releases lie in a folder, as `bench/drift.py` replays them.

    pip download --no-deps --only-binary :all: flask==1.1.4 -d RELEASES      # or --no-binary, for C; each of RELEASES
    npm pack express@4.8.0 --pack-destination RELEASES
    python3 bench/histories/releases.py RELEASES REPOSITORIES

A commit is a release, in the order of their versions: what moves, is put into another form, is commented or rewritten
between two of them is what their authors did.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ENDINGS = {".py", ".js", ".mjs", ".ts", ".tsx", ".c", ".h", ".cc", ".rs", ".java", ".kt", ".swift", ".m", ".mm", ".go"}
"""Endings of files that are kept: what somebody wrote."""
WRITTEN = re.compile(
    r"(?i)(?:^|/)(?:dist|build|bundles?|lib/cjs|es5|es2015|esm\d*|_esm\d*|_fesm\d*|node_modules)/|\.min\."
)
"""What a tool wrote instead."""
LONGEST = 1_000_000
_NAME = re.compile(r"(?P<name>.+?)-(?P<version>\d[\w.]*?)(?:-py\S+|-cp\S+)?\.(?:whl|tgz|tar\.gz)\Z")


def main(releases: str, repositories: str) -> int:
    projects: dict[str, list[tuple[tuple[int, ...], Path]]] = {}
    for path in Path(releases).iterdir():
        if found := _NAME.match(path.name):
            version = tuple(int(part) for part in re.findall(r"\d+", found["version"]))
            projects.setdefault(found["name"].replace("_", "-").lower(), []).append((version, path))
    for name, archives in sorted(projects.items()):
        print(name, made(Path(repositories, name), [path for _, path in sorted(archives)]))
    return 0 if projects else 1


def made(repository: Path, archives: list[Path]) -> str:
    """Make the history of these releases; return what it is."""
    shutil.rmtree(repository, ignore_errors=True)
    repository.mkdir(parents=True)
    git(repository, "init", "-q", "-b", "main")
    many = 0
    for at, archive in enumerate(archives):
        for old in repository.iterdir():
            if old.name != ".git":
                shutil.rmtree(old) if old.is_dir() else old.unlink()
        many = 0
        for path, data in held(archive):
            many += 1
            Path(repository, path).parent.mkdir(parents=True, exist_ok=True)
            Path(repository, path).write_bytes(data)
        git(repository, "add", "-A")
        moment = f"{2001 + at}-01-01T00:00:00Z"
        dated = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        git(repository, "commit", "-q", "--allow-empty", "-m", archive.name, **dated)
    return f"{len(archives)} releases, {many} files in the last"


def held(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a release that somebody wrote."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as packed:
            yield from ((name, packed.read(name)) for name in packed.namelist() if _kept(name))
        return
    with tarfile.open(archive) as packed:
        for member in packed:
            name = member.name.partition("/")[2]
            if member.isfile() and member.size <= LONGEST and _kept(name) and (file := packed.extractfile(member)):
                yield name, file.read()


def _kept(name: str) -> bool:
    typed = name.endswith((".d.ts", ".d.mts", ".d.cts"))
    unsafe = name.startswith("/") or ".." in Path(name).parts
    return Path(name).suffix in ENDINGS and not typed and not unsafe and not WRITTEN.search(name)


def git(repository: Path, *arguments: str, **more: str) -> None:
    who = {f"GIT_{role}_{what}": "x@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    import os

    subprocess.run(["git", "-C", str(repository), *arguments], check=True, env={**os.environ, **who, **more})


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
