"""Go."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Sequence

from autology.codegraph import expressions as expr
from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import Expr
from autology.codegraph.facts import CLASS, INTERFACE, FileFacts
from autology.codegraph.parsing import shared_rules
from autology.codegraph.parsing.reader import NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.resolver_base import ModuleResolver, SourceModule

_VERSION = re.compile(r"v\d+\Z")
_TYPES = {"struct_type": CLASS, "interface_type": INTERFACE}
_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)


def _import(reader: Reader, node: Node, scope: NameScope) -> None:
    module, alias = text(field(node, "path")).strip('"`'), text(field(node, "name"))
    parts = module.split("/")
    usual = parts[-2] if len(parts) > 1 and _VERSION.match(parts[-1]) else parts[-1]
    local = "" if alias in ("_", ".") else alias or usual.removeprefix("go-").removesuffix("-go").partition(".")[0]
    reader.add_import(node, scope, local, module, "*" if alias == "." else "")


def _type(reader: Reader, node: Node, scope: NameScope) -> None:
    name, type_node = field(node, "name"), field(node, "type")
    kind = _TYPES.get(type_node.type, CLASS) if type_node is not None else CLASS
    bases = _embedded(reader, type_node, scope) if type_node is not None and type_node.type in _TYPES else []
    inner = reader.define(node, scope, text(name), kind, bases)
    _type_parameters(reader, node, inner)
    reader.visit(inner, type_node)


def _embedded(reader: Reader, type_node: Node, scope: NameScope) -> list[Expr]:
    """Return the types whose members a struct or interface has."""
    if type_node.type == "interface_type":
        return [reader.type(member.named_children[0], scope) for member in type_node.named_children if _single(member)]
    fields = type_node.named_children[0].named_children if type_node.named_children else ()
    without = [member for member in fields if member.type == "field_declaration" and field(member, "name") is None]
    return [reader.type(field(member, "type"), scope) for member in without]


def _single(node: Node) -> bool:
    return node.type == "type_elem" and len(node.named_children) == 1


def _type_parameters(reader: Reader, node: Node, scope: NameScope) -> None:
    for parameter in field_children(node, "type_parameters"):
        constraint = field(parameter, "type")
        only = constraint.named_children[0] if constraint is not None and len(constraint.named_children) == 1 else None
        reader.bind(scope, text(field(parameter, "name")), reader.type(only, scope), typed=True)
        reader.visit(scope, constraint)


def _field(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node = field(node, "type")
    names = [text(identifier) for identifier in node.children_by_field_name("name")]
    for name in names or [re.split(r"[.\[]", text(type_node).split("[")[0])[-1].lstrip("*")]:
        reader.bind(scope, name, reader.type(type_node, scope), typed=True)
    reader.visit(scope, type_node)


def _function(reader: Reader, node: Node, scope: NameScope) -> None:
    _add_function(reader, node, scope, text(field(node, "name")))


def _method(reader: Reader, node: Node, scope: NameScope) -> None:
    receiver = first_child(field(node, "receiver"), "parameter_declaration")
    type_node = field(receiver, "type") if receiver is not None else None
    owner = text(type_node).lstrip("*").partition("[")[0].strip()
    inner = _add_function(reader, node, NameScope.of_class(owner), text(field(node, "name")))
    reader.bind(inner, text(field(receiver, "name")) if receiver is not None else "", [expr.INSTANCE, owner])


def _literal(reader: Reader, node: Node, scope: NameScope) -> None:
    _add_function(reader, node, scope, "")


def _add_function(reader: Reader, node: Node, scope: NameScope, name: str) -> NameScope:
    result = field(node, "result")
    inner = reader.function(node, scope, name, reader.type(result, scope) if result else None)
    _type_parameters(reader, node, inner)
    results = result if result is not None and result.type == "parameter_list" else None
    for parameter in (*field_children(node, "parameters"), *children_of(results)):
        type = reader.type(field(parameter, "type"), scope)
        type = [expr.COLLECTION, type] if parameter.type == "variadic_parameter_declaration" else type
        for identifier in parameter.children_by_field_name("name"):
            reader.bind(inner, text(identifier), type, typed=True)
        reader.visit(inner, field(parameter, "type"))
    reader.visit(inner, None if results is not None else result, field(node, "body"))
    return inner


def _assign(reader: Reader, node: Node, scope: NameScope) -> None:
    """``a, b := f()`` and the like: of several results of a call, the first is known."""
    left, right = field(node, "left"), field(node, "right")
    _bind(reader, scope, children_of(left), children_of(right))
    reader.visit(scope, *(target for target in children_of(left) if target.type != "identifier"), right)


def _bind(reader: Reader, scope: NameScope, names: Sequence[Node], values: Sequence[Node]) -> None:
    for index, name in enumerate(names):
        if name.type == "identifier" and text(name) != "_":
            assigned = len(names) == len(values) or not index
            value = reader.value(values[index], scope) if assigned and index < len(values) else expr.UNKNOWN
            reader.bind(scope, text(name), value)


def _variables(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node, values = field(node, "type"), field(node, "value")
    names = node.children_by_field_name("name")
    if type_node is None:
        _bind(reader, scope, names, children_of(values))
    for name in names if type_node is not None else ():
        reader.bind(scope, text(name), reader.type(type_node, scope), typed=True)
    reader.visit(scope, type_node, values)


def _range(reader: Reader, node: Node, scope: NameScope) -> None:
    left, right = field(node, "left"), field(node, "right")
    for index, name in enumerate(children_of(left)):
        value: Expr = [expr.ITEM, reader.value(right, scope)] if index else expr.EXTERNAL
        reader.bind(scope, text(name), value)
    reader.visit(scope, right)


def _switch(reader: Reader, node: Node, scope: NameScope) -> None:
    """``switch x := y.(type)``: x is of the type in the case, where there is only one."""
    types = [
        type for case in node.named_children if case.type == "type_case" for type in case.children_by_field_name("type")
    ]
    for name in field_children(node, "alias"):
        reader.bind(
            scope, text(name), reader.type(types[0], scope) if len(types) == 1 else expr.UNKNOWN, len(types) == 1
        )
    reader.visit_rest(scope, node, field(node, "alias"))


def _literal_element(reader: Reader, node: Node, scope: NameScope) -> None:
    """``key: value``: a plain name as the key is that of a field."""
    key, value = field(node, "key"), field(node, "value")
    plain = key is not None and key.named_children and key.named_children[0].type == "identifier"
    reader.visit(scope, None if plain else key, value)


def _call(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    function, arguments = field(node, "function"), field(node, "arguments")
    if text(function) in ("new", "make") and arguments is not None and arguments.named_children:
        type = reader.type(arguments.named_children[0], scope, depth)
        return type if type[0] == expr.COLLECTION else [expr.CALL, type]
    if text(function) == "append" and arguments is not None and arguments.named_children:
        return reader.value(arguments.named_children[0], scope, depth)
    return [expr.CALL, reader.value(function, scope, depth)]


def _unary(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    value = reader.value(field(node, "operand"), scope, depth)
    operator = text(field(node, "operator"))
    return [expr.ITEM, value] if operator == "<-" else value if operator in ("&", "*") else expr.EXTERNAL


def _qualified(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    return [expr.ATTRIBUTE, [expr.NAME, text(field(node, "package"))], text(field(node, "name"))]


def _named_type(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    return expr.UNKNOWN if text(node) == "any" else [expr.NAME, text(node)]


def _results(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """Return the first of several results."""
    first = next(iter(node.named_children), None)
    return reader.type(field(first, "type") if first is not None else None, scope, depth)


RULES = shared_rules.rules(
    nodes={
        shared_rules.package: "package_clause",
        _import: "import_spec",
        _type: "type_spec",
        shared_rules.alias: "type_alias",
        _field: "field_declaration",
        _function: "function_declaration method_elem",
        _method: "method_declaration",
        _literal: "func_literal",
        _assign: "short_var_declaration assignment_statement",
        _variables: "var_spec const_spec",
        _range: "range_clause",
        _switch: "type_switch_statement",
        _literal_element: "keyed_element",
        shared_rules.use_attribute("operand"): "selector_expression",
        shared_rules.use_whole: "qualified_type",
        shared_rules.ignore: "function_type",
    },
    values={
        shared_rules.name: "type_identifier",
        shared_rules.attribute("operand", "field"): "selector_expression",
        _call: "call_expression",
        shared_rules.instance(): "composite_literal type_conversion_expression type_assertion_expression",
        _unary: "unary_expression",
        shared_rules.item("operand"): "index_expression",
        shared_rules.inner_value("operand"): "slice_expression",
        shared_rules.inner_value("type"): "type_instantiation_expression",
        shared_rules.external: "raw_string_literal",
    },
    types={
        _named_type: "type_identifier",
        _qualified: "qualified_type",
        shared_rules.inner_type(): "pointer_type type_elem",
        shared_rules.collection_type("element"): "slice_type implicit_length_array_type",
        shared_rules.collection_type("value"): "map_type channel_type",
        shared_rules.function_type("result"): "function_type",
        _results: "parameter_list",
        lambda reader, node, scope, depth: expr.UNKNOWN: "interface_type",
        shared_rules.external: "struct_type",
    },
)


# ---- how names are resolved ----------------------------------------------------------------------


def read_manifest(text: str) -> FileFacts:
    """Return the path of the module that go.mod names."""
    match = _MODULE.search(text)
    return FileFacts(packages=(match[1],) if match else ())


class GoPackages(ModuleResolver):
    """Packages by their folders, below the names in go.mod."""

    imports_many_files = True

    def prepare(self) -> None:
        packages: dict[tuple[str, str], list[str]] = defaultdict(list)
        for path, facts in sorted(self.facts.items()):
            packages[posixpath.dirname(path), next(iter(facts.packages), "")].append(path)
        self._packages = {key: tuple(paths) for key, paths in packages.items()}
        self._folders: dict[str, list[str]] = defaultdict(list)
        for (folder, package), paths in self._packages.items():
            if not package.endswith("_test"):
                self._folders[folder] += [path for path in paths if not path.endswith("_test.go")]

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        if (name := self.package_of(module)) is not None:
            folder = posixpath.join(self.packages[name], module[len(name) :].strip("/")).rstrip("/")
            return tuple(self._folders.get(folder, ()))
        if not self.packages and "." in module.partition("/")[0]:  # before there was go.mod
            parts = module.split("/")
            folders = ("/".join(parts[start:]) for start in range(1, len(parts)))
            return next((tuple(self._folders[folder]) for folder in folders if folder in self._folders), ())
        return ()

    def visible(self, path: str) -> Sequence[SourceModule]:
        folder, package = posixpath.dirname(path), next(iter(self.facts[path].packages), "")
        return (SourceModule(f"{folder}:{package}", self._packages[folder, package]),)


DIALECT = Dialect(
    "go",
    GoPackages,
    builtins=names("go", "builtins"),
    common_methods=names("go", "common_methods"),
    structural_types=True,
    calls_convert=True,
    capitals_are_public=True,
)
