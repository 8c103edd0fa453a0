"""The program as a person starts it, and a terminal to start it in."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXECUTABLE = os.environ.get("AUTOLOGY_EXECUTABLE")
_COUNT = re.compile(r"\] ([\d,]+)/([\d,]+)")


def command(*arguments: str) -> list[str]:
    """Return what starts the program: the executable where one is built, else the sources."""
    if EXECUTABLE:
        return [sys.executable, "-I", "-S", EXECUTABLE, *arguments]
    return [sys.executable, "-m", "autology", *arguments]


def environment() -> dict[str, str]:
    """Return what it is started with."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "server")}


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in *project* as a script does: no terminal anywhere."""
    return subprocess.run(
        command(*arguments),
        cwd=project,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


@dataclass(frozen=True)
class Shown:
    """How a command that somebody watched ended: its exit code, standard output, and what its bar counted."""

    code: int
    out: str
    drawn: str

    @property
    def counts(self) -> list[tuple[int, int]]:
        """What the progress bar told, as (done, total)."""
        return [(int(a.replace(",", "")), int(b.replace(",", ""))) for a, b in _COUNT.findall(self.drawn)]


def watched(project: Path, arguments: Sequence[str], stop_at: float | None = None) -> Shown:
    """Run a command with standard error on a terminal; press Ctrl-C there once its bar has come to *stop_at*."""
    import pty  # there is none on Windows

    screen, inner = pty.openpty()
    process = subprocess.Popen(
        command(*arguments),
        cwd=project,
        env=environment(),
        stdin=inner,
        stdout=subprocess.PIPE,
        stderr=inner,
        # The terminal is its own, so that Ctrl-C reaches it as it reaches any program in the foreground.
        preexec_fn=_own_terminal,  # noqa: PLW1509 - this process runs one thread here
    )
    os.close(inner)
    drawn = ""
    until = time.monotonic() + 300
    while text := _read(screen):
        assert time.monotonic() < until, f"it does not end: {drawn[-500:]}"
        drawn += text
        so_far = Shown(0, "", drawn).counts
        if stop_at is not None and so_far and so_far[-1][0] >= stop_at * so_far[-1][1]:
            os.write(screen, b"\x03")
            stop_at = None
    os.close(screen)
    assert process.stdout
    with process.stdout as output:
        out = output.read().decode("utf-8")
    return Shown(process.wait(600), out, drawn)


def _own_terminal() -> None:
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(screen: int) -> str:
    try:
        return os.read(screen, 65_536).decode("utf-8", "replace")
    except OSError:  # the other end is closed
        return ""
