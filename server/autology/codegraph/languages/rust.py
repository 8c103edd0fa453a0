"""Rust."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from autology.codegraph import expressions as expr
from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import Expr
from autology.codegraph.facts import CLASS, FUNCTION, INTERFACE, METHOD, MODULE, FileFacts
from autology.codegraph.file_endings import without_ending
from autology.codegraph.parsing import shared_rules
from autology.codegraph.parsing.reader import NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.resolver_base import ModuleResolver

_TRANSPARENT = ("Some", "Ok", "Err")
"""Patterns whose inner value counts as the whole: ``Option`` and ``Result`` are transparent."""


# ---- modules -------------------------------------------------------------------------------------------
_CRATE = re.compile(r"^\[package\][^\[]*?^name\s*=\s*[\"']([^\"']+)[\"']", re.MULTILINE | re.DOTALL)


def _use(reader: Reader, node: Node, scope: NameScope) -> None:
    for local, parts in _used(field(node, "argument"), ()):
        *outer, name = _from_file(reader, parts, scope)
        if not outer:
            reader.add_import(node, scope, local, name)
        elif name in ("*", "self"):
            module, last = ".".join(outer), outer[-1]
            if name == "*":
                reader.add_import(node, scope, "", module, "*")
            else:
                reader.add_import(node, scope, local if local != "self" else last, ".".join(outer[:-1]) or last, last)
        else:
            reader.add_import(node, scope, local, ".".join(outer), name)


def _from_file(reader: Reader, parts: tuple[str, ...], scope: NameScope) -> tuple[str, ...]:
    """Return a path relative to the module of the file, whatever module within the file it is written in."""
    if parts[0] != "super":
        return parts
    modules = [definition.name for definition in reader.definitions if definition.kind == MODULE]
    depth = sum(f"{scope.name}.".startswith(f"{module}.") for module in modules)
    while depth and parts[0] == "super":
        parts, depth = (parts[1:] if parts[1:2] == ("super",) else ("self", *parts[1:])), depth - 1
    return parts


def _used(node: Node | None, outer: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names that a use declaration brings, and their paths."""
    waiting = [(node, outer)]
    while waiting:
        tree, prefix = waiting.pop()
        if tree is None:
            continue
        if tree.type == "use_list":
            waiting += [(child, prefix) for child in tree.named_children]
        elif tree.type == "scoped_use_list":
            waiting.append((field(tree, "list"), (*prefix, *_path(field(tree, "path")))))
        elif tree.type == "use_wildcard":
            yield "", (*prefix, *_path(next(iter(tree.named_children), None)), "*")
        elif tree.type == "use_as_clause":
            yield text(field(tree, "alias")), (*prefix, *_path(field(tree, "path")))
        else:
            path = (*prefix, *_path(tree))
            yield path[-1], path


def _path(node: Node | None) -> tuple[str, ...]:
    """Return the names of a path, without type arguments."""
    names: list[str] = []
    while node is not None and node.type in ("scoped_identifier", "scoped_type_identifier", "generic_type"):
        if node.type == "generic_type":
            node = field(node, "type")
            continue
        names.append(text(field(node, "name")))
        node = field(node, "path")
    return (*((text(node),) if node is not None else ()), *reversed(names))


def _module(reader: Reader, node: Node, scope: NameScope) -> None:
    name, body = text(field(node, "name")), field(node, "body")
    if body is None:
        reader.add_import(node, scope, name, f"self.{name}")
    else:
        reader.visit(reader.define(node, scope, name, MODULE), body)


# ---- types and functions ---------------------------------------------------------------------------------


def _type(reader: Reader, node: Node, scope: NameScope) -> None:
    bases = [reader.type(bound, scope) for bound in field_children(node, "bounds")]
    inner = reader.define(node, scope, text(field(node, "name")), shared_rules.kind_of_type(node), bases)
    _type_parameters(reader, node, inner)
    reader.visit(inner, field(node, "body"))


def _variant(reader: Reader, node: Node, scope: NameScope) -> None:
    reader.bind(scope, text(field(node, "name")), [expr.INSTANCE, scope.owner])
    reader.visit(scope.block(), field(node, "body"), field(node, "value"))


