"""What a user may install beside the executable: fetched by its lock, tried, moved into place whole, removed."""

from __future__ import annotations

import json
import os
import platform
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from autology.model.errors import AutologyError, StorageError

MARKER = "installed.json"
"""What tells an installation that is whole: written last."""
STALE = 3600.0
"""Seconds after which a folder that an installation was made in belongs to nobody; one takes a minute."""
ELSEWHERE = "Nothing was installed. Another Python may run it: start Autology with that one, and install again."
"""The next step where what was fetched does not run."""
Refusal = Callable[[str, str], AutologyError]
"""Makes the error that says why something cannot be had, and the next step."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is installed for this Python, whether it is, and for which other Pythons it is."""

    folder: str
    ready: bool
    others: tuple[str, ...] = ()


class Extras:
    """What is installed in a *folder* of the user's: for each name its packages, apart by Python and platform.

    *meanwhile* says what goes on without it, for errors of the disk.
    """

    def __init__(self, folder: str, meanwhile: str) -> None:
        self.folder = folder
        self._meanwhile = meanwhile

    def place(self, name: str) -> Place:
        """Return where *name* is, or would be."""
        own = os.path.join(self.folder, name)
        folder = os.path.join(own, tag())
        try:
            there = sorted(each for each in os.listdir(own) if os.path.isfile(os.path.join(own, each, MARKER)))
        except OSError:
            there = []
        return Place(folder, tag() in there, tuple(each for each in there if each != tag()))

    def put(self, name: str, fill: Callable[[str], None], told: Mapping[str, str]) -> Place:
        """Have *fill* make the installation in a folder, and move that into place with what is *told* of it.

        Raises:
            StorageError: the disk refused; and whatever *fill* raises.
        """
        place = self.place(name)
        try:
            with self._staged(name) as staged:
                fill(staged)
                with open(os.path.join(staged, MARKER), "w", encoding="utf-8", newline="\n") as file:
                    json.dump({**told, "python": tag()}, file)
                self._discard(place.folder)
                os.rename(staged, place.folder)
        except OSError as error:
            raise self._refused(error, self.folder) from None
        return self.place(name)

    def remove(self, name: str) -> bool:
        """Remove *name* for every Python; return whether it was there. Raises StorageError."""
        own = os.path.join(self.folder, name)
        if not os.path.isdir(own):
            return False
        try:
            self._discard(own)
            os.rmdir(self.folder)
        except OSError as error:
            if os.path.isdir(own):
                raise self._refused(error, own) from None
        return True

    @contextmanager
    def _staged(self, name: str) -> Iterator[str]:
        """A folder to make an installation in, gone afterwards unless it was moved into place."""
        own = os.path.join(self.folder, name)
        os.makedirs(own, exist_ok=True)
        for left in os.listdir(own):
            path = os.path.join(own, left)
            if left.startswith(".") and time.time() - os.stat(path).st_mtime > STALE:
                shutil.rmtree(path, ignore_errors=True)
        staged = os.path.join(own, f".{secrets.token_hex(6)}")
        os.mkdir(staged)
        try:
            yield staged
        finally:
            shutil.rmtree(staged, ignore_errors=True)
            for folder in (own, self.folder):
                if not os.listdir(folder):
                    os.rmdir(folder)

    def _discard(self, folder: str) -> None:
        """Remove *folder*: renamed first, so that half of it is never taken for the whole."""
        if os.path.isdir(folder):
            gone = os.path.join(os.path.dirname(folder), f".{secrets.token_hex(6)}")
            os.rename(folder, gone)
            shutil.rmtree(gone)

    def _refused(self, error: OSError, path: str) -> StorageError:
        step = f"Make room or close the programs that use it, then try again; {self._meanwhile}."
        return StorageError(error.filename or path, error.strerror or str(error), step)


def tag() -> str:
    """Return what an installation belongs to: native packages run on one Python and platform only."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return f"{python}-{sys.platform}-{platform.machine().lower()}"


# ---- fetching --------------------------------------------------------------------------------------

_UNREACHED = ("connection", "name resolution", "unreachable", "timed out", "getaddrinfo", "max retries")


def fetch(requirements: str, packages: str, wheels: str | None, command: str, refusal: Refusal) -> None:
    """Put what the lock *requirements* names into the folder *packages*, out of the folder *wheels* alone if given.

    *command* is what is run again with such a folder where no network is; what cannot be had raises what *refusal*
    makes.
    """
    ended = subprocess.run(
        _installer(requirements, packages, wheels, refusal),
        cwd=os.path.dirname(packages),  # never the project's: a repository's pip.py would be run
        env={**os.environ, "PIP_USER": "0", "PYTHONSAFEPATH": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if ended.returncode == 0:
        return
    said = ended.stderr.decode("utf-8", "replace")
    errors = [line for line in said.splitlines() if line.startswith("ERROR")] or said.strip().splitlines()[-1:]
    reason = " ".join(" ".join(errors).split())[:300]
    if wheels is None and any(sign in said.lower() for sign in _UNREACHED):
        raise refusal(
            f"could not be fetched: no package index was reached ({reason})",
            "Try again with a network; or where there is one run"
            f' `python -m pip download --no-deps -r "{requirements}" -d wheels` with the same Python and platform,'
            f" bring that folder here and run `{command} --wheels wheels`.",
        )
    step = f"Nothing was installed. There may be no build of its runtime for {tag()}; another Python may have one."
    raise refusal(f"could not be fetched: {reason}", step)


def _installer(requirements: str, packages: str, wheels: str | None, refusal: Refusal) -> list[str]:
    """The command that installs what *requirements* names: by this Python's pip, else by uv."""
    # Everything is listed with its hashes, and nothing is built from source.
    what = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", packages, "-r", requirements]
    where = ["--no-index", "--find-links", os.path.abspath(wheels)] if wheels else []
    known = subprocess.run(
        [sys.executable, "-P", "-m", "pip", "--version"],
        capture_output=True,
        check=False,
        cwd=os.path.dirname(packages),
    )
    if known.returncode == 0:
        quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "20"]
        return [sys.executable, "-P", "-m", "pip", "install", *quiet, *what, *where]
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--quiet", "--no-progress", "--python", sys.executable, *what, *where]
    step = (
        "Install pip for it (Debian and Ubuntu: `apt install python3-pip`; elsewhere: `python -m ensurepip --user`)"
        " or uv, then try again."
    )
    raise refusal(f"could not be fetched: {sys.executable} has no pip, and there is no uv", step)


def attempt(script: str, *arguments: str) -> tuple[str, str]:
    """Run *script* in a process of its own; return what it printed, and why it failed ("" if it did not).

    What is loaded here could not be moved on Windows.
    """
    ended = subprocess.run(
        [sys.executable, "-I", "-c", script, *arguments], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    said = " ".join(ended.stderr.decode("utf-8", "replace").strip().splitlines()[-1:])[:300]
    return ended.stdout.decode().strip(), (said or f"exit code {ended.returncode}") if ended.returncode else ""
