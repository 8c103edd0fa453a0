"""Progress messages and running other programs; colours only on a terminal."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


class Failed(Exception):  # noqa: N818 - reads as what happened
    """A step failed; the message says which and, if known, what to do."""


def say(text: str) -> None:
    """Print a message to stderr: stdout belongs to the programs that are run."""
    print(text, file=sys.stderr, flush=True)


def good(text: str) -> str:
    return _coloured("32", text)


def bad(text: str) -> str:
    return _coloured("31", text)


def heading(text: str) -> str:
    return _coloured("1", text)


def run(
    command: Sequence[str | Path], *, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> None:
    """Run *command* quietly. Raises Failed with its whole output if it fails."""
    process = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=with_environment(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if process.returncode != 0:
        output = process.stdout.decode("utf-8", "replace").strip()
        raise Failed(f"{output}\n`{_short(command)}` failed with exit code {process.returncode}")


def watch(
    command: Sequence[str | Path], *, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> int:
    """Run *command* with its output on this terminal; return its exit code."""
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env=with_environment(environment), check=False
    ).returncode


def with_environment(extra: Mapping[str, str] | None) -> dict[str, str]:
    return {**os.environ, **(extra or {})}


def _short(command: Sequence[str | Path]) -> str:
    return " ".join(str(part) for part in command[:6]) + (" …" if len(command) > 6 else "")


def _coloured(code: str, text: str) -> str:
    if not sys.stderr.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{code}m{text}\x1b[0m"
