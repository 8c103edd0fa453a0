"""The one door through which processes are started: no shell, no window, no waiting without end."""

from __future__ import annotations

import os
import sys
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Finished = namedtuple("Finished", ("code", "out", "err"))
"""How a program ended: its exit code, and what it wrote as bytes."""

_CREATE_NO_WINDOW = 0x08000000


class NotRunError(Exception):
    """A program could not be started or did not end in time; says which and what to do."""


def run(program: str, arguments: Sequence[str], folder: str, timeout: float, extra: Mapping[str, str]) -> Finished:
    """Run *program* in *folder* for at most *timeout* seconds; *extra* is set in its environment.

    Raises:
        NotRunError: it is not installed, cannot start, or was ended because its time was up.
    """
    import subprocess

    path = found(program)
    if path is None:
        raise NotRunError(f"{program} is not on the PATH. Install it, or start the session where it is.")
    flags = _CREATE_NO_WINDOW if sys.platform == "win32" else 0
    try:
        ended = subprocess.run(
            [path, *arguments],
            cwd=folder,
            env={**os.environ, **extra},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            creationflags=flags,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotRunError(f"{program} did not end within {timeout:g} s and was stopped. Try it by hand.") from None
    except OSError as error:
        raise NotRunError(f"{program} cannot be started: {error.strerror or error}.") from None
    return Finished(ended.returncode, ended.stdout, ended.stderr)


def found(program: str) -> str | None:
    """Return the full path of *program* on the PATH.

    Only absolute folders count: Windows would look into the current folder first, where a
    repository can put a program of that name.
    """
    endings: tuple[str, ...] = ("",)
    if sys.platform == "win32":
        endings = tuple(ending.lower() for ending in os.environ.get("PATHEXT", ".exe").split(os.pathsep) if ending)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if os.path.isabs(folder):
            for ending in endings:
                path = os.path.join(folder, program + ending)
                if os.path.isfile(path) and os.access(path, os.X_OK):
                    return path
    return None
