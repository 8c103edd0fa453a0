"""What an expression in a source file leads to.

What objects are is told by annotations, by what made them, and by what functions return.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from autology.core.code.annotations import Annotations
from autology.core.code.file import File
from autology.core.code.holding import SAME
from autology.core.code.imports import Imports
from autology.core.code.lineage import Lineage
from autology.core.code.meaning import DEEPEST
from autology.core.code.members import Members
from autology.core.code.names import Names
from autology.core.code.once import Once
from autology.core.code.parts import Parts
from autology.core.code.sources import Sources
from autology.core.code.values import FOREIGN, Bases, Def, Foreign, Many, Obj, Value, first, known, of_files
from autology.model.code import Expr, Facts, Import, Symbol


class Lookup:
    """What expressions mean in the files of a project."""

    def __init__(self, files: Mapping[str, Facts]) -> None:
        once = Once()
        self.sources = Sources(files)
        self.parts = Parts(self.sources)
        self.lineage = Lineage(self.sources, self.parts, self)
        self.names = Names(self.sources, self.parts, once, self)
        self._imports = Imports(self.sources, self.names, self)
        self._annotations = Annotations(self.sources, self.parts, once, self)
        self._members = Members(self.sources, self.parts, self.lineage, self.names, self._imports, self._annotations)
        self.parts.put_together(self)
        once.forget()
        self.lineage.forget()

    def value(self, told: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return what the expression *told* leads to, in *scope* of the file at *path*."""
        if depth > DEEPEST:
            return None
        read = _READ.get(told[0])
        return read(self, told, path, scope, depth + 1) if read else None

    def typed(self, told: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return an object of the type that is *told*."""
        return self._annotations.typed(told, path, scope, depth)

    def attribute(self, owner: Value, name: str, depth: int = 0) -> Value:
        """Return what *owner* has under *name*."""
        return self._members.attribute(owner, name, depth)

    def of_class(self, owner: Obj | Def | Bases, name: str) -> Value:
        """Return what a class, or an object of it, has under *name*."""
        return self._members.of_class(owner, name)

    def imported(self, told: Import, path: str, depth: int) -> Value:
        """Return what an import in the file at *path* means."""
        return self._imports.imported(told, path, depth)

    def seen(self, file: File, name: str) -> Iterator[Value]:
        """Yield what the files that *file* sees as a whole offer under *name*."""
        return self._imports.seen(file, name)

    # ---- the forms of an expression -----------------------------------------------------------------

    def _name(self, told: Expr, path: str, scope: str, depth: int) -> Value:  # noqa: ARG002 - known once for all
        return self.names.named(told[1], path, scope)

    def _attribute(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        return self.attribute(self.value(told[1], path, scope, depth), told[2], depth)

    def _call(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        called = told[1]
        if called[0] == "n" and called[1] in SAME and not self.names.binds(path, scope, called[1]):
            return None  # a collection of what it is given, which is not told
        return self._members.called(self.value(called, path, scope, depth), depth)

    def _element(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        value = self.value(told[1], path, scope, depth)
        brackets = self.sources.dialect(path).brackets
        if isinstance(value, Def) and not brackets and not self.sources.is_class(value.symbol):
            value = self._annotations.returned(value.symbol)
        if isinstance(value, Many):
            return value.element
        if isinstance(value, Obj):
            return self._members.given(value.symbol, "__getitem__")
        return FOREIGN if isinstance(value, Foreign) else None

    def _given(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        value = self.value(told[1], path, scope, depth)
        if isinstance(value, Obj):
            return self._members.given(value.symbol, "__enter__", "__aenter__") or value
        return value.element if isinstance(value, Many) else value if isinstance(value, Foreign) else None

    def _collection(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        return Many(self.value(told[1], path, scope, depth))

    def _either(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        return first(self.value(each, path, scope, depth) for each in told[1])

    def _qualified(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        """Return what names after one another lead to, of which the first may be files or namespaces."""
        names: list[str] = told[1]
        space = self.sources.space(path)
        value = self.value(["n", names[0]], path, scope, depth) if names[0] else None
        if not known(value):
            for at in range(len(names) - 1, 0, -1):
                if files := space.files(".".join(names[:at]).strip("."), path):
                    value, names = of_files(files), names[at - 1 :]
                    break
            else:
                inner = next((at for at, name in enumerate(names) if name not in self.sources.namespaces), 0)
                return self._qualified(["q", names[inner:]], path, scope, depth) if inner else FOREIGN
        for name in names[1:]:
            value = self.attribute(value, name, depth)
        return value

    def _around(self, kind: type[Obj] | type[Def] | type[Bases], path: str, name: str) -> Value:
        owner = self.parts.owner(Symbol(path, name))
        return kind(owner) if owner else None


_READ: dict[str, Callable[[Lookup, Expr, str, str, int], Value]] = {
    "n": Lookup._name,
    "a": Lookup._attribute,
    "c": Lookup._call,
    "i": Lookup._element,
    "w": Lookup._given,
    "l": Lookup._collection,
    "u": Lookup._either,
    "q": Lookup._qualified,
    "o": lambda self, told, path, scope, depth: self._around(Obj, path, told[1]),  # noqa: ARG005
    "k": lambda self, told, path, scope, depth: self._around(Def, path, told[1]),  # noqa: ARG005
    "s": lambda self, told, path, scope, depth: self._around(Bases, path, told[1]),  # noqa: ARG005
    "x": lambda self, told, path, scope, depth: FOREIGN,  # noqa: ARG005
    "g": lambda self, told, path, scope, depth: self.value(told[1], path, scope, depth),
}
"""What reads an expression, by the form that it begins with."""