def _implements(reader: Reader, node: Node, scope: NameScope) -> None:
    path, trait = _path(field(node, "type")), field(node, "trait")
    name = path[-1] if path and path[-1].isidentifier() else ""
    if not name:
        reader.visit(scope, field(node, "body"))
        return
    if trait is not None:
        reader.define(node, scope, name, CLASS, [reader.type(trait, scope)], declared=True)
    inner = NameScope.of_class(scope.qualified(name))
    _type_parameters(reader, node, inner)
    reader.visit(inner, field(node, "body"))


def _type_parameters(reader: Reader, node: Node, scope: NameScope) -> None:
    parameters, where = field(node, "type_parameters"), first_child(node, "where_clause")
    for parameter in children_of(parameters):
        _bounded(reader, field(parameter, "name"), field(parameter, "bounds"), scope)
    for parameter in children_of(where):
        _bounded(reader, field(parameter, "left"), field(parameter, "bounds"), scope)


def _bounded(reader: Reader, name: Node | None, bounds: Node | None, scope: NameScope) -> None:
    type: Expr = (
        [expr.UNION, [reader.type(bound, scope) for bound in bounds.named_children]] if bounds else expr.UNKNOWN
    )
    reader.bind(scope, text(name), type, typed=True)
    reader.visit(scope, bounds)


def _function(reader: Reader, node: Node, scope: NameScope) -> None:
    returns, parameters = field(node, "return_type"), field(node, "parameters")
    type = reader.type(returns, scope) if returns else expr.EXTERNAL
    inner = reader.function(node, scope, text(field(node, "name")), type)
    _type_parameters(reader, node, inner)
    for parameter in children_of(parameters):
        if parameter.type == "self_parameter":
            reader.bind(inner, "self", [expr.INSTANCE, scope.owner])
        else:
            _parameter(reader, parameter, inner, expr.UNKNOWN)
    reader.visit(inner, returns, field(node, "body"))


def _closure(reader: Reader, node: Node, scope: NameScope) -> None:
    for index, parameter in enumerate(field_children(node, "parameters")):
        _parameter(
            reader, parameter, scope, expr.UNKNOWN if index else reader.callback_arguments.get(node.id, expr.UNKNOWN)
        )
    reader.visit(scope, field(node, "body"))


def _parameter(reader: Reader, node: Node, scope: NameScope, default: Expr) -> None:
    pattern, type_node = field(node, "pattern") or node, field(node, "type")
    _bind(reader, pattern, scope, reader.type(type_node, scope) if type_node else default, type_node is not None)
    reader.visit(scope, type_node)


def _macro(reader: Reader, node: Node, scope: NameScope) -> None:
    reader.define(node, NameScope(), text(field(node, "name")), FUNCTION)


def _bind(reader: Reader, pattern: Node | None, scope: NameScope, value: Expr, typed: bool = False) -> None:
    """Bind the names of a pattern."""
    waiting = [(pattern, value, typed)]
    while waiting:
        node, value, typed = waiting.pop()
        if node is None:
            continue
        if node.type in ("identifier", "shorthand_field_identifier"):
            if not text(node)[:1].isupper():
                reader.bind(scope, text(node), value, typed)
        elif node.type == "tuple_struct_pattern":
            type = field(node, "type")
            if text(type) not in _TRANSPARENT:
                value, typed = expr.UNKNOWN, False
            waiting += [(child, value, typed) for child in node.named_children if child != type]
        elif node.type in ("reference_pattern", "mut_pattern", "ref_pattern", "captured_pattern", "match_pattern"):
            waiting += [(child, value, typed) for child in node.named_children[:1]]
        elif node.type == "field_pattern":
            waiting.append((field(node, "pattern") or field(node, "name"), expr.UNKNOWN, False))
        elif node.type.endswith("_pattern"):
            waiting += [(child, expr.UNKNOWN, False) for child in node.named_children]


