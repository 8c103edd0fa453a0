"""Tests and what they start see the same signals, locale, zone and mask, however the run was started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and masks are those of POSIX")
ROOT = Path(__file__).resolve().parents[2]
CHILD = """
import json, os, signal, sys, time
names = ("SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM")
ignored = [name for name in names if signal.getsignal(getattr(signal, name)) is signal.SIG_IGN]
mask = os.umask(0)
print(json.dumps({"ignored": ignored, "blocked": len(signal.pthread_sigmask(signal.SIG_BLOCK, ())), "umask": mask,
    "zone": time.tzname[0], "git": os.environ.get("GIT_DIR"), "colour": os.environ.get("FORCE_COLOR"),
    "encoding": sys.stdout.encoding.lower()}))
"""
PARENT = f"""
import subprocess, sys
from tests.surroundings import settle
settle()
sys.exit(subprocess.run([sys.executable, "-c", {CHILD!r}]).returncode)
"""


def environment_of_children(command: list[str], **options: Any) -> dict[str, Any]:
    """Return what a program sees that was started by a run of the tests started by *command*."""
    done = subprocess.run([*command, sys.executable, "-c", PARENT], cwd=ROOT, capture_output=True, **options)
    assert done.returncode == 0, done.stderr.decode()
    output: dict[str, Any] = json.loads(done.stdout)
    return output


EXPECTED = {"ignored": [], "blocked": 0, "umask": 0o022, "zone": "UTC", "git": None, "colour": None}
EXPECTED["encoding"] = "utf-8"
SHELL = ["sh", "-c", 'trap "" INT HUP QUIT TERM; umask 077; exec "$@"', "sh"]


@pytest.mark.parametrize("command", [[], SHELL, ["nohup"]], ids=["plainly", "with signals ignored", "by nohup"])
def test_children_see_the_same_however_the_run_was_started(command: list[str]) -> None:
    inherited = {"TZ": "Asia/Kolkata", "LC_ALL": "C", "GIT_DIR": "/nowhere", "FORCE_COLOR": "1"}
    assert environment_of_children(command, env={**os.environ, **inherited}) == EXPECTED


def test_a_run_that_ignores_hangups_goes_on_ignoring_them() -> None:
    parent = "import os, signal; from tests.surroundings import settle; settle(); os.kill(os.getpid(), signal.SIGHUP)"
    done = subprocess.run(["nohup", sys.executable, "-c", parent], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_an_interrupt_reaches_a_run_that_was_started_in_the_background() -> None:
    parent = """
import os, signal
from tests.surroundings import settle
settle()
try:
    os.kill(os.getpid(), signal.SIGINT)
    signal.pause()
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([*SHELL, sys.executable, "-c", parent], cwd=ROOT, capture_output=True, timeout=60)
    assert done.stdout == b"interrupted\n", done.stderr.decode()
