"""Building the executable: what goes in, the same each time, and only when it is needed."""

import ast
import marshal
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from autology_boot import target
from buildtools import archive, closure, environments, packages, targets
from buildtools.project import Project
from buildtools.run_programs import Failed
from buildtools.targets import PLATFORMS, Target
from tests.plugin.executable_standin import ROOT, WORK, base_python, build, checkout

pytestmark = pytest.mark.xdist_group("build")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = checkout(tmp_path_factory.mktemp("checkout"))
    done = build(folder, "build")
    assert done.returncode == 0, done.stderr
    return folder


def executable(folder: Path) -> Path:
    return folder / "dist" / "autology.pyz"


def test_two_builds_by_one_interpreter_are_byte_identical_wherever_they_are_made(built: Path, tmp_path: Path) -> None:
    other = tmp_path / "somewhere" / "else"
    other.mkdir(parents=True)
    assert build(checkout(other), "build").returncode == 0
    first = executable(built).read_bytes()
    assert len(first) > 1_000_000
    assert executable(other).read_bytes() == first


def test_the_packages_bytecode_is_the_same_each_time(tmp_path: Path) -> None:
    project = Project(ROOT, WORK)
    kept = packages.installed(project, environments.development(project), targets.here(project))
    shutil.copytree(kept, tmp_path / "site", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    packages.compile_in_place(targets.THIS_PYTHON, tmp_path / "site")
    compared = 0
    for file in (tmp_path / "site").rglob("*.pyc"):
        assert file.read_bytes() == (kept / file.relative_to(tmp_path / "site")).read_bytes(), file
        compared += 1
    assert compared > 400


def test_a_build_that_is_up_to_date_is_left_alone_and_a_change_makes_it_again(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    assert build(folder, "build").returncode == 0
    before = executable(folder).stat().st_mtime_ns
    again = build(folder, "build")
    assert "building" not in again.stderr
    assert executable(folder).stat().st_mtime_ns == before
    (folder / "server" / "autology" / "extra.py").write_text("WORD = 'changed'\n", encoding="utf-8")
    assert "changed" in build(folder, "run", "lazy").stdout
    assert executable(folder).stat().st_mtime_ns != before


def test_two_processes_that_need_the_executable_build_it_once(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    command = [base_python(), folder / "build.py", "run", "--version"]
    environment = {**os.environ, "AUTOLOGY_BUILD_DIR": str(WORK)}
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in "ab"
    ]
    message = [process.communicate(timeout=600) for process in both]
    assert [out for out, _ in message] == ["autology 0.1.0\n"] * 2, message
    assert sum("building autology" in err for _, err in message) == 1


def test_run_hands_over_arguments_output_and_exit_code(built: Path) -> None:
    done = build(built, "run", "echo", "--help", "two words")
    assert '"argv": ["echo", "--help", "two words"]' in done.stdout
    assert build(built, "run", "no-such-command").returncode == 2


def test_a_build_that_cannot_be_made_says_why_and_leaves_the_old_one(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    assert build(folder, "build").returncode == 0
    before = executable(folder).read_bytes()
    runner = folder / "server" / "autology" / "hooks" / "runner.py"
    runner.write_text("from autology.text import heavy\n", encoding="utf-8")
    done = build(folder, "build")
    assert done.returncode == 1
    assert "autology.hooks.runner imports autology.text.heavy imports yaml" in done.stderr
    assert executable(folder).read_bytes() == before


def nested(pyz: Path) -> dict[str, dict[str, bytes]]:
    """Return the files of each nested archive, by their path in it."""
    parts: dict[str, dict[str, bytes]] = {}
    with zipfile.ZipFile(pyz) as opened:
        for part in [name for name in opened.namelist() if ".tar." in name]:
            with tarfile.open(fileobj=BytesIO(opened.read(part))) as inner:
                files = {entry.name: inner.extractfile(entry) for entry in inner if entry.isfile()}
                parts[part] = {name: file.read() for name, file in files.items() if file}
    return parts


def test_a_start_reads_few_entries_and_needs_no_decompression(built: Path) -> None:
    with zipfile.ZipFile(executable(built)) as opened:
        entries = opened.infolist()
    ours = [entry for entry in entries if not entry.filename.startswith("hooks-")]
    assert 0 < len(ours) < 40
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}


def test_the_hooks_folder_holds_what_hooks_import_as_bytecode_and_as_source(built: Path) -> None:
    with zipfile.ZipFile(executable(built)) as opened:
        names = set(opened.namelist())
    modules = {"__init__", "hooks/__init__", "hooks/runner", "startup/__init__", "startup/serving"}
    modules |= {"text/__init__", "text/words"}
    tag = sys.implementation.cache_tag
    assert {name for name in names if name.startswith("hooks-")} == {
        *(f"hooks-src/autology/{module}.py" for module in modules),
        *(f"hooks-{tag}/autology/{module}.pyc" for module in modules),
    }


def test_bytecode_is_never_rechecked_and_names_no_place_of_the_machine(built: Path) -> None:
    checked = 0
    with zipfile.ZipFile(executable(built)) as opened:
        codes = {name: opened.read(name) for name in opened.namelist() if name.endswith(".pyc")}
    for files in nested(executable(built)).values():
        codes |= {name: data for name, data in files.items() if name.endswith(".pyc")}
    for name, data in codes.items():
        assert int.from_bytes(data[4:8], "little") == 0b01, f"{name} would be compared with its source"
        file = marshal.loads(data[16:]).co_filename
        assert not file.startswith("/"), f"{name} says {file}"
        assert ".." not in file
        checked += 1
    assert checked > 500


def test_shiv_can_still_say_what_the_executable_is(built: Path) -> None:
    program = Path(sys.executable).parent / "shiv-info"
    done = subprocess.run([program, executable(built)], capture_output=True, text=True)
    assert "entry_point: autology.__main__:main" in done.stdout, done.stderr
    assert "reproducible: True" in done.stdout


def test_bundled_packages_keep_metadata_and_lose_unused_files(built: Path) -> None:
    names = [name.partition("/")[2] for name in nested(executable(built))[f"{target.platform()}.tar.xz"]]
    assert any(name.startswith("mcp-") and name.endswith(".dist-info/METADATA") for name in names)
    assert not [
        name
        for name in names
        if name.endswith((".pyi", "/RECORD", "uv_cache.json")) or name.startswith(("bin/", "yaml/_yaml", "tzdata/"))
    ]


def test_targets_share_what_is_alike_and_each_gets_all_of_its_own(tmp_path: Path) -> None:
    sites = {}
    for tag in ("cp311", "cp312"):
        for platform in ("linux_x86_64", "macos_arm64"):
            site = tmp_path / f"{tag}-{platform}"
            for name, text in {
                "pure.py": "everywhere",
                "pure.pyc": tag,
                "stable.so": platform,
                "native.so": tag + platform,
                "only.py": "all but one",
            }.items():
                if (name, tag, platform) != ("only.py", "cp312", "macos_arm64"):
                    site.mkdir(exist_ok=True)
                    (site / name).write_text(text, encoding="utf-8")
            sites[Target(site.name, None)] = site
    (tmp_path / "ours").mkdir()
    table = tmp_path / "ours" / "autology" / "embedding" / "static.bin"
    table.parent.mkdir(parents=True)
    table.write_text("numbers", encoding="utf-8")
    held = archive.parts(sites, tmp_path / "ours")
    assert {part.name: [set(group.files) for group in part.groups] for part in held} == {
        "autology.tar.xz": [set()],
        "table.tar.gz": [{"autology/embedding/static.bin"}],
        "packages.tar.xz": [{"pure.pyc"}, {"only.py"}, {"pure.py"}, {"pure.pyc"}],
        "linux_x86_64.tar.xz": [{"native.so"}, {"stable.so"}, {"native.so"}],
        "macos_arm64.tar.xz": [{"native.so"}, {"stable.so"}, {"native.so"}],
    }
    scope: dict[str, dict[str, dict[str, list[str]]]] = {}
    exec(archive.facts("1", "2", [chosen.key for chosen in sites], held), scope)
    members = {f"{part.name}/{name}": file for part in held for name, file in part.members()}
    for chosen, site in sites.items():
        unpacked = {
            name.split("/", 2)[2]: file.read_text(encoding="utf-8")
            for name, file in members.items()
            if name.split("/")[1] in scope["TARGETS"][chosen.key].get(name.split("/")[0], [])
        }
        assert unpacked.pop("autology/embedding/static.bin") == "numbers"
        assert unpacked == {file.name: file.read_text(encoding="utf-8") for file in site.iterdir()}


def test_the_running_platform_is_one_that_users_install_on() -> None:
    assert target.platform() in PLATFORMS


def package(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {"__init__.py": "", "hooks/__init__.py": "", **files}.items():
        file = folder / "autology" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / "autology"


def test_the_closure_follows_relative_imports_packages_and_functions(tmp_path: Path) -> None:
    hits = closure.hook_modules(
        package(
            tmp_path,
            {
                "hooks/a.py": "from . import b\nfrom ..core import find\ndef g():\n    import autology.core.late\n",
                "hooks/b.py": "import autology.model.node as n\n",
                "core/__init__.py": "from .words import w\n",
                "core/find.py": "",
                "core/words.py": "",
                "core/late.py": "",
                "core/unused.py": "",
                "model/__init__.py": "",
                "model/node.py": "",
            },
        )
    )
    names = {name.removeprefix("autology.") for name in hits}
    assert names == {
        *("autology", "hooks", "hooks.a", "hooks.b", "core", "core.find", "core.words", "core.late"),
        *("model", "model.node"),
    }


def test_hooks_may_import_third_party_modules_only_as_optional(tmp_path: Path) -> None:
    files = {
        "hooks/a.py": "from autology.text import soft\ndef never():\n    from autology import wire\n",
        "text/__init__.py": "",
        "text/soft.py": "try:\n    import yaml\nexcept ImportError:\n    yaml = None\n",
        "wire.py": "import pydantic\n",
    }
    assert "autology.wire" not in closure.hook_modules(package(tmp_path, files))
    with pytest.raises(Failed, match=r"autology\.hooks\.a imports autology.wire imports pydantic"):
        closure.hook_modules(package(tmp_path, {**files, "hooks/a.py": "import autology.wire\n"}))


def test_the_boot_is_syntax_that_python_3_8_reads() -> None:
    sources = list((ROOT / "server" / "boot").rglob("*.py"))
    assert len(sources) > 5
    for source in sources:
        ast.parse(source.read_text(encoding="utf-8"), feature_version=(3, 8))


def test_the_locks_are_hashed_and_name_no_registry() -> None:
    for name in ("runtime.txt", "dev.txt"):
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        pins = [line for line in text.splitlines() if line and line[0].isalnum()]
        assert len(pins) > 20
        assert all("==" in pin and pin.endswith("\\") for pin in pins)
        assert "://" not in text
    assert "://" not in (ROOT / "requirements" / "client" / "package-lock.json").read_text(encoding="utf-8")


def test_help_names_every_command_and_a_wrong_one_is_a_usage_error(built: Path) -> None:
    output = build(built, "--help").stdout
    assert all(command in output for command in ("build", "run", "test", "lint", "bench", "release", "lock"))
    assert "\x1b" not in output
    assert build(built, "nonsense").returncode == 2
    wrong = build(built, "bench", "nonsense")
    assert wrong.returncode == 1
    assert "no measurement called nonsense" in wrong.stderr


def test_an_old_python_gets_a_readable_message() -> None:
    text = (ROOT / "build.py").read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 7))  # What it cannot parse it cannot explain.
    assert text.index("needs Python 3.11") < text.index("import argparse")
