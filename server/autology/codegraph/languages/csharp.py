"""C#."""

from __future__ import annotations

from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import ATTRIBUTE, EXTERNAL, UNKNOWN, Expr
from autology.codegraph.facts import CLASS
from autology.codegraph.parsing import shared_rules
from autology.codegraph.parsing.reader import NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.resolver_base import DeclaredPackages


def _using(reader: Reader, node: Node, scope: NameScope) -> None:
    alias, path = field(node, "name"), text(node.named_children[-1])
    if alias is not None:
        module, _, name = path.rpartition(".")
        reader.add_import(node, scope, text(alias), module or path, name)
    else:
        reader.add_import(node, NameScope(), "", path, "*")


def _namespace(reader: Reader, node: Node, scope: NameScope) -> None:
    reader.packages.append(text(field(node, "name")))
    reader.visit(scope, field(node, "body"))


def _type(reader: Reader, node: Node, scope: NameScope) -> None:
    base_list, parameters = first_child(node, "base_list"), first_child(node, "parameter_list")
    bases = [child for child in children_of(base_list) if child.type != "argument_list"]
    types = [reader.type(base, scope) for base in bases]
    inner = reader.define(node, scope, text(field(node, "name")), shared_rules.kind_of_type(node), types)
    for parameter in children_of(parameters):
        reader.declare(inner, parameter)
    for clause in node.named_children:
        if clause.type == "type_parameter_constraints_clause":
            constraint = first_child(clause, "type_parameter_constraint")
            type = reader.type(field(constraint, "type"), scope)
            reader.bind(inner, text(clause.named_children[0]), type, typed=True)
    attributes = [child for child in node.named_children if child.type == "attribute_list"]
    arguments = [argument for base in bases for argument in base.named_children[1:]]
    reader.visit(inner, *attributes, *arguments, field(node, "body"))


def _enum(reader: Reader, node: Node, scope: NameScope) -> None:
    inner = reader.define(node, scope, text(field(node, "name")), CLASS)
    for member in field_children(node, "body"):
        reader.bind(inner, text(field(member, "name")), EXTERNAL)


def _method(reader: Reader, node: Node, scope: NameScope) -> None:
    returns = field(node, "returns") or field(node, "type")
    inner = reader.function(node, scope, text(field(node, "name")), reader.type(returns, scope) if returns else None)
    _parameters(reader, field(node, "parameters"), inner, UNKNOWN)
    parts = [child for child in node.named_children if child.type in ("attribute_list", "constructor_initializer")]
    reader.visit(inner, returns, *parts, field(node, "body"), first_child(node, "arrow_expression_clause"))


def _parameters(reader: Reader, parameters: Node | None, scope: NameScope, first: Expr) -> None:
    for index, parameter in enumerate(children_of(parameters)):
        if parameter.type in ("identifier", "implicit_parameter"):
            reader.bind(scope, text(parameter), UNKNOWN if index else first)
            continue
        type_node = field(parameter, "type")
        type = reader.type(type_node, scope) if type_node else UNKNOWN if index else first
        reader.bind(scope, text(field(parameter, "name")), type, typed=type_node is not None)
        reader.visit_rest(scope, parameter, field(parameter, "name"))


