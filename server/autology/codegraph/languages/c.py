"""C and C++: one grammar, as C++ has all that C has."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Sequence

from autology.codegraph import expressions as expr
from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import Expr, without_arguments
from autology.codegraph.facts import CLASS, FUNCTION
from autology.codegraph.parsing import shared_rules
from autology.codegraph.parsing.reader import NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.resolver_base import ModuleResolver, SourceModule

_WRAPPING = (
    "pointer_declarator",
    "reference_declarator",
    "array_declarator",
    "init_declarator",
    "attributed_declarator",
)
_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_KEYWORDS = frozenset(("if", "while", "for", "switch", "sizeof", "return", "defined", "do"))
_CASTS = frozenset(("make_unique", "make_shared", "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast"))
MAX_INCLUDED = 3_000
"""Files that one file includes, through others; in the largest projects some hundreds."""
_MOVES = frozenset(("move", "forward", "std::move", "std::forward"))


def _include(reader: Reader, node: Node, scope: NameScope) -> None:
    reader.add_import(node, NameScope(), "", text(field(node, "path")).strip('"<>'))


def _namespace(reader: Reader, node: Node, scope: NameScope) -> None:
    name = field(node, "name")
    reader.packages += re.findall(r"\w+", text(name))
    reader.visit(scope, field(node, "body"))


# ---- types ---------------------------------------------------------------------------------------------


def _class(reader: Reader, node: Node, scope: NameScope) -> None:
    name_node, body = field(node, "name"), field(node, "body")
    if body is None:
        reader.visit(scope, name_node)
        return
    name = text(name_node).partition("<")[0].rpartition("::")[2]
    _members(reader, node, scope, name or _typedef(node), body)


def _members(reader: Reader, node: Node, scope: NameScope, name: str, body: Node) -> None:
    clause = first_child(node, "base_class_clause")
    bases = [base for base in clause.named_children if base.type != "access_specifier"] if clause else []
    inner = scope
    if name:
        inner = reader.define(node, scope, name, CLASS, [reader.type(base, scope) for base in bases])
    reader.visit(inner, body)


def _typedef(node: Node) -> str:
    """Return the name of ``typedef struct { … } name``."""
    outer = node.parent
    if outer is None or outer.type != "type_definition":
        return ""
    declarator = field(outer, "declarator")
    return text(declarator) if declarator is not None and declarator.type == "type_identifier" else ""


def _enum(reader: Reader, node: Node, scope: NameScope) -> None:
    body = field(node, "body")
    if body is None:
        reader.visit(scope, field(node, "name"))
        return
    name = text(field(node, "name")) or _typedef(node)
    inner = reader.define(node, scope, name, CLASS) if name else scope
    for member in body.named_children:
        for owner in dict.fromkeys((scope, inner)):
            reader.bind(owner, text(field(member, "name")), expr.EXTERNAL)
        reader.visit(scope, field(member, "value"))


def _alias(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node = field(node, "type")
    name, type = _declared(field(node, "declarator") or field(node, "name"), reader.type(type_node, scope))
    if type_node is None or text(field(type_node, "name")) != name:  # typedef struct name name
        reader.bind(scope, name, type)
    reader.visit(scope, type_node)


# ---- functions and variables -----------------------------------------------------------------------------


def _declarator(node: Node | None) -> tuple[Node | None, Node | None]:
    """Return the function that a declarator declares, or None, and the node of the name."""
    function = None
    while node is not None:
        if node.type == "function_declarator":
            function = node
        elif node.type not in (*_WRAPPING, "parenthesized_declarator"):
            break
        inner = field(node, "declarator")
        if inner is None:
            children = reversed(node.named_children)
            inner = next((child for child in children if child.type.endswith(("declarator", "identifier"))), None)
        if node.type == "parenthesized_declarator" and inner is not None and inner.type == "pointer_declarator":
            return None, _declarator(inner)[1]  # a pointer to a function is a variable
        node = inner
    return function, node


def _names(node: Node | None) -> list[str]:
    """Return the names of ``a::b::c``, without template arguments."""
    names = []
    while node is not None and node.type == "qualified_identifier":
        if field(node, "scope") is not None:
            names.append(text(field(node, "scope")).partition("<")[0])
        node = field(node, "name")
    last = text(field(node, "name") if node is not None and node.type.startswith("template_") else node)
    return [*names, "".join(last.split()) if last.startswith("operator") else last.partition("<")[0]]


def _function(reader: Reader, node: Node, scope: NameScope) -> None:
    function, name_node = _declarator(field(node, "declarator"))
    if function is None:
        reader.visit_rest(scope, node)
        return
    type_node = field(node, "type")
    *outer, name = _names(name_node)
    outer_scope = scope
    if outer := [part for part in outer if part not in reader.packages][-2:]:
        outer_scope = NameScope.of_class(scope.qualified(".".join(outer)))
    inner = reader.function(node, outer_scope, name, reader.type(type_node, scope) if type_node else None)
    _parameters(reader, field(function, "parameters"), inner)
    for initializer in children_of(first_child(node, "field_initializer_list")):
        reader.visit_rest(inner, initializer, *initializer.named_children[:1])
    reader.visit(inner, type_node, field(node, "body"))


def _parameters(reader: Reader, parameters: Node | None, scope: NameScope) -> None:
    for parameter in children_of(parameters):
        type_node = field(parameter, "type")
        name, type = _declared(field(parameter, "declarator"), reader.type(type_node, scope))
        reader.bind(scope, name, type, typed=True)
        reader.visit(scope, type_node, field(parameter, "default_value"))


def _declared(node: Node | None, type: Expr) -> tuple[str, Expr]:
    """Return the name that a declarator declares, and its type."""
    while node is not None and node.type in (*_WRAPPING, "parenthesized_declarator", "function_declarator"):
        if node.type == "array_declarator":
            type = [expr.COLLECTION, type]
        elif node.type == "function_declarator":
            type = [expr.GENERIC, [expr.NAME, "Callable"], [type]]
        node = field(node, "declarator") or next(reversed(node.named_children), None)
    return text(node) if node is not None and node.type.endswith("identifier") else "", type


def _declaration(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node = field(node, "type")
    is_auto = type_node is not None and type_node.type == "placeholder_type_specifier"
    type = reader.type(type_node, scope)
    for declarator in node.children_by_field_name("declarator"):
        function, name_node = _declarator(declarator)
        if function is not None and (scope.owner or not scope.name):
            names = _names(name_node)
            if len(names) == 1:
                reader.function(node, scope, names[0], type if type_node else None, declared=True)
            reader.visit(scope, *(field(parameter, "type") for parameter in field_children(function, "parameters")))
            continue
        value = field(declarator, "value") if declarator.type == "init_declarator" else None
        if is_auto:
            reader.bind(scope, text(name_node), reader.value(value, scope))
        else:
            declared = _declared(name_node if function is not None else declarator, type)
            reader.bind(scope, *declared, typed=True)
        if function is not None or (value is not None and value.type in ("argument_list", "initializer_list")):
            reader.instantiate(node, scope, type)
        reader.visit(scope, value, function)
    reader.visit(scope, type_node, field(node, "default_value"))


def _loop(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node, value = field(node, "type"), field(node, "right")
    name, type = _declared(field(node, "declarator"), reader.type(type_node, scope))
    is_auto = type_node is not None and type_node.type == "placeholder_type_specifier"
    reader.bind(scope, name, [expr.ITEM, reader.value(value, scope)] if is_auto else type, typed=not is_auto)
    reader.visit(scope, type_node, value, field(node, "body"))


def _lambda(reader: Reader, node: Node, scope: NameScope) -> None:
    declarator = field(node, "declarator")
    _parameters(reader, field(declarator, "parameters") if declarator is not None else None, scope)
    reader.visit(scope, field(node, "captures"), field(node, "body"))


def _macro(reader: Reader, node: Node, scope: NameScope) -> None:
    """``#define name(…) …``, in which whatever looks like a call counts as one."""
    inner = reader.define(node, NameScope(), text(field(node, "name")), FUNCTION)
    parameters, value = field(node, "parameters"), field(node, "value")
    for parameter in children_of(parameters):
        reader.bind(inner, text(parameter), expr.UNKNOWN)
    for match in dict.fromkeys(_CALL.findall(value.text[:10_000])) if value is not None else ():
        if (name := match.decode()) not in _KEYWORDS:
            reader.use(node, inner, [expr.NAME, name], True)


