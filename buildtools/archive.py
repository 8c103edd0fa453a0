"""The layout of the executable: few top-level entries; everything else in nested archives.

Python reads an archive's whole directory at every start, some 10 µs an entry: a hook would spend more time on a
thousand packaged files than on its work. So the top level holds the boot modules and the hooks' modules, as source and
as bytecode for each Python; hooks run from there. The rest is in nested archives, one for each set of targets that
share files; the boot unpacks them once into the user's cache.
"""

import hashlib
import os
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from buildtools import closure
from buildtools.screen import Failed
from buildtools.targets import Target

SHEBANG = b"#!/usr/bin/env python3\n"
EPOCH = (1980, 1, 1, 0, 0, 0)  # The earliest date a zip can store; the same in every build.
CACHED = 7 * 24 * 3600  # Seconds after its last use before a cached compressed part is deleted.
OURS = "autology.zip"
HOOK_DATA = (
    "autology/ranking/asking_words.txt",
    "autology/ranking/recall_phrases.txt",
    "autology/startup/recorded_answers.json",
    "autology/text/secrets/scored.bin",
)
"""What is read beside the modules that run from the archive."""


@dataclass(frozen=True, slots=True)
class Part:
    """A nested archive: *files*, by their path in the unpacked copy, shared by *targets*."""

    name: str
    targets: frozenset[str]
    files: Mapping[str, Path]


def parts(sites: Mapping[Target, Path], ours: Path) -> list[Part]:
    """Divide what the targets unpack into parts, so that no file is stored twice."""
    everyone = frozenset(target.key for target in sites)
    shared: dict[frozenset[str], dict[str, Path]] = {}
    for (name, _), holders in _holders(sites).items():
        group = shared.setdefault(frozenset(target.key for target in holders), {})
        group[name] = sites[holders[0]] / name
    is_single = len(sites) == 1
    nested = [
        Part(OURS, everyone, {name: file for name, file in _files(ours) if is_single or "__pycache__/" not in name})
    ]
    for number, (keys, files) in enumerate(sorted(shared.items(), key=lambda group: sorted(group[0]))):
        nested.append(Part(_part_name(keys, everyone, number), keys, files))
    return nested


def facts(version: str, build_id: str, targets: Iterable[str], parts: Iterable[Part]) -> bytes:
    """Return the source of the module that describes the executable's contents to the boot."""
    parts_by_target = {key: [part.name for part in parts if key in part.targets] for key in sorted(targets)}
    lines = [
        '"""The contents of this executable."""',
        f"BUILD_ID = {build_id!r}",
        f"VERSION = {version!r}",
        f"TARGETS = {parts_by_target!r}",
    ]
    return ("\n".join(lines) + "\n").encode()


def write(target: Path, boot: Path, ours: Path, environment: bytes, nested: Iterable[Part], cache: Path) -> None:
    """Write the executable *target* from the compiled folders *boot* and *ours* and the parts."""
    with target.open("wb") as file:
        file.write(SHEBANG)
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in [*_boot_entries(boot), *_hook_entries(ours), ("environment.json", environment)]:
                _add(archive, name, data, zipfile.ZIP_STORED)
            for part in nested:
                _add(archive, part.name, _zipped(part.files, cache), zipfile.ZIP_STORED)
    target.chmod(0o755)
    _forget_unused(cache)


def _holders(sites: Mapping[Target, Path]) -> dict[tuple[str, str], list[Target]]:
    """Return, for each file by path and content, the targets that have it.

    For one target bytecode is included, which makes a first start 2 s faster; for every Python it would add 24 MB to
    some 89, more than code hosts accept, so the boot compiles then.
    """
    if len(sites) == 1:
        ((target, site),) = sites.items()
        return {(name, ""): [target] for name, _ in _files(site)}
    holders: dict[tuple[str, str], list[Target]] = {}
    for target, site in sites.items():
        for name, file in _files(site):
            if "__pycache__/" not in name:
                content = hashlib.sha256(file.read_bytes()).hexdigest()
                holders.setdefault((name, content), []).append(target)
    return holders


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield file.relative_to(folder).as_posix(), file


def _part_name(keys: frozenset[str], everyone: frozenset[str], number: int) -> str:
    tags = {key.partition("-")[0] for key in keys}
    platforms = {key.partition("-")[2] for key in keys}
    if len(keys) == 1:
        return f"site-{next(iter(keys))}.zip"
    if keys == everyone:
        return "site-common.zip"
    for name, ours in (
        (tags, [key for key in everyone if key.partition("-")[0] in tags]),
        (platforms, [key for key in everyone if key.partition("-")[2] in platforms]),
    ):
        if len(name) == 1 and keys == set(ours):
            return f"site-{next(iter(name))}.zip"
    return f"site-shared-{number}.zip"


def _boot_entries(boot: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the top level: source for any Python, with bytecode next to it for the building one."""
    for source in sorted(boot.rglob("*.py")):
        name = source.relative_to(boot).as_posix()
        yield name, source.read_bytes()
        yield name + "c", _bytecode(source, str(sys.implementation.cache_tag)).read_bytes()


def _hook_entries(ours: Path) -> Iterator[tuple[str, bytes]]:
    modules = closure.hook_modules(ours / "autology")
    if not modules:
        raise Failed("the package has no hooks to put into the executable")
    tags = sorted({file.name.split(".")[-2] for file in ours.rglob("*.pyc")})
    for source in modules.values():
        name = source.relative_to(ours).as_posix()
        for tag in tags:
            yield f"hooks-{tag}/{name}c", _bytecode(source, tag).read_bytes()
        yield f"hooks-src/{name}", source.read_bytes()
    for data in (ours / name for name in HOOK_DATA if (ours / name).is_file()):
        for folder in (*tags, "src"):
            yield f"hooks-{folder}/{data.relative_to(ours).as_posix()}", data.read_bytes()


def _bytecode(source: Path, tag: str) -> Path:
    return source.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"


def _zipped(files: Mapping[str, Path], cache: Path) -> bytes:
    """Return *files* as an archive, kept in *cache*: packages change seldom and compress slowly."""
    key = hashlib.sha256(sys.version.encode())
    for name, file in sorted(files.items()):
        data = file.read_bytes()
        key.update(f"\0{name}\0{len(data)}\0".encode() + data)
    cached = cache / f"{key.hexdigest()[:32]}.zip"
    if not cached.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as work:
            new = Path(work) / "new.zip"
            with zipfile.ZipFile(new, "w") as archive:
                for name, file in sorted(files.items()):
                    _add(archive, name, file.read_bytes(), zipfile.ZIP_DEFLATED)
            new.replace(cached)
    os.utime(cached)
    return cached.read_bytes()


def _forget_unused(cache: Path) -> None:
    for file in cache.glob("*.zip"):
        if time.time() - file.stat().st_mtime > CACHED:
            file.unlink(missing_ok=True)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, compression: int) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = compression
    entry.create_system = 3  # The same on every system.
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data, compresslevel=9)
