"""The places where Windows differs, tried elsewhere: the platform and its own modules are put in Windows' place."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autology import detached, extras, file_notifications
from autology import places as own_places
from autology.files import atomic, lock
from autology.model.errors import StorageError
from autology_boot import interpreters, places, target, unpacked
from autology_boot import lock as boot_lock

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there it is no pretence")


class Msvcrt(ModuleType):
    """Locks of Windows: one holder a file, and another is refused."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.held: set[tuple[int, int]] = set()

    def locking(self, handle: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        at = os.fstat(handle)
        if (at.st_dev, at.st_ino) in self.held:
            raise PermissionError(13, "Permission denied")
        self.held.add((at.st_dev, at.st_ino))


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Msvcrt:
    """A Windows, as far as the platform's name and its locks go; calls that it has not are gone."""
    made = Msvcrt()
    monkeypatch.setitem(sys.modules, "msvcrt", made)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(sys, "platform", "win32")
    for name in ("fork", "setsid", "nice", "getuid", "geteuid", "uname", "execve"):
        monkeypatch.delattr(os, name)
    return made


def test_a_note_is_locked_by_windows_own_locks(windows: Msvcrt, tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    refused = pytest.raises(StorageError, match="another process has been writing")
    with lock.held(path, "the lock"), refused, lock.held(path, "the lock", 0.01):
        raise AssertionError("two hold it")
    assert len(windows.held) == 1


def test_unpacking_is_locked_by_them_and_goes_on_without(windows: Msvcrt, tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with boot_lock.held(path, 1), boot_lock.held(path, 0.01):
        assert len(windows.held) == 1


@pytest.mark.parametrize(
    ("built", "key"),
    [("(AMD64)]", "windows_x86_64"), ("(ARM64)]", "windows_arm64"), ("(Intel)]", "windows_x86")],
)
def test_the_processor_is_derived_from_pythons_build_information(
    windows: Msvcrt, monkeypatch: pytest.MonkeyPatch, built: str, key: str
) -> None:
    monkeypatch.setattr(sys, "version", f"3.12.1 (main) [MSC v.1937 64 bit {built}")
    assert target.platform() == key


def test_the_processor_in_the_name_of_an_optional_component_is_found_without_a_service_of_windows(
    windows: Msvcrt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version", "3.13.2 (main) [MSC v.1942 64 bit (AMD64)]")
    # As `platform.machine` has it: earlier ones were installed under that name.
    assert extras.tag().endswith("-win32-amd64")


def test_data_and_cache_lie_where_windows_has_them(windows: Msvcrt, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AUTOLOGY_DATA_DIR", "AUTOLOGY_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("APPDATA", "/roaming")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert places.data_folder() == str(Path("/roaming/autology"))
    assert places.cache_folder() == str(Path("/local/autology/Cache"))


def test_a_temporary_copy_lies_in_the_users_own_folder(windows: Msvcrt) -> None:
    assert unpacked._temporary_root().endswith(str(Path("autology/app")))


def test_a_process_that_cannot_be_replaced_is_run_under_it_and_its_exit_code_handed_on(
    windows: Msvcrt, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys\nsys.exit(int(sys.argv[1]))\n", encoding="utf-8")
    assert interpreters.replace_process(sys.executable, str(program), ["7"], {}) == 7


WORDS = [
    *("plain", "", "two words", 'a "quote"', "C:\\x", "C:\\two words\\", 'one \\"', 'a\\\\"b c\\', "tab\there"),
    "\\\\srv\\a b",
]


@pytest.mark.parametrize("word", WORDS)
def test_an_argument_survives_windows_command_line_quoting(word: str) -> None:
    assert detached._quoted(word) == subprocess.list2cmdline([word])


def test_background_work_of_a_hook_is_started_detached(
    windows: Msvcrt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[Any] = []
    monkeypatch.setattr(os, "P_DETACH", 4, raising=False)
    monkeypatch.setattr(os, "spawnve", lambda *given: started.append(given))
    monkeypatch.setenv("AUTOLOGY_DETACH", "on")
    detached.start(["archive", "--session", "a b"], str(tmp_path))
    [(mode, program, words, environment)] = started
    assert (mode, program) == (4, sys.executable)
    assert words[-3:] == ["archive", "--session", '"a b"']
    assert "AUTOLOGY_HOOK_ACTIVE" not in environment


def test_a_file_is_put_in_place_where_a_folder_cannot_be_opened(
    windows: Msvcrt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, opened = str(tmp_path / "notes" / "a.md"), os.open
    folders = {str(tmp_path), str(tmp_path / "notes")}

    def open_file(name: str, *given: Any) -> int:
        assert name not in folders, "Windows opens no folder"
        return opened(name, *given)

    with monkeypatch.context() as there:
        there.setattr(os, "name", "nt")
        there.setattr(os, "open", open_file)
        for name in ("fchmod", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"):
            there.delattr(os, name, raising=False)
        for text in (b"one\n", b"two\r\n"):
            atomic.write(path, text)
    assert Path(path).read_bytes() == b"two\r\n"
    assert [file.name for file in (tmp_path / "notes").iterdir()] == ["a.md"]


def test_the_program_itself_looks_where_the_boot_does(windows: Msvcrt, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AUTOLOGY_DATA_DIR", "AUTOLOGY_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("APPDATA", "/roaming")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    with monkeypatch.context() as there:
        there.setattr(os, "name", "nt")
        result = (own_places.data_dir(), own_places.cache_dir())
    assert result == (places.data_folder(), places.cache_folder())


def test_systems_without_file_notifications_are_not_asked_for_them(windows: Msvcrt) -> None:
    assert file_notifications._system() is None


EVERYWHERE = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_CREAT", "O_EXCL", "O_TRUNC", "O_APPEND"}
"""Of the ways to open a file. The types that the checker knows name all of them on every system."""


def test_platform_specific_open_flags_are_looked_up_by_name() -> None:
    folder = Path(__file__).resolve().parents[2] / "server"
    text = {
        f"{file.relative_to(folder).as_posix()}: {node.attr}"
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr.startswith("O_") and node.attr not in EVERYWHERE
    }
    # It runs on Linux alone, behind a question for it.
    assert {place for place in text if not place.startswith("autology/file_notifications.py: ")} == set()


def test_a_python_in_the_current_folder_is_never_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On Windows the search begins in the current folder, which may be a stranger's repository."""
    program = tmp_path / "python3"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join([".", os.defpath]))
    assert [command for command in interpreters._candidates() if str(tmp_path) in str(Path(command[0]).resolve())] == []
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(interpreters._candidates()) == [[str(program)]]