def _qualified(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    names = [name for name in _names(node) if name]
    return [expr.NAME, names[0]] if len(names) == 1 else [expr.PATH, names]


def _qualified_type(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    last = node
    while last is not None and last.type == "qualified_identifier":
        last = field(last, "name")
    if last is not None and last.type == "template_type":
        return reader.type(last, scope, depth)
    return _qualified(reader, node, scope, depth)


def _result(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    function, arguments = field(node, "function"), field(node, "arguments")
    last = field(function, "name") if function is not None and function.type == "qualified_identifier" else function
    if last is not None and last.type == "template_function" and text(field(last, "name")) in _CASTS:
        type_arguments = field(last, "arguments")
        type = (
            reader.type(next(iter(type_arguments.named_children), None), scope, depth)
            if type_arguments
            else expr.UNKNOWN
        )
        return [expr.CALL, without_arguments(type)]
    if text(function) in _MOVES and arguments is not None and arguments.named_children:
        return reader.value(arguments.named_children[0], scope, depth)
    return [expr.CALL, reader.value(function, scope, depth)]


def _named_type(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    name = text(field(node, "name")).partition("<")[0] or _typedef(node)
    return [expr.NAME, name] if name else expr.UNKNOWN


RULES = shared_rules.rules(
    nodes={
        _include: "preproc_include",
        _macro: "preproc_function_def",
        shared_rules.ignore: (
            "preproc_def preproc_call using_declaration namespace_alias_definition goto_statement friend_declaration"
        ),
        _namespace: "namespace_definition",
        _class: "class_specifier struct_specifier union_specifier",
        _enum: "enum_specifier",
        _alias: "type_definition alias_declaration",
        _function: "function_definition",
        _declaration: "declaration field_declaration",
        lambda reader, node, scope: reader.visit(scope, field(node, "type")): "parameter_declaration",
        _loop: "for_range_loop",
        _lambda: "lambda_expression",
        shared_rules.construct("arguments"): "new_expression",
        shared_rules.use_attribute("argument"): "field_expression",
        shared_rules.use_path: "qualified_identifier",
        shared_rules.pair: "initializer_pair",
        shared_rules.labeled: "labeled_statement",
        shared_rules.return_value: "return_statement",
    },
    values={
        shared_rules.name: "type_identifier field_identifier",
        _qualified: "qualified_identifier",
        shared_rules.inner_value("name"): "template_function",
        shared_rules.attribute("argument", "field"): "field_expression",
        _result: "call_expression",
        shared_rules.instance(): "new_expression cast_expression compound_literal_expression",
        shared_rules.inner_value("argument"): "pointer_expression",
        shared_rules.inner_value("right"): "assignment_expression",
        shared_rules.item("argument"): "subscript_expression",
    },
    types={
        shared_rules.name: "identifier",
        _qualified_type: "qualified_identifier",
        _named_type: "struct_specifier class_specifier union_specifier enum_specifier",
        shared_rules.generic_type("name", "template_argument_list"): "template_type",
        shared_rules.inner_type("type"): "type_descriptor",
        shared_rules.external: "sized_type_specifier",
    },
)


# ---- how names are resolved ----------------------------------------------------------------------


class Includes(ModuleResolver):
    """Files that see whatever they include, and what that includes."""

    def prepare(self) -> None:
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.facts):
            self._by_name[posixpath.basename(path)].append(path)
        self._included: dict[str, SourceModule] = {}

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        if beside in self.facts:
            return (beside,)
        suffix = module.lstrip("./")
        paths = self._by_name.get(posixpath.basename(module), ())
        return self.nearest([path for path in paths if path == suffix or path.endswith(f"/{suffix}")], importer)

    def visible(self, path: str) -> Sequence[SourceModule]:
        if path not in self._included:
            included, waiting = {path: None}, [path]
            while waiting and len(included) < MAX_INCLUDED:
                file = waiting.pop()
                imports = self.facts[file].imports
                new = [p for import_ in imports for p in self.find(import_.module, file) if p not in included]
                included |= dict.fromkeys(new)
                waiting += new
            self._included[path] = SourceModule(f"included:{path}", tuple(included)[1:])
        return (self._included[path],)


DIALECT = Dialect(
    "c",
    Includes,
    common_methods=names("c", "common_methods"),
    explicit_imports=False,
    implicit_this=True,
    wrapper_types=names("c", "wrapper_types"),
    passthrough_methods=names("c", "passthrough_methods"),
    global_types=True,
    hiding_keyword="static",
)
