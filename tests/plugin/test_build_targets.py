"""What is built for platforms and Pythons that are not here: whether it could run there, told from its files."""

from __future__ import annotations

import ast
import json
import os
import struct
import subprocess
from pathlib import Path

import pytest

from buildtools import environments, package_checks, packages, targets, unused_dependencies
from buildtools.project import Project
from buildtools.run_programs import Failed
from buildtools.targets import MINORS, PLATFORMS, Target
from tests.plugin.executable_standin import ROOT, WORK

HEADS = {
    "linux_x86_64": b"\x7fELF\x02\x01".ljust(18, b"\0") + struct.pack("<H", 62),
    "linux_aarch64": b"\x7fELF\x02\x01".ljust(18, b"\0") + struct.pack("<H", 183),
    "macos_x86_64": b"\xcf\xfa\xed\xfe" + struct.pack("<I", 0x0100_0007),
    "macos_arm64": b"\xcf\xfa\xed\xfe" + struct.pack("<I", 0x0100_000C),
    "windows_x86_64": b"MZ".ljust(60, b"\0") + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<H", 0x8664),
}
NAMES = {
    "linux_x86_64": "cpython-312-x86_64-linux-gnu.so",
    "linux_aarch64": "cpython-312-aarch64-linux-gnu.so",
    "macos_x86_64": "cpython-312-darwin.so",
    "macos_arm64": "cpython-312-darwin.so",
    "windows_x86_64": "cp312-win_amd64.pyd",
}
TAGS = {
    "linux_x86_64": "manylinux_2_17_x86_64",
    "linux_aarch64": "manylinux_2_17_aarch64",
    "macos_x86_64": "macosx_10_12_x86_64",
    "macos_arm64": "macosx_11_0_arm64",
    "windows_x86_64": "win_amd64",
}


def site(folder: Path, platform: str) -> Path:
    """Packages as they are installed for Python 3.12 on *platform*."""
    (folder / "pydantic_core").mkdir(parents=True)
    (folder / "pydantic_core" / f"_pydantic_core.{NAMES[platform]}").write_bytes(HEADS[platform].ljust(128, b"\0"))
    (folder / "pydantic_core-2.dist-info").mkdir()
    wheel = folder / "pydantic_core-2.dist-info" / "WHEEL"
    wheel.write_text(f"Wheel-Version: 1.0\nTag: cp312-cp312-{TAGS[platform]}\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("platform", PLATFORMS)
def test_native_code_passes_the_check_of_its_own_platform_only(platform: str, tmp_path: Path) -> None:
    made = site(tmp_path / "site", platform)
    assert package_checks.check(Target(f"cp312-{platform}", None), made) == 1
    for other in set(PLATFORMS) - {platform}:
        with pytest.raises(Failed):
            package_checks.check(Target(f"cp312-{other}", None), made)
    with pytest.raises(Failed, match=r"there is no pydantic_core/_pydantic_core.*13"):
        package_checks.check(Target(f"cp313-{platform}", None), made)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("aux.py", "not a valid name on Windows"),
        ("folder./x.py", "not a valid name on Windows"),
        ("a:b.py", "not a valid name on Windows"),
        ("x" * 150, "too long"),
        ("Pydantic_Core/_pydantic_core.cpython-312-x86_64-linux-gnu.so", "one file on case-insensitive systems"),
    ],
)
def test_a_name_that_some_system_has_not_is_refused(name: str, reason: str, tmp_path: Path) -> None:
    made = site(tmp_path / "site", "linux_x86_64")
    (made / name).parent.mkdir(exist_ok=True)
    (made / name).write_bytes(HEADS["linux_x86_64"].ljust(128, b"\0"))
    with pytest.raises(Failed, match=reason):
        package_checks.check(Target("cp312-linux_x86_64", None), made)


def test_a_part_for_another_processor_or_another_python_is_refused(tmp_path: Path) -> None:
    made = site(tmp_path / "site", "linux_x86_64")
    strange = made / "pydantic_core" / "other.cpython-312-x86_64-linux-gnu.so"
    strange.write_bytes(HEADS["linux_aarch64"].ljust(128, b"\0"))
    with pytest.raises(Failed, match="not for this system and processor"):
        package_checks.check(Target("cp312-linux_x86_64", None), made)
    strange.rename(strange.with_name("other.cpython-311-x86_64-linux-gnu.so"))
    with pytest.raises(Failed, match="this Python does not load files of that name"):
        package_checks.check(Target("cp312-linux_x86_64", None), made)


def test_the_targets_are_five_platforms_by_every_python_that_is_served() -> None:
    keys = {target.key for target in targets.everything(Project.at(ROOT))}
    assert keys >= {f"cp3{minor}-{platform}" for platform in PLATFORMS for minor in MINORS}
    assert (len(PLATFORMS), min(MINORS), max(MINORS)) == (5, 11, 15)


def test_a_lock_is_divided_by_packages_and_loses_nothing() -> None:
    text = (ROOT / "requirements" / "runtime.txt").read_text(encoding="utf-8")
    names = [name for name, _ in unused_dependencies.blocks(text)]
    assert set(names) >= unused_dependencies.PACKAGES
    kept = unused_dependencies.without(text, unused_dependencies.PACKAGES)
    rest = unused_dependencies.only(text, unused_dependencies.PACKAGES)
    assert len(unused_dependencies.blocks(kept)) + len(unused_dependencies.blocks(rest)) == len(names)
    assert "cryptography" not in kept
    assert all(block.startswith(f"{name}==") and "--hash=" in block for name, block in unused_dependencies.blocks(kept))


