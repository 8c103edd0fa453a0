"""A runtime of models that say what a piece means by its number: like pieces, like vectors."""

from __future__ import annotations

from pathlib import Path
from random import Random

from numpy import Array

DIMS = 64
MODEL = b"a tiny model"


class SessionOptions:
    intra_op_num_threads = 0

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}

    def add_session_config_entry(self, key: str, value: str) -> None:
        self.entries[key] = value


class States(list):
    @property
    def shape(self) -> tuple[int, int, int]:
        return self[0].shape


class InferenceSession:
    def __init__(self, file: str, options: SessionOptions | None = None, providers: object = None) -> None:
        if Path(file).read_bytes() != MODEL:
            raise RuntimeError("[ONNXRuntimeError] : 7 : INVALID_PROTOBUF : it is no model")
        if options is not None:
            assert options.intra_op_num_threads == 1
            assert options.entries["session.intra_op.allow_spinning"] == "0"

    def run(self, names: None, given: dict[str, Array]) -> list[States]:
        (ids,) = given["input_ids"].rows
        assert given["attention_mask"].rows == [[1] * len(ids)]
        # The two marks are in every text, and say nothing.
        return [States([Array([_vector(int(number)) if number > 102 else [0.0] * DIMS for number in ids])])]


def _vector(number: int) -> list[float]:
    result = Random(number)
    return [result.gauss(0, 1) for _ in range(DIMS)]
