"""The layout of the executable: few top-level entries; everything else in nested archives.

Python reads an archive's whole directory at every start, some 10 µs an entry: a hook would spend more time on a
thousand packaged files than on its work. So the top level holds the boot modules and the hooks' modules, as source and
as bytecode for each Python; hooks run from there. The rest is in nested archives; the boot unpacks them once into the
user's cache. A nested archive is compressed as a whole: the native code of a platform for five Pythons, which is nearly
the same, takes 3 to 4 MB instead of 11 to 17.
"""

import hashlib
import lzma
import os
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from buildtools import closure
from buildtools.run_programs import Failed
from buildtools.targets import Target

SHEBANG = b"#!/usr/bin/env python3\n"
EPOCH = (1980, 1, 1, 0, 0, 0)  # The earliest date a zip can store; the same in every build.
CACHED = 7 * 24 * 3600  # Seconds after its last use before a cached compressed part is deleted.
OURS = "autology.tar.xz"
TABLE = "table.tar.gz"
SHARED = "packages.tar.xz"
FILTERS = ({"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 16 << 20},)
"""The dictionary holds two Pythons' native code of a platform; 64 MB saved nothing, a filter for jumps cost 3%."""
HOOK_DATA = (
    "autology/ranking/asking_words.txt",
    "autology/ranking/change_words.txt",
    "autology/ranking/past_wording.txt",
    "autology/ranking/recall_phrases.txt",
    "autology/ranking/settling.txt",
    "autology/startup/recorded_answers.json",
    "autology/text/secrets/scored.bin",
    "autology/text/secrets/token_formats.txt",
    *(f"autology/text/wordlists/translations_{language}.txt" for language in ("de", "es", "fr", "ja", "zh")),
)
"""What is read beside the modules that run from the archive."""
TABLES = frozenset({"autology/embedding/static.bin"})
"""Files of numbers, which repeat nothing."""


@dataclass(frozen=True, slots=True)
class Group:
    """Files, by their path in the unpacked copy, that *targets* share."""

    targets: frozenset[str]
    files: Mapping[str, Path]


@dataclass(frozen=True, slots=True)
class Part:
    """A nested archive; the top-level folders in it are the positions in *groups*."""

    name: str
    groups: Sequence[Group]

    def members(self) -> Iterator[tuple[str, Path]]:
        """Yield what the archive holds, group by group, and in each what is alike together."""
        for number, group in enumerate(self.groups):
            for name, file in sorted(group.files.items(), key=lambda item: (_kind(item[0]), item[0])):
                yield f"{number}/{name}", file


def parts(sites: Mapping[Target, Path], ours: Path) -> list[Part]:
    """Divide what the targets unpack into parts, so that no file is stored twice but for each platform."""
    everyone = frozenset(target.key for target in sites)
    shared: dict[frozenset[str], dict[str, Path]] = {}
    for (name, _), holders in _holders(sites).items():
        group = shared.setdefault(frozenset(target.key for target in holders), {})
        group[name] = sites[holders[0]] / name
    is_single = len(sites) == 1
    program = {name: file for name, file in _files(ours) if is_single or "__pycache__/" not in name}
    table = {name: file for name, file in program.items() if name in TABLES}
    rest = {name: file for name, file in program.items() if name not in TABLES}
    groups: dict[str, list[Group]] = {}
    for keys, files in sorted(shared.items(), key=lambda item: sorted(item[0])):
        platforms = {key.partition("-")[2] for key in keys}
        name = f"{next(iter(platforms))}.tar.xz" if len(platforms) == 1 else SHARED
        groups.setdefault(name, []).append(Group(keys, files))
    return [
        Part(OURS, [Group(everyone, rest)]),
        *([Part(TABLE, [Group(everyone, table)])] if table else []),
        *(Part(name, groups[name]) for name in sorted(groups)),
    ]


def facts(version: str, build_id: str, targets: Iterable[str], nested: Sequence[Part]) -> bytes:
    """Return the source of the module that describes the executable's contents to the boot."""
    members = {
        key: {
            part.name: numbers
            for part in nested
            if (numbers := [str(number) for number, group in enumerate(part.groups) if key in group.targets])
        }
        for key in sorted(targets)
    }
    lines = [
        '"""The contents of this executable."""',
        f"BUILD_ID = {build_id!r}",
        f"VERSION = {version!r}",
        f"TARGETS = {members!r}",
    ]
    return ("\n".join(lines) + "\n").encode()


def write(target: Path, boot: Path, ours: Path, environment: bytes, nested: Sequence[Part], cache: Path) -> None:
    """Write the executable *target* from the compiled folders *boot* and *ours* and the parts."""
    with target.open("wb") as file:
        file.write(SHEBANG)
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in [*_boot_entries(boot), *_hook_entries(ours), ("environment.json", environment)]:
                _add(archive, name, data, zipfile.ZIP_STORED)
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                for part, data in zip(nested, pool.map(lambda part: _packed(part, cache), nested), strict=True):
                    _add(archive, part.name, data, zipfile.ZIP_STORED)
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


def _kind(name: str) -> str:
    """Return what brings files of one kind together, the native code last."""
    return name.rpartition(".")[2].replace("dll", "zz").replace("pyd", "zz").replace("so", "zz")


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


def _packed(part: Part, cache: Path) -> bytes:
    """Return *part* as an archive, kept in *cache*: packages change seldom and compress slowly."""
    versions = f"{sys.version} {zlib.ZLIB_RUNTIME_VERSION} {part.name.partition('.')[2]} {FILTERS}"
    key = hashlib.sha256(versions.encode())
    for name, file in part.members():
        data = file.read_bytes()
        key.update(f"\0{name}\0{len(data)}\0".encode() + data)
    cached = cache / f"{key.hexdigest()[:32]}.tar"
    if not cached.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as work:
            new = Path(work) / "new"
            new.write_bytes(_compressed(part))
            new.replace(cached)
    os.utime(cached)
    return cached.read_bytes()


def _compressed(part: Part) -> bytes:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, file in part.members():
            entry = tarfile.TarInfo(name)
            entry.size = file.stat().st_size
            with file.open("rb") as data:
                archive.addfile(entry, data)
    if part.name == TABLE:
        return _entropy_coded(packed.getvalue())
    return lzma.compress(packed.getvalue(), lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=list(FILTERS))


def _entropy_coded(data: bytes) -> bytes:
    """Compress numbers that never repeat: LZMA makes them no smaller, and takes ten times as long to unpack them."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, 9, zlib.Z_HUFFMAN_ONLY)
    return compressor.compress(data) + compressor.flush()


def _forget_unused(cache: Path) -> None:
    for file in cache.glob("*.*"):
        if time.time() - file.stat().st_mtime > CACHED:
            file.unlink(missing_ok=True)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, compression: int) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = compression
    entry.create_system = 3  # The same on every system.
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data, compresslevel=9)
