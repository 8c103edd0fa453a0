"""JavaScript, TypeScript and TSX."""

from __future__ import annotations

import json
import posixpath
from collections import defaultdict

from autology.codegraph import expressions as expr
from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import Expr, without_arguments
from autology.codegraph.facts import CLASS, FUNCTION, INTERFACE, MODULE, FileFacts, Import
from autology.codegraph.file_endings import without_ending
from autology.codegraph.parsing import shared_rules
from autology.codegraph.parsing.reader import NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.resolver_base import ModuleResolver

DEFAULT = "default"
"""The name of a module's default export."""
_FUNCTIONS = ("arrow_function", "function_expression", "function", "generator_function")


# ---- classes and functions -------------------------------------------------------------------------


def _class(reader: Reader, node: Node, scope: NameScope) -> None:
    heritage = first_child(node, "class_heritage")
    bases = _bases(reader, heritage, scope) if heritage else []
    name = field(node, "name")
    inner = reader.define(node, scope, text(name) or DEFAULT, CLASS, bases)
    _type_parameters(reader, node, inner)
    reader.visit_rest(inner, node, name, heritage, field(node, "type_parameters"))
    for clause in children_of(heritage):
        reader.visit(inner, *(child for child in clause.named_children if child.type == "type_arguments"))


def _bases(reader: Reader, heritage: Node, scope: NameScope) -> list[Expr]:
    clauses = [child for child in heritage.named_children if child.type in ("extends_clause", "implements_clause")]
    if not clauses:  # JavaScript, without clauses
        return [reader.value(child, scope) for child in heritage.named_children]
    bases = []
    for clause in clauses:
        base = reader.value if clause.type == "extends_clause" else reader.type
        bases += [base(child, scope) for child in clause.named_children if child.type != "type_arguments"]
    return bases


def _interface(reader: Reader, node: Node, scope: NameScope) -> None:
    name, extended = field(node, "name"), first_child(node, "extends_type_clause", "extends_clause")
    bases = [reader.type(base, scope) for base in extended.named_children] if extended else []
    inner = reader.define(node, scope, text(name), INTERFACE, bases)
    _type_parameters(reader, node, inner)
    reader.visit(inner, field(node, "body"))


def _alias(reader: Reader, node: Node, scope: NameScope) -> None:
    """``type A = …``: an interface where it lists members, else an alias."""
    name, value = field(node, "name"), field(node, "value")
    if value is not None and value.type == "object_type":
        reader.visit(reader.define(node, scope, text(name), INTERFACE), value)
        return
    reader.bind(scope, text(name), reader.type(value, scope), typed=True)
    reader.visit(scope, value)


def _type_parameters(reader: Reader, node: Node, scope: NameScope) -> None:
    """``<T extends Store>``: a T is a Store."""
    for parameter in field_children(node, "type_parameters"):
        constraint = field(parameter, "constraint")
        reader.bind(scope, text(field(parameter, "name")), reader.type(constraint, scope), typed=True)
        reader.visit(scope, constraint)


def _module(reader: Reader, node: Node, scope: NameScope) -> None:
    name = field(node, "name")
    if name is None or name.type == "string":
        reader.visit_rest(scope, node, name)
    else:
        reader.visit(reader.define(node, scope, text(name), MODULE), field(node, "body"))


def _enum(reader: Reader, node: Node, scope: NameScope) -> None:
    inner = reader.define(node, scope, text(field(node, "name")), CLASS)
    for member in field_children(node, "body"):
        reader.bind(inner, text(field(member, "name") or member), expr.EXTERNAL)
        reader.visit(inner, field(member, "value"))


def _function(reader: Reader, node: Node, scope: NameScope) -> None:
    _add_function(reader, node, scope, text(field(node, "name")))


def _default(reader: Reader, node: Node, scope: NameScope) -> None:
    _add_function(reader, node, scope, "")


