"""Parsing with tree-sitter, from a folder of the user's; broken, huge and generated files have limits."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from autology.codegraph.facts import FileFacts
from autology.codegraph.file_endings import Language
from autology.codegraph.parsing.reader import LanguageRules, Reader
from autology.codegraph.parsing.syntax_nodes import Node
from autology.model.errors import ParsingError

MAX_SECONDS = 5.0
"""For one file; one of a megabyte takes a quarter of a second, and ten times that where every second line is wrong."""
MAX_NODES = 400_000
"""Of one file; 1 MB of dense source has 350,000, which are walked in 3 s."""
MAX_LINE = 20_000
"""Characters of a line; bundles and data have longer ones, code that people wrote a thousand at most."""


class TreeSitter:
    """The parsers in the folder *packages*; nothing is loaded before the first file."""

    def __init__(self, packages: str) -> None:
        self._packages = packages
        self._parsers: dict[str, tuple[Any, LanguageRules]] = {}

    def parser(self, language: Language) -> Callable[[str], FileFacts]:
        """Return the parser of *language*; it raises ParsingError where the folder is damaged."""

        def read(text: str) -> FileFacts:
            if max(map(len, text.splitlines()), default=0) > MAX_LINE:
                return FileFacts(fault="was written by a program: it has lines of thousands of characters")
            try:
                parser, rules = self._load(language)
            except (ImportError, AttributeError, ValueError, OSError) as error:
                message = " ".join(str(error).split())[:200]
                raise ParsingError(f"do not run here: {type(error).__name__}: {message}") from error
            root = _parse(parser, text.encode("utf-8", "replace"))
            if root is None:
                return FileFacts(fault=f"takes more than {MAX_SECONDS:g} s to parse")
            if root.descendant_count > MAX_NODES:
                return FileFacts(fault="has too many parts to be looked into")
            facts = Reader(rules).read(root)
            if root.has_error and not (facts.definitions or facts.imports or facts.uses):
                return FileFacts(fault=f"line {_first_error(root)}: nothing in it is {language.name}")
            return facts

        return read

    def _load(self, language: Language) -> tuple[Any, LanguageRules]:
        if language.name not in self._parsers:
            if self._packages not in sys.path:
                sys.path.append(self._packages)  # at the end: what is bundled with us comes first
            core, tables = import_module("tree_sitter"), import_module(language.package)
            parser = core.Parser(core.Language(getattr(tables, language.function)()))
            rules: LanguageRules = _module(language).RULES
            self._parsers[language.name] = (parser, rules)
        return self._parsers[language.name]


def manifest_parser(language: Language) -> Callable[[str], FileFacts]:
    """Return what reads the manifests of *language*."""

    def read(text: str) -> FileFacts:
        facts: FileFacts = _module(language).read_manifest(text)
        return facts

    return read


def _module(language: Language) -> ModuleType:
    return import_module(f"autology.codegraph.languages.{language.module}")


def _parse(parser: Any, data: bytes) -> Node | None:
    """Return the root of the syntax tree, or None where parsing takes too long."""
    until = time.monotonic() + MAX_SECONDS
    view = memoryview(data)
    try:
        tree = parser.parse(
            lambda offset, _: bytes(view[offset : offset + 65_536]),
            progress_callback=lambda _, __: time.monotonic() > until,
        )
    except ValueError:  # stopped
        parser.reset()
        return None
    # Again, in no time, over the finished tree: one that was parsed in pieces reads its text in pieces, name by name.
    return parser.parse(data, tree).root_node


def _first_error(root: Node) -> int:
    """Return the line of the first syntax error."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            return int(node.start_point[0]) + 1
        waiting += [child for child in reversed(node.children) if child.has_error]
    return 1
