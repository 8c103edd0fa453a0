"""A small file system that can be filled to the last byte, on systems that allow mounting one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

NOBODY = 65_534
ENTERED = "entered"


@cache
def refused() -> str:
    """Return why no file system can be mounted here, or ""."""
    with tempfile.TemporaryDirectory(prefix="autology-room-") as folder:
        try:
            Room(Path(folder) / "small", 1_000_000).close()
        except OSError as error:
            return str(error)
    return ""


class Room:
    """A file system of *size* bytes at *folder*, visible to processes started with :meth:`inside`.

    Raises:
        OSError: no file system can be mounted; the message says why.
    """

    def __init__(self, folder: Path, size: int) -> None:
        self._folder = folder
        self._root = os.getuid() == 0 if hasattr(os, "getuid") else False
        if sys.platform != "linux" or not all(map(shutil.which, ("unshare", "nsenter", "setpriv"))):
            raise OSError("namespaces are Linux's, and unshare, nsenter and setpriv enter them")
        folder.mkdir(exist_ok=True)
        mount = f'mount -t tmpfs -o size={size},mode=777 tmpfs "$1" && echo {ENTERED} && exec cat'
        own = ["-m"] if self._root else ["-U", "-r", "-m"]
        self._holder = subprocess.Popen(
            ["unshare", *own, "--propagation", "private", "sh", "-c", mount, "sh", str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._holder.stdout
        assert self._holder.stderr
        if self._holder.stdout.readline().strip() != ENTERED:
            reason = self._holder.stderr.read().strip()
            self.close()
            raise OSError(f"no file system can be mounted here: {reason}")

    def inside(self, command: list[str]) -> list[str]:
        """Return the command that runs *command* with that file system, as a user who is not root."""
        enter = ["nsenter", "-t", str(self._holder.pid), "-m"]
        if self._root:
            return [*enter, "--", "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        # In a user namespace the server would be root, and refuse to run.
        user = ["unshare", "-U", f"--map-user={os.getuid()}", f"--map-group={os.getgid()}"]
        return [*enter, "-U", "--preserve-credentials", "--", *user, *command]

    def seen(self, path: Path) -> Path:
        """Return the path outside at which a *path* in it is visible."""
        return Path(f"/proc/{self._holder.pid}/root{path}")

    def fill(self) -> None:
        """Fill it to the last byte."""
        with self._ballast.open("ab", buffering=0) as file:
            for piece in (1_000_000, 4_096, 1):
                try:
                    while file.write(bytes(piece)) == piece:
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        """Delete what it was filled with."""
        self._ballast.unlink()

    def close(self) -> None:
        """Leave it; it disappears with the last process in it."""
        for pipe in (self._holder.stdin, self._holder.stdout, self._holder.stderr):
            if pipe:
                pipe.close()
        self._holder.wait(60)

    @property
    def _ballast(self) -> Path:
        return self.seen(self._folder / "ballast")