def _add_function(reader: Reader, node: Node, scope: NameScope, name: str, defined_by: Node | None = None) -> bool:
    """Add a function as *name*, with its parameters and body; return True."""
    returns = field(node, "return_type")
    return_type = reader.type(returns, scope) if returns else None
    declared = node.type in ("function_signature", "method_signature", "abstract_method_signature")
    getter = any(child.type == "get" for child in node.children[:4])
    inner = reader.function(defined_by or node, scope, name, return_type, getter=getter, declared=declared)
    _type_parameters(reader, node, inner)
    single, parameters = field(node, "parameter"), field(node, "parameters")
    first = reader.callback_arguments.get((defined_by or node).id, expr.UNKNOWN)
    if single is not None:
        reader.bind(inner, text(single), first)
    for index, child in enumerate(children_of(parameters)):
        _parameter(reader, child, inner, scope, expr.UNKNOWN if index else first)
    body = field(node, "body")
    if body is not None and body.type != "statement_block" and name:
        reader.add_return(inner, reader.value(body, inner))
    reader.visit(inner, returns, body)
    return True


def _parameter(reader: Reader, node: Node, scope: NameScope, outer: NameScope, default: Expr) -> None:
    pattern, type_node, value = field(node, "pattern") or node, field(node, "type"), field(node, "value")
    if node.type == "assignment_pattern":
        pattern, value = field(node, "left"), field(node, "right")
    type = reader.type(type_node, scope) if type_node else reader.value(value, scope) if value else default
    if pattern.type == "rest_pattern":
        pattern = pattern.named_children[0]
    _pattern(reader, pattern, scope, type, type_node is not None)
    if any(child.type in ("accessibility_modifier", "override_modifier", "readonly") for child in node.children):
        reader.bind(scope, text(pattern), type, type_node is not None, owner=outer.owner)
    reader.visit(scope, type_node, value, *(child for child in node.named_children if child.type == "decorator"))


def _pattern(reader: Reader, pattern: Node | None, scope: NameScope, value: Expr, typed: bool = False) -> None:
    """Bind the names of a pattern; in a destructuring one to attributes of *value*."""
    waiting = [(pattern, value, typed)]
    while waiting:
        node, value, typed = waiting.pop()
        if node is None:
            continue
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            bound = value if node.type == "identifier" or value == expr.UNKNOWN else [expr.ATTRIBUTE, value, text(node)]
            reader.bind(scope, text(node), bound, typed)
        elif node.type == "pair_pattern":
            waiting.append((field(node, "value"), [expr.ATTRIBUTE, value, text(field(node, "key"))], False))
        elif node.type in ("object_assignment_pattern", "assignment_pattern"):
            waiting.append((field(node, "left"), value, False))
            reader.visit(scope, field(node, "right"))
        elif node.type == "object_pattern":
            if typed and value[0] in (
                expr.NAME,
                expr.ATTRIBUTE,
                expr.GENERIC,
            ):  # a type, whose instances have the attributes
                value = [expr.CALL, without_arguments(value)]
            waiting += [(child, value, False) for child in node.named_children]
        elif node.type == "array_pattern":
            waiting += [(child, expr.UNKNOWN, False) for child in node.named_children]


def _field(reader: Reader, node: Node, scope: NameScope) -> None:
    """A field of a class or interface; one that holds a function is a method."""
    name, type_node, value = field(node, "name") or field(node, "property"), field(node, "type"), field(node, "value")
    if value is not None and value.type in _FUNCTIONS:
        _add_function(reader, value, scope, text(name), node)
        reader.visit(scope, type_node)
        return
    type = reader.type(type_node, scope) if type_node else reader.value(value, scope)
    reader.bind(scope, text(name), type, type_node is not None)
    reader.visit_rest(scope, node, name)


def _variable(reader: Reader, node: Node, scope: NameScope) -> None:
    name, type_node, value = field(node, "name"), field(node, "type"), field(node, "value")
    module = _required(value)
    if module:
        _require(reader, node, scope, name, module)
        return
    simple = value is not None and name is not None and name.type == "identifier"
    if simple and _define_assigned(reader, node, scope, text(name), value):
        reader.visit(scope, type_node)
        return
    type = reader.type(type_node, scope) if type_node else reader.value(value, scope) if value else expr.UNKNOWN
    _pattern(reader, name, scope, type, type_node is not None)
    reader.visit(scope, type_node, value)


def _define_assigned(reader: Reader, node: Node, scope: NameScope, name: str, value: Node) -> bool:
    """Add a function, class or object with functions that is assigned to *name*; return whether *value* is one."""
    if value.type in _FUNCTIONS:
        _add_function(reader, value, scope, name, node)
    elif value.type == "class":
        _class_as(reader, value, scope, name)
    elif value.type == "object" and any(_is_function(child) for child in value.named_children):
        inner = reader.define(node, scope, name, MODULE)
        reader.visit(NameScope.of_class(inner.name), value)
    else:
        return False
    return True


