"""What those who look something up in source files ask each other for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from autology.core.code.file import File
from autology.core.code.values import Bases, Def, Obj, Value
from autology.model.code import Expr, Import

DEEPEST = 25
"""Steps from a name to what it is; a circle of names ends here. *depth* is how many were taken."""


class Meaning(Protocol):
    """The whole of what is known of a project's sources."""

    def value(self, told: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return what the expression *told* leads to, in *scope* of the file at *path*."""

    def typed(self, told: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return an object of the type that is *told*."""

    def attribute(self, owner: Value, name: str, depth: int = 0) -> Value:
        """Return what *owner* has under *name*."""

    def of_class(self, owner: Obj | Def | Bases, name: str) -> Value:
        """Return what a class, or an object of it, has under *name*."""

    def imported(self, told: Import, path: str, depth: int) -> Value:
        """Return what an import in the file at *path* means."""

    def seen(self, file: File, name: str) -> Iterator[Value]:
        """Yield what the files that *file* sees as a whole offer under *name*."""
