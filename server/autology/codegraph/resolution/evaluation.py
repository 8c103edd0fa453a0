"""What an expression evaluates to, without running it, and what a name means.

The types of objects follow from annotations, from the classes that are instantiated and from what functions return. A
name is looked up in the scopes around it, then in the files that its file sees: imports are followed to the files that
they lead to, and from there on to what those import themselves. Each of these needs the others, so they are one class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from autology.codegraph import expressions as expr
from autology.codegraph.expressions import Expr, last_name
from autology.codegraph.facts import Definition, FileFacts, Import
from autology.codegraph.graph import Symbol
from autology.codegraph.resolver_base import SourceModule
from autology.codegraph.resolution.classes import Classes
from autology.codegraph.resolution.collection_names import MAPPINGS, RETURNING_COLLECTION, RETURNING_ELEMENT
from autology.codegraph.resolution.source_index import SourceFile, SourceIndex
from autology.codegraph.resolution.values import (
    EXTERNAL,
    Callback,
    CollectionOf,
    External,
    Instance,
    Super,
    SymbolReference,
    Value,
    first_own,
    is_own,
)

MAX_DEPTH = 25
"""Maximum steps from an expression to its value; *depth* counts the steps taken."""
MAX_NESTED = 40
"""Maximum names and functions evaluated, one inside the other, for the value of one expression."""
_ANY = frozenset(("Any", "object"))
_PROPERTIES = frozenset(("property", "cached_property", "setter"))


class Memo:
    """Values by their keys."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, ...], Value] = {}
        self._nested = 0

    def __call__(self, key: tuple[str, ...], compute: Callable[[], Value]) -> Value:
        """Return what *compute* returned the first time; None while it runs (a cycle) or where it nests too deep."""
        if key not in self._values:
            self._values[key] = None
            if self._nested < MAX_NESTED:
                self._nested += 1
                try:
                    self._values[key] = compute()
                finally:
                    self._nested -= 1
        return self._values[key]

    def clear(self) -> None:
        """Forget every value."""
        self._values.clear()


class Undeclared:
    """A scope declares no such name."""


UNDECLARED = Undeclared()


def is_property(definition: Definition) -> bool:
    """Whether a method is read as an attribute."""
    return any(last_name(decorator) in _PROPERTIES for decorator in definition.decorators)