def _class_as(reader: Reader, node: Node, scope: NameScope, name: str) -> None:
    heritage = first_child(node, "class_heritage")
    inner = reader.define(node, scope, name, CLASS, _bases(reader, heritage, scope) if heritage else [])
    reader.visit(inner, field(node, "body"))


def _is_function(node: Node) -> bool:
    value = field(node, "value")
    return node.type == "method_definition" or (value is not None and value.type in _FUNCTIONS)


def _pair(reader: Reader, node: Node, scope: NameScope) -> None:
    """``name: value`` in an object; a function in a named object is its method."""
    value = field(node, "value")
    if value is not None and value.type in _FUNCTIONS and scope.owner:
        _add_function(reader, value, scope, text(field(node, "key")).strip("'\""), node)
        return
    if scope.owner:
        reader.bind(scope, text(field(node, "key")).strip("'\""), reader.value(value, scope))
    reader.visit(scope.block(), value)


def _method(reader: Reader, node: Node, scope: NameScope) -> None:
    name = text(field(node, "name")).strip("'\"[]")
    _add_function(reader, node, scope, name if scope.owner else "")
    reader.visit(scope, *(child for child in node.named_children if child.type == "decorator"))


def _assignment(reader: Reader, node: Node, scope: NameScope) -> None:
    left, right = field(node, "left"), field(node, "right")
    if left is not None and left.type == "member_expression":
        if _assigned(reader, node, scope, left, right):
            return
    elif left is not None:
        _pattern(reader, left, scope, reader.value(right, scope))
    reader.visit(scope, right, left if left is not None and left.type != "identifier" else None)


def _assigned(reader: Reader, node: Node, scope: NameScope, left: Node, right: Node) -> bool:
    """Add ``this.x = …``, ``exports.x = …`` and methods assigned to classes; return whether *right* is done."""
    owner, name = text(field(left, "object")), text(field(left, "property"))
    if owner == "this":
        reader.bind(scope, name, reader.value(right, scope), owner=scope.enclosing or scope.name)
        body = NameScope.of_class(scope.enclosing)
        return bool(scope.enclosing) and right.type in _FUNCTIONS and _add_function(reader, right, body, name, node)
    if owner in ("exports", "module.exports") or (owner, name) == ("module", "exports"):
        return _export_commonjs(reader, node, scope, DEFAULT if owner == "module" else name, right)
    target, owner = owner, owner.removesuffix(".prototype")
    if right.type not in _FUNCTIONS or not owner.isidentifier() or scope.name:
        return False
    if target != owner:
        reader.change_kind(owner, CLASS)
    return _add_function(reader, right, NameScope.of_class(owner), name, node)


def _export_commonjs(reader: Reader, node: Node, scope: NameScope, name: str, right: Node) -> bool:
    """Add what a CommonJS module exports as *name*; return whether *right* is done."""
    function = text(field(right, "name")) if name == DEFAULT else ""
    if _define_assigned(reader, node, scope, function or name, right):
        if function:
            reader.bind(scope, DEFAULT, [expr.NAME, function])
        return True
    if text(right) != name:
        reader.bind(scope, name, reader.value(right, scope))
    return False


def _loop(reader: Reader, node: Node, scope: NameScope) -> None:
    """``for (const element of all)``."""
    _pattern(reader, field(node, "left"), scope, [expr.ITEM, reader.value(field(node, "right"), scope)])
    reader.visit(scope, field(node, "right"), field(node, "body"))


# ---- imports and exports -----------------------------------------------------------------------------


def _import(reader: Reader, node: Node, scope: NameScope) -> None:
    clause, equals = first_child(node, "import_clause"), first_child(node, "import_require_clause")
    module = _string(field(node, "source") or (field(equals, "source") if equals else None))
    if equals:
        reader.add_import(node, scope, text(equals.named_children[0]), module)
    for child in children_of(clause):
        if child.type == "identifier":
            reader.add_import(node, scope, text(child), module, DEFAULT)
        elif child.type == "namespace_import":
            reader.add_import(node, scope, text(child.named_children[0]), module)
        else:
            for specifier in child.named_children:
                name = text(field(specifier, "name"))
                reader.add_import(node, scope, text(field(specifier, "alias")) or name, module, name)
    if not clause and not equals:
        reader.add_import(node, scope, "", module)


