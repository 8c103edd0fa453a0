"""The optional encoder: a sentence model in eight-bit weights, run by onnxruntime from the user's folder."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from autology.embedding.bert import BertTokenizer
from autology.model.errors import EncodingError
from autology.ranking.quantized_vectors import row

TOKENS = 256
"""Maximum tokens per text, as the model's authors set it; a passage of 200 words has at most some 270."""


class Transformer:
    """The model in *file*, run by the packages in *packages*; nothing is loaded before the first text.

    Texts are encoded one by one: quantisation depends on the batch, and a text must
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
        """Return a vector for each of *texts*; zero if no token of a text is known.

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
        inputs = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
        try:
            (states,) = self._session.run(None, inputs)
        except Exception as error:  # the runtime has its own class for each kind of failure
            raise self._broken(error) from error
        return row(states[0].mean(axis=0).tolist())

    def _load(self) -> None:
        if self._session is not None:
            return
        if self._packages not in sys.path:
            sys.path.append(self._packages)  # at the end: bundled packages take precedence
        try:
            self._numpy, onnxruntime = map(import_module, ("numpy", "onnxruntime"))
            self._session = onnxruntime.InferenceSession(
                self._file, options(onnxruntime), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # native libraries fail without a common exception class
            raise self._broken(error) from error
        self._tokenizer = BertTokenizer()

    def _broken(self, error: Exception) -> EncodingError:
        reason = " ".join(str(error).split())[:200]
        return EncodingError(self.name, f"does not run: {type(error).__name__}: {reason}")


def options(onnxruntime: Any) -> Any:
    """Return session options: a single thread that does not spin while waiting."""
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")  # else a busy machine burns twice as much
    settings.log_severity_level = 3  # standard error belongs to the client
    return settings