def _let(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node, value = field(node, "type"), field(node, "value")
    typed = type_node is not None and text(type_node) != "_"
    type = reader.type(type_node, scope) if typed else reader.value(value, scope)
    _bind(reader, field(node, "pattern"), scope, type, typed)
    reader.visit_rest(scope, node, field(node, "pattern"))


def _loop(reader: Reader, node: Node, scope: NameScope) -> None:
    _bind(reader, field(node, "pattern"), scope, [expr.ITEM, reader.value(field(node, "value"), scope)])
    reader.visit_rest(scope, node, field(node, "pattern"))


def _match(reader: Reader, node: Node, scope: NameScope) -> None:
    value, body = field(node, "value"), field(node, "body")
    matched = reader.value(value, scope)
    arms = [child for child in body.named_children if child.type == "match_arm"] if body is not None else []
    for arm in arms:
        _bind(reader, field(arm, "pattern"), scope, matched)
    reader.visit(scope, value, *(child for arm in arms for child in (field(arm, "pattern"), field(arm, "value"))))


def _pattern(reader: Reader, node: Node, scope: NameScope) -> None:
    """The variants and constants that a pattern refers to; names that it binds are not references."""
    waiting = [node]
    while waiting:
        pattern = waiting.pop()
        if pattern.type in ("scoped_identifier", "scoped_type_identifier"):
            shared_rules.use_path(reader, pattern, scope)
        elif pattern.type in ("identifier", "type_identifier"):
            if text(pattern)[:1].isupper():
                reader.use(pattern, scope, [expr.NAME, text(pattern)], False)
        else:
            waiting += pattern.named_children


# ---- what is used ------------------------------------------------------------------------------------------


def _struct(reader: Reader, node: Node, scope: NameScope) -> None:
    """``Store { … }``."""
    reader.use(node, scope, reader.type(field(node, "name"), scope), True)
    reader.visit(scope, field(node, "body"))


def _macro_call(reader: Reader, node: Node, scope: NameScope) -> None:
    """``name!(…)``: its tokens are not parsed, so calls are recognised by their shape."""
    macro = field(node, "macro")
    reader.use(node, scope, reader.value(macro, scope), True)
    waiting = [token for token in node.children if token.type == "token_tree"]
    while waiting:
        value: Expr = expr.UNKNOWN
        previous = ""
        for token in waiting.pop().children:
            if token.type in ("identifier", "self", "super", "crate"):
                value = _next(value, previous, text(token))
            elif token.type == "token_tree":
                waiting.append(token)
                if value != expr.UNKNOWN and previous == "identifier" and text(token)[:1] == "(":
                    reader.use(token, scope, value, True)
                    value = [expr.CALL, value]
                elif previous != "token_tree":
                    value = expr.UNKNOWN
            elif token.type not in (".", "::", "?"):
                value = expr.UNKNOWN
            previous = token.type


def _next(value: Expr, previous: str, name: str) -> Expr:
    if previous == ".":
        return [expr.ATTRIBUTE, value, name]
    if previous == "::" and value[0] in (expr.NAME, expr.PATH):
        return [expr.PATH, [*(value[1] if value[0] == expr.PATH else [value[1]]), name]]
    return [expr.NAME, name]


def _name(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    identifier = text(node)
    return [expr.CLASS_OBJECT, scope.enclosing] if identifier == "Self" and scope.enclosing else [expr.NAME, identifier]


def _scoped_value(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    outer = field(node, "path")
    if outer is not None and outer.type == "bracketed_type":
        type_node = outer.named_children[0] if outer.named_children else None
        type = field(type_node, "alias") if type_node is not None and type_node.type == "qualified_type" else type_node
        return [expr.ATTRIBUTE, reader.type(type, scope, depth), text(field(node, "name"))]
    names = _path(node)
    if names[0] == "Self" and scope.enclosing:
        value: Expr = [expr.CLASS_OBJECT, scope.enclosing]
        for name in names[1:]:
            value = [expr.ATTRIBUTE, value, name]
        return value
    return [expr.PATH, list(_from_file(reader, names, scope))]


def _macro_result(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """``vec![…]`` is a collection; what another macro makes is unknown."""
    return [expr.COLLECTION, expr.UNKNOWN] if text(field(node, "macro")) == "vec" else expr.UNKNOWN


RULES = shared_rules.rules(
    nodes={
        _use: "use_declaration",
        _module: "mod_item",
        shared_rules.ignore: "extern_crate_declaration attribute_item inner_attribute_item associated_type lifetime",
        _type: "struct_item union_item enum_item trait_item",
        _variant: "enum_variant",
        _implements: "impl_item",
        _function: "function_item function_signature_item",
        _closure: "closure_expression",
        _macro: "macro_definition",
        shared_rules.typed_name: "field_declaration const_item static_item",
        shared_rules.alias: "type_item",
        _let: "let_declaration let_condition",
        _loop: "for_expression",
        _match: "match_expression",
        _pattern: "match_pattern",
        shared_rules.use_attribute("value"): "field_expression",
        shared_rules.use_path: "scoped_identifier scoped_type_identifier",
        _struct: "struct_expression",
        shared_rules.pair: "field_initializer",
        _macro_call: "macro_invocation",
        lambda reader, node, scope: reader.visit(scope, field(node, "type")): "type_binding",
    },
    values={
        _name: "identifier type_identifier",
        shared_rules.name: "self",
        _scoped_value: "scoped_identifier scoped_type_identifier",
        shared_rules.attribute("value", "field"): "field_expression",
        shared_rules.inner_value("function"): "generic_function",
        shared_rules.call_result(): "call_expression",
        shared_rules.instance("name"): "struct_expression",
        shared_rules.inner_value(): "try_expression unary_expression",
        shared_rules.inner_value("value"): "reference_expression",
        shared_rules.item(): "index_expression",
        shared_rules.instance(): "type_cast_expression",
        shared_rules.collection: "array_expression",
        _macro_result: "macro_invocation",
        shared_rules.union("consequence", "alternative"): "if_expression",
        shared_rules.inner_value(last=True): "block",
        shared_rules.external: "raw_string_literal",
    },
    types={
        _name: "type_identifier identifier",
        _scoped_value: "scoped_type_identifier",
        shared_rules.inner_type("type"): "reference_type pointer_type",
        shared_rules.inner_type("trait"): "dynamic_type abstract_type",
        shared_rules.inner_type(): "bounded_type",
        shared_rules.function_type("return_type"): "function_type",
        shared_rules.external: "unit_type never_type",
    },
)


# ---- how names are resolved ----------------------------------------------------------------------


def read_manifest(text: str) -> FileFacts:
    """Return the name of the crate that Cargo.toml names, as paths in the source write it."""
    match = _CRATE.search(text)
    return FileFacts(packages=(match[1].replace("-", "_"),) if match else ())


class RustModules(ModuleResolver):
    """Modules by their files below the root of their crate."""

    imports_members = True

    def prepare(self) -> None:
        roots = {posixpath.dirname(path) for path in self.facts if posixpath.basename(path) in ("lib.rs", "main.rs")}
        self._modules: dict[str, tuple[str, str]] = {}
        self._files: dict[tuple[str, str], str] = {}
        for path in sorted(self.facts):
            folder = posixpath.dirname(path)
            root = next((parent for parent in _parents(folder) if parent in roots), folder)
            inner = without_ending(path)[len(root) :].strip("/").removesuffix("/mod")
            module = "" if inner in ("lib", "main", "mod") else inner.replace("/", ".")
            self._modules[path] = (root, module)
            self._files.setdefault((root, module), path)

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        root, own = self._modules[importer]
        first, _, rest = module.partition(".")
        while first == "super" and rest.partition(".")[0] == "super":
            own, (first, _, rest) = own.rpartition(".")[0], rest.partition(".")
        if first == "crate":
            return self._at(root, rest)
        if first in ("self", "super"):
            outer = own if first == "self" else own.rpartition(".")[0]
            return self._at(root, ".".join(part for part in (outer, rest) if part))
        if folder := self.packages.get(first):
            return self._at(posixpath.join(folder, "src"), rest) or self._at(folder, rest)
        return self._at(root, f"{own}.{module}" if own else module)

    def submodule(self, path: str, name: str) -> tuple[str, ...]:
        root, own = self._modules[path]
        return self._at(root, f"{own}.{name}" if own else name)

    def _at(self, root: str, module: str) -> tuple[str, ...]:
        path = self._files.get((root, module))
        return (path,) if path else ()


def _parents(folder: str) -> Iterable[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


DIALECT = Dialect(
    "rust",
    RustModules,
    common_methods=names("rust", "common_methods"),
    wrapper_types=names("rust", "wrapper_types"),
    passthrough_methods=names("rust", "passthrough_methods"),
    exported_kinds=(CLASS, INTERFACE, FUNCTION, METHOD),
)
