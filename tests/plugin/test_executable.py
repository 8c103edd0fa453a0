"""Starting the executable: unpacked once, whole, repaired, and never without a word when it cannot be."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from buildtools import targets
from buildtools.project import Project
from tests.plugin.executable_standin import ROOT, base_python, build, checkout, homes

pytestmark = pytest.mark.xdist_group("executable")


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = checkout(tmp_path_factory.mktemp("checkout"))
    done = build(folder, "build")
    assert done.returncode == 0, done.stderr
    return folder / "dist" / "autology.pyz"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return homes(tmp_path)


def start(
    pyz: Path,
    *arguments: str,
    home: Mapping[str, str],
    given: bytes = b"",
    flags: tuple[str, ...] = ("-I", "-S"),
) -> subprocess.CompletedProcess[bytes]:
    command = [base_python(), *flags, pyz, *arguments]
    return subprocess.run(command, env=home, input=given, capture_output=True, timeout=600)


def copies(home: Mapping[str, str]) -> list[Path]:
    root = Path(home["AUTOLOGY_CACHE_DIR"]) / "app"
    return sorted(path for path in root.iterdir() if not path.name.startswith(".")) if root.exists() else []


def left_over(home: Mapping[str, str]) -> list[str]:
    return [
        path.name
        for path in (Path(home["AUTOLOGY_CACHE_DIR"]) / "app").iterdir()
        if path.name[:5] in {".new-", ".old-"}
    ]


def test_the_executable_starts_isolated_or_not_and_by_name(pyz: Path, home: dict[str, str]) -> None:
    for flags in [("-I", "-S"), (), ("-E",), ("-X", "utf8=0")]:
        assert start(pyz, "--version", home=home, flags=flags).stdout == b"autology 0.1.0\n"
    by_name = subprocess.run([f"./{pyz.name}", "--version"], cwd=pyz.parent, env=home, capture_output=True)
    assert by_name.stdout == b"autology 0.1.0\n"
    assert len(copies(home)) == 1


def test_the_program_sees_its_arguments_the_archive_and_its_copy_first(pyz: Path, home: dict[str, str]) -> None:
    output = json.loads(start(pyz, "echo", "a b", "--json", home=home).stdout)
    assert output["argv"] == ["echo", "a b", "--json"]
    assert output["argv0"] == str(pyz)
    assert output["path0"] == str(copies(home)[0])


def test_text_is_utf8_whatever_the_locale(pyz: Path, home: dict[str, str]) -> None:
    home |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"}
    assert "ÄЖ漢" in start(pyz, "echo", home=home, flags=()).stdout.decode("utf-8")


def test_an_interrupt_during_startup_exits_silently(tmp_path: Path) -> None:
    boot = tmp_path / "autology_boot"
    boot.mkdir()
    (boot / "__init__.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    shutil.copy(ROOT / "server" / "boot" / "__main__.py", tmp_path)
    done = subprocess.run([sys.executable, str(tmp_path), "status"], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_exit_codes_are_handed_on(pyz: Path, home: dict[str, str]) -> None:
    assert start(pyz, "unknown", home=home).returncode == 2


def test_the_third_party_packages_load_from_the_copy(pyz: Path, home: dict[str, str]) -> None:
    done = start(pyz, "serve", home=home)
    assert done.stdout.startswith(b"serving on 3."), done.stderr


def test_everything_is_compiled_once_and_nothing_is_written_later(pyz: Path, home: dict[str, str]) -> None:
    start(pyz, "--version", home=home)
    (copy,) = copies(home)
    before = {path: path.stat().st_mtime_ns for path in copy.rglob("*.pyc")}
    assert len(before) > 400
    start(pyz, "serve", home=home, flags=())
    assert {path: path.stat().st_mtime_ns for path in copy.rglob("*.pyc")} == before


def test_eight_at_once_on_a_cold_cache_all_work(pyz: Path, home: dict[str, str]) -> None:
    command = [base_python(), "-I", "-S", pyz, "--version"]
    eight = [subprocess.Popen(command, env=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(8)]
    message = [process.communicate(timeout=600) for process in eight]
    assert message == [(b"autology 0.1.0\n", b"")] * 8
    assert len(copies(home)) == 1
    assert left_over(home) == []


def test_killed_while_unpacking_it_starts_the_next_time(pyz: Path, home: dict[str, str]) -> None:
    app = Path(home["AUTOLOGY_CACHE_DIR"]) / "app"
    killed = 0
    for moment in (0.0, 0.05, 0.1, 0.2):
        process = subprocess.Popen([base_python(), "-I", "-S", pyz, "--version"], env=home, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 600
        while not list(app.glob(".new-*")) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(moment)
        process.kill()
        killed += process.wait() == -signal.SIGKILL
        assert start(pyz, "lazy", home=home).stdout == b"here\n"
        for copy in copies(home):
            shutil.rmtree(copy)
    assert killed
    assert left_over(home) == []


@pytest.mark.parametrize(
    "lost", ["autology/__main__.py", "autology/extra.py", "mcp", ".files", ".folders", "yaml/__init__.py"]
)
def test_a_copy_that_lost_a_part_is_made_again(pyz: Path, home: dict[str, str], lost: str) -> None:
    start(pyz, "--version", home=home)
    (copy,) = copies(home)
    if (copy / lost).is_dir():
        shutil.rmtree(copy / lost)
    else:
        (copy / lost).unlink()
        cached = (copy / lost).parent / "__pycache__"
        for file in cached.glob(f"{Path(lost).stem}.*"):
            file.unlink()
    assert start(pyz, "lazy", home=home).stdout == b"here\n"
    assert start(pyz, "serve", home=home).stdout.startswith(b"serving")
    assert (copy / lost).exists()
    assert left_over(home) == []


def test_a_file_cut_short_is_repaired_when_it_fails_to_load(pyz: Path, home: dict[str, str]) -> None:
    start(pyz, "--version", home=home)
    (copy,) = copies(home)
    for file in (copy / "autology").rglob("extra.*"):
        with file.open("r+b") as stream:
            stream.truncate(20 if file.suffix == ".pyc" else 3)
    done = start(pyz, "lazy", home=home)
    assert done.stdout == b"here\n", done.stderr
    assert left_over(home) == []


def test_missing_or_truncated_bytecode_is_compiled_once(pyz: Path, home: dict[str, str]) -> None:
    start(pyz, "--version", home=home)
    (copy,) = copies(home)
    for file in copy.rglob("*.pyc"):  # As a file for several Pythons unpacks.
        file.unlink()
    listed = (copy / ".files").read_text(encoding="utf-8").splitlines()
    (copy / ".files").write_text("\n".join(line for line in listed if not line.endswith(".pyc")), encoding="utf-8")
    never = {**home, "PYTHONDONTWRITEBYTECODE": "1"}
    start(pyz, "lazy", home=never, flags=())
    (extra,) = (copy / "autology" / "__pycache__").glob("extra.*.pyc")
    before = (extra.stat().st_ino, extra.stat().st_mtime_ns)
    assert start(pyz, "lazy", home=never, flags=()).stdout == b"here\n"
    assert (extra.stat().st_ino, extra.stat().st_mtime_ns) == before
    with extra.open("r+b") as stream:
        stream.truncate(20)
    assert start(pyz, "lazy", home=home).stdout == b"here\n"
    assert left_over(home) == []


def test_a_copy_that_was_only_touched_is_kept(pyz: Path, home: dict[str, str]) -> None:
    start(pyz, "--version", home=home)
    (copy,) = copies(home)
    inode = copy.stat().st_ino
    (copy / "mcp" / "__pycache__" / "stranger.pyc").write_bytes(b"")
    assert start(pyz, "--version", home=home).returncode == 0
    assert copy.stat().st_ino == inode


def test_copies_of_old_builds_go_after_a_week_without_a_start(pyz: Path, home: dict[str, str]) -> None:
    app = Path(home["AUTOLOGY_CACHE_DIR"]) / "app"
    now = time.time()
    for name, age in {"old-cp311-linux": 8, "recent-cp311-linux": 6, ".new-dead": 1, ".old-dead": 1}.items():
        (app / name).mkdir(parents=True)
        (app / name / ".folders").write_text("", encoding="utf-8")
        for path in (app / name / ".folders", app / name):
            os.utime(path, (now - age * 86400,) * 2)
    start(pyz, "--version", home=home)
    names = {path.name for path in app.iterdir()} - {".lock"}
    assert names == {"recent-cp311-linux", copies(home)[0].name} | {copy.name for copy in copies(home)}
    assert len(names) == 2


def test_a_copy_of_an_old_build_also_goes_when_nothing_is_unpacked(pyz: Path, home: dict[str, str]) -> None:
    start(pyz, "--version", home=home)
    (copy,) = copies(home)
    old = copy.with_name("old-cp311-linux")
    old.mkdir()
    (old / ".folders").write_text("", encoding="utf-8")
    for path, age in {old / ".folders": 8, copy / ".folders": 2}.items():
        os.utime(path, (time.time() - age * 86400,) * 2)
    start(pyz, "--version", home=home)
    assert copies(home) == [copy]


def test_a_start_marks_its_copy_as_in_use(pyz: Path, home: dict[str, str]) -> None:
    start(pyz, "--version", home=home)
    marker = copies(home)[0] / ".folders"
    os.utime(marker, (time.time() - 6 * 86400,) * 2)
    start(pyz, "--version", home=home)
    assert time.time() - marker.stat().st_mtime < 3600


def test_a_cache_that_cannot_be_written_is_replaced_by_a_temporary_folder(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file stands here", encoding="utf-8")
    (tmp_path / "tmp").mkdir()
    home |= {"TMPDIR": str(tmp_path / "tmp")}
    assert start(pyz, "--version", home=home).stdout == b"autology 0.1.0\n"
    (root,) = (tmp_path / "tmp").iterdir()
    assert root.stat().st_mode & 0o077 == 0
    before = {path.name: path.stat().st_mtime_ns for path in (root / "app").iterdir()}
    assert start(pyz, "--version", home=home).stdout == b"autology 0.1.0\n"
    assert {path.name: path.stat().st_mtime_ns for path in (root / "app").iterdir()} == before


@pytest.mark.parametrize("linked", ["app", "copy"])
def test_a_link_where_the_copy_is_to_lie_is_not_followed(
    pyz: Path, home: dict[str, str], tmp_path: Path, linked: str
) -> None:
    (tmp_path / "tmp").mkdir()
    home |= {"TMPDIR": str(tmp_path / "tmp")}
    start(pyz, "--version", home=home)
    app = Path(home["AUTOLOGY_CACHE_DIR"]) / "app"
    place = app if linked == "app" else copies(home)[0]
    planted = place.rename(tmp_path / "planted")
    place.symlink_to(planted, target_is_directory=True)
    main = next(planted.rglob("autology/__main__.py"))
    was = main.read_bytes()
    main.write_bytes(b"def main(_):\n    print('planted')\n    return 0\n".ljust(len(was), b"\n"))
    for cached in main.parent.glob("__pycache__/__main__*.pyc"):
        cached.unlink()
    for _ in range(2):
        done = start(pyz, "--version", home=home)
        assert (done.returncode, done.stdout) == (0, b"autology 0.1.0\n"), done.stderr
    assert planted.exists()
    if linked == "app":
        assert list((tmp_path / "tmp").iterdir())
    else:
        assert not copies(home)[0].is_symlink()


def test_a_folder_of_the_cache_that_others_may_write_to_is_not_trusted(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "tmp").mkdir()
    app = Path(home["AUTOLOGY_CACHE_DIR"]) / "app"
    app.mkdir(parents=True)
    app.chmod(0o777)
    done = start(pyz, "--version", home=home | {"TMPDIR": str(tmp_path / "tmp")})
    assert done.stdout == b"autology 0.1.0\n"
    assert copies(home) == []


@pytest.fixture
def nowhere(home: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A machine on which nothing of ours can be written: its folders are files."""
    (tmp_path / "cache").write_text("", encoding="utf-8")
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / f"autology-{os.getuid()}").write_text("", encoding="utf-8")
    return home | {"TMPDIR": str(tmp_path / "tmp")}


