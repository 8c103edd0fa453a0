"""Hooks through the executable: straight from the archive, cheap when silent, never in the way."""

import json
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from autology_boot import log
from tests.plugin.executable_standin import base_python, build, checkout, homes

pytestmark = pytest.mark.xdist_group("executable")


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = checkout(tmp_path_factory.mktemp("checkout"))
    done = build(folder, "build")
    assert done.returncode == 0, done.stderr
    return folder / "dist" / "autology.pyz"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "projekt ä" / "src" / "deep").mkdir(parents=True)
    (tmp_path / "projekt ä" / ".autology").mkdir()
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "projekt ä"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return homes(tmp_path)


def hook(
    pyz: Path, event: str, given: bytes, *, home: Mapping[str, str], cwd: Path, flags: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    command = [base_python(), "-I", "-S", *flags, pyz, "hook", event]
    return subprocess.run(command, env=home, cwd=cwd, input=given, capture_output=True, timeout=600)


def test_a_hook_in_a_project_runs_without_unpacking_or_third_party_modules(
    pyz: Path, project: Path, home: dict[str, str]
) -> None:
    values = json.dumps({"cwd": str(project), "tool_input": {"command": "git commit"}}).encode()
    done = hook(pyz, "post-commit", values, home=home, cwd=project)
    assert done.stdout.decode("utf-8") == f"post-commit {len(values)} 3 ÄЖ False\n", done.stderr
    assert not Path(home["AUTOLOGY_CACHE_DIR"]).exists()
    assert not Path(home["AUTOLOGY_DATA_DIR"]).exists()


SPEAKS = [
    ("a commit", b'{"command":"git -C x commit -m y"}'),
    ("a pull request", b'{"command":"gh pr create"}'),
    ("letters spelled as escapes", b'{"command":"git \\u0063ommit"}'),
    ("nothing that is JSON", b"git commit"),
]
SILENT = [
    ("another command", b'{"command":"ls -la","stdout":"prices"}'),
    ("gh alone", b'{"command":"gh issue list"}'),
    ("pr alone", b'{"command":"git print"}'),
    ("terminal colours", b'{"stdout":"\\u001b[31mred\\u001b[0m"}'),
    ("nothing", b""),
]


@pytest.mark.parametrize(("given", "speaks"), [(g, True) for _, g in SPEAKS] + [(g, False) for _, g in SILENT])
def test_the_hook_after_a_command_reports_only_commits(
    pyz: Path, project: Path, home: dict[str, str], given: bytes, speaks: bool
) -> None:
    done = hook(pyz, "post-commit", given, home=home, cwd=project)
    assert (done.returncode, bool(done.stdout), done.stderr) == (0, speaks, b"")


@pytest.mark.parametrize(
    ("prompt", "speaks"),
    [
        ("why celery again?", True),
        ("where were we", True),
        ('"celery" - why again?', True),
        ("a\nb", True),
        ("上次我们怎么解决的", True),
        ("yes", False),
        ("try again", False),
        ("", False),
        ("/compact remember what we decided", False),
        ("<task-notification>\n<summary>what did we decide?</summary>", False),
        ("<system-reminder>remember when we met?</system-reminder>", False),
        ("[Request interrupted by user]", False),
    ],
)
def test_a_prompt_that_cannot_ask_for_the_past_starts_nothing(
    pyz: Path, project: Path, home: dict[str, str], prompt: str, speaks: bool
) -> None:
    values = {"session_id": "s", "cwd": str(project), "prompt_id": "p", "prompt": prompt}
    for text in (json.dumps(values, ensure_ascii=False), json.dumps(values, separators=(",", ":"), ensure_ascii=False)):
        done = hook(pyz, "prompt-submit", text.encode(), home=home, cwd=project)
        assert (done.returncode, bool(done.stdout), done.stderr) == (0, speaks, b"")


@pytest.mark.parametrize(
    ("where", "says", "variable", "speaks"),
    [
        ("elsewhere", '{"x": 1}', "", False),
        ("elsewhere", '{"cwd":"{elsewhere}"}', "", False),
        ("elsewhere", '{"cwd":"{project}/src/deep"}', "", True),
        ("elsewhere", '{"cwd" : "{project}"}', "", True),
        ("elsewhere", '{"cwd":"{elsewhere}"}', "{project}", True),
        ("project", '{"cwd":"{elsewhere}"}', "", True),
        # What cannot be read off the bytes is left to the hook itself.
        ("elsewhere", '{"cwd":"\\u002ftmp"}', "", True),
        ("elsewhere", '{"x":{"cwd":"/"},"cwd":"/"}', "", True),
        ("elsewhere", '{"cwd":7}', "", True),
        ("elsewhere", '{"cwd":"C:\\\\none\\\\here"}', "", False),
    ],
)
def test_outside_of_a_project_every_hook_is_silent(
    pyz: Path, project: Path, home: dict[str, str], where: str, says: str, variable: str, speaks: bool
) -> None:
    elsewhere = project.parent / "elsewhere"

    def filled(text: str) -> str:
        return text.replace("{elsewhere}", str(elsewhere)).replace("{project}", str(project))

    home |= {"CLAUDE_PROJECT_DIR": filled(variable)}
    cwd = project if where == "project" else elsewhere
    done = hook(pyz, "session-start", filled(says).encode(), home=home, cwd=cwd)
    assert (done.returncode, bool(done.stdout), done.stderr) == (0, speaks, b"")


def test_a_project_reached_through_a_link_is_one(pyz: Path, project: Path, home: dict[str, str]) -> None:
    link = project.parent / "link"
    link.symlink_to(project / "src")
    values = json.dumps({"cwd": str(link)}).encode()
    assert hook(pyz, "session-start", values, home=home, cwd=project.parent / "elsewhere").stdout


def test_a_hook_with_nothing_to_say_loads_nothing(pyz: Path, project: Path, home: dict[str, str]) -> None:
    def loaded(*command: str | Path) -> set[str]:
        done = subprocess.run(
            [base_python(), "-I", "-S", "-X", "importtime", *command],
            env=home,
            cwd=project,
            input=b"ls",
            capture_output=True,
        )
        return {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines() if "import time" in line}

    (project / "bare.pyz").mkdir()
    (project / "bare.pyz" / "__main__.py").write_text("pass\n", encoding="utf-8")
    bare = loaded(project / "bare.pyz")
    assert len(bare) > 20
    # Python itself loads these to read an archive.
    assert loaded(pyz, "hook", "post-commit") - bare <= {"zipimport", "time", "_io", "struct", "_struct"}


def test_a_hook_that_fails_says_nothing_ends_well_and_leaves_a_line_in_the_log(
    pyz: Path, project: Path, home: dict[str, str]
) -> None:
    done = hook(pyz, "session-start", b"explode", home=home, cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (line,) = (Path(home["AUTOLOGY_DATA_DIR"]) / "log" / "autology.log").read_text(encoding="utf-8").splitlines()
    assert "ERROR hook session-start: RuntimeError: the hook met something odd" in line
    assert "autology/hooks/runner.py" in line


def test_a_hook_that_fails_ends_well_even_where_no_log_can_be_written(
    pyz: Path, project: Path, home: dict[str, str]
) -> None:
    Path(home["AUTOLOGY_DATA_DIR"]).write_text("a file stands here", encoding="utf-8")
    done = hook(pyz, "session-start", b"explode", home=home, cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_hook_without_input_or_output_ends_well(pyz: Path, project: Path, home: dict[str, str]) -> None:
    command = f"exec '{base_python()}' -I -S '{pyz}' hook session-start <&- >&- 2>&-"
    assert subprocess.run(["/bin/sh", "-c", command], env=home, cwd=project, timeout=600).returncode == 0


def test_a_damaged_executable_never_breaks_a_hook(
    pyz: Path, project: Path, home: dict[str, str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pyz"
    with zipfile.ZipFile(pyz) as old, zipfile.ZipFile(broken, "w") as new:
        for entry in old.infolist():
            if not entry.filename.startswith("hooks-"):
                new.writestr(entry, old.read(entry))
    done = hook(broken, "session-start", b"{}", home=home, cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (Path(home["AUTOLOGY_DATA_DIR"]) / "log" / "autology.log").exists()


def test_another_python_runs_the_hooks_from_source(
    pyz: Path, project: Path, home: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other.pyz"
    with zipfile.ZipFile(pyz) as old, zipfile.ZipFile(other, "w") as new:
        for entry in old.infolist():
            if not entry.filename.endswith(".pyc"):
                new.writestr(entry, old.read(entry))
    assert hook(other, "session-start", b"{}", home=home, cwd=project).stdout.startswith(b"session-start 2")


def test_the_log_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOLOGY_DATA_DIR", str(tmp_path))
    for number in range(1500):
        log.write("hook test", ValueError(f"{number} " + "x" * 600))
    files = {file.name: file.stat().st_size for file in (tmp_path / "log").iterdir()}
    assert set(files) == {"autology.log", "autology.log.1"}
    assert max(files.values()) <= log.LIMIT + 2000
    assert "1499 x" in (tmp_path / "log" / "autology.log").read_text(encoding="utf-8")


def test_the_log_keeps_a_message_to_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOLOGY_DATA_DIR", str(tmp_path))
    log.write("hook test", ValueError("first\nsecond\r\n\x1b third \ud800"))
    assert len(Path(log.path()).read_bytes().splitlines()) == 1
    assert Path(log.path()).stat().st_size < 300