def test_what_is_kept_of_pywin32_is_what_the_sdk_imports_and_needs_nothing_else(tmp_path: Path) -> None:
    project = Project(ROOT, WORK)
    windows = next(one for one in targets.everything(project) if one.key == "cp312-windows_x86_64")
    site = packages.installed(project, environments.development(project), windows)
    own = {file.name: file for folder in packages.PYWIN32_FOLDERS for file in (site / folder).rglob("*.*")}
    compiled = {name for name in own if name.endswith((".pyd", ".dll"))}
    assert compiled == {"_win32sysloader.pyd", "win32api.pyd", "win32job.pyd", "pywintypes312.dll"}
    needed = {
        name
        for file in compiled
        for name in imported_libraries(own[file].read_bytes())
        if "win32" in name or "py" in name
    }
    assert needed - {"python312.dll"} <= compiled
    importing = ast.parse((site / "mcp" / "os" / "win32" / "utilities.py").read_text(encoding="utf-8"))
    modules = {alias.name for node in ast.walk(importing) if isinstance(node, ast.Import) for alias in node.names}
    assert {name for name in modules if name.startswith(("win32", "py"))} == {
        *("pywintypes", "win32api", "win32con", "win32job")
    }
    assert {"pywintypes.py", "win32con.py", "pywin32_bootstrap.py"} <= set(own)


def imported_libraries(data: bytes) -> set[str]:
    """Return the names in the import table of a 64-bit Windows library."""
    header = struct.unpack_from("<I", data, 60)[0]
    count, size = struct.unpack_from("<H", data, header + 6)[0], struct.unpack_from("<H", data, header + 20)[0]
    sections = [struct.unpack_from("<8sIIII", data, header + 24 + size + 40 * number) for number in range(count)]

    def offset(address: int) -> int:
        return next(raw + address - start for _, _, start, length, raw in sections if start <= address < start + length)

    names = set()
    entry = offset(struct.unpack_from("<I", data, header + 24 + 112 + 8)[0])
    while name := struct.unpack_from("<5I", data, entry)[3]:
        at = offset(name)
        names.add(data[at : data.index(b"\0", at)].decode("ascii"))
        entry += 20
    return names


# ---- what stays out ---------------------------------------------------------------------------------

IMPORTED_LATE = {
    # By those who ask a server, which is never done here: their look at its answers, HTTP, and their credentials.
    "mcp.client.session": {"jsonschema", "referencing"},
    "httpx2._alias": {"httpcore2"},
    "httpx2._config": {"httpcore2"},
    "httpx2._transports.default": {"httpcore2"},
    # By those who serve HTTP; sse-starlette catches the missing module.
    "mcp.server.mcpserver.server": {"uvicorn"},
    "sse_starlette.sse": {"uvicorn"},
    # Served by a module in server/absent.
    "mcp.server.request_state": {"cryptography"},
}
"""What of all that the server loads would import something that is left out, each looked at."""

LOADED = """
import json, sys
import autology.tools.stdio, autology.tools.server
from autology.tools import server
from autology.tools.project import ServedProject
server.server(ServedProject())
files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
print(json.dumps({name: file for name, file in files.items() if file}))
"""


@pytest.fixture(scope="module")
def loaded() -> dict[str, Path]:
    """The modules of a server, loaded from the packages as they are in the executable."""
    project = Project(ROOT, WORK)
    kept = packages.installed(project, environments.development(project), targets.here(project))
    command = [targets.THIS_PYTHON, "-S", "-c", LOADED]
    path = os.pathsep.join([str(ROOT / "server"), str(kept)])
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name: Path(file) for name, file in json.loads(done.stdout).items()}


def test_a_server_loads_nothing_of_what_is_left_out_but_what_stands_for_it(loaded: dict[str, Path]) -> None:
    assert len(loaded) > 300
    there = {name for name in loaded if name.partition(".")[0] in unused_dependencies.MODULES}
    absent = sorted((ROOT / "server" / "absent").rglob("*.py"))
    assert len(absent) > 3
    assert there == {".".join(file.relative_to(ROOT / "server" / "absent").with_suffix("").parts) for file in absent}


def test_nothing_that_a_server_loads_imports_later_what_is_left_out(loaded: dict[str, Path]) -> None:
    result: dict[str, set[str]] = {}
    looked = 0
    for name, file in loaded.items():
        if file.suffix != ".py" or not {"site", "server"} & set(file.parts):
            continue
        looked += 1
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                named.append(node.module or "")
            for top in {each.partition(".")[0] for each in named} & unused_dependencies.MODULES:
                result.setdefault(name, set()).add(top)
    assert looked > 200
    assert result == IMPORTED_LATE


def test_placeholder_classes_of_absent_modules_cannot_be_used() -> None:
    made = 0
    for file in (ROOT / "server" / "absent").rglob("*.py"):
        scope: dict[str, object] = {"__name__": "absent"}
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), scope)
        for thing in scope.values():
            if isinstance(thing, type) and not issubclass(thing, Exception):
                made += 1
                with pytest.raises((NotImplementedError, TypeError)):
                    thing()
    assert made == 3