def test_a_temporary_folder_that_others_may_write_to_is_not_trusted(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("", encoding="utf-8")
    planted = tmp_path / "tmp" / f"autology-{os.getuid()}"
    planted.mkdir(parents=True)
    planted.chmod(0o777)
    done = start(pyz, "--version", home=home | {"TMPDIR": str(tmp_path / "tmp")})
    assert done.returncode == 3
    assert b"not private to this user" in done.stderr


def test_with_no_writable_folder_a_command_says_what_to_do(pyz: Path, nowhere: dict[str, str]) -> None:
    done = start(pyz, "status", home=nowhere)
    assert done.returncode == 3
    assert done.stdout == b""
    assert b"AUTOLOGY_CACHE_DIR" in done.stderr
    assert b"Traceback" not in done.stderr


def requests(*messages: Mapping[str, object]) -> bytes:
    return b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages)


def test_with_no_writable_folder_the_server_answers_and_says_why(pyz: Path, nowhere: dict[str, str]) -> None:
    values = requests(
        {"id": "probe", "method": "server/discover", "params": {}},
        {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/list"},
        {"id": 2, "method": "tools/call", "params": {"name": "autology_status", "arguments": {}}},
        {"id": 3, "method": "tools/call", "params": {"name": "autology_query", "arguments": {}}},
        {"id": 4, "method": "ping"},
    )
    done = start(pyz, "serve", home=nowhere, given=values + b"not json\n\n[]\n")
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["probe", 0, 1, 2, 3, 4, None, None]
    assert answers[0]["error"]["code"] == -32601
    assert answers[1]["result"]["protocolVersion"] == "2025-11-25"
    assert answers[1]["result"]["serverInfo"] == {"name": "autology", "version": "0.1.0"}
    assert [tool["name"] for tool in answers[2]["result"]["tools"]] == ["autology_status"]
    (content,) = answers[3]["result"]["content"]
    assert "AUTOLOGY_CACHE_DIR" in content["text"]
    assert "no folder is writable" in answers[4]["error"]["message"]
    assert [answer["error"]["code"] for answer in answers[6:]] == [-32700, -32600]
    log = Path(nowhere["AUTOLOGY_DATA_DIR"]) / "log" / "autology.log"
    assert "no folder is writable" in log.read_text(encoding="utf-8")


def without_this_python(pyz: Path, folder: Path) -> Path:
    """Return a copy of the executable that holds nothing for the running Python, as if that were too old."""
    other = folder / "other.pyz"
    with zipfile.ZipFile(pyz) as old, zipfile.ZipFile(other, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == "autology_boot/facts.pyc":
                continue
            if entry.filename == "autology_boot/facts.py":
                data = data.replace(b"{'cp3", b"{'cp9")
            new.writestr(entry, data)
    return other


def test_without_a_python_that_fits_the_server_says_which_to_install(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    other = without_this_python(pyz, tmp_path)
    home |= {"PATH": str(tmp_path)}
    done = start(
        other,
        "serve",
        home=home,
        given=requests({"id": 1, "method": "tools/call", "params": {"name": "autology_status"}}),
    )
    text = json.loads(done.stdout)["result"]["content"][0]["text"]
    assert "This file was built for cp9" in text
    assert "This is Python {}.{}".format(*sys.version_info) in text
    assert "build.py release --all" in text
    command = start(other, "status", home=home)
    assert command.returncode == 3
    assert b"Build one" in command.stderr


def test_the_newest_python_that_fits_is_found_and_remembered(pyz: Path, home: dict[str, str], tmp_path: Path) -> None:
    other = without_this_python(pyz, tmp_path)
    with zipfile.ZipFile(other) as archive:
        fitting = archive.read("autology_boot/facts.py").decode().partition("{'")[2].partition("'")[0]
    result = tmp_path / "real python"
    result.write_text('#!/bin/sh\necho "ran $*"\n', encoding="utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3.15").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (programs / "python3.14").write_text(
        f"#!/bin/sh\necho asked >> '{tmp_path}/asked'\nprintf '%s\\n%s\\n' '{fitting}' '{result}'\n",
        encoding="utf-8",
    )
    for program in (result, *programs.iterdir()):
        program.chmod(0o755)
    home |= {"PATH": f"{programs}:/usr/bin:/bin"}
    for _ in range(2):
        done = start(other, "status", "--json", home=home)
        assert done.stdout.decode() == f"ran -I -S {other} status --json\n", done.stderr
    assert (tmp_path / "asked").read_text(encoding="utf-8") == "asked\n"


def without_lzma(pyz: Path, folder: Path) -> Path:
    """Return a copy of the executable that starts as on a Python that was built without liblzma."""
    other = folder / "without_lzma.pyz"
    with zipfile.ZipFile(pyz) as old, zipfile.ZipFile(other, "w") as new:
        for entry in old.infolist():
            if entry.filename != "__main__.pyc":
                start = b"import sys\nsys.modules['_lzma'] = None\n" if entry.filename == "__main__.py" else b""
                new.writestr(entry, start + old.read(entry))
    return other


def test_without_lzma_a_copy_serves_and_without_a_copy_the_next_step_is_named(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    other = without_lzma(pyz, tmp_path)
    home |= {"PATH": str(tmp_path)}
    done = start(other, "--version", home=home)
    assert (done.returncode, done.stdout) == (3, b"")
    assert f"{sys._base_executable} was built without the module lzma".encode() in done.stderr  # type: ignore[attr-defined]
    assert b"apt-get install liblzma-dev" in done.stderr
    (tmp_path / ".autology").mkdir()
    hook = subprocess.run(
        [base_python(), "-I", "-S", other, "hook", "post-commit"],
        env=home,
        cwd=tmp_path,
        input=b"git commit",
        capture_output=True,
    )
    assert hook.stdout.startswith(b"post-commit 10"), hook.stderr
    assert start(pyz, "--version", home=home).stdout == b"autology 0.1.0\n"
    assert start(other, "--version", home=home).stdout == b"autology 0.1.0\n"
    (copies(home)[0] / "autology" / "__main__.py").unlink()
    damaged = start(other, "--version", home=home)
    assert damaged.returncode == 3
    assert b"Delete the folder" in damaged.stderr
    assert left_over(home) == []


def test_without_lzma_another_python_that_has_it_starts(pyz: Path, home: dict[str, str], tmp_path: Path) -> None:
    result = tmp_path / "real python"
    result.write_text('#!/bin/sh\necho "ran $*"\n', encoding="utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    answer = f"printf '%s\\n%s\\n' '{targets.here(Project.at(ROOT)).key}' '{result}'"
    (programs / "python3.14").write_text(f"#!/bin/sh\ncase $4 in *'import lzma'*) {answer};; esac\n", encoding="utf-8")
    for program in (result, *programs.iterdir()):
        program.chmod(0o755)
    other = without_lzma(pyz, tmp_path)
    done = start(other, "status", home=home | {"PATH": f"{programs}:/usr/bin:/bin"})
    assert done.stdout.decode() == f"ran -I -S {other} status\n", done.stderr


NO_OTHER = pytest.param(None, marks=pytest.mark.skip("no other Python is installed on this machine"))


def old_pythons() -> list[str]:
    names = [f"python3.{minor}" for minor in (8, 9, 10)]
    installed = [shutil.which(name) for name in names]
    versions = Path.home() / ".pyenv" / "versions"
    installed += [str(path) for name in names for path in versions.glob(f"*/bin/{name}")]
    return [
        path for path in installed if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0
    ]


@pytest.mark.parametrize("old", old_pythons() or [NO_OTHER])
def test_an_old_python_hands_over_to_one_that_fits(pyz: Path, home: dict[str, str], tmp_path: Path, old: str) -> None:
    home |= {"PATH": f"{Path(base_python()).parent}:/usr/bin:/bin"}
    done = subprocess.run([old, "-I", "-S", pyz, "serve"], env=home, capture_output=True, timeout=600)
    expected = f"serving on {sys.version.split()[0]}\n".encode()
    assert done.stdout == expected, done.stderr
    (tmp_path / ".autology").mkdir()
    process = subprocess.run(
        [old, "-I", "-S", pyz, "hook", "post-commit"],
        env=home,
        cwd=tmp_path,
        input=b"git commit",
        capture_output=True,
    )
    assert process.stdout.startswith(b"post-commit 10"), process.stderr


def other_targets() -> list[targets.Target]:
    """Another Python that is here, looked for before the tests get homes of their own."""
    own = targets.here(Project.at(ROOT)).key
    known = targets.everything(Project.at(ROOT))
    return [one for one in known if one.key != own and one.runs_here()][:1]


@pytest.mark.parametrize("second", other_targets() or [NO_OTHER], ids=lambda target: getattr(target, "key", ""))
def test_two_pythons_share_one_executable_and_one_cache(
    home: dict[str, str], tmp_path: Path, second: targets.Target
) -> None:
    folder = tmp_path / "checkout"
    folder.mkdir()
    own = targets.here(Project.at(ROOT))
    done = build(checkout(folder), "build", "--target", own.key, "--target", second.key)
    assert done.returncode == 0, done.stderr
    for _ in range(2):
        for one in (own, second):
            command = [str(one.python), "-I", "-S", folder / "dist" / "autology.pyz", "serve"]
            process = subprocess.run(command, env=home, capture_output=True, text=True, timeout=600)
            version = f"3.{one.tag.removeprefix('cp3')}."
            assert process.stdout.startswith(f"serving on {version}"), process.stderr
    assert {copy.name.partition("-")[2] for copy in copies(home)} == {own.key, second.key}
