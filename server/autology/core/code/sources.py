"""The files of a project by what is spoken in them, and what each defines."""

from __future__ import annotations

from collections.abc import Mapping

from autology.core.code.dialects import DIALECTS, Dialect, dialect_of
from autology.core.code.file import File
from autology.core.code.spaces import Space, space_of
from autology.model.code import TYPES, Definition, Facts, Symbol


class Sources:
    """The *files* of a project by their paths."""

    def __init__(self, files: Mapping[str, Facts]) -> None:
        self.files = {path: File.of(path, facts) for path, facts in sorted(files.items()) if dialect_of(path)}
        self._dialects = {path: found for path in self.files if (found := dialect_of(path))}
        manifests = [(path, facts) for path, facts in sorted(files.items()) if not dialect_of(path)]
        self._spaces: dict[str, Space] = {}
        for dialect in DIALECTS:
            own = {path: file.facts for path, file in self.files.items() if self._dialects[path] is dialect}
            if own:
                self._spaces[dialect.name] = space_of(dialect, own, manifests)
        said = {name for file in self.files.values() for name in file.facts.packages}
        self.namespaces = {part for name in said for part in name.split(".")}

    def renew(self, path: str, facts: Facts) -> None:
        """Take other *facts* of a file: they define and import what the last ones did."""
        self.files[path] = File.of(path, facts)

    def dialect(self, path: str) -> Dialect:
        """Return what is spoken in the file at *path*."""
        return self._dialects[path]

    def space(self, path: str) -> Space:
        """Return what the file at *path* sees."""
        return self._spaces[self.dialect(path).name]

    def definition(self, symbol: Symbol) -> Definition | None:
        """Return what is defined there."""
        file = self.files.get(symbol.path)
        return file.definitions.get(symbol.name) if file else None

    def is_class(self, symbol: Symbol) -> bool:
        """Whether *symbol* has members: a class, an interface, a module within a file."""
        found = self.definition(symbol)
        return found is not None and found.kind in TYPES
