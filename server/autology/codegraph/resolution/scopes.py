"""What a name means: in the scopes around it, then in the files that its file sees, by way of imports.

Imports are followed to the files that they lead to, and from there on to what those import themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from autology.codegraph.expressions import NAME, Expr
from autology.codegraph.facts import Import
from autology.codegraph.graph import Symbol
from autology.codegraph.modules import Module
from autology.codegraph.resolution.class_parts import ClassParts
from autology.codegraph.resolution.memo import MAX_DEPTH, Memo
from autology.codegraph.resolution.source_index import SourceFile, SourceIndex
from autology.codegraph.resolution.values import EXTERNAL, Instance, Reference, Value, first_own, is_own


class Evaluator(Protocol):
    """Evaluates the expressions that names are bound to."""

    def value(self, expression: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return the value of *expression* in *scope* of the file at *path*."""

    def of_type(self, type: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return a value of the annotated *type*."""

    def attribute(self, owner: Value, name: str, depth: int = 0) -> Value:
        """Return the attribute *name* of *owner*."""

    def member(self, owner: Instance, name: str) -> Value:
        """Return what a class of the project has as *name*."""


class Undeclared:
    """A scope declares no such name."""


UNDECLARED = Undeclared()


class Scopes:
    """The scopes in the files of a project."""

    def __init__(self, index: SourceIndex, parts: ClassParts, memo: Memo, evaluator: Evaluator) -> None:
        self._index = index
        self._parts = parts
        self._memo = memo
        self._evaluator = evaluator
        self._exporting: dict[str, dict[str, list[str]]] = {}

    # ---- names -----------------------------------------------------------------------------------

    def resolve(self, name: str, path: str, scope: str) -> Value:
        """Return what *name* means in *scope* of the file at *path*."""
        return self._memo(("name", path, scope, name), lambda: self._resolve(name, path, scope))

    def _resolve(self, name: str, path: str, scope: str) -> Value:
        file, dialect = self._index.files[path], self._index.dialect(path)
        external = dialect.explicit_imports or name in dialect.builtins
        for outer in self._enclosing(file, scope):
            if dialect.implicit_this and outer.rpartition(".")[2] == name:
                continue  # a constructor has the name of its class, which means the class
            declared = self.declared(file, outer, name, 0)
            if not isinstance(declared, Undeclared):
                return declared
            if dialect.implicit_this and outer and (owner := self._parts.owner(Symbol(path, outer))):
                member = self._evaluator.member(Instance(owner), name)
                if is_own(member):
                    return member
                external = external or member == EXTERNAL
        for value in self._visible(file, name):
            if is_own(value):
                return value
        if dialect.global_types and (only := self._parts.only_type(dialect, name)):
            return Reference(only)
        return EXTERNAL if external else None

    def _enclosing(self, file: SourceFile, scope: str) -> Iterator[str]:
        """Yield the scopes in which a name is looked up; outer classes only where members need no object."""
        implicit_this = self._index.dialect(file.path).implicit_this
        outer = scope
        while outer:
            if outer == scope or implicit_this or self._parts.owner(Symbol(file.path, outer)) is None:
                yield outer
            outer = outer.rpartition(".")[0]
        yield ""

    def _visible(self, file: SourceFile, name: str) -> Iterator[Value]:
        """Yield what *name* is in the files that *file* sees as a whole."""
        for import_ in file.star_imports:
            yield self._from_import(import_, file.path, name, 0)
        for module in self._index.modules(file.path).visible(file.path):
            yield self.exported(module, name, 0)

    def is_bound(self, path: str, scope: str, name: str) -> bool:
        """Whether a function around, or the file, binds or imports *name*."""
        file = self._index.files[path]
        scopes = self._enclosing(file, scope)
        return any((outer, name) in file.bindings or (outer, name) in file.imports for outer in scopes)

    def declared(self, file: SourceFile, scope: str, name: str, depth: int) -> Value | Undeclared:
        """Return what *scope* itself declares *name* to be."""
        qualified = f"{scope}.{name}" if scope else name
        if qualified in file.definitions:
            return Reference(self._parts.canonical(Symbol(file.path, qualified)))
        if (scope, name) in file.imports:
            return self.imported(file.imports[scope, name], file.path, depth)
        if (scope, name) in file.bindings:
            return self.bound(file, scope, name)
        return UNDECLARED

    def bound(self, file: SourceFile, owner: str, name: str) -> Value:
        """Return what *owner* binds *name* to: its annotated type, else the first value that is known."""
        return self._memo(("bound", file.path, owner, name), lambda: first_own(self._bound(file, owner, name)))

    def _bound(self, file: SourceFile, owner: str, name: str) -> Iterator[Value]:
        for binding in sorted(file.bindings.get((owner, name), []), key=lambda binding: not binding.typed):
            scope = binding.scope
            if binding.value == [NAME, name] and owner == scope:
                if not binding.typed or not scope:
                    continue  # x = x
                scope = scope.rpartition(".")[0]  # a field with the name of its type
            evaluate = self._evaluator.of_type if binding.typed else self._evaluator.value
            yield evaluate(binding.value, file.path, scope, 0)

    # ---- imports ---------------------------------------------------------------------------------

    def imported(self, import_: Import, path: str, depth: int) -> Value:
        """Return what an import in the file at *path* means."""
        if import_.name:
            return self._from_import(import_, path, import_.name, depth)
        modules = self._index.modules(path)
        if files := modules.imported(import_, path):
            return Module.of(files)
        return None if modules.may_be_own(import_) else self._from_member(import_, path, depth)

    def _from_import(self, import_: Import, path: str, name: str, depth: int) -> Value:
        """Return what *name* is in the module that an import names."""
        modules = self._index.modules(path)
        files = modules.imported(import_, path)
        if files and (value := self.exported(Module.of(files), name, depth)) is not None:
            return value
        if import_.name == name and (submodule := modules.imported_submodule(import_, path)):
            return Module.of(submodule)
        if files or depth > MAX_DEPTH:
            return None
        owner = self._from_member(import_, path, depth)
        return EXTERNAL if owner in (None, EXTERNAL) else self._evaluator.attribute(owner, name, depth + 1)

    def _from_member(self, import_: Import, path: str, depth: int) -> Value:
        """Return what an import names as its module where that is a name in another: a class, an inner module."""
        outer, _, name = import_.module.rpartition(".")
        if not self._index.modules(path).imports_members or not outer or depth > MAX_DEPTH:
            return EXTERNAL
        return self._from_import(replace(import_, module=outer, name=name), path, name, depth + 1)

    def exported(self, module: Module, name: str, depth: int) -> Value:
        """Return what *name* is in the files of *module*."""
        if len(module.paths) == 1:
            return self._in_file(module.paths[0], name, depth)
        if module.key not in self._exporting:
            exporting: dict[str, list[str]] = defaultdict(list)
            for path in module.paths:
                file = self._index.files[path]
                imported = (local for scope, local in file.imports if not scope)
                for declared in dict.fromkeys((*file.members.get("", ()), *imported)):
                    exporting[declared].append(path)
            self._exporting[module.key] = exporting
        values = (self._in_file(path, name, depth) for path in self._exporting[module.key].get(name, ()))
        return next((value for value in values if value is not None), None)

    def _in_file(self, path: str, name: str, depth: int) -> Value:
        """Return what *name* is at the top of the file at *path*."""
        if depth > MAX_DEPTH:
            return None
        file = self._index.files[path]
        declared = self.declared(file, "", name, depth + 1)
        if not isinstance(declared, Undeclared):
            return declared
        for import_ in file.star_imports:
            value = self._from_import(import_, path, name, depth + 1)
            if is_own(value):
                return value
        return None