def _property(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node, name, value = field(node, "type"), text(field(node, "name")), field(node, "value")
    accessors = field(node, "accessors")
    bodies = (
        [accessor for accessor in accessors.named_children if field(accessor, "body") is not None] if accessors else []
    )
    if bodies or (value is not None and value.type == "arrow_expression_clause"):
        inner = reader.define(node, scope, name, "method", returns=reader.type(type_node, scope), getter=True)
        reader.visit(NameScope(inner.name, "", scope.enclosing), type_node, value, *bodies)
        return
    reader.bind(scope, name, reader.type(type_node, scope), typed=True)
    reader.visit(scope, type_node, value)


def _variables(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node = field(node, "type")
    for declarator in node.named_children:
        if declarator.type == "variable_declarator":
            name = field(declarator, "name")
            value = next((child for child in reversed(declarator.named_children) if child != name), None)
            shared_rules.bind_declared(reader, scope, text(name), type_node, reader.value(value, scope))
            if value is not None and value.type == "implicit_object_creation_expression":
                reader.instantiate(declarator, scope, reader.type(type_node, scope))
            reader.visit(scope, value)
    reader.visit(scope, type_node)


def _typed(reader: Reader, node: Node, scope: NameScope) -> None:
    """A name with its type: of a pattern, of a caught exception."""
    type_node, name = field(node, "type"), field(node, "name")
    shared_rules.bind_declared(reader, scope, text(name), type_node, UNKNOWN)
    reader.visit_rest(scope, node, name)


def _lambda(reader: Reader, node: Node, scope: NameScope) -> None:
    parameters, first = field(node, "parameters"), reader.callback_arguments.get(node.id, UNKNOWN)
    if parameters is not None and not parameters.named_children:
        reader.bind(scope, text(parameters), first)
    _parameters(reader, parameters, scope, first)
    reader.visit(scope, field(node, "body"))


def _call(reader: Reader, node: Node, scope: NameScope) -> None:
    callee, arguments = field(node, "function"), field(node, "arguments")
    value = reader.value(callee, scope)
    reader.use(node, scope, value, True)
    shared_rules.pass_callbacks(reader, arguments, value)
    if callee is not None and callee.type == "conditional_access_expression":
        reader.visit(scope, field(callee, "condition"))
    else:
        shared_rules.visit_callee(reader, callee, scope, value)
    reader.visit(scope, arguments)


def _conditional(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """``owner?.name``."""
    member = first_child(node, "member_binding_expression")
    return [
        ATTRIBUTE,
        reader.value(field(node, "condition"), scope, depth),
        text(field(member, "name")) if member else "",
    ]


def _member(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    name = field(node, "name")
    identifier = text(name.named_children[0]) if name is not None and name.type == "generic_name" else text(name)
    return [ATTRIBUTE, reader.value(field(node, "expression"), scope, depth), identifier]


RULES = shared_rules.rules(
    nodes={
        _using: "using_directive",
        _namespace: "namespace_declaration file_scoped_namespace_declaration",
        _type: "class_declaration struct_declaration record_declaration interface_declaration",
        _enum: "enum_declaration",
        shared_rules.ignore: "delegate_declaration name_colon labeled_statement",
        _method: "method_declaration constructor_declaration local_function_statement",
        _property: "property_declaration",
        _variables: "variable_declaration",
        shared_rules.for_each("left", "right"): "foreach_statement",
        _typed: "declaration_pattern catch_declaration",
        _lambda: "lambda_expression",
        _call: "invocation_expression",
        shared_rules.construct("arguments", "initializer"): "object_creation_expression",
        shared_rules.use_attribute("expression"): "member_access_expression",
        shared_rules.use_whole: "qualified_name",
        shared_rules.return_value: "return_statement",
    },
    values={
        shared_rules.inner_value(): "generic_name",
        shared_rules.dotted_path: "qualified_name",
        _member: "member_access_expression",
        _conditional: "conditional_access_expression",
        shared_rules.call_result(): "invocation_expression",
        shared_rules.instance(): "cast_expression",
        shared_rules.instance("right"): "as_expression",
        shared_rules.item("expression"): "element_access_expression",
        shared_rules.super_: "base base_expression",
        shared_rules.this: "this_expression",
    },
    types={
        shared_rules.name: "identifier",
        shared_rules.dotted_path: "qualified_name",
        shared_rules.generic_type(arguments="type_argument_list"): "generic_name",
        shared_rules.inner_type(): "nullable_type ref_type",
        shared_rules.collection_type("type"): "array_type",
        shared_rules.external: "predefined_type",
    },
)


# ---- how names are resolved ----------------------------------------------------------------------


class NestedNamespaces(DeclaredPackages):
    """Namespaces within namespaces."""

    sees_outer = True


DIALECT = Dialect(
    "csharp",
    NestedNamespaces,
    common_methods=names("csharp", "common_methods"),
    implicit_this=True,
    wrapper_types=names("csharp", "wrapper_types"),
    passthrough_methods=names("csharp", "passthrough_methods"),
    open_classes=True,
)