def _export(reader: Reader, node: Node, scope: NameScope) -> None:
    source, clause = field(node, "source"), first_child(node, "export_clause")
    if source is not None:
        namespace = first_child(node, "namespace_export")
        if namespace:
            reader.add_import(node, scope, text(namespace.named_children[0]), _string(source))
        elif not clause:
            reader.add_import(node, scope, "", _string(source), "*")
    for specifier in children_of(clause):
        name, alias = text(field(specifier, "name")), text(field(specifier, "alias"))
        if source is not None:
            reader.add_import(node, scope, alias or name, _string(source), name)
        elif alias and alias != name:
            reader.bind(scope, alias, [expr.NAME, name])
    if not clause and source is None:
        _exported(reader, node, scope)


def _exported(reader: Reader, node: Node, scope: NameScope) -> None:
    exported = field(node, "declaration") or field(node, "value") or next(iter(node.named_children), None)
    if exported is not None and any(child.type == DEFAULT for child in node.children):
        name = field(exported, "name")
        if name is not None and (exported.type.endswith("declaration") or exported.type in ("class", *_FUNCTIONS)):
            reader.bind(scope, DEFAULT, [expr.NAME, text(name)])
        elif _define_assigned(reader, node, scope, DEFAULT, exported):
            return
        elif exported.type not in ("function_declaration", "class_declaration", "generator_function_declaration"):
            reader.bind(scope, DEFAULT, reader.value(exported, scope))
    reader.visit_rest(scope, node)


def _required(value: Node | None) -> str:
    """Return the module in ``require("…")``, "" for anything else."""
    if value is None or value.type != "call_expression" or text(field(value, "function")) != "require":
        return ""
    arguments = field(value, "arguments")
    return _string(first_child(arguments, "string")) if arguments is not None else ""


def _require(reader: Reader, node: Node, scope: NameScope, target: Node | None, module: str) -> None:
    if target is None:
        return
    if target.type == "identifier":
        reader.add_import(node, scope, text(target), module)
    for child in target.named_children if target.type == "object_pattern" else ():
        name = text(field(child, "key")) if child.type == "pair_pattern" else text(child)
        reader.add_import(node, scope, text(field(child, "value")) or name, module, name)


def _string(node: Node | None) -> str:
    return text(node).strip("'\"`")


# ---- what is used --------------------------------------------------------------------------------------


def _call(reader: Reader, node: Node, scope: NameScope) -> None:
    module = _required(node)
    if module:
        reader.add_import(node, scope, "", module)
        return
    shared_rules.call()(reader, node, scope)
    reader.visit(scope, field(node, "type_arguments"))


def _new(reader: Reader, node: Node, scope: NameScope) -> None:
    shared_rules.call("constructor")(reader, node, scope)
    reader.visit(scope, field(node, "type_arguments"))


def _element(reader: Reader, node: Node, scope: NameScope) -> None:
    """``<Name …>``: a component is called, an HTML tag is not."""
    name = field(node, "name")
    value = reader.value(name, scope)
    if value[0] == expr.ATTRIBUTE or text(name)[:1].isupper():
        reader.use(node, scope, value, True)
    reader.visit_rest(scope, node, name)


