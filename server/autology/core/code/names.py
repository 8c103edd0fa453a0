"""What a name means where it stands.

It is looked up in the function, in those around it and in the file, then in what the file sees without an import.
"""

from __future__ import annotations

from collections.abc import Iterator

from autology.core.code.file import File
from autology.core.code.meaning import Meaning
from autology.core.code.once import Once
from autology.core.code.parts import Parts
from autology.core.code.sources import Sources
from autology.core.code.values import FOREIGN, Def, Obj, Value, first, known
from autology.model.code import Binding, Symbol


class Unbound:
    """That a scope says nothing of a name."""


UNBOUND = Unbound()


class Names:
    """The names in the files of a project."""

    def __init__(self, sources: Sources, parts: Parts, once: Once, meaning: Meaning) -> None:
        self._sources = sources
        self._parts = parts
        self._once = once
        self._meaning = meaning

    def named(self, name: str, path: str, scope: str) -> Value:
        """Return what *name* means in *scope* of the file at *path*."""
        return self._once(("name", path, scope, name), lambda: self._looked_up(name, path, scope))

    def _looked_up(self, name: str, path: str, scope: str) -> Value:
        file, dialect = self._sources.files[path], self._sources.dialect(path)
        outside = False
        for around in self._scopes(file, scope):
            if dialect.bare and around.rpartition(".")[2] == name:
                continue  # a constructor has its class's name, which means the class
            found = self.bound(file, around, name, 0)
            if not isinstance(found, Unbound):
                return found
            if dialect.bare and around and (owner := self._parts.owner(Symbol(path, around))):
                value = self._meaning.of_class(Obj(owner), name)
                if known(value):
                    return value
                outside = outside or value == FOREIGN
        for value in self._meaning.seen(file, name):
            if known(value):
                return value
        if dialect.announced and (only := self._parts.only(dialect, name)):
            return Def(only)
        told = outside or dialect.closed or name in dialect.offered
        return FOREIGN if told else None

    def _scopes(self, file: File, scope: str) -> Iterator[str]:
        """Yield the scopes in which a name is looked for; classes around only where members are bare."""
        innermost, bare = True, self._sources.dialect(file.path).bare
        while scope:
            if innermost or bare or self._parts.owner(Symbol(file.path, scope)) is None:
                yield scope
            innermost = False
            scope = scope.rpartition(".")[0]
        yield ""

    def binds(self, path: str, scope: str, name: str) -> bool:
        """Whether a function around, or the file, gives *name* a meaning of its own."""
        file = self._sources.files[path]
        return any(
            (around, name) in file.bindings or (around, name) in file.imports for around in self._scopes(file, scope)
        )

    def bound(self, file: File, scope: str, name: str, depth: int) -> Value | Unbound:
        """Return what *name* means by what *scope* itself says."""
        whole = f"{scope}.{name}" if scope else name
        if whole in file.definitions:
            return Def(self._parts.real(Symbol(file.path, whole)))
        if (scope, name) in file.imports:
            return self._meaning.imported(file.imports[scope, name], file.path, depth)
        if (scope, name) in file.bindings:
            return self.assigned(file, scope, name)
        return UNBOUND

    def assigned(self, file: File, owner: str, name: str) -> Value:
        """Return what a name is bound to: what it is annotated with, else the first that is known."""
        return self._once(("bound", file.path, owner, name), lambda: first(self._assigned(file, owner, name)))

    def _assigned(self, file: File, owner: str, name: str) -> Iterator[Value]:
        told: list[Binding] = file.bindings.get((owner, name), [])
        for binding in sorted(told, key=lambda binding: not binding.typed):
            scope = binding.scope
            if binding.value == ["n", name] and owner == scope:
                if not binding.typed or not scope:
                    continue  # x = x
                scope = scope.rpartition(".")[0]  # a field that is called as its type
            read = self._meaning.typed if binding.typed else self._meaning.value
            yield read(binding.value, file.path, scope, 0)
