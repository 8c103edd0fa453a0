"""What an expression evaluates to, without running it.

The types of objects follow from annotations, from the classes that are instantiated and from what functions return.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autology.codegraph import expressions
from autology.codegraph.expressions import (
    ATTRIBUTE,
    CALL,
    CLASS_OBJECT,
    COLLECTION,
    CONTEXT,
    GENERIC,
    INSTANCE,
    ITEM,
    NAME,
    PATH,
    SUPER,
    UNION,
    Expr,
    last_name,
)
from autology.codegraph.facts import Definition, Facts
from autology.codegraph.graph import Symbol
from autology.codegraph.modules import Module
from autology.codegraph.resolution.class_hierarchy import ClassHierarchy
from autology.codegraph.resolution.class_parts import ClassParts
from autology.codegraph.resolution.memo import MAX_DEPTH, Memo
from autology.codegraph.resolution.scopes import Scopes
from autology.codegraph.resolution.source_index import SourceIndex
from autology.codegraph.resolution.values import (
    EXTERNAL,
    Callback,
    Collection,
    External,
    Instance,
    Reference,
    Super,
    Value,
    first_own,
    is_own,
)

RETURNING_ELEMENT = frozenset(
    "get pop popleft setdefault popitem __getitem__ send result first last next find at shift get_mut peek remove"
    " findFirst findAny getOrDefault computeIfAbsent First FirstOrDefault Single SingleOrDefault Last LastOrDefault"
    " Find ElementAt TryGetValue front back top poll element max min detect sample fetch"
    " or_insert_with or_default".split()
)
"""Methods of collections that return an element."""
RETURNING_COLLECTION = frozenset(
    "list tuple set frozenset sorted reversed iter deque copy values keys iter_mut into_iter values_mut filter rev skip"
    " take stream toList sort slice concat reverse Where ToList ToArray OrderBy OrderByDescending Skip Take Reverse"
    " select reject sort_by compact uniq collect chain drain entrySet lock unwrap begin end rbegin".split()
)
"""Functions and methods that make one collection of another."""
MAPPINGS = frozenset(
    "dict Mapping MutableMapping defaultdict OrderedDict Map HashMap BTreeMap IndexMap TreeMap LinkedHashMap"
    " ConcurrentHashMap ConcurrentMap WeakMap Record Dictionary IDictionary ConcurrentDictionary IReadOnlyDictionary"
    " SortedDictionary map unordered_map".split()
)
"""Collections whose last type argument is that of the elements."""
_ANY = frozenset(("Any", "object"))
_PROPERTIES = frozenset(("property", "cached_property", "setter"))


def is_property(definition: Definition) -> bool:
    """Whether a method is read as an attribute."""
    return any(last_name(decorator) in _PROPERTIES for decorator in definition.decorators)


class TypeInference:
    """Evaluates expressions in the files of a project."""

    def __init__(self, files: Mapping[str, Facts]) -> None:
        memo = self._memo = Memo()
        self.index = SourceIndex(files)
        self.parts = ClassParts(self.index)
        self.hierarchy = ClassHierarchy(self.index, self.parts, self.value)
        self.scopes = Scopes(self.index, self.parts, memo, self)
        self.parts.join(self.value)
        memo.clear()  # values from before the classes were put together
        self.hierarchy.clear()

    def value(self, expression: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return the value of *expression* in *scope* of the file at *path*."""
        if depth > MAX_DEPTH:
            return None
        evaluate = _EVALUATE.get(expression[0])
        return evaluate(self, expression, path, scope, depth + 1) if evaluate else None

    # ---- members ---------------------------------------------------------------------------------

    def attribute(self, owner: Value, name: str, depth: int = 0) -> Value:
        """Return the attribute *name* of *owner*."""
        if isinstance(owner, Module):
            return self._in_module(owner, name, depth)
        if isinstance(owner, Collection):
            if name in RETURNING_COLLECTION:
                return owner
            return Callback(owner.element) if name in RETURNING_ELEMENT else EXTERNAL
        if isinstance(owner, (Instance, Super)) or (isinstance(owner, Reference) and self.index.is_class(owner.symbol)):
            member = self.member(owner, name)
            passthrough = self.index.dialect(owner.symbol.path).passthrough_methods
            return Callback(owner) if not is_own(member) and name in passthrough else member
        if isinstance(owner, Reference) and self._called_by_name(owner) and depth < MAX_DEPTH:
            return self.attribute(self.returned(owner.symbol), name, depth + 1)
        return EXTERNAL if isinstance(owner, (External, Reference)) else None

    def member(self, owner: Instance | Reference | Super, name: str) -> Value:
        """Return what a class, an instance of it, or its bases have as *name*."""
        first = 1 if isinstance(owner, Super) else 0
        for ancestor in self.hierarchy.ancestors(owner.symbol)[first:]:
            member = self.parts.own_member(ancestor, name)
            if member and (definition := self.index.definition(member)):
                if isinstance(owner, Instance) and is_property(definition):
                    return self.returned(member)
                return Reference(member)
            for place in self.parts.places(ancestor):
                file = self.index.files[place.path]
                if (place.name, name) in file.bindings:
                    return self.scopes.bound(file, place.name, name)
        return EXTERNAL if self.hierarchy.has_external_base(owner.symbol) else None

    def _in_module(self, module: Module, name: str, depth: int) -> Value:
        value = self.scopes.exported(module, name, depth)
        if value is None:
            submodules = (self.index.modules(path).submodule(path, name) for path in module.paths)
            files = next(filter(None, submodules), ())
            value = Module.of(files) if files else None
        return value

    def _called_by_name(self, function: Reference) -> bool:
        return not self.index.dialect(function.symbol.path).parentheses and not self.index.is_class(function.symbol)

    # ---- calls -----------------------------------------------------------------------------------

    def call(self, callee: Value, depth: int = 0) -> Value:
        """Return what a call of *callee* returns."""
        if isinstance(callee, Reference):
            return Instance(callee.symbol) if self.index.is_class(callee.symbol) else self.returned(callee.symbol)
        if isinstance(callee, Callback):
            return callee.result
        if isinstance(callee, Module):  # CommonJS: what the module exports as itself
            exported = self.scopes.exported(callee, "default", depth)
            return self.call(exported, depth + 1) if exported is not None and depth < MAX_DEPTH else None
        if isinstance(callee, Collection):
            return callee  # a method that makes another collection
        if isinstance(callee, Instance):
            return self._call_method(callee.symbol, "__call__")
        return EXTERNAL if isinstance(callee, External) else None

    def _call_method(self, symbol: Symbol, *names: str) -> Value:
        """Return what the first method of *names* returns that the class *symbol* has."""
        method = next(filter(None, (self.hierarchy.member(symbol, name) for name in names)), None)
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
        if kind == UNION:
            return first_own(self.of_type(alternative, path, scope, depth + 1) for alternative in type[1])
        if kind == GENERIC:
            return self._of_generic(type, path, scope, depth + 1)
        if kind == COLLECTION:
            return Collection(self.of_type(type[1], path, scope, depth + 1))
        if kind == NAME and type[1] == "Self":
            place = Symbol(path, scope)
            owner = self.parts.owner(place) or self.parts.owner(place.outer)
            return Instance(owner) if owner else None
        if kind == NAME and type[1] in _ANY:
            return None
        value = self.value(type, path, scope, depth + 1)
        if isinstance(value, Reference):
            return Instance(value.symbol) if self.index.is_class(value.symbol) else None
        return value if isinstance(value, (External, Instance, Collection, Callback)) else None

    def _of_generic(self, type: Expr, path: str, scope: str, depth: int) -> Value:
        base, arguments = type[1], type[2]
        name = last_name(base)
        if name == "Union" or name in self.index.dialect(path).wrapper_types:
            return first_own(self.of_type(argument, path, scope, depth) for argument in arguments)
        if name == "Callable":
            return Callback(self.of_type(arguments[-1], path, scope, depth))
        if name in ("type", "Type"):
            value = self.value(arguments[0], path, scope, depth)
            return value if isinstance(value, Reference) else None
        own = self.value(base, path, scope, depth)
        if isinstance(own, Reference) and self.index.is_class(own.symbol):
            return Instance(own.symbol)
        element = arguments[-1] if name in MAPPINGS else arguments[0]
        return Collection(self.of_type(element, path, scope, depth))

    # ---- the kinds of expression -----------------------------------------------------------------

    def _name(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return self.scopes.resolve(expression[1], path, scope)

    def _attribute(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return self.attribute(self.value(expression[1], path, scope, depth), expression[2], depth)

    def _call(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        callee = expression[1]
        if callee[0] == NAME and callee[1] in RETURNING_COLLECTION and not self.scopes.is_bound(path, scope, callee[1]):
            return None  # a collection of its arguments, which are not recorded
        return self.call(self.value(callee, path, scope, depth), depth)

    def _item(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        value = self.value(expression[1], path, scope, depth)
        if isinstance(value, Reference) and self._called_by_name(value):
            value = self.returned(value.symbol)
        if isinstance(value, Collection):
            return value.element
        if isinstance(value, Instance):
            return self._call_method(value.symbol, "__getitem__")
        return EXTERNAL if isinstance(value, External) else None

    def _context(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        value = self.value(expression[1], path, scope, depth)
        if isinstance(value, Instance):
            return self._call_method(value.symbol, "__enter__", "__aenter__") or value
        return value.element if isinstance(value, Collection) else value if isinstance(value, External) else None

    def _collection(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return Collection(self.value(expression[1], path, scope, depth))

    def _union(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return first_own(self.value(alternative, path, scope, depth) for alternative in expression[1])

    def _generic(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return self.value(expression[1], path, scope, depth)

    def _path(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        """Evaluate a qualified name whose first parts may be files or namespaces."""
        names: list[str] = expression[1]
        modules = self.index.modules(path)
        value = self.value([NAME, names[0]], path, scope, depth) if names[0] else None
        if not is_own(value):
            for length in range(len(names) - 1, 0, -1):
                if files := modules.find(".".join(names[:length]).strip("."), path):
                    value, names = Module.of(files), names[length - 1 :]
                    break
            else:
                inner = next((at for at, name in enumerate(names) if name not in self.index.namespaces), 0)
                return self._path([PATH, names[inner:]], path, scope, depth) if inner else EXTERNAL
        for name in names[1:]:
            value = self.attribute(value, name, depth)
        return value

    def _own_class(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        owner = self.parts.owner(Symbol(path, expression[1]))
        return _OF_CLASS[expression[0]](owner) if owner else None

    def _external(self, expression: Expr, path: str, scope: str, depth: int) -> Value:
        return EXTERNAL


_OF_CLASS: Mapping[str, type[Instance | Reference | Super]] = {
    INSTANCE: Instance,
    CLASS_OBJECT: Reference,
    SUPER: Super,
}
_EVALUATE: dict[str, Callable[[TypeInference, Expr, str, str, int], Value]] = {
    NAME: TypeInference._name,
    ATTRIBUTE: TypeInference._attribute,
    CALL: TypeInference._call,
    ITEM: TypeInference._item,
    CONTEXT: TypeInference._context,
    COLLECTION: TypeInference._collection,
    UNION: TypeInference._union,
    PATH: TypeInference._path,
    GENERIC: TypeInference._generic,
    **dict.fromkeys((INSTANCE, CLASS_OBJECT, SUPER), TypeInference._own_class),
    expressions.EXTERNAL[0]: TypeInference._external,
}
"""What evaluates an expression, by its kind."""
