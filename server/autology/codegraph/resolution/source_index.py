"""The facts of a project's files, indexed by path, scope and name."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from autology.codegraph.dialects import Dialect, dialect_of, is_manifest_of
from autology.codegraph.expressions import Expr
from autology.codegraph.facts import TYPES, Binding, Definition, FileFacts, Import
from autology.codegraph.graph import Symbol
from autology.codegraph.resolver_base import ModuleResolver


@dataclass(slots=True)
class SourceFile:
    """The facts of one file, indexed by scope and name; *reopened* are further parts of classes defined before."""

    path: str
    facts: FileFacts
    definitions: dict[str, Definition] = field(default_factory=dict)
    bindings: dict[tuple[str, str], list[Binding]] = field(default_factory=lambda: defaultdict(list))
    imports: dict[tuple[str, str], Import] = field(default_factory=dict)
    star_imports: list[Import] = field(default_factory=list)
    returned: dict[str, list[Expr]] = field(default_factory=lambda: defaultdict(list))
    reopened: dict[str, list[Definition]] = field(default_factory=lambda: defaultdict(list))
    members: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def of(cls, path: str, facts: FileFacts) -> SourceFile:
        """Index the *facts* of the file at *path*."""
        file = cls(path, facts)
        for definition in facts.definitions:
            file._define(definition)
            outer, _, name = definition.name.rpartition(".")
            file.members[outer].add(name)
        for binding in facts.bindings:
            file.bindings[binding.owner, binding.name].append(binding)
            file.members[binding.owner].add(binding.name)
        for import_ in facts.imports:
            if import_.name == "*":
                file.star_imports.append(import_)
            elif import_.local:
                file.imports.setdefault((import_.scope, import_.local), import_)
        for scope, value in facts.returned:
            file.returned[scope].append(value)
        return file

    def _define(self, definition: Definition) -> None:
        """Keep the first definition of a name, but one with a body before a declaration."""
        if definition.declared and definition.kind in TYPES:  # adds to a class that is defined elsewhere
            self.reopened[definition.name].append(definition)
            return
        first = self.definitions.setdefault(definition.name, definition)
        if first.declared and not definition.declared:
            self.definitions[definition.name] = definition
        elif first is not definition and first.kind in TYPES:
            self.reopened[definition.name].append(definition)


class SourceIndex:
    """The files of a project by their paths; manifests among them only tell what packages are called."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        ordered = sorted(files.items())
        self._dialects = {path: dialect for path, _ in ordered if (dialect := dialect_of(path))}
        self.files = {path: SourceFile.of(path, facts) for path, facts in ordered if path in self._dialects}
        self._resolvers: dict[Dialect, ModuleResolver] = {}
        for dialect in set(self._dialects.values()):
            own = {path: file.facts for path, file in self.files.items() if self._dialects[path] is dialect}
            manifests = [(path, facts) for path, facts in ordered if is_manifest_of(path, dialect)]
            packages = {name: posixpath.dirname(path) for path, facts in manifests for name in facts.packages}
            self._resolvers[dialect] = dialect.module_resolver(own, packages)
        declared = {package for file in self.files.values() for package in file.facts.packages}
        self.namespaces = {part for package in declared for part in package.split(".")}
        """Every part of the name of a namespace."""

    def replace(self, path: str, facts: FileFacts) -> None:
        """Take new *facts* of a file, whose definitions and imports are those of before."""
        self.files[path] = SourceFile.of(path, facts)

    def dialect(self, path: str) -> Dialect:
        """Return the dialect of the file at *path*."""
        return self._dialects[path]

    def modules(self, path: str) -> ModuleResolver:
        """Return what resolves the imports of the file at *path*."""
        return self._resolvers[self._dialects[path]]

    def definition(self, symbol: Symbol) -> Definition | None:
        """Return the definition of *symbol*."""
        file = self.files.get(symbol.path)
        return file.definitions.get(symbol.name) if file else None

    def definitions(self) -> Iterator[tuple[Symbol, Definition]]:
        """Yield every definition of every file."""
        for path, file in self.files.items():
            for name, definition in file.definitions.items():
                yield Symbol(path, name), definition

    def is_class(self, symbol: Symbol) -> bool:
        """Whether *symbol* has members: a class, an interface, a module within a file."""
        definition = self.definition(symbol)
        return definition is not None and definition.kind in TYPES
