"""Check by its files whether a package can run on its target: most targets never run on this machine."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from buildtools.run_programs import Failed
from buildtools.targets import Target

NEEDED = ("pydantic_core/_pydantic_core",)  # Compiled, and needed to start at all.
# By platform: the file's magic bytes, the offset of the processor field, and its value.
FORMATS = {
    "linux_x86_64": (b"\x7fELF\x02\x01", 18, "<H", 62),
    "linux_aarch64": (b"\x7fELF\x02\x01", 18, "<H", 183),
    "macos_x86_64": (b"\xcf\xfa\xed\xfe", 4, "<I", 0x0100_0007),
    "macos_arm64": (b"\xcf\xfa\xed\xfe", 4, "<I", 0x0100_000C),
}
UNIVERSAL = b"\xca\xfe\xba\xbe"  # A macOS file for several processors.
AMD64 = 0x8664
SUFFIX = {
    "linux_x86_64": (".{cp}-x86_64-linux-gnu.so", ".abi3.so"),
    "linux_aarch64": (".{cp}-aarch64-linux-gnu.so", ".abi3.so"),
    "macos_x86_64": (".{cp}-darwin.so", ".abi3.so"),
    "macos_arm64": (".{cp}-darwin.so", ".abi3.so"),
    "windows_x86_64": (".{cp}-win_amd64.pyd", ".pyd", ".dll"),
}
RESERVED = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\..*)?", re.IGNORECASE)
UNSAFE = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')
LONGEST = 140  # Windows allows 260 for a whole path; the cache folder takes some 110.


def check(target: Target, site: Path) -> int:
    """Return how many compiled files *site* has, each fit for *target*. Raises Failed if one cannot run there."""
    files = [file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()]
    problems = [*_unsafe(files), *_lacking(target, files), *_badly_tagged(target, site)]
    native_files = [name for name in files if name.endswith((".so", ".pyd", ".dll", ".dylib"))]
    problems += [problem for name in native_files for problem in _unfit(target, site / name, name)]
    if problems:
        raise Failed(f"{target.key} could not run what was installed for it:\n  " + "\n  ".join(problems))
    return len(native_files)


def _lacking(target: Target, files: list[str]) -> Iterator[str]:
    for module in NEEDED:
        expected = [module + suffix.format(cp=_cp(target)) for suffix in SUFFIX[target.platform]]
        if not set(expected) & set(files):
            yield f"there is no {expected[0]}"


def _unfit(target: Target, file: Path, name: str) -> Iterator[str]:
    if not name.endswith(tuple(suffix.format(cp=_cp(target)) for suffix in SUFFIX[target.platform])):
        yield f"{name}: this Python does not load files of that name"
    head = file.read_bytes()[:4096]
    if target.platform == "windows_x86_64":
        header = struct.unpack_from("<I", head, 60)[0] if head[:2] == b"MZ" else 0
        if not header or struct.unpack_from("<H", head, header + 4)[0] != AMD64:
            yield f"{name}: it is not for this processor"
    elif not (head[:4] == UNIVERSAL and target.platform.startswith("macos")):
        magic, offset, byte_format, processor = FORMATS[target.platform]
        if not head.startswith(magic) or struct.unpack_from(byte_format, head, offset)[0] != processor:
            yield f"{name}: it is not for this system and processor"


def _badly_tagged(target: Target, site: Path) -> Iterator[str]:
    """Yield the packages whose own tags name another Python or platform."""
    for wheel in sorted(site.glob("*.dist-info/WHEEL")):
        tags = re.findall(r"^Tag: (\S+)", wheel.read_text(encoding="utf-8"), re.MULTILINE)
        if tags and not any(_fits(target, tag) for tag in tags):
            yield f"{wheel.parent.name} was made for {', '.join(tags)}"


def _fits(target: Target, tag: str) -> bool:
    python, abi, platform = tag.split("-")
    minor = int(target.tag[3:])
    same = python == target.tag or python.startswith("py3") or python.endswith(".py3")
    older = abi == "abi3" and python.startswith("cp3") and int(python[3:] or 0) <= minor
    system, _, processor = target.platform.partition("_")
    names = {"linux": "linux", "macos": "macosx", "windows": "win"}
    processors = {"windows": ("amd64",), "macos": (processor, "universal2")}.get(system, (processor,))
    here = platform == "any" or (names[system] in platform and platform.endswith(processors))
    return (same or older) and here


def _unsafe(files: list[str]) -> Iterator[str]:
    lowered: dict[str, str] = {}
    for name in files:
        if any(RESERVED.fullmatch(part) or UNSAFE.search(part) for part in PurePosixPath(name).parts):
            yield f"{name}: not a valid name on Windows"
        if len(name) > LONGEST:
            yield f"{name}: too long for Windows"
        other = lowered.setdefault(name.casefold(), name)
        if other != name:
            yield f"{name} and {other} are one file on case-insensitive systems"


def _cp(target: Target) -> str:
    return f"cpython-{target.tag[2:]}" if not target.platform.startswith("windows") else target.tag
