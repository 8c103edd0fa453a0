"""The facts of a Python file, from Python's own parser; nothing of the file is run."""

from __future__ import annotations

import ast
import builtins
import io
import posixpath
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Sequence

from autology.codegraph import expressions as expr
from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import Expr
from autology.codegraph.facts import (
    CLASS,
    FUNCTION,
    METHOD,
    Binding,
    Definition,
    FactsCollector,
    FileFacts,
    Import,
    Use,
)
from autology.codegraph.resolver_base import ModuleResolver

MAX_DEPTH = 40
"""Steps of one expression that are followed; a longer one is generated."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def parse(text: str) -> FileFacts:
    """Return the facts of a Python file; one that cannot be parsed has only a fault."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of strings like "\\d", which are the project's own affair
            tree = ast.parse(text)
        reader = _PythonReader()
        reader.read(tree.body)
    except SyntaxError as error:
        return FileFacts(fault=f"line {error.lineno or 1}: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return FileFacts(fault=f"cannot be parsed: {error}"[:200])
    return reader.facts()


class _PythonReader(FactsCollector, ast.NodeVisitor):
    """Walks a file; *scope* is the qualified name of the class or function around."""

    def __init__(self) -> None:
        super().__init__()
        self._scope = ""
        self._user = ""  # whose decorators, defaults or bases are being visited
        self._classes: list[str] = []  # of each scope around: the class that it is, "" for a function
        self._self: list[str] = []  # of each function around: its name for the instance

    def read(self, body: Iterable[ast.stmt]) -> None:
        """Visit these statements."""
        for statement in body:
            self.visit(statement)

    # ---- definitions -----------------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        name = self._qualified(node.name)
        bases = tuple(self._type(base) for base in node.bases)
        self._define(node, name, CLASS, bases)
        outer, self._user = self._user, name
        self._visit_decorators(node.decorator_list)
        for keyword in node.keywords:
            self.visit(keyword.value)
        for base in node.bases:
            if isinstance(base, ast.Subscript):  # the base itself is extended, not used
                self._visit_annotation(base.slice)
        self._user = outer
        self._visit_body(name, name, node.body)

    def visit_FunctionDef(self, node: _Function) -> None:
        name = self._qualified(node.name)
        owner = self._classes[-1] if self._classes else ""
        returns = self._type(node.returns) if node.returns else None
        self._define(node, name, METHOD if owner else FUNCTION, (), returns)
        outer, self._user = self._user, name
        self._visit_decorators(node.decorator_list)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default:
                self.visit(default)
        self._user = outer
        self._parameters(name, node.args)
        if node.returns:
            self._visit_annotation(node.returns, name)
        first = next(iter((*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)), None)
        if owner and first and not _is_decorated(node, "staticmethod"):
            kind = expr.CLASS_OBJECT if _is_decorated(node, "classmethod") else expr.INSTANCE
            self.bindings.append(Binding(name, first.arg, [kind, owner], False, name))
            self._self.append(first.arg)
        else:
            self._self.append(self._self[-1] if self._self and not owner else "")
        self._visit_body(name, "", node.body)
        self._self.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            self._bind(argument.arg, expr.UNKNOWN)
        self.generic_visit(node)

    def _define(
        self,
        node: ast.ClassDef | _Function,
        name: str,
        kind: str,
        bases: tuple[Expr, ...],
        returns: Expr | None = None,
    ) -> None:
        decorators = tuple(self._value(decorator) for decorator in node.decorator_list)
        end = node.end_lineno or node.lineno
        self.definitions.append(Definition(name, kind, node.lineno, end, bases, decorators, returns))

    def _visit_decorators(self, decorators: Iterable[ast.expr]) -> None:
        """Visit decorators: one without parentheses is called all the same."""
        for decorator in decorators:
            if isinstance(decorator, (ast.Name, ast.Attribute)):
                self._use(decorator, True, decorator.lineno)
                self._visit_owner(decorator)
            else:
                self.visit(decorator)

    def _parameters(self, function: str, arguments: ast.arguments) -> None:
        starred = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred):
            typed = argument.annotation is not None
            value = self._type(argument.annotation) if argument.annotation else expr.UNKNOWN
            if argument in starred:
                value = [expr.COLLECTION, value]
            self.bindings.append(Binding(function, argument.arg, value, typed, self._scope))
            if argument.annotation:
                self._visit_annotation(argument.annotation, function)

    def _visit_body(self, scope: str, owner: str, body: Sequence[ast.stmt]) -> None:
        outer, self._scope = self._scope, scope
        self._classes.append(owner)
        self.read(body)
        self._classes.pop()
        self._scope = outer

    def _qualified(self, name: str) -> str:
        return f"{self._scope}.{name}" if self._scope else name

    # ---- names that are bound --------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            local = alias.asname or alias.name.partition(".")[0]
            module = alias.name if alias.asname else local
            self.imports.append(Import(self._scope, local, module, "", 0, node.lineno))
            if module != alias.name:  # a.b is loaded, and a is bound
                self.imports.append(Import(self._scope, "", alias.name, "", 0, node.lineno))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            local = alias.asname or alias.name
            self.imports.append(Import(self._scope, local, node.module or "", alias.name, node.level, node.lineno))

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self._value(node.value)
        for target in node.targets:
            self._assign(target, value)
            self._visit_target(target)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._assign(node.target, self._type(node.annotation), typed=True)
        self._visit_target(node.target)
        self._visit_annotation(node.annotation)
        if node.value:
            self.visit(node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._assign(node.target, self._value(node.value))
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._visit_target(node.target)
        self.visit(node.value)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self._assign(node.target, [expr.ITEM, self._value(node.iter)])
        self.visit(node.iter)
        self.read([*node.body, *node.orelse])

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._assign(node.target, [expr.ITEM, self._value(node.iter)])
        self.visit(node.iter)
        for condition in node.ifs:
            self.visit(condition)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            if item.optional_vars:
                self._assign(item.optional_vars, [expr.CONTEXT, self._value(item.context_expr)])
            self.visit(item.context_expr)
        self.read(node.body)

    visit_AsyncWith = visit_With  # noqa: N815

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type:
            if node.name:
                types = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
                self._bind(node.name, [expr.UNION, [self._type(type) for type in types]], typed=True)
            self.visit(node.type)
        self.read(node.body)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value:
            self.returned.append((self._scope, self._value(node.value)))
            self.visit(node.value)

    def _assign(self, target: ast.expr, value: Expr, typed: bool = False) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, value, typed)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            owner = self._owner()
            if owner and self._self and target.value.id == self._self[-1]:
                self.bindings.append(Binding(owner, target.attr, value, typed, self._scope))
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._assign(part.value if isinstance(part, ast.Starred) else part, expr.UNKNOWN)

    def _bind(self, name: str, value: Expr, typed: bool = False) -> None:
        self.bindings.append(Binding(self._scope, name, value, typed, self._scope))

    def _owner(self) -> str:
        """Return the class whose method this is, or is within."""
        return next((owner for owner in reversed(self._classes) if owner), "")

    def _visit_target(self, target: ast.expr) -> None:
        """Visit what a target uses beside what it binds: ``self.items[key()] = …``."""
        if isinstance(target, ast.Attribute):
            self.visit(target.value)
        elif isinstance(target, ast.Subscript):
            self.visit(target.value)
            self.visit(target.slice)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._visit_target(part)

    # ---- uses ------------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> None:
        self._use(node.func, True, node.lineno)
        self._visit_owner(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._use(node, False, node.lineno)
        self._visit_owner(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._use(node, False, node.lineno)

    def _visit_owner(self, node: ast.expr) -> None:
        """Visit what an attribute, or something that is called, is taken from."""
        if isinstance(node, ast.Attribute):
            self.visit(node.value)
        elif not isinstance(node, ast.Name):
            self.visit(node)

    def _use(self, node: ast.expr, called: bool, line: int) -> None:
        value = self._value(node)
        if value[0] in (expr.NAME, expr.ATTRIBUTE):
            self.uses.append(Use(self._scope, value, called, line, self._user))

    def _visit_annotation(self, annotation: ast.expr, scope: str | None = None) -> None:
        """Take in what an annotation names and calls, in *scope*; quoted types are parsed."""
        outer = self._scope
        self._scope = outer if scope is None else scope
        waiting: list[tuple[ast.AST, bool]] = [(annotation, True)]
        while waiting:
            node, is_type = waiting.pop()
            if isinstance(node, ast.Constant) and is_type:
                node = _unquoted(node)
            if isinstance(node, (ast.Name, ast.Attribute)):
                self._use(node, False, annotation.lineno)
            elif isinstance(node, ast.Call):
                self._use(node.func, True, annotation.lineno)
                arguments = (*node.args, *(keyword.value for keyword in node.keywords))
                waiting += [(argument, False) for argument in arguments]
                node = node.func
            is_type = is_type and not (isinstance(node, ast.Subscript) and _last_name(node.value) == "Literal")
            waiting += [(child, is_type) for child in ast.iter_child_nodes(node)]
        self._scope = outer

    # ---- expressions -----------------------------------------------------------------------------

    def _value(self, node: ast.expr, depth: int = 0) -> Expr:
        """Return a value as an expression."""
        if depth > MAX_DEPTH:
            return expr.UNKNOWN
        if isinstance(node, ast.Name):
            return [expr.NAME, node.id]
        if isinstance(node, ast.Attribute):
            return [expr.ATTRIBUTE, self._value(node.value, depth + 1), node.attr]
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == "super" and self._owner():
                return [expr.SUPER, self._owner()]
            return [expr.CALL, self._value(node.func, depth + 1)]
        if isinstance(node, (ast.Await, ast.NamedExpr, ast.Starred)):
            return self._value(node.value, depth + 1)
        return self._composed(node, depth + 1)

    def _composed(self, node: ast.expr, depth: int) -> Expr:
        """Return literals, displays, comprehensions and operators as expressions."""
        if isinstance(node, (ast.Constant, ast.JoinedStr, ast.Compare)):
            return expr.EXTERNAL
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return [expr.COLLECTION, self._value(node.elt, depth)]
        if isinstance(node, ast.DictComp):
            return [expr.COLLECTION, self._value(node.value, depth)]
        if isinstance(node, (ast.List, ast.Set, ast.Tuple)):
            return [expr.COLLECTION, self._value(node.elts[0], depth) if node.elts else expr.UNKNOWN]
        if isinstance(node, ast.Dict):
            return [expr.COLLECTION, self._value(node.values[0], depth) if node.values else expr.UNKNOWN]
        if isinstance(node, ast.IfExp):
            return [expr.UNION, [self._value(node.body, depth), self._value(node.orelse, depth)]]
        if isinstance(node, ast.BoolOp):
            return [expr.UNION, [self._value(operand, depth) for operand in node.values]]
        if isinstance(node, ast.Subscript):
            value = self._value(node.value, depth)
            return value if isinstance(node.slice, ast.Slice) else [expr.ITEM, value]
        return expr.UNKNOWN

    def _type(self, node: ast.expr) -> Expr:
        """Return an annotated type as an expression."""
        node = _unquoted(node)
        if isinstance(node, ast.BinOp):
            return [expr.UNION, [self._type(node.left), self._type(node.right)]]
        if isinstance(node, ast.Subscript):
            arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return [expr.GENERIC, self._value(node.value), [self._type(argument) for argument in arguments]]
        return self._value(node)


def _unquoted(node: ast.expr) -> ast.expr:
    """Return the expression in a string, or *node* itself if it is not one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            parsed = ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return node
        return ast.copy_location(parsed, node)
    return node


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_decorated(node: _Function, name: str) -> bool:
    return any(isinstance(decorator, ast.Name) and decorator.id == name for decorator in node.decorator_list)


# ---- how names are resolved ----------------------------------------------------------------------


class PythonModules(ModuleResolver):
    """Modules by their folders.

    One in a package is named from the folder around the outermost package; any also from the project's root.
    """

    def prepare(self) -> None:
        self._packages = {posixpath.dirname(path) for path in self.facts if posixpath.basename(path) == "__init__.py"}
        self._named: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.facts):
            for name in self._names(path):
                self._named[name].append(path)
        self._roots = {name.partition(".")[0] for name in self._named}

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        if level:
            folder = posixpath.dirname(importer)
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            module = ".".join(part for part in (*folder.split("/"), *module.split(".")) if part)
        return self.nearest(self._named.get(module, ()), importer)

    def submodule(self, path: str, name: str) -> tuple[str, ...]:
        if not path.endswith("/__init__.py"):
            return ()
        stem = path.removesuffix("__init__.py") + name
        return tuple(file for file in (f"{stem}.py", f"{stem}/__init__.py") if file in self.facts)[:1]

    def may_be_own(self, import_: Import) -> bool:
        return import_.module.partition(".")[0] in self._roots and import_.local == import_.module

    def _names(self, path: str) -> Iterable[str]:
        parts = path[: path.rindex(".")].split("/")
        if parts[-1] == "__init__":
            parts.pop()
        folder = posixpath.dirname(path)
        while folder in self._packages and folder:
            folder = posixpath.dirname(folder)
        depth = len(folder.split("/")) if folder else 0
        return sorted({".".join(parts), ".".join(parts[depth:])} - {""})


_PYTHON_TYPES = (
    str,
    bytes,
    list,
    dict,
    set,
    tuple,
    int,
    float,
    BaseException,
    io.TextIOWrapper,
    io.BytesIO,
    re.Pattern,
)
DIALECT = Dialect(
    "python",
    PythonModules,
    builtins=frozenset(dir(builtins)),
    common_methods=frozenset(name for type in _PYTHON_TYPES for name in dir(type))
    | frozenset(dir(re.compile("").match("")))
    | names("python", "common_methods"),
    explicit_imports=False,
    wrapper_types=names("python", "wrapper_types"),
    structural_types=True,
)
