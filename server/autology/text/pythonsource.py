"""What a Python file defines, imports and uses, by Python's own parser; nothing of it is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Sequence

from autology.model.code import CLASS, FUNCTION, METHOD, Binding, Definition, Expr, Facts, Import, Use

ENDING = ".py"
DEEPEST = 40
"""Steps of one expression that are followed; what is longer was written by a program."""
_CLOSED: Expr = ["x"]
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def facts(text: str) -> Facts:
    """Return what the Python file *text* says; one that cannot be parsed says why, and nothing else."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of strings like "\\d", which are the project's own affair
            tree = ast.parse(text)
        reader = _Reader()
        reader.read(tree.body)
    except SyntaxError as error:
        return Facts(fault=f"line {error.lineno or 1}: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Facts(fault=f"cannot be parsed: {error}"[:200])
    return Facts(
        tuple(reader.definitions),
        tuple(reader.imports),
        tuple(reader.bindings),
        tuple(reader.uses),
        tuple(reader.given),
    )


class _Reader(ast.NodeVisitor):
    """Walks a file; *scope* is the class or function that it is in, by the names from the top on."""

    def __init__(self) -> None:
        self.definitions: list[Definition] = []
        self.imports: list[Import] = []
        self.bindings: list[Binding] = []
        self.uses: list[Use] = []
        self.given: list[tuple[str, Expr]] = []
        self._scope = ""
        self._user = ""  # what is defined by the decorators, defaults and bases that are looked at
        self._classes: list[str] = []  # the class of every scope around, "" for one that is a function
        self._self: list[str] = []

    def read(self, body: Iterable[ast.stmt]) -> None:
        """Take in these statements."""
        for statement in body:
            self.visit(statement)

    # ---- definitions -----------------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        name = self._below(node.name)
        bases = tuple(self._typed(base) for base in node.bases)
        decorators = tuple(self._value(each) for each in node.decorator_list)
        self.definitions.append(Definition(name, CLASS, node.lineno, node.end_lineno or node.lineno, bases, decorators))
        outer, self._user = self._user, name
        self._decorated(node.decorator_list)
        for keyword in node.keywords:
            self.visit(keyword.value)
        for base in node.bases:
            self._inside(base)
        self._user = outer
        self._within(name, name, node.body)

    def _decorated(self, decorators: Iterable[ast.expr]) -> None:
        """Take in decorators: one that stands without brackets is called all the same."""
        for each in decorators:
            if isinstance(each, (ast.Name, ast.Attribute)):
                self._used(each, True, each.lineno)
                self._through(each)
            else:
                self.visit(each)

    def _inside(self, base: ast.expr) -> None:
        """Look at what a base is made of, but not at the base: that is extended, not used."""
        if isinstance(base, ast.Subscript):
            self._mention(base.slice)

    def visit_FunctionDef(self, node: _Function) -> None:
        name = self._below(node.name)
        owner = self._classes[-1] if self._classes else ""
        kind = METHOD if owner else FUNCTION
        decorators = tuple(self._value(each) for each in node.decorator_list)
        returns = self._typed(node.returns) if node.returns else None
        self.definitions.append(
            Definition(name, kind, node.lineno, node.end_lineno or node.lineno, (), decorators, returns)
        )
        outer, self._user = self._user, name
        self._decorated(node.decorator_list)
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d)):
            self.visit(default)
        self._user = outer
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        for argument in (*every, *(a for a in (node.args.vararg, node.args.kwarg) if a)):
            typed = self._typed(argument.annotation) if argument.annotation else None
            value: Expr = typed if typed is not None else ["p"]
            if argument in (node.args.vararg, node.args.kwarg):
                value = ["l", value]
            self.bindings.append(Binding(name, argument.arg, value, typed is not None, self._scope))
            if argument.annotation:
                self._mention(argument.annotation, name)
        if node.returns:
            self._mention(node.returns, name)
        if owner and every and not _is(node, "staticmethod"):
            own: Expr = ["k" if _is(node, "classmethod") else "o", owner]
            self.bindings.append(Binding(name, every[0].arg, own, False, name))
            self._self.append(every[0].arg)
        else:
            self._self.append(self._self[-1] if self._self and not owner else "")
        self._within(name, "", node.body)
        self._self.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            self._bind(argument.arg, ["p"])
        self.generic_visit(node)

    def _within(self, scope: str, owner: str, body: Sequence[ast.stmt]) -> None:
        outer, self._scope = self._scope, scope
        self._classes.append(owner)
        self.read(body)
        self._classes.pop()
        self._scope = outer

    def _below(self, name: str) -> str:
        return f"{self._scope}.{name}" if self._scope else name

    # ---- names that are bound ---------------------------------------------------------------------

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
            told = Import(self._scope, local, node.module or "", alias.name, node.level, node.lineno)
            self.imports.append(told)

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self._value(node.value)
        for target in node.targets:
            self._assign(target, value)
            self._targets(target)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._assign(node.target, self._typed(node.annotation), typed=True)
        self._targets(node.target)
        self._mention(node.annotation)
        if node.value:
            self.visit(node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._assign(node.target, self._value(node.value))
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._targets(node.target)
        self.visit(node.value)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self._assign(node.target, ["i", self._value(node.iter)])
        self.visit(node.iter)
        self.read([*node.body, *node.orelse])

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._assign(node.target, ["i", self._value(node.iter)])
        self.visit(node.iter)
        for each in node.ifs:
            self.visit(each)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            if item.optional_vars:
                self._assign(item.optional_vars, ["w", self._value(item.context_expr)])
            self.visit(item.context_expr)
        self.read(node.body)

    visit_AsyncWith = visit_With  # noqa: N815

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type:
            if node.name:
                several = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
                self._bind(node.name, ["u", [self._typed(each) for each in several]], typed=True)
            self.visit(node.type)
        self.read(node.body)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value:
            self.given.append((self._scope, self._value(node.value)))
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
                self._assign(part.value if isinstance(part, ast.Starred) else part, ["p"])

    def _bind(self, name: str, value: Expr, typed: bool = False) -> None:
        self.bindings.append(Binding(self._scope, name, value, typed, self._scope))

    def _owner(self) -> str:
        """The class whose method this is, also in functions within the method."""
        return next((each for each in reversed(self._classes) if each), "")

    def _targets(self, target: ast.expr) -> None:
        """Look at what stands in a target: ``self.items[key()] = …`` uses more than it binds."""
        if isinstance(target, ast.Attribute):
            self.visit(target.value)
        elif isinstance(target, ast.Subscript):
            self.visit(target.value)
            self.visit(target.slice)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._targets(part)

    # ---- what is used -----------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> None:
        self._used(node.func, True, node.lineno)
        self._through(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._used(node, False, node.lineno)
        self._through(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._used(node, False, node.lineno)

    def _through(self, node: ast.expr) -> None:
        """Look at what an attribute, or what is called, is taken from."""
        if isinstance(node, ast.Attribute):
            self.visit(node.value)
        elif not isinstance(node, ast.Name):
            self.visit(node)

    def _used(self, node: ast.expr, called: bool, line: int) -> None:
        value = self._value(node)
        if value[0] in ("n", "a"):
            self.uses.append(Use(self._scope, value, called, line, self._user))

    def _mention(self, annotation: ast.expr, scope: str | None = None) -> None:
        """Take in what an annotation names and calls, in *scope*; what stands in quotes is read first."""
        outer = self._scope
        self._scope = outer if scope is None else scope
        waiting: list[tuple[ast.AST, bool]] = [(annotation, True)]
        while waiting:
            part, is_type = waiting.pop()
            if isinstance(part, ast.Constant) and is_type:
                part = _unquoted(part)
            if isinstance(part, (ast.Name, ast.Attribute)):
                self._used(part, False, annotation.lineno)
            elif isinstance(part, ast.Call):
                self._used(part.func, True, annotation.lineno)
                waiting += [(each, False) for each in (*part.args, *(keyword.value for keyword in part.keywords))]
                part = part.func
            is_type = is_type and not (isinstance(part, ast.Subscript) and _last_name(part.value) == "Literal")
            waiting += [(each, is_type) for each in ast.iter_child_nodes(part)]
        self._scope = outer

    # ---- what a value is made of --------------------------------------------------------------------

    def _value(self, node: ast.expr, depth: int = 0) -> Expr:
        """Return *node* as far as it tells what it leads to."""
        if depth > DEEPEST:
            return ["p"]
        if isinstance(node, ast.Name):
            return ["n", node.id]
        if isinstance(node, ast.Attribute):
            return ["a", self._value(node.value, depth + 1), node.attr]
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == "super" and self._owner():
                return ["s", self._owner()]
            return ["c", self._value(node.func, depth + 1)]
        if isinstance(node, (ast.Await, ast.NamedExpr, ast.Starred)):
            return self._value(node.value, depth + 1)
        return self._made(node, depth + 1)

    def _made(self, node: ast.expr, depth: int) -> Expr:
        if isinstance(node, (ast.Constant, ast.JoinedStr, ast.Compare)):
            return _CLOSED
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return ["l", self._value(node.elt, depth)]
        if isinstance(node, ast.DictComp):
            return ["l", self._value(node.value, depth)]
        if isinstance(node, (ast.List, ast.Set, ast.Tuple)):
            return ["l", self._value(node.elts[0], depth) if node.elts else ["p"]]
        if isinstance(node, ast.Dict):
            return ["l", self._value(node.values[0], depth) if node.values else ["p"]]
        if isinstance(node, ast.IfExp):
            return ["u", [self._value(node.body, depth), self._value(node.orelse, depth)]]
        if isinstance(node, ast.BoolOp):
            return ["u", [self._value(each, depth) for each in node.values]]
        if isinstance(node, ast.Subscript):
            whole = self._value(node.value, depth)
            return whole if isinstance(node.slice, ast.Slice) else ["i", whole]
        return ["p"]

    def _typed(self, node: ast.expr) -> Expr:
        """Return a type as it is annotated."""
        node = _unquoted(node)
        if isinstance(node, ast.BinOp):
            return ["u", [self._typed(node.left), self._typed(node.right)]]
        if isinstance(node, ast.Subscript):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return ["g", self._value(node.value), [self._typed(each) for each in inner]]
        return self._value(node)


def _unquoted(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            parsed = ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return node
        return ast.copy_location(parsed, node)
    return node


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is(node: _Function, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in node.decorator_list)
