"""The optional encoder: a sentence model in eight bits, run by onnxruntime out of a folder of the user's."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from autology.embedding.bert import BertTokenizer
from autology.model.errors import EncodingError
from autology.ranking.codes import row

TOKENS = 256
"""Pieces that the model reads of a text, as its makers set it; a passage of 200 words has some 270 at most."""


class Transformer:
    """The model in *file*, with the packages that run it in *packages*; nothing is loaded before the first text.

    Texts go through one by one: the network rounds by what lies in a batch, and a text must
    always have the same vector.
    """

    def __init__(self, name: str, share: float, moves: float, file: str, packages: str, dims: int) -> None:
        self.name = name
        self.share = share
        self.moves = moves
        self._file = file
        self._packages = packages
        self._dims = dims
        self._tokenizer: BertTokenizer | None = None
        self._session: Any = None
        self._numpy: Any = None

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a row for each of *texts*; zeros for one without a piece that the model knows.

        Raises:
            EncodingError: the model cannot be loaded or run.
        """
        self._load()
        return [self._encoded(text) for text in texts]

    def _encoded(self, text: str) -> bytes:
        assert self._tokenizer is not None
        numbers = self._tokenizer.numbers(text, TOKENS)
        if not numbers:
            return bytes(self._dims)
        ids = self._numpy.array([numbers], dtype="int64")
        given = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
        try:
            (states,) = self._session.run(None, given)
        except Exception as error:  # the runtime raises classes of its own, one a kind of fault
            raise self._broken(error) from error
        return row(states[0].mean(axis=0).tolist())

    def _load(self) -> None:
        if self._session is not None:
            return
        if self._packages not in sys.path:
            sys.path.append(self._packages)  # at the end: what we came with comes first
        try:
            self._numpy, onnxruntime = map(import_module, ("numpy", "onnxruntime"))
            self._session = onnxruntime.InferenceSession(
                self._file, options(onnxruntime), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # a native library fails in ways without a common class
            raise self._broken(error) from error
        self._tokenizer = BertTokenizer()

    def _broken(self, error: Exception) -> EncodingError:
        said = " ".join(str(error).split())[:200]
        return EncodingError(self.name, f"does not run: {type(error).__name__}: {said}")


def options(onnxruntime: Any) -> Any:
    """Return how a model is run: by one thread, which waits without using the processor."""
    told = onnxruntime.SessionOptions()
    told.intra_op_num_threads = told.inter_op_num_threads = 1
    told.add_session_config_entry("session.intra_op.allow_spinning", "0")  # else a busy machine burns twice as much
    told.log_severity_level = 3  # standard error belongs to the client
    return told