def _call_result(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    module = _required(node)
    return expr.UNKNOWN if module else [expr.CALL, reader.value(field(node, "function"), scope, depth)]


def _cast(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    type = reader.type(node.named_children[-1], scope, depth) if len(node.named_children) > 1 else expr.UNKNOWN
    if type[0] in (expr.NAME, expr.ATTRIBUTE) and type != [expr.NAME, "const"]:
        return [expr.CALL, type]
    return reader.value(node.named_children[0], scope, depth)


def _predefined(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    return expr.UNKNOWN if text(node) in ("any", "unknown", "object") else expr.EXTERNAL


def _binary(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    operator = text(field(node, "operator"))
    return _either(reader, node, scope, depth) if operator in ("||", "??", "&&") else expr.EXTERNAL


_either = shared_rules.union("left", "right")

RULES = shared_rules.rules(
    nodes={
        _class: "class_declaration abstract_class_declaration",
        _interface: "interface_declaration",
        _alias: "type_alias_declaration",
        _module: "internal_module module",
        _enum: "enum_declaration",
        _function: "function_declaration generator_function_declaration function_signature",
        _method: "method_definition method_signature abstract_method_signature",
        _default: "arrow_function function_expression function generator_function",
        _field: "public_field_definition field_definition property_signature",
        _variable: "variable_declarator",
        _pair: "pair",
        _assignment: "assignment_expression",
        _loop: "for_in_statement",
        _import: "import_statement",
        _export: "export_statement",
        _call: "call_expression",
        _new: "new_expression",
        _element: "jsx_opening_element jsx_self_closing_element",
        shared_rules.ignore: "jsx_closing_element",
        shared_rules.return_value: "return_statement",
        shared_rules.use_attribute("object"): "member_expression",
        shared_rules.use_attribute("module"): "nested_type_identifier",
        shared_rules.use_name: "shorthand_property_identifier",
    },
    values={
        shared_rules.attribute("object", "property"): "member_expression nested_identifier",
        _call_result: "call_expression",
        shared_rules.call_result("constructor"): "new_expression",
        shared_rules.item("object"): "subscript_expression",
        shared_rules.inner_value(): "non_null_expression satisfies_expression",
        _cast: "as_expression",
        shared_rules.inner_value("right"): "assignment_expression",
        _binary: "binary_expression",
        shared_rules.super_: "super",
    },
    types={
        shared_rules.name: "identifier",
        shared_rules.attribute("module", "name"): "nested_type_identifier",
        shared_rules.generic_type("name"): "generic_type",
        shared_rules.inner_type(): "type_annotation constraint readonly_type",
        shared_rules.inner_value(): "type_query",
        shared_rules.collection_type(): "array_type",
        _predefined: "predefined_type",
        shared_rules.external: "literal_type template_literal_type",
        shared_rules.this: "this_type",
    },
)


# ---- how names are resolved ----------------------------------------------------------------------


def read_manifest(text: str) -> FileFacts:
    """Return the name of the package that package.json names."""
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        return FileFacts()
    name = manifest.get("name") if isinstance(manifest, dict) else None
    return FileFacts(packages=(name,) if isinstance(name, str) and name else ())


class JavaScriptModules(ModuleResolver):
    """Files by their paths, as bundlers and Node.js resolve them; packages of a workspace by their names."""

    def prepare(self) -> None:
        self._stems: dict[str, str] = {}
        self._tails: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.facts, key=lambda path: (path.endswith(".d.ts"), path)):
            stem = without_ending(path).removesuffix(".d")
            module = stem.removesuffix("/index")
            for name in (path, stem, module):
                self._stems.setdefault(name, path)
            self._tails[posixpath.basename(module)].append(module)
        if "index" in self._stems:
            self._stems.setdefault(".", self._stems["index"])

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        if module.startswith("."):
            return self._at(posixpath.normpath(posixpath.join(posixpath.dirname(importer), module)))
        if (name := self.package_of(module)) is not None:
            return self._in_package(self.packages[name], module[len(name) :].strip("/"))
        alias, _, rest = module.partition("/")
        if rest and alias in ("@", "~", "#", "src", "$lib", "app"):
            tails = self._tails.get(posixpath.basename(rest), ())
            near = self.nearest([stem for stem in tails if stem == rest or stem.endswith(f"/{rest}")], importer)
            return self._at(near[0]) if near else ()
        return ()

    def imported_submodule(self, import_: Import, importer: str) -> tuple[str, ...]:
        return ()  # a file is imported by its path

    def _in_package(self, folder: str, rest: str) -> tuple[str, ...]:
        if rest:
            stems: tuple[str, ...] = (f"src/{rest}", rest, f"lib/{rest}")
        else:
            stems = ("src/index", "index", "lib/index", "src/main", "main")
        return next((files for stem in stems if (files := self._at(posixpath.join(folder, stem)))), ())

    def _at(self, stem: str) -> tuple[str, ...]:
        source = without_ending(stem) if stem.endswith((".js", ".mjs", ".cjs", ".jsx")) else stem
        path = self._stems.get(stem) or self._stems.get(source)
        return (path,) if path else ()


DIALECT = Dialect(
    "javascript",
    JavaScriptModules,
    builtins=names("javascript", "builtins"),
    common_methods=names("javascript", "common_methods"),
    explicit_imports=False,
    wrapper_types=names("javascript", "wrapper_types"),
    passthrough_methods=names("javascript", "passthrough_methods"),
    modules_are_callable=True,
    interfaces_merge=True,
    exported_kinds=(CLASS, INTERFACE, FUNCTION),
)
