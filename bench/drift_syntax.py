"""The definitions in a file by an independent parser, as reference for the drift benchmark."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

LONG = 3
"""Lines from which a definition is asked after."""
GRAMMARS = {
    ".js": ("tree_sitter_javascript", "language"),
    ".mjs": ("tree_sitter_javascript", "language"),
    ".ts": ("tree_sitter_typescript", "language_typescript"),
    ".tsx": ("tree_sitter_typescript", "language_tsx"),
    ".c": ("tree_sitter_c", "language"),
    ".h": ("tree_sitter_cpp", "language"),
    ".cc": ("tree_sitter_cpp", "language"),
    ".rs": ("tree_sitter_rust", "language"),
    ".java": ("tree_sitter_java", "language"),
}
GLOBS = ("*.py", *(f"*{ending}" for ending in GRAMMARS))
_DEFINING = {
    *("function_declaration", "generator_function_declaration", "class_declaration", "abstract_class_declaration"),
    *("interface_declaration", "type_alias_declaration", "enum_declaration", "method_definition"),
    *("function_definition", "struct_specifier", "class_specifier", "enum_specifier"),
    *("function_item", "struct_item", "enum_item", "trait_item", "const_item", "static_item", "macro_definition"),
    *("method_declaration", "constructor_declaration"),
}
_AROUND = {
    *(
        "program",
        "translation_unit",
        "source_file",
        "export_statement",
        "namespace_definition",
        "linkage_specification",
    ),
    *("declaration_list", "class_body", "field_declaration_list", "interface_body", "impl_item", "class_declaration"),
    *("mod_item", "preproc_if", "preproc_ifdef", "preproc_else", "class_specifier", "struct_specifier", "trait_item"),
    *(
        "abstract_class_declaration",
        "lexical_declaration",
        "enum_body",
        "template_declaration",
        "interface_declaration",
    ),
}
"""What may hold definitions that are seen from outside; the inside of a function is its own affair."""


def parses(path: str) -> bool:
    """Whether there is a parser for the file here."""
    return path.endswith(".py") or _parser(_ending(path)) is not None


def definitions(text: str, path: str) -> Mapping[str, str]:
    """Return what a file defines once, by name, as its syntax has it, without comments, docstrings and form."""
    pairs = _of_python(text) if path.endswith(".py") else _of_others(text, _ending(path))
    found: dict[str, str] = {}
    twice = set()
    for name, lines, tree in pairs:
        twice |= {name} & found.keys()
        if lines >= LONG or name in found:
            found[name] = tree
    return {name: tree for name, tree in found.items() if name not in twice}


def _ending(path: str) -> str:
    return path[path.rfind(".") :]


# ---- Python --------------------------------------------------------------------------------------


def _of_python(text: str) -> Iterator[tuple[str, int, str]]:
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for each in module.body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            lines = (each.end_lineno or 0) - each.lineno
            yield each.name, lines, ast.dump(_without_docstrings(each))


def _without_docstrings(tree: ast.AST) -> ast.AST:
    for each in ast.walk(tree):
        body = getattr(each, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            each.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined,index]
    return tree


# ---- other languages -----------------------------------------------------------------------------


@cache
def _parser(ending: str) -> Any:
    if ending not in GRAMMARS:
        return None
    module, language = GRAMMARS[ending]
    try:
        import tree_sitter

        return tree_sitter.Parser(tree_sitter.Language(getattr(importlib.import_module(module), language)()))
    except ImportError:
        return None


def _of_others(text: str, ending: str) -> Iterator[tuple[str, int, str]]:
    data = text.encode("utf-8")
    waiting = [_parser(ending).parse(data).root_node]
    while waiting:
        node = waiting.pop()
        if node.type in _DEFINING and (name := _name(node)) and not node.has_error:
            yield name, node.end_point[0] - node.start_point[0], " ".join([*_marks(node), *_leaves(node)])
        if node.type == "impl_item" and not node.child_by_field_name("trait"):
            of = node.child_by_field_name("type")
            yield of.text.decode("utf-8").partition("<")[0], LONG, " ".join(_leaves(node))
        if node.type == "variable_declarator" and (name := _name(node)):
            yield name, node.end_point[0] - node.start_point[0], " ".join(_leaves(node))
        if node.type in _AROUND:
            waiting += reversed(node.children)


def _name(node: Any) -> str:
    named = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    while named is not None and named.child_by_field_name("declarator") is not None:
        named = named.child_by_field_name("declarator")
    if named is None or named.type not in _NAMES or not _is_whole(node):
        return ""
    return str(named.text.decode("utf-8"))


_NAMES = ("identifier", "type_identifier", "property_identifier", "field_identifier")


def _is_whole(node: Any) -> bool:
    """Whether it is defined here, not only spoken of."""
    body = node.child_by_field_name("body") or node.child_by_field_name("value")
    return body is not None or not node.type.endswith(("_specifier", "_declarator"))


def _marks(node: Any) -> list[str]:
    """Return the words of the attributes that stand above a definition of Rust."""
    before = node.prev_sibling
    marks = []
    while before is not None and (before.type == "attribute_item" or "comment" in before.type):
        marks.append(_leaves(before))
        before = before.prev_sibling
    return [word for mark in reversed(marks) for word in mark]


def _leaves(node: Any) -> list[str]:
    """Return the words of a syntax tree; which quotes a text stands in, and commas before the end, are form."""
    found: list[str] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if "comment" in each.type:
            continue
        if each.children:
            waiting += reversed(each.children)
            continue
        word = " ".join(each.text.decode("utf-8", "replace").split())
        if word in (";", "") or each.is_missing:
            continue
        if word in (")", "]", "}") and found and found[-1] == ",":
            found.pop()
        found.append('"' if word == "'" else word)
    return found
