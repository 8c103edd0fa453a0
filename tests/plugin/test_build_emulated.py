"""A platform that cannot be emulated on this machine is reported as not run, with the reason, and never as passed."""

from __future__ import annotations

import platform
import struct
import sys
from pathlib import Path

import pytest

from buildtools import checks, emulated, forwarding_dll
from buildtools.project import Project
from buildtools.run_programs import Failed
from tests.plugin.executable_standin import ROOT

IS_HOST = sys.platform == "linux" and platform.machine() == "x86_64"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A checkout on a machine that has no programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return Project(ROOT, tmp_path / "build")


@pytest.mark.skipif(not IS_HOST, reason="emulators are tried on Linux on x86_64 only")
@pytest.mark.parametrize(
    ("name", "reason"),
    [("linux_aarch64", "this needs Debian's apt-get and dpkg-deb"), ("windows_x86_64", "Wine is not installed: ")],
)
def test_a_machine_without_the_programs_is_told_what_it_lacks(bare: Project, name: str, reason: str) -> None:
    bare.work.mkdir()
    with pytest.raises(Failed, match=reason):
        emulated.prepare(bare, name)


def test_a_platform_that_was_not_run_does_not_count_as_passed(
    bare: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert checks.everywhere(bare, ["linux_aarch64", "windows_x86_64"]) == 0
    output = capsys.readouterr().err
    for name in emulated.PLATFORMS:
        assert f"{name}: not run: this needs Linux on x86_64" in output
    assert "passed" not in output


def test_a_forwarding_library_has_one_function_which_is_another_librarys() -> None:
    data = forwarding_dll.forwarding("own.dll", "Own", "other.Function")
    (header,) = struct.unpack_from("<I", data, 60)
    assert data[header : header + 6] == b"PE\0\0" + struct.pack("<H", 0x8664)
    directory, size = struct.unpack_from("<II", data, header + 24 + 112)
    offset = forwarding_dll.HEADERS - forwarding_dll.SECTION
    functions, names = struct.unpack_from("<II", data, directory + offset + 28)
    (function,) = struct.unpack_from("<I", data, functions + offset)
    (name,) = struct.unpack_from("<I", data, names + offset)
    assert data[name + offset :].startswith(b"Own\0")
    assert data[function + offset :].startswith(b"other.Function\0")
    assert directory <= function < directory + size  # Else it would be code.
