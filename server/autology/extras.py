"""Optional components: installed from a lock file, tested, moved into place atomically, removed."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from autology.model.errors import AutologyError, StorageError
from autology.model.next_step import NextStep, Sentence

MARKER = "installed.json"
"""Marks a complete installation: written last."""
STALE = 3600.0
"""Seconds after which an unfinished installation folder counts as abandoned; an installation takes a minute."""
ELSEWHERE = "Nothing was installed. Another Python may support it: start Autology with that one and install again."
"""The next step if the installed component does not run."""
Refusal = Callable[[str, str], AutologyError]
"""Builds the error from a reason and the next step."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Where a component is installed for this Python, whether it is, and which other Pythons have it."""

    folder: str
    ready: bool
    others: tuple[str, ...] = ()


class Extras:
    """The components installed in one of the user's folders, *folder*, with a subfolder per name, Python and platform.

    *meanwhile* is for messages about disk errors: it states what works without them.
    """

    def __init__(self, folder: str, meanwhile: str) -> None:
        self.folder = folder
        self._meanwhile = meanwhile

    def installation(self, name: str) -> Installation:
        """Return where *name* is installed, or would be."""
        versions = os.path.join(self.folder, name)
        folder = os.path.join(versions, tag())
        try:
            installed = sorted(
                entry for entry in os.listdir(versions) if os.path.isfile(os.path.join(versions, entry, MARKER))
            )
        except OSError:
            installed = []
        return Installation(folder, tag() in installed, tuple(entry for entry in installed if entry != tag()))

    def install(self, name: str, fill: Callable[[str], None], details: Mapping[str, str]) -> Installation:
        """Have *fill* create the installation in a staging folder, then move it into place with its *details*.

        Raises:
            StorageError: the disk failed. Errors of *fill* are passed on.
        """
        installation = self.installation(name)
        try:
            with self._staged(name) as staged:
                fill(staged)
                with open(os.path.join(staged, MARKER), "w", encoding="utf-8", newline="\n") as file:
                    json.dump({**details, "python": tag()}, file)
                self._discard(installation.folder)
                os.rename(staged, installation.folder)
        except OSError as error:
            raise self._disk_error(error, self.folder) from None
        return self.installation(name)

    def remove(self, name: str) -> bool:
        """Remove *name* for every Python; return whether it was installed. Raises StorageError."""
        versions = os.path.join(self.folder, name)
        if not os.path.isdir(versions):
            return False
        try:
            self._discard(versions)
            os.rmdir(self.folder)
        except OSError as error:
            if os.path.isdir(versions):
                raise self._disk_error(error, versions) from None
        return True

    @contextmanager
    def _staged(self, name: str) -> Iterator[str]:
        """A staging folder for an installation, deleted afterwards unless it was moved into place."""
        versions = os.path.join(self.folder, name)
        os.makedirs(versions, exist_ok=True)
        for entry in os.listdir(versions):
            path = os.path.join(versions, entry)
            if entry.startswith(".") and time.time() - os.stat(path).st_mtime > STALE:
                shutil.rmtree(path, ignore_errors=True)
        staged = os.path.join(versions, f".{secrets.token_hex(6)}")
        os.mkdir(staged)
        try:
            yield staged
        finally:
            shutil.rmtree(staged, ignore_errors=True)
            for folder in (versions, self.folder):
                if not os.listdir(folder):
                    os.rmdir(folder)

    def _discard(self, folder: str) -> None:
        """Remove *folder*: renamed first, so that a half-deleted one never counts as installed."""
        if os.path.isdir(folder):
            discarded = os.path.join(os.path.dirname(folder), f".{secrets.token_hex(6)}")
            os.rename(folder, discarded)
            shutil.rmtree(discarded)

    def _disk_error(self, error: OSError, path: str) -> StorageError:
        step = f"Free some space or close the programs that use it, then try again; {self._meanwhile}."
        return StorageError(error.filename or path, error.strerror or str(error), step)


def tag() -> str:
    """Return the key of an installation: native packages run on one Python and platform only."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return f"{python}-{sys.platform}-{_processor()}"


def _processor() -> str:
    """Return the processor as `platform.machine` names it, which asks a service of Windows since Python 3.12."""
    if sys.platform != "win32":
        return os.uname().machine.lower()
    return next((name for name in ("arm64", "amd64") if name in sys.version.lower()), "x86")


# ---- fetching --------------------------------------------------------------------------------------

_UNREACHED = ("connection", "name resolution", "unreachable", "timed out", "getaddrinfo", "max retries")


def fetch(requirements: str, packages: str, wheels: str | None, again: NextStep, refusal: Refusal) -> None:
    """Install the packages of the lock file *requirements* into the folder *packages*, from *wheels* only if given.

    *again* is the step that installs from such a folder without a network; *refusal* builds the error.
    """
    process = subprocess.run(
        _installer(requirements, packages, wheels, refusal),
        cwd=os.path.dirname(packages),  # never the project's folder: a pip.py in the repository would be run
        env={**os.environ, "PIP_USER": "0", "PYTHONSAFEPATH": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if process.returncode == 0:
        return
    output = process.stderr.decode("utf-8", "replace")
    errors = [line for line in output.splitlines() if line.startswith("ERROR")] or output.strip().splitlines()[-1:]
    reason = " ".join(" ".join(errors).split())[:300]
    if wheels is None and any(sign in output.lower() for sign in _UNREACHED):
        raise refusal(
            f"could not be fetched: no package index was reached ({reason})",
            Sentence(
                "Try again with a network connection; or on a machine that has one, run"
                f' `python -m pip download --no-deps -r "{requirements}" -d wheels` with the same Python and platform,'
                " copy that folder here and run ",
                again,
                ".",
            ),
        )
    step = f"Nothing was installed. There may be no build of its runtime for {tag()}; another Python may have one."
    raise refusal(f"could not be fetched: {reason}", step)


def _installer(requirements: str, packages: str, wheels: str | None, refusal: Refusal) -> list[str]:
    """Return the command that installs *requirements*: with this Python's pip, else with uv."""
    # All packages are pinned by hash, and nothing is built from source.
    options = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", packages, "-r", requirements]
    source = ["--no-index", "--find-links", os.path.abspath(wheels)] if wheels else []
    pip = subprocess.run(
        [sys.executable, "-P", "-m", "pip", "--version"],
        capture_output=True,
        check=False,
        cwd=os.path.dirname(packages),
    )
    if pip.returncode == 0:
        quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "20"]
        return [sys.executable, "-P", "-m", "pip", "install", *quiet, *options, *source]
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--quiet", "--no-progress", "--python", sys.executable, *options, *source]
    step = (
        "Install pip for it (Debian and Ubuntu: `apt install python3-pip`; elsewhere: `python -m ensurepip --user`)"
        " or uv, then try again."
    )
    raise refusal(f"could not be fetched: {sys.executable} has no pip, and uv is not installed", step)


def attempt(script: str, *arguments: str) -> tuple[str, str]:
    """Run *script* in a separate process; return its output and why it failed ("" if it did not).

    In this process, Windows could not move the component's files after loading them.
    """
    process = subprocess.run(
        [sys.executable, "-I", "-c", script, *arguments], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    reason = " ".join(process.stderr.decode("utf-8", "replace").strip().splitlines()[-1:])[:300]
    return process.stdout.decode().strip(), (reason or f"exit code {process.returncode}") if process.returncode else ""