class Evaluator:
    """Evaluates expressions in the files of a project."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._memo = Memo()
        self._exporting: dict[str, dict[str, list[str]]] = {}
        self.index = SourceIndex(files)
        self.classes = Classes(self.index, self.value)
        self.classes.join()
        self._memo.clear()  # values from before the classes were put together

    def value(self, expression: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return the value of *expression* in *scope* of the file at *path*."""
        if depth > MAX_DEPTH:
            return None
        evaluate = _EVALUATE.get(expression[0])
        return evaluate(self, expression, path, scope, depth + 1) if evaluate else None

    # ---- members ---------------------------------------------------------------------------------

    def attribute(self, owner: Value, name: str, depth: int = 0) -> Value:
        """Return the attribute *name* of *owner*."""
        if isinstance(owner, SourceModule):
            return self._in_module(owner, name, depth)
        if isinstance(owner, CollectionOf):
            if name in RETURNING_COLLECTION:
                return owner
            return Callback(owner.element) if name in RETURNING_ELEMENT else EXTERNAL
        if isinstance(owner, (Instance, Super)) or (
            isinstance(owner, SymbolReference) and self.index.is_class(owner.symbol)
        ):
            member = self.member(owner, name)
            passthrough = self.index.dialect(owner.symbol.path).passthrough_methods
            return Callback(owner) if not is_own(member) and name in passthrough else member
        if isinstance(owner, SymbolReference) and self._called_by_name(owner) and depth < MAX_DEPTH:
            return self.attribute(self.returned(owner.symbol), name, depth + 1)
        return EXTERNAL if isinstance(owner, (External, SymbolReference)) else None

    def member(self, owner: Instance | SymbolReference | Super, name: str) -> Value:
        """Return what a class, an instance of it, or its bases have as *name*."""
        first = 1 if isinstance(owner, Super) else 0
        for ancestor in self.classes.ancestors(owner.symbol)[first:]:
            member = self.classes.own_member(ancestor, name)
            if member and (definition := self.index.definition(member)):
                if isinstance(owner, Instance) and is_property(definition):
                    return self.returned(member)
                return SymbolReference(member)
            for part in self.classes.parts(ancestor):
                file = self.index.files[part.path]
                if (part.name, name) in file.bindings:
                    return self.bound(file, part.name, name)
        return EXTERNAL if self.classes.has_external_base(owner.symbol) else None

    def _in_module(self, module: SourceModule, name: str, depth: int) -> Value:
        value = self.exported(module, name, depth)
        if value is None:
            submodules = (self.index.modules(path).submodule(path, name) for path in module.paths)
            files = next(filter(None, submodules), ())
            value = SourceModule.of(files) if files else None
        return value

    def _called_by_name(self, function: SymbolReference) -> bool:
        return not self.index.dialect(function.symbol.path).parentheses and not self.index.is_class(function.symbol)

    # ---- calls -----------------------------------------------------------------------------------

    def call(self, callee: Value, depth: int = 0) -> Value:
        """Return what a call of *callee* returns."""
        if isinstance(callee, SymbolReference):
            return Instance(callee.symbol) if self.index.is_class(callee.symbol) else self.returned(callee.symbol)
        if isinstance(callee, Callback):
            return callee.result
        if isinstance(callee, SourceModule):  # CommonJS: what the module exports as itself
            exported = self.exported(callee, "default", depth)
            return self.call(exported, depth + 1) if exported is not None and depth < MAX_DEPTH else None
        if isinstance(callee, CollectionOf):
            return callee  # a method that makes another collection
        if isinstance(callee, Instance):
            return self._call_method(callee.symbol, "__call__")
        return EXTERNAL if isinstance(callee, External) else None

    def _call_method(self, symbol: Symbol, *names: str) -> Value:
        """Return the value returned by the first of the methods *names* that the class *symbol* has."""
        method = next(filter(None, (self.classes.member(symbol, name) for name in names)), None)
        return self.returned(method) if method else None

    def returned(self, function: Symbol) -> Value:
        """Return what a function returns: its annotated return type, else its first return value that is known."""
        return self._memo(("returned", function.path, function.name), lambda: self._returned(function))

    def _returned(self, function: Symbol) -> Value:
        definition = self.index.definition(function)
        if definition is None:
            return None
        if definition.returns is not None:
            return self.of_type(definition.returns, function.path, function.outer.name)
        returned = self.index.files[function.path].returned.get(function.name, ())
        return first_own(self.value(expression, function.path, function.name) for expression in returned)

    # ---- types -----------------------------------------------------------------------------------

    def of_type(self, type: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return a value of the annotated *type*."""
        if depth > MAX_DEPTH:
            return None
        kind = type[0]
        if kind == expr.UNION:
            return first_own(self.of_type(alternative, path, scope, depth + 1) for alternative in type[1])
        if kind == expr.GENERIC:
            return self._of_generic(type, path, scope, depth + 1)
        if kind == expr.COLLECTION:
            return CollectionOf(self.of_type(type[1], path, scope, depth + 1))
        if kind == expr.NAME and type[1] == "Self":
            symbol = Symbol(path, scope)
            owner = self.classes.owner(symbol) or self.classes.owner(symbol.outer)
            return Instance(owner) if owner else None
        if kind == expr.NAME and type[1] in _ANY:
            return None
        value = self.value(type, path, scope, depth + 1)
        if isinstance(value, SymbolReference):
            return Instance(value.symbol) if self.index.is_class(value.symbol) else None
        return value if isinstance(value, (External, Instance, CollectionOf, Callback)) else None

    def _of_generic(self, type: Expr, path: str, scope: str, depth: int) -> Value:
        base, arguments = type[1], type[2]
        name = last_name(base)
        if name == "Union" or name in self.index.dialect(path).wrapper_types:
            return first_own(self.of_type(argument, path, scope, depth) for argument in arguments)
        if name == "Callable":
            return Callback(self.of_type(arguments[-1], path, scope, depth))
        if name in ("type", "Type"):
            value = self.value(arguments[0], path, scope, depth)
            return value if isinstance(value, SymbolReference) else None
        own = self.value(base, path, scope, depth)
        if isinstance(own, SymbolReference) and self.index.is_class(own.symbol):
            return Instance(own.symbol)
        element = arguments[-1] if name in MAPPINGS else arguments[0]
        return CollectionOf(self.of_type(element, path, scope, depth))

    # ---- names -----------------------------------------------------------------------------------

    def named(self, name: str, path: str, scope: str) -> Value:
        """Return what *name* means in *scope* of the file at *path*."""
        return self._memo(("name", path, scope, name), lambda: self._resolve(name, path, scope))

    def _resolve(self, name: str, path: str, scope: str) -> Value:
        file, dialect = self.index.files[path], self.index.dialect(path)
        external = dialect.explicit_imports or name in dialect.builtins
        for outer in self._enclosing(file, scope):
            if dialect.implicit_this and outer.rpartition(".")[2] == name:
                continue  # a constructor has the name of its class, which means the class
            declared = self.declared(file, outer, name, 0)
            if not isinstance(declared, Undeclared):
                return declared
            if dialect.implicit_this and outer and (owner := self.classes.owner(Symbol(path, outer))):
                member = self.member(Instance(owner), name)
                if is_own(member):
                    return member
                external = external or member == EXTERNAL
        for value in self._visible(file, name):
            if is_own(value):
                return value
        if dialect.global_types and (only := self.classes.only_type(dialect, name)):
            return SymbolReference(only)
        return EXTERNAL if external else None

    def _enclosing(self, file: SourceFile, scope: str) -> Iterator[str]:
        """Yield the scopes in which a name is looked up; outer classes only where members need no object."""
        implicit_this = self.index.dialect(file.path).implicit_this
        outer = scope
        while outer:
            if outer == scope or implicit_this or self.classes.owner(Symbol(file.path, outer)) is None:
                yield outer
            outer = outer.rpartition(".")[0]
        yield ""

    def _visible(self, file: SourceFile, name: str) -> Iterator[Value]:
        """Yield what *name* is in the files that *file* sees as a whole."""
        for import_ in file.star_imports:
            yield self._from_import(import_, file.path, name, 0)
        for module in self.index.modules(file.path).visible(file.path):
            yield self.exported(module, name, 0)

    def is_bound(self, path: str, scope: str, name: str) -> bool:
        """Whether a function around, or the file, binds or imports *name*."""
        file = self.index.files[path]
        scopes = self._enclosing(file, scope)
        return any((outer, name) in file.bindings or (outer, name) in file.imports for outer in scopes)

    def declared(self, file: SourceFile, scope: str, name: str, depth: int) -> Value | Undeclared:
        """Return what *scope* itself declares *name* to be."""
        qualified = f"{scope}.{name}" if scope else name
        if qualified in file.definitions:
            return SymbolReference(self.classes.canonical(Symbol(file.path, qualified)))
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
            if binding.value == [expr.NAME, name] and owner == scope:
                if not binding.typed or not scope:
                    continue  # x = x
                scope = scope.rpartition(".")[0]  # a field with the name of its type
            evaluate = self.of_type if binding.typed else self.value
            yield evaluate(binding.value, file.path, scope, 0)

    # ---- imports ---------------------------------------------------------------------------------

    def imported(self, import_: Import, path: str, depth: int) -> Value:
        """Return what an import in the file at *path* means."""
        if import_.name:
            return self._from_import(import_, path, import_.name, depth)
        modules = self.index.modules(path)
        if files := modules.imported(import_, path):
            return SourceModule.of(files)
        return None if modules.may_be_own(import_) else self._from_member(import_, path, depth)

    def _from_import(self, import_: Import, path: str, name: str, depth: int) -> Value:
        """Return what *name* is in the module that an import names."""
        modules = self.index.modules(path)
        files = modules.imported(import_, path)
        if files and (value := self.exported(SourceModule.of(files), name, depth)) is not None:
            return value
        if import_.name == name and (submodule := modules.imported_submodule(import_, path)):
            return SourceModule.of(submodule)
        if files or depth > MAX_DEPTH:
            return None
        owner = self._from_member(import_, path, depth)
        return EXTERNAL if owner in (None, EXTERNAL) else self.attribute(owner, name, depth + 1)

    def _from_member(self, import_: Import, path: str, depth: int) -> Value:
        """Return the value of an import's module path where its last part is a member: a class or an inner module."""
        outer, _, name = import_.module.rpartition(".")
        if not self.index.modules(path).imports_members or not outer or depth > MAX_DEPTH:
            return EXTERNAL
        return self._from_import(replace(import_, module=outer, name=name), path, name, depth + 1)

    def exported(self, module: SourceModule, name: str, depth: int) -> Value:
        """Return what *name* is in the files of *module*."""
        if len(module.paths) == 1:
            return self._in_file(module.paths[0], name, depth)
        if module.key not in self._exporting:
            exporting: dict[str, list[str]] = defaultdict(list)
            for path in module.paths:
                file = self.index.files[path]
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
        file = self.index.files[path]
        declared = self.declared(file, "", name, depth + 1)
        if not isinstance(declared, Undeclared):
            return declared
        for import_ in file.star_imports:
            value = self._from_import(import_, path, name, depth + 1)
            if is_own(value):
                return value
        return None

    # ---- the kinds of expression -----------------------------------------------------------------

    def _name(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return self.named(expression[1], path, scope)

    def _attribute(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return self.attribute(self.value(expression[1], path, scope, depth), expression[2], depth)

    def _call(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        callee = expression[1]
        if callee[0] == expr.NAME and callee[1] in RETURNING_COLLECTION and not self.is_bound(path, scope, callee[1]):
            return None  # a collection of its arguments, which are not recorded
        return self.call(self.value(callee, path, scope, depth), depth)

    def _item(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        value = self.value(expression[1], path, scope, depth)
        if isinstance(value, SymbolReference) and self._called_by_name(value):
            value = self.returned(value.symbol)
        if isinstance(value, CollectionOf):
            return value.element
        if isinstance(value, Instance):
            return self._call_method(value.symbol, "__getitem__")
        return EXTERNAL if isinstance(value, External) else None

    def _context(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        value = self.value(expression[1], path, scope, depth)
        if isinstance(value, Instance):
            return self._call_method(value.symbol, "__enter__", "__aenter__") or value
        return value.element if isinstance(value, CollectionOf) else value if isinstance(value, External) else None

    def _collection(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return CollectionOf(self.value(expression[1], path, scope, depth))

    def _union(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return first_own(self.value(alternative, path, scope, depth) for alternative in expression[1])

    def _generic(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return self.value(expression[1], path, scope, depth)

    def _path(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        """Evaluate a qualified name whose first parts may be files or namespaces."""
        names: list[str] = expression[1]
        modules = self.index.modules(path)
        value = self.value([expr.NAME, names[0]], path, scope, depth) if names[0] else None
        if not is_own(value):
            for length in range(len(names) - 1, 0, -1):
                if files := modules.find(".".join(names[:length]).strip("."), path):
                    value, names = SourceModule.of(files), names[length - 1 :]
                    break
            else:
                inner = next((at for at, name in enumerate(names) if name not in self.index.namespaces), 0)
                return self._path([expr.PATH, names[inner:]], path, scope, depth) if inner else EXTERNAL
        for name in names[1:]:
            value = self.attribute(value, name, depth)
        return value

    def _own_class(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        owner = self.classes.owner(Symbol(path, expression[1]))
        return _OF_CLASS[expression[0]](owner) if owner else None

    def _external(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return EXTERNAL


_OF_CLASS: Mapping[str, type[Instance | SymbolReference | Super]] = {
    expr.INSTANCE: Instance,
    expr.CLASS_OBJECT: SymbolReference,
    expr.SUPER: Super,
}
_EVALUATE: dict[str, Callable[[Evaluator, Expr, str, str, int], Value]] = {
    expr.NAME: Evaluator._name,
    expr.ATTRIBUTE: Evaluator._attribute,
    expr.CALL: Evaluator._call,
    expr.ITEM: Evaluator._item,
    expr.CONTEXT: Evaluator._context,
    expr.COLLECTION: Evaluator._collection,
    expr.UNION: Evaluator._union,
    expr.PATH: Evaluator._path,
    expr.GENERIC: Evaluator._generic,
    **dict.fromkeys((expr.INSTANCE, expr.CLASS_OBJECT, expr.SUPER), Evaluator._own_class),
    expr.EXTERNAL[0]: Evaluator._external,
}
"""What evaluates an expression, by its kind."""
