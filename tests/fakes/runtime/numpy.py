"""As much of numpy as the encoder over a model asks for."""

from __future__ import annotations


class Array:
    def __init__(self, rows: list[list[float]]) -> None:
        self.rows = rows

    def __mul__(self, factor: float) -> Array:
        return Array([[value * factor for value in row] for row in self.rows])

    def __add__(self, more: float) -> Array:
        return Array([[value + more for value in row] for row in self.rows])

    def mean(self, axis: int) -> Array:
        assert axis == 0
        return Array([[sum(column) / len(self.rows) for column in zip(*self.rows, strict=True)]])

    def tolist(self) -> list[float]:
        return self.rows[0]

    @property
    def shape(self) -> tuple[int, int, int]:
        return (1, len(self.rows), len(self.rows[0]))


def array(rows: list[list[float]], dtype: object) -> Array:
    assert str(dtype) == "int64"
    return Array(rows)


int64 = "int64"
