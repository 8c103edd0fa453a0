"""What an import means, and what files offer to those that see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from autology.core.code.file import File
from autology.core.code.meaning import DEEPEST, Meaning
from autology.core.code.names import Names, Unbound
from autology.core.code.sources import Sources
from autology.core.code.spaces import Mod
from autology.core.code.values import FOREIGN, Value, known, of_files
from autology.model.code import Import


class Imports:
    """The imports in the files of a project."""

    def __init__(self, sources: Sources, names: Names, meaning: Meaning) -> None:
        self._sources = sources
        self._names = names
        self._meaning = meaning
        self._tops: dict[str, dict[str, list[str]]] = {}

    def imported(self, told: Import, path: str, depth: int) -> Value:
        """Return what an import in the file at *path* means."""
        if told.name:
            return self._brought(told, path, told.name, depth)
        space = self._sources.space(path)
        if found := space.led(told, path):
            return of_files(found)
        return None if space.ours(told) else self._within(told, path, depth)

    def seen(self, file: File, name: str) -> Iterator[Value]:
        """Yield what the files that *file* sees as a whole offer under *name*."""
        for star in file.stars:
            yield self._brought(star, file.path, name, 0)
        for module in self._sources.space(file.path).siblings(file.path):
            yield self.offered(module, name, 0)

    def _brought(self, told: Import, path: str, name: str, depth: int) -> Value:
        """Return what *name* is of what an import brings."""
        space = self._sources.space(path)
        files = space.led(told, path)
        if files and (value := self.offered(of_files(files), name, depth)) is not None:
            return value
        if told.name == name and (below := space.below(told, path)):
            return of_files(below)
        if files or depth > DEEPEST:
            return None
        owner = self._within(told, path, depth)
        return FOREIGN if owner in (None, FOREIGN) else self._meaning.attribute(owner, name, depth + 1)

    def _within(self, told: Import, path: str, depth: int) -> Value:
        """Return what an import means whose module is itself a name in another: a class, a module within a file."""
        around, _, name = told.module.rpartition(".")
        if not self._sources.space(path).nested or not around or depth > DEEPEST:
            return FOREIGN
        return self._brought(replace(told, module=around, name=name), path, name, depth + 1)

    def offered(self, module: Mod, name: str, depth: int) -> Value:
        """Return what the files of *module* offer under *name*."""
        if len(module.paths) == 1:
            return self._of_file(module.paths[0], name, depth)
        if module.key not in self._tops:
            tops: dict[str, list[str]] = defaultdict(list)
            for path in module.paths:
                file = self._sources.files[path]
                names = dict.fromkeys(
                    (*file.members.get("", ()), *(local for scope, local in file.imports if not scope))
                )
                for each in names:
                    tops[each].append(path)
            self._tops[module.key] = tops
        found = (self._of_file(path, name, depth) for path in self._tops[module.key].get(name, ()))
        return next((value for value in found if value is not None), None)

    def _of_file(self, path: str, name: str, depth: int) -> Value:
        """Return what the file at *path* offers under *name*."""
        if depth > DEEPEST:
            return None
        file = self._sources.files[path]
        found = self._names.bound(file, "", name, depth + 1)
        if not isinstance(found, Unbound):
            return found
        for star in file.stars:
            value = self._brought(star, path, name, depth + 1)
            if known(value):
                return value
        return None
